"""Signatures of variants: what two variants share at most, by the bits that only one of them has set. Pure.

A word sets one bit. So a bit that one text has and another has not is a word of it that the other lacks; words whose
bits fall together are not counted, so that no pair is lost.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from quotelake.reuse.postings import WIDE
from quotelake.reuse.ranges import Integers, pairs_in

#: Rows that follow one from which these are looked at in blocks [measured: 100 to 1,000 cost the same, within 5 %].
_LONG: Final = 500
#: Pairs of a block: half a megabyte each number, so that they stay in a core's cache.
_BLOCK: Final = 1 << 16
#: Pairs of which the wide signatures are looked at together: some 20 megabytes.
_AT_ONCE: Final = 1 << 17


class Rows(NamedTuple):
    """Some postings, sorted by word and then by size.

    Attributes:
        variant: number of the variant.
        token: number of the word.
        size: words of the variant.
        place: how many of its words come before this one in the order of all words; 0 where that is not known.
        low, high: its signature.
    """

    variant: Integers
    token: Integers
    size: Integers
    place: Integers
    low: npt.NDArray[np.uint64]
    high: npt.NDArray[np.uint64]

    def where(self, chosen: npt.NDArray[np.bool_]) -> "Rows":
        """The chosen ones."""
        variant, token, size, place = (each[chosen] for each in (self.variant, self.token, self.size, self.place))
        return Rows(variant, token, size, place, self.low[chosen], self.high[chosen])

    def keys(self) -> Integers:
        """Word and size in one number, ascending."""
        return (self.token << 32) | self.size


class Wide(NamedTuple):
    """The variants of some postings, by their number.

    Attributes:
        size: words.
        bits: wide signature; shape: variants × :data:`~quotelake.reuse.postings.WIDE`.
        known: whether it is known.
    """

    size: Integers
    bits: npt.NDArray[np.uint64]
    known: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, postings: pa.Table, variant: Integers) -> "Wide":
        """Take each variant from one of its postings; ``variant`` is the number of the variant of each posting."""
        _, at = np.unique(variant, return_index=True)
        each = postings.select(["words", "wide"]).take(pa.array(at)).combine_chunks()
        known = each.column("wide").is_valid().to_numpy()
        bits = np.zeros((len(at), WIDE), np.uint64)
        bits[known] = np.frombuffer(b"".join(each.column("wide").drop_null().to_pylist()), np.uint64).reshape(-1, WIDE)
        return cls(each.column("words").to_numpy().astype(np.int64), bits, known)

    def missing(self, one: Integers, other: Integers) -> Integers:
        """Least number of words of the first that the second does not have."""
        return np.asarray(np.bitwise_count(self.bits[one] & ~self.bits[other]).sum(axis=1, dtype=np.int64))


def missing(rows: Rows, one: Integers, others: Rows, other: Integers) -> Integers:
    """Least number of words of the first that the second does not have.

    >>> rows = Rows(*(np.array([0, 1]) for _ in range(4)), np.array([7, 5], np.uint64), np.zeros(2, np.uint64))
    >>> missing(rows, np.array([0]), rows, np.array([1]))
    array([1])
    """
    low = np.bitwise_count(rows.low[one] & ~others.low[other])
    high = np.bitwise_count(rows.high[one] & ~others.high[other])
    return np.asarray(low.astype(np.int64) + high)


def within(
    left: Rows, right: Rows, begin: Integers, end: Integers, spare: Integers, needed: Integers
) -> Iterator[tuple[Integers, Integers]]:
    """Pairs of a row and those of a range of others that may lack few enough of its words.

    Args:
        left: rows.
        right: rows that the ranges are of.
        begin, end: range of each row of ``left``; ``end`` is one past the last.
        spare: words of each row of ``left`` of which the other row may lack so many as this is more than ``needed``.
        needed: of each row of ``right``.

    Returns:
        Numbers of the rows on both sides, some pairs at a time.
    """
    is_long = end - begin >= _LONG
    for one, other in pairs_in(begin, np.where(is_long, begin, end)):
        kept = missing(left, one, right, other) + needed[other] <= spare[one]
        yield one[kept], other[kept]
    rows = np.flatnonzero(is_long)
    lacking = ~right.low, ~right.high
    for of_a_word in np.split(rows, np.flatnonzero(np.diff(left.token[rows])) + 1):
        yield from _in_blocks(left, lacking, of_a_word, begin, end, spare, needed)


def _in_blocks(
    left: Rows,
    lacking: tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]],
    rows: Integers,
    begin: Integers,
    end: Integers,
    spare: Integers,
    needed: Integers,
) -> Iterator[tuple[Integers, Integers]]:
    """The same for rows of one word, whose ranges lie close together: each block of rows with all of their ranges."""
    while len(rows):
        first, last = int(begin[rows[0]]), int(end[rows].max())
        block, rows = np.split(rows, [max(1, _BLOCK // (last - first))])
        count = np.bitwise_count(left.low[block, None] & lacking[0][first:last])
        count += np.bitwise_count(left.high[block, None] & lacking[1][first:last])
        place = np.flatnonzero(count + needed[first:last] <= spare[block, None])
        one, other = block[place // (last - first)], first + place % (last - first)
        inside = (begin[one] <= other) & (other < end[one])
        yield one[inside], other[inside]


def may_be_alike(one: Integers, other: Integers, variants: Wide) -> npt.NDArray[np.bool_]:
    """Whether pairs may share what a measure demands by the wide signatures; always where one of these is unknown."""
    kept = np.ones(len(one), bool)
    for first in range(0, len(one), _AT_ONCE):
        a, b = one[first : first + _AT_ONCE], other[first : first + _AT_ONCE]
        x, y = variants.size[a], variants.size[b]
        left, right = x - variants.missing(a, b), y - variants.missing(b, a)
        wording = 5 * np.minimum(left, right) >= 3 * np.maximum(x, y)
        containment = np.where(x <= y, 10 * left >= 9 * x, 10 * right >= 9 * y)
        kept[first : first + _AT_ONCE] = wording | containment | ~(variants.known[a] & variants.known[b])
    return kept
