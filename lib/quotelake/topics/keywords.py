"""Words that tell classes of texts apart: class-based tf–idf (Grootendorst 2022, *BERTopic*, §3.3). Pure: no Spark."""

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Final

#: Words shown of a class.
SHOWN: Final = 8
#: Addresses and mentions say who and where, not what about.
_NAMES: Final = re.compile(r"https?://\S++|@\w++")
#: Words of reports that say nothing of their topic, beside those that ``is_common`` knows [ours].
_REPORTING: Final = """
    according added adds after again against also amp another any ask asked asks before between both call called
    came come day days didn doesn don down during each even ever every few first five four friday get gets going
    gone got her here hers him his how interview isn its just last made make makes many may might monday month
    months more most much never new next off old only other others out over own said same saturday say saying says
    second she since six some statement still such sunday tell tells than their them then there they three through
    thursday today told tomorrow too tuesday two under until user very via wasn wednesday week weeks went when where
    while who whom whose why won writes wrote year years yesterday
"""
#: Words of three letters or more, of Korean two syllables or more.
_WORD: Final = re.compile(r"[^\W\d_][^\W_]{2,}+|[가-힣]{2}")


@cache
def _reporting() -> frozenset[str]:
    return frozenset(_REPORTING.split())


def terms(text: str) -> set[str]:
    """Words of a text that may tell its topic, lower-cased, each once: a long text counts no more than a short one.

    >>> sorted(terms("RT @desk: the Ferry, the FERRY https://a.b/c"))
    ['ferry', 'the']
    """
    return {word.lower() for word in _WORD.findall(_NAMES.sub(" ", text))}


def keywords(classes: Sequence[Sequence[str]], is_common: Callable[[str], bool], shown: int = SHOWN) -> list[list[str]]:
    """Find the words that stand in the texts of one class rather than in the others, the most telling first.

    The weight of a word is ``tf · log(1 + A / f)`` with tf its texts in the class, f those in all classes, and A the
    mean number of words of a class. Of equal weight the first in the alphabet. In a class of four texts or more a word
    must stand in two, and in any class in a larger share of the texts than in all others.

    Args:
        classes: texts of each class.
        is_common: whether a word is a function word, which tells nothing.
        shown: words given of a class at most.

    >>> keywords([["the harbour dredging", "harbour fees"], ["the choir", "choir fees"]], {"the"}.__contains__)
    [['harbour', 'dredging'], ['choir']]
    """
    counts = [
        Counter(word for text in texts for word in terms(text) if not (word in _reporting() or is_common(word)))
        for texts in classes
    ]
    everywhere: Counter[str] = sum(counts, Counter())
    mean = everywhere.total() / max(len(classes), 1)
    whole = sum(map(len, classes))
    found = []
    for texts, counted in zip(classes, counts, strict=True):
        least, others = 2 if len(texts) >= 4 else 1, whole - len(texts)
        telling = {
            word: n * math.log(1 + mean / everywhere[word])
            for word, n in counted.items()
            if n >= least and n * others >= (everywhere[word] - n) * len(texts) + (others > 0)
        }
        found.append(_first(telling, shown))
    return found


def _first(weights: Mapping[str, float], shown: int) -> list[str]:
    """Words of most weight; rounded, since the last bits of a logarithm depend on the machine."""
    return sorted(weights, key=lambda word: (-round(weights[word], 9), word))[:shown]
