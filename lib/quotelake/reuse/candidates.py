"""Postings → candidates: the pairs of variants that may be the same quote, each to be verified.

The sizes and signatures of two variants with a common posting bound the number of words they share; pairs below the
bound are left out. Long lists of postings of frequent words are neither cut nor skipped.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from quotelake.reuse.postings import WIDE, Integers, listed

#: Length of a range of rows from which it is compared in blocks [measured: 100 to 1,000 cost the same, within 5 %].
_LONG: Final = 500
#: Pairs of a block: half a megabyte each number, so that they stay in a core's cache.
_BLOCK: Final = 1 << 16
#: Pairs per comparison of wide signatures: some 20 megabytes.
_WIDE_PAIRS: Final = 1 << 17
#: Pairs of rows per comparison: bounds memory, at some 100 bytes each.
_ROW_PAIRS: Final = 1 << 20
#: The lower half of a number that holds two.
_LOWER: Final = (1 << 32) - 1
#: First number of variants beside those of an index: in a pair they come second.
_OTHERS: Final = 1 << 31
#: Grain: a pair of variants, ``a`` before ``b``.
COLUMNS: Final = "a STRING, b STRING"

Number = TypeVar("Number", np.int64, np.uint64)


def pairs_in(begin: Integers, end: Integers) -> Iterator[tuple[Integers, Integers]]:
    """Pairs of each row with the rows from its ``begin`` to before its ``end``, as row numbers, some at a time.

    >>> [(one.tolist(), other.tolist()) for one, other in pairs_in(np.array([1, 2, 3]), np.array([3, 3, 3]))]
    [([0, 0, 1], [1, 2, 2])]
    """
    counts = np.maximum(end - begin, 0)
    before = np.concatenate([[0], np.cumsum(counts)])
    for first in range(0, int(before[-1]), _ROW_PAIRS):
        last = min(first + _ROW_PAIRS, int(before[-1]))
        rows = np.arange(np.searchsorted(before, first, "right") - 1, np.searchsorted(before, last, "left"))
        inside = np.minimum(before[rows + 1], last) - np.maximum(before[rows], first)
        one = np.repeat(rows, inside)
        yield one, begin[one] + np.arange(first, last) - before[one]


def distinct(numbers: npt.NDArray[Number]) -> npt.NDArray[Number]:
    """Distinct numbers, ascending; several times as fast as ``np.unique``, which hashes.

    >>> distinct(np.array([3, 1, 3])).tolist(), distinct(np.array([], np.int64)).tolist()
    ([1, 3], [])
    """
    ordered = np.sort(numbers)
    first = np.ones(len(ordered), bool)
    first[1:] = ordered[1:] != ordered[:-1]
    return ordered[first]


class Rows(NamedTuple):
    """Postings sorted by token, then size: numbers of variant and token, size and signature of the variant.

    ``place`` is the number of rarer words of the variant.
    """

    variant: Integers
    token: Integers
    size: Integers
    place: Integers
    low: npt.NDArray[np.uint64]
    high: npt.NDArray[np.uint64]

    def where(self, chosen: npt.NDArray[np.bool_]) -> "Rows":
        """The chosen rows."""
        return Rows._make(column[chosen] for column in self)

    def reach(self) -> Integers:
        """Most words that a pair shares whose rarest common word is that of the row: no rarer one is shared."""
        return self.size - self.place

    def keys(self) -> Integers:
        """Token and size in one number, ascending."""
        return (self.token << 32) | self.size


class Wide(NamedTuple):
    """Variants by number: size and signature."""

    size: Integers
    bits: npt.NDArray[np.uint64]

    @classmethod
    def of(cls, variants: pa.Table | pa.RecordBatch) -> "Wide":
        """The variants of some rows, one each, with ``words`` and ``signature``."""
        bits = np.frombuffer(b"".join(variants.column("signature").to_pylist()), np.uint64).reshape(-1, WIDE)
        return cls(variants.column("words").to_numpy().astype(np.int64), bits)

    def half(self, first: int) -> npt.NDArray[np.uint64]:
        """The bits of half of the signature from ``first`` on, as one number of 64 bits: a shorter signature."""
        return np.asarray(np.bitwise_or.reduce(self.bits[:, first : first + WIDE // 2], axis=1))

    def missing(self, one: Integers, others: "Wide", other: Integers) -> Integers:
        """Least number of words of the first that the second, of ``others``, does not have."""
        return np.asarray(np.bitwise_count(self.bits[one] & ~others.bits[other]).sum(axis=1, dtype=np.int64))


def missing(rows: Rows, one: Integers, others: Rows, other: Integers) -> Integers:
    """Least number of words of the first that the second does not have.

    >>> rows = Rows(*(np.array([0, 1]) for _ in range(4)), np.array([7, 5], np.uint64), np.zeros(2, np.uint64))
    >>> missing(rows, np.array([0]), rows, np.array([1]))
    array([1])
    """
    low = np.bitwise_count(rows.low[one] & ~others.low[other])
    high = np.bitwise_count(rows.high[one] & ~others.high[other])
    return np.asarray(low.astype(np.int64) + high)


def ranges_within(
    left: Rows, right: Rows, begin: Integers, end: Integers, spare: Integers, needed: Integers, least: Integers
) -> Iterator[tuple[Integers, Integers]]:
    """Pairs of a row of ``left`` with rows of ``right`` in its range, ``begin`` to before ``end``, some at a time.

    Kept are those where the words that the second lacks are at most ``spare`` of the first minus ``needed`` of the
    second; in short ranges only where it may share the ``least`` words of the first (positional filter, Xiao et al.
    2008, PPJoin, §4.1).
    """
    is_long, reach = end - begin >= _LONG, right.reach()
    for one, other in pairs_in(begin, np.where(is_long, begin, end)):
        within_reach = reach[other] >= least[one]
        one, other = one[within_reach], other[within_reach]
        kept = missing(left, one, right, other) + needed[other] <= spare[one]
        yield one[kept], other[kept]
    rows = np.flatnonzero(is_long)
    lacking = ~right.low, ~right.high
    for of_token in np.split(rows, np.flatnonzero(np.diff(left.token[rows])) + 1):
        yield from _in_blocks(left, lacking, of_token, begin, end, spare, needed)


def _in_blocks(
    left: Rows,
    lacking: tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]],
    rows: Integers,
    begin: Integers,
    end: Integers,
    spare: Integers,
    needed: Integers,
) -> Iterator[tuple[Integers, Integers]]:
    """The same for rows of one token, whose ranges are adjacent: each block of rows with all of their ranges."""
    while len(rows):
        first, last = int(begin[rows[0]]), int(end[rows].max())
        block, rows = np.split(rows, [max(1, _BLOCK // (last - first))])
        count = np.bitwise_count(left.low[block, None] & lacking[0][first:last])
        count += np.bitwise_count(left.high[block, None] & lacking[1][first:last])
        place = np.flatnonzero(count + needed[first:last] <= spare[block, None])
        one, other = block[place // (last - first)], first + place % (last - first)
        inside = (begin[one] <= other) & (other < end[one])
        yield one[inside], other[inside]


def may_be_alike(one: Integers, other: Integers, left: Wide, right: Wide) -> npt.NDArray[np.bool_]:
    """Whether pairs of a variant of each side may share enough words by their whole signatures."""
    kept = np.ones(len(one), bool)
    for first in range(0, len(one), _WIDE_PAIRS):
        part = slice(first, first + _WIDE_PAIRS)
        a, b = one[part], other[part]
        x, y = left.size[a], right.size[b]
        shared, back = x - left.missing(a, right, b), y - right.missing(b, left, a)
        wording = 5 * np.minimum(shared, back) >= 3 * np.maximum(x, y)
        containment = np.where(x <= y, 10 * shared >= 9 * x, 10 * back >= 9 * y)
        kept[part] = wording | containment
    return kept


class Postings(NamedTuple):
    """Rows of some variants in order; those of words by which a wording is found, and those of probes."""

    rows: Rows
    prefix: Rows
    probe: Rows

    @classmethod
    def of(cls, variant: Integers, token: Integers, listed: pa.Table, variants: Wide) -> "Postings":
        """Rows of numbered variants and tokens; ``listed`` has ``place``, ``prefix`` and ``probe`` of each."""
        order = np.lexsort((variants.size[variant], token))
        variant = variant[order]
        place, prefix, probe = (listed.column(name).to_numpy()[order] for name in ("place", "prefix", "probe"))
        low, high = (variants.half(first)[variant] for first in (0, WIDE // 2))
        rows = Rows(variant, token[order], variants.size[variant], place.astype(np.int64), low, high)
        return cls(rows, rows.where(prefix.astype(bool)), rows.where(probe.astype(bool)))


class Index:
    """Variants in memory, some 1,200 bytes each: their pairs with one another, and with any others, some at a time."""

    def __init__(self, ids: pa.StringArray, variants: Wide, postings: pa.Table) -> None:
        """Index numbered variants by their ``postings``, columns as of :func:`quotelake.reuse.postings.listed`."""
        self.ids, self.variants = ids, variants
        self.tokens, token = np.unique(postings.column("token").to_numpy(), return_inverse=True)
        self.postings = Postings.of(postings.column("variant").to_numpy().astype(np.int64), token, postings, variants)

    @classmethod
    def of(cls, variants: pa.RecordBatch) -> "Index":
        """The index of rows of :data:`quotelake.reuse.postings.COLUMNS`."""
        return cls(variants.column("variant_id"), Wide.of(variants), listed(variants))

    @classmethod
    def of_tokens(cls, postings: pa.Table) -> "Index":
        """The index of some tokens: rows of :data:`quotelake.reuse.postings.LISTED`, all of each token."""
        ids = postings.column("variant_id").combine_chunks().dictionary_encode()
        _, first = np.unique(ids.indices.to_numpy(), return_index=True)
        each = postings.select(["words", "signature"]).take(pa.array(first))
        return cls(ids.dictionary, Wide.of(each), postings.append_column("variant", ids.indices))

    def pairs(self) -> pa.RecordBatch:
        """Pairs of the variants with one another; rows of :data:`COLUMNS`, each pair once."""
        rows, prefix, probe = self.postings
        found = _distinct_pairs(*_wordings(prefix, prefix, same=True), *_containments(probe, rows))
        one, other = found >> 32, found & _LOWER
        kept = may_be_alike(one, other, self.variants, self.variants)
        return _named(*(self.ids.take(pa.array(side[kept])) for side in (one, other)))

    def pairs_with(self, others: pa.RecordBatch) -> pa.RecordBatch:
        """Pairs of others, rows of :data:`quotelake.reuse.postings.COLUMNS`, with the variants, but for the same id."""
        every, wide = listed(others), Wide.of(others)
        token = pc.index_in(every.column("token"), value_set=pa.array(self.tokens))
        every = every.append_column("at", token).filter(pc.is_valid(token))
        variant, token = (every.column(name).to_numpy().astype(np.int64) for name in ("variant", "at"))
        found = Postings.of(variant, token, every, wide)
        rows, prefix, probe = (each._replace(variant=each.variant + _OTHERS) for each in found)
        pairs = _distinct_pairs(
            *_wordings(prefix, self.postings.prefix, same=False),
            *_containments(self.postings.probe, rows),
            *_containments(probe, self.postings.rows),
        )
        one, other = pairs >> 32, (pairs & _LOWER) - _OTHERS
        kept = may_be_alike(one, other, self.variants, wide)
        ids = self.ids.take(pa.array(one[kept])), others.column("variant_id").take(pa.array(other[kept]))
        return _named(*(side.filter(pc.not_equal(*ids)) for side in ids))


def _named(one: pa.Array, other: pa.Array) -> pa.RecordBatch:
    """Pairs by their ids, the lesser one first; never as Python strings, of which millions would fill the memory."""
    first = pc.less(one, other)
    sides = pc.if_else(first, one, other), pc.if_else(first, other, one)
    return pa.RecordBatch.from_arrays([*sides], ["a", "b"])


def _distinct_pairs(*found: Integers) -> Integers:
    return distinct(np.concatenate([np.zeros(0, np.int64), *found]))


def _wordings(left: Rows, right: Rows, *, same: bool) -> Iterator[Integers]:
    """Pairs that may share .6 of the words of the longer one; ``same``: rows among themselves, each pair once."""
    keys, token, least = right.keys(), left.token << 32, -(-3 * left.size // 5)
    begin = np.arange(1, len(left.token) + 1) if same else np.searchsorted(keys, token | least)
    end = np.searchsorted(keys, token | (5 * left.reach() // 3), side="right")
    for one, other in ranges_within(left, right, begin, end, left.size, -(-3 * right.size // 5), least):
        y = right.size[other]
        likely = 5 * (y - missing(right, other, left, one)) >= 3 * np.maximum(left.size[one], y)
        yield _paired(left.variant[one[likely]], right.variant[other[likely]])


def _containments(short: Rows, long: Rows) -> Iterator[Integers]:
    """Pairs of which the longer may have .9 of the words of the shorter."""
    keys, token = long.keys(), short.token << 32
    begin = np.searchsorted(keys, token | short.size)
    end = np.searchsorted(keys, token | _LOWER, side="right")
    least = -(-9 * short.size // 10)
    for one, other in ranges_within(short, long, begin, end, short.size - least, np.zeros_like(keys), least):
        first, second = short.variant[one], long.variant[other]
        yield _paired(first[first != second], second[first != second])


def _paired(one: Integers, other: Integers) -> Integers:
    """Both variants of each pair in one number, the lower first; each pair once."""
    return distinct((np.minimum(one, other) << 32) | np.maximum(one, other))
