"""Verified pairs of variants, as far as groups go by them. Pure."""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

#: Which side of a pair is part of the other.
NEITHER, A_IN_B, B_IN_A = 0, 1, 2
#: Measure of a pair that forms no group: one is a short excerpt of the other, see :mod:`quotelake.reuse.excerpts`.
EXCERPT: Final = "excerpt"


class Pair(NamedTuple):
    """A verified pair of variants, by their ids, as far as groups go by it.

    ``measure`` is ``wording``, ``spelling``, ``containment`` or :data:`EXCERPT`; ``contained`` says which side is part
    of the other: :data:`NEITHER`, :data:`A_IN_B` or :data:`B_IN_A`.
    """

    a: str
    b: str
    measure: str
    contained: int
    words_a: int
    words_b: int

    @property
    def part_and_whole(self) -> tuple[str, str]:
        """Both ids, where one is part of the other that one first."""
        return (self.a, self.b) if self.contained == A_IN_B else (self.b, self.a)


def pairs_of(rows: Iterable[Iterable[Any]]) -> list[Pair]:
    """Pairs from rows with the fields of a :class:`Pair`, in which ``contained`` is the id of the part, or None."""
    return [
        Pair(a, b, measure, A_IN_B if contained == a else B_IN_A if contained == b else NEITHER, *words)
        for a, b, measure, contained, *words in rows
    ]
