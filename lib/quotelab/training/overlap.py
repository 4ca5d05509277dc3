"""Lexical overlap of two sentences: measures from 0 (nothing in common) to 1."""

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

_TOKEN = re.compile(r"\w+")
#: Measures of :func:`overlaps`, in the order of its columns.
MEASURES: Final = ("dice", "dice_idf", "dice_bigrams", "dice_letters", "length_ratio")


def tokens(text: str) -> list[str]:
    r"""Lower-cased runs of ``\w``, which reproduce the published overlap of STR-2022.

    >>> tokens("It's RAINING.")
    ['it', 's', 'raining']
    """
    return spelled(text.lower())


def spelled(text: str) -> list[str]:
    r"""Runs of ``\w`` as they are spelled."""
    return _TOKEN.findall(text)


def dice(one: Collection[str], other: Collection[str]) -> float:
    """Dice coefficient of two sets, ``2 |x & y| / (|x| + |y|)``; 0 if both are empty (Abdalla et al. 2023, §4).

    >>> dice({"a", "b"}, {"b"})
    0.6666666666666666
    """
    return _weighted(set(one), set(other), {})


def overlaps(first: Sequence[str], second: Sequence[str]) -> npt.NDArray[np.float64]:
    """Measures of the overlap of n pairs of sentences, shape (n, len(:data:`MEASURES`)).

    ``dice`` is that of sets of tokens; ``dice_idf`` weighs a token by the logarithm of its rarity among the different
    sentences given; ``dice_bigrams`` is that of neighbouring tokens, ``dice_letters`` that of letter trigrams;
    ``length_ratio`` is that of the token counts, the shorter over the longer.
    """
    sentences = {text: tokens(text) for text in (*first, *second)}
    rarity = rarities(sentences.values())
    bigrams = {text: set(pairwise(each)) for text, each in sentences.items()}
    letters = {text: _trigrams(each) for text, each in sentences.items()}
    rows = np.empty((len(first), len(MEASURES)))
    for place, (one, other) in enumerate(zip(first, second, strict=True)):
        x, y = set(sentences[one]), set(sentences[other])
        shorter, longer = sorted((len(sentences[one]), len(sentences[other])))
        rows[place] = (
            dice(x, y),
            _weighted(x, y, rarity),
            _weighted(bigrams[one], bigrams[other], {}),
            _weighted(letters[one], letters[other], {}),
            shorter / longer if longer else 0,
        )
    return rows


def rarities(sentences: Collection[Sequence[str]]) -> dict[str, float]:
    """Logarithm of how rare each token is: 0 if it is in every sentence and one more."""
    found_in = Counter(token for each in sentences for token in set(each))
    return {token: math.log((1 + len(sentences)) / count) for token, count in found_in.items()}


def _weighted(x: set[Any], y: set[Any], weights: Mapping[Any, float]) -> float:
    both = x & y
    if not weights:
        return 2 * len(both) / (len(x) + len(y)) if x or y else 0.0
    whole = sum(weights[each] for each in x) + sum(weights[each] for each in y)
    return 2 * sum(weights[each] for each in sorted(both, key=str)) / whole if whole else 0.0


def _trigrams(words: Sequence[str]) -> set[str]:
    text = f" {' '.join(words)} "
    return {text[place : place + 3] for place in range(len(text) - 2)}
