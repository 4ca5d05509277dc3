"""Wordings that are searched for, and how many of their words must stand in a text for them to be found. Pure."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from quotelake.watch.words import is_content, tokens, weight

#: Words of content from which changed wordings are found; with fewer, all words must stand unchanged side by side.
LEAST_CONTENT: Final = 3
#: Share of the words of content that must stand in a text as they are, and least number of them [measured].
LEAST_SHARE: Final = 0.5
LEAST_STANDING: Final = 3
#: Share of the weight of all its words that must stand unchanged, in any order [measured].
LEAST_UNCHANGED: Final = 0.5


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
    return Pattern(entry, tuple(token.word for token in tokens(text)))


def needed(content: int) -> int:
    """Words of content, of so many, that must stand in a text unchanged and in order: half of them, and at least three.

    Of three words two are enough.

    >>> [needed(n) for n in (3, 4, 6, 7, 12)]
    [2, 3, 3, 4, 6]
    """
    return max(-int(-LEAST_SHARE * content // 1), min(LEAST_STANDING, content - 1))
