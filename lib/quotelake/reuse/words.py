"""Words of a canonical text, how frequent each is, and which texts can be compared by their words. Pure.

``frequent_words.txt`` lists words of quotes, the most frequent first: a word's frequency is the share of different
canonical texts that have it. :mod:`quotelab.training.frequent_words` makes it. The list is frozen: the order of
candidates and the two gates depend on it, so a new list is a new rule version.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib import resources
from math import log2
from typing import Final, NamedTuple

from quotelake.quotes.keys import GAP

#: Texts of which what was found is remembered: one is in several pairs, which follow one another [ours].
KEPT: Final = 1 << 14
#: Words from which two texts are compared at all, and from which one can be contained in another [ours].
MIN_WORDS: Final = 4
MIN_CONTAINED: Final = 5
#: The most frequent words of the list: nearly all are function words [ours]. Containment does not look them up.
COMMON: Final = 160
#: What the words that two texts share must tell, in bits [measured on pairs of real quotes: of those with 40 to 43 bits
#: every fifth is a phrase that many say, such as *guilty by reason of insanity*; with 43 to 46, one in twenty].
ENOUGH_BITS: Final = 46
#: What they must tell if the texts are nearly equal, see :mod:`quotelake.reuse.verify` [ours].
MIN_BITS: Final = 26
#: What a short excerpt must tell, see :mod:`quotelake.reuse.excerpts` [measured: with 26 one in ten of five words is
#: missed].
EXCERPT_BITS: Final = 23


class Words(NamedTuple):
    """Words of a canonical text in order; *i* is in ``gaps`` if a gap stands before word *i*."""

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
    """Place in the list of frequent words, from 0; one number above all places for any word not listed.

    >>> rank("the"), rank("and") < rank("election") < rank("xylophone") == rank("zugzwang")
    (0, True)
    """
    return ranks().get(word, len(ranks()))


def is_common(word: str) -> bool:
    """Whether a word is among the :data:`COMMON` most frequent.

    >>> is_common("because"), is_common("election")
    (True, False)
    """
    return ranks().get(word, COMMON) < COMMON


def information(words: Iterable[str]) -> float:
    """How much words tell, in bits: a word of rank *r* is one of about r + 2 that might stand there (Zipf's law).

    >>> [round(information(text.split())) for text in ("one of the best", "we lost the vote on tuesday")]
    [18, 39]
    """
    told, most = _bits(), log2(len(ranks()) + 2)
    return sum([told.get(word, most) for word in words])


@lru_cache(KEPT)
def comparable(words: tuple[str, ...]) -> bool:
    """Whether a text is compared with others; any other text is the same quote only as an equal text.

    It has :data:`MIN_WORDS` words and tells :data:`MIN_BITS` or more, or it has :data:`MIN_CONTAINED` and tells
    :data:`EXCERPT_BITS`; and not all of its words are common.

    >>> texts = "yes we can", "it is what it is", "we lost the vote", "we lost the vote on tuesday"
    >>> [comparable(tuple(text.split())) for text in texts]
    [False, False, False, True]
    """
    least = EXCERPT_BITS if len(words) >= MIN_CONTAINED else MIN_BITS
    return len(words) >= MIN_WORDS and information(words) >= least and not all(map(is_common, words))


def containable(words: Sequence[str]) -> bool:
    """Whether a text is looked for in longer ones: as an excerpt, or where it tells little, maybe as a phrase.

    It has :data:`MIN_CONTAINED` words and tells :data:`EXCERPT_BITS` or more. And any text that contains it has one of
    its words that are not common, see :func:`prefix_length`.

    >>> containable("it is what it is".split()), containable("trying to cheat in the election".split())
    (False, True)
    """
    n = len(words)
    if n < MIN_CONTAINED or information(words) < EXCERPT_BITS:
        return False
    return sum(1 for word in words if not is_common(word)) >= prefix_length(n)


def prefix_length(n: int) -> int:
    """How many words of a text of *n*, whichever they are, must be looked up to meet one in any text containing it.

    >>> [prefix_length(n) for n in (5, 9, 10, 19, 20)]
    [1, 1, 2, 2, 3]
    """
    return n - least_contained(n) + 1


def least_contained(n: int) -> int:
    """Fewest words of a text of *n* that a text containing it has, in order.

    >>> [least_contained(n) for n in (5, 9, 10, 20)]
    [5, 9, 9, 18]
    """
    return -(-9 * n // 10)


@cache
def ranks() -> Mapping[str, int]:
    """Place of each frequent word, from 0."""
    lines = resources.files(__package__).joinpath("frequent_words.txt").read_text("utf-8").split()
    return {word: place for place, word in enumerate(lines)}


@cache
def _bits() -> Mapping[str, float]:
    """What each frequent word tells; all others tell as much as one another."""
    return {word: log2(place + 2) for word, place in ranks().items()}
