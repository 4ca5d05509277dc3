"""Words of a canonical text, how frequent each is, and which texts have enough of them to be compared. Pure.

``frequent_words.txt`` lists words of quotes, the most frequent first, by the share of canonical texts of their script
that have the word. It is frozen: a new list is a new rule version.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib import resources
from math import log2
from typing import Final, NamedTuple

from quotelake.quotes.keys import GAP

#: Texts whose results are cached: a text is in several pairs, which follow one another [ours].
CACHED_TEXTS: Final = 1 << 14
#: Words from which two texts are compared at all, and from which one can be contained in another [ours].
MIN_WORDS: Final = 4
MIN_CONTAINED: Final = 5
#: The most frequent words of the list: nearly all are function words [ours]. Containment does not look them up.
COMMON: Final = 160
#: Least information of the words that two texts share, in bits [measured on pairs of real quotes: with 40 to 43 bits
#: every fifth is a phrase that many people use, such as *guilty by reason of insanity*; with 43 to 46, one in twenty].
ENOUGH_BITS: Final = 46
#: The same if the texts are nearly equal, see :mod:`quotelake.reuse.verify` [ours].
MIN_BITS: Final = 26
#: Least information of a short excerpt [measured: with 26, one in ten of five words is missed].
EXCERPT_BITS: Final = 23


class Words(NamedTuple):
    """Words of a canonical text in order; *i* is in ``gaps`` if a gap precedes word *i*."""

    words: tuple[str, ...]
    gaps: frozenset[int]


def tokenize(canonical_text: str) -> Words:
    """Split a canonical text, see :func:`quotelake.quotes.keys.canonical_text`.

    >>> tokenize("we … agreed to 1.5")
    Words(words=('we', 'agreed', 'to', '1.5'), gaps=frozenset({1}))
    """
    words = tuple(canonical_text.split())
    if GAP not in canonical_text:
        return Words(words, frozenset())
    gaps = [at for at, word in enumerate(words) if word == GAP]
    return Words(tuple(word for word in words if word != GAP), frozenset(at - n for n, at in enumerate(gaps)))


def rank(word: str) -> int:
    """Place in the list of frequent words, from 0; the length of the list for any word not listed."""
    return ranks().get(word, len(ranks()))


def is_common(word: str) -> bool:
    """Whether a word is among the :data:`COMMON` most frequent."""
    return ranks().get(word, COMMON) < COMMON


def information(words: Iterable[str]) -> float:
    """Information of words in bits: a word of rank *r* is one of about r + 2 possible ones (Zipf's law).

    >>> [round(information(text.split())) for text in ("one of the best", "we lost the vote on tuesday")]
    [18, 39]
    """
    bits, most = _bits(), log2(len(ranks()) + 2)
    return sum([bits.get(word, most) for word in words])


@lru_cache(CACHED_TEXTS)
def comparable(words: tuple[str, ...]) -> bool:
    """Whether a text may be the same quote as another: by its words, their information, and a word not common.

    >>> texts = "yes we can", "it is what it is", "we lost the vote", "we lost the vote on tuesday"
    >>> [comparable(tuple(text.split())) for text in texts]
    [False, False, False, True]
    """
    least = EXCERPT_BITS if len(words) >= MIN_CONTAINED else MIN_BITS
    return len(words) >= MIN_WORDS and information(words) >= least and not all(map(is_common, words))


def containable(words: Sequence[str]) -> bool:
    """Whether a text may be found inside longer ones: it has enough words, information and words not common.

    >>> containable("it is what it is".split()), containable("trying to cheat in the election".split())
    (False, True)
    """
    n = len(words)
    if n < MIN_CONTAINED or information(words) < EXCERPT_BITS:
        return False
    return sum(1 for word in words if not is_common(word)) >= prefix_length(n)


def prefix_length(n: int) -> int:
    """How many words of a text of *n* must be looked up, so that any text containing it has one of them.

    >>> [prefix_length(n) for n in (5, 9, 10, 19, 20)]
    [1, 1, 2, 2, 3]
    """
    return n - least_contained(n) + 1


def least_contained(n: int) -> int:
    """Fewest of *n* words that a text containing them has, in order: nine in ten."""
    return -(-9 * n // 10)


@cache
def ranks() -> Mapping[str, int]:
    """Place of each frequent word, from 0."""
    lines = resources.files(__package__).joinpath("frequent_words.txt").read_text("utf-8").split()
    return {word: place for place, word in enumerate(lines)}


@cache
def _bits() -> Mapping[str, float]:
    return {word: log2(place + 2) for word, place in ranks().items()}
