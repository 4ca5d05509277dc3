"""Lexical overlap of two sentences: measures from 0 (nothing in common) to 1."""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
import numpy.typing as npt

from quotelab.labels.sentence_pairs import SentencePair
from quotelake.files.jsonl import opened, refuse

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


Vector = npt.NDArray[np.float32]


def mean_vector_cosines(pairs: Sequence[SentencePair], path: Path) -> npt.NDArray[np.float64]:
    """Cosine of the mean word vectors of each pair of sentences; NaN where one has no word with a vector.

    Raises:
        InputError: see :func:`read_word_vectors`.
    """
    sides = [[spelled(getattr(pair, side)) for pair in pairs] for side in ("first", "second")]
    vectors = read_word_vectors(path, {word for side in sides for words in side for word in words})
    first, second = ([_mean(words, vectors) for words in side] for side in sides)
    values = np.full(len(pairs), np.nan)
    for place, (x, y) in enumerate(zip(first, second, strict=True)):
        if x is not None and y is not None and (length := float(np.linalg.norm(x) * np.linalg.norm(y))):
            values[place] = float(x @ y) / length
    return values


def _mean(words: Sequence[str], vectors: Mapping[str, Vector]) -> Vector | None:
    """Mean vector of the words that have one, as spelled or in lower case; None where no word has one."""
    known = [each for word in words if (each := vectors.get(word, vectors.get(word.lower()))) is not None]
    return np.mean(known, axis=0, dtype=np.float32) if known else None


def read_word_vectors(path: Path, words: Collection[str]) -> dict[str, Vector]:
    """Read the vectors of the words asked for; all others are passed over.

    Args:
        path: a line per word, with its numbers behind it, and optionally a first line with two counts; or, named
            .bin, the binary format of word2vec. Either may be gzipped (.gz).
        words: those wanted, as spelled and in lower case.

    Raises:
        InputError: the file cannot be read, a vector has another length than the first, or no word is found.
    """
    wanted = {*words, *(word.lower() for word in words)}
    found: dict[str, Vector] = {}
    with opened(path) as file:
        for place, word, vector in (_binary if ".bin" in path.suffixes[-2:] else _lines)(path, file, wanted):
            length = len(next(iter(found.values()), vector))
            if len(vector) != length:
                refuse(place, f"{len(vector)} numbers", f"give {length}, as before")
            found.setdefault(word, vector)
    return found or refuse(str(path), "none of the words of the sentences", "give vectors of their language")


def _lines(path: Path, file: IO[bytes], wanted: Collection[str]) -> Iterator[tuple[str, str, Vector]]:
    for number, line in enumerate(file, 1):
        word, _, numbers = line.decode("utf-8", "replace").rstrip().partition(" ")
        if word in wanted and not (number == 1 and numbers.isdecimal()):
            try:
                yield f"{path}, line {number}", word, np.array(numbers.split(), dtype=np.float32)
            except ValueError:
                refuse(f"{path}, line {number}", numbers[:40], "give a word and its numbers, with spaces between")


def _binary(path: Path, file: IO[bytes], wanted: Collection[str]) -> Iterator[tuple[str, str, Vector]]:
    counts = file.readline().split()
    if len(counts) != 2 or not all(each.isdigit() for each in counts):
        refuse(f"{path}, line 1", "no two counts", "give word2vec's binary format, or name a text file otherwise")
    size = 4 * int(counts[1])
    for number in range(1, int(counts[0]) + 1):
        word = b"".join(iter(lambda: file.read(1) or b" ", b" ")).decode("utf-8", "replace").strip()
        data = file.read(size)
        if len(data) < size:
            refuse(f"{path}, word {number}", "the end of the file", "get the whole file")
        if word in wanted:
            yield f"{path}, word {number}", word, np.frombuffer(data, dtype="<f4")
