"""Wordings that are searched for, how many of their words must stand in a text, and the pairs that lead to it. Pure.

A use has some of the wording's words of content unchanged and in order (:func:`needed`). If these are *k* of *n*, then
*m* of the *n - k + m* rarest are among them (the prefix filter of Chaudhuri, Ganti & Kaushik 2006, with *m* words as in
AdaptJoin, Wang, Li & Feng 2012), and so are the *m (m - 1) / 2* pairs of these. A long wording is split: of its parts
one at least has its share of the words.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Final, NamedTuple

from quotelake.watch.words import is_content, tokens, weight

#: Words of content from which changed wordings are found; with fewer, all words must stand unchanged side by side.
LEAST_CONTENT: Final = 3
#: Share of the words of content that must stand in a text as they are, and least number of them [measured].
LEAST_SHARE: Final = 0.5
LEAST_STANDING: Final = 3
#: Share of the weight of all its words that must stand unchanged, in any order [measured].
LEAST_UNCHANGED: Final = 0.5
#: Words of content of a part of a wording.
PART: Final = 12
#: Words of a prefix that must be found, where so many must stand [measured: 2 give five times the candidates].
PREFIX_FOUND: Final = 3


@dataclass(frozen=True)
class Pattern:
    """A wording as it is searched for.

    Attributes:
        entry: number of the watched text that it is a wording of.
        words: folded.
    """

    entry: int
    words: tuple[str, ...]

    @cached_property
    def weights(self) -> tuple[float, ...]:
        """What each word weighs."""
        return tuple(map(weight, self.words))

    @cached_property
    def total(self) -> float:
        """What all words weigh."""
        return sum(self.weights)

    @cached_property
    def content(self) -> tuple[int, ...]:
        """Positions of its words of content."""
        return tuple(at for at, word in enumerate(self.words) if is_content(word))

    @property
    def exact(self) -> bool:
        """Whether it says too little for changed wordings to be found safely."""
        return len(self.content) < LEAST_CONTENT


def pattern_of(entry: int, text: str) -> Pattern:
    """The pattern of a wording.

    >>> pattern_of(0, "Turn the other cheek").exact, pattern_of(0, "The truth will set you free").exact
    (True, False)
    """
    return Pattern(entry, tuple(tokens(text)))


def needed(content: int) -> int:
    """Words of content, of so many, that must stand in a text unchanged and in order: half of them, and at least three.

    Of three words two are enough.

    >>> [needed(n) for n in (3, 4, 6, 7, 12)]
    [2, 3, 3, 4, 6]
    """
    return max(-int(-LEAST_SHARE * content // 1), min(LEAST_STANDING, content - 1))


class Seeds(NamedTuple):
    """Pairs of a wording or of a part of it.

    Attributes:
        pattern: number of the wording.
        pairs: positions of two words each, in order.
        needed: number of pairs that stand in each use of which this part has its share.
    """

    pattern: int
    pairs: tuple[tuple[int, int], ...]
    needed: int


def seeds_of(number: int, pattern: Pattern, used: Mapping[str, int]) -> Iterator[Seeds]:
    """Seeds of a wording: of each part, or of an exact one a single pair, since all its words must stand.

    Args:
        number: of the wording.
        pattern: the wording; of two words or more.
        used: in how many wordings each word stands.

    >>> words = ("red", "blue", "green")
    >>> [*seeds_of(0, Pattern(0, words), dict.fromkeys(words, 1))]
    [Seeds(pattern=0, pairs=((0, 1), (0, 2), (1, 2)), needed=1)]
    """
    if pattern.exact:
        neighbours = zip(pattern.words, pattern.words[1:], strict=False)
        costs = [max(_commonness(word, used) for word in pair) for pair in neighbours]
        at = costs.index(min(costs))
        yield Seeds(number, ((at, at + 1),), 1)
        return
    content = pattern.content
    parts = -(-len(content) // PART)
    for part in range(parts):
        inside = content[-(-len(content) * part // parts) : -(-len(content) * (part + 1) // parts)]
        standing = needed(len(inside))
        found = min(standing, PREFIX_FOUND)
        rarest = sorted(inside, key=lambda at: (_commonness(pattern.words[at], used), at))
        prefix = sorted(rarest[: len(inside) - standing + found])
        yield Seeds(number, tuple(combinations(prefix, 2)), found * (found - 1) // 2)


def _commonness(word: str, used: Mapping[str, int]) -> tuple[bool, int, int, str]:
    """Order of words, rarest first: a word of content, in few wordings, long."""
    return not is_content(word), used[word], -len(word), word
