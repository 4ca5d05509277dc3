"""Postings → candidates: the pairs of variants that may be the same quote, each to be verified.

Where two variants share a posting, their sizes and signatures give a bound on the words they share: a pair that cannot
share enough is left out, and no other. Frequent words have long lists of postings; none is cut or skipped.
"""

from collections.abc import Iterable, Iterator
from math import inf
from typing import Final, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from quotelake.reuse.postings import WIDE, Integers

#: Rows that follow one from which these are looked at in blocks [measured: 100 to 1,000 cost the same, within 5 %].
_LONG: Final = 500
#: Pairs of a block: half a megabyte each number, so that they stay in a core's cache.
_BLOCK: Final = 1 << 16
#: Pairs of which the wide signatures are looked at together: some 20 megabytes.
_WIDE_AT_ONCE: Final = 1 << 17
#: Pairs of rows looked at together: bounds memory, at some 100 bytes each.
_AT_ONCE: Final = 1 << 20
#: The lower half of a number that holds two.
_LOWER: Final = (1 << 32) - 1
#: Grain: a pair of variants, ``a`` before ``b``.
COLUMNS: Final = "a STRING, b STRING"

Number = TypeVar("Number", np.int64, np.uint64)


def pairs_in(begin: Integers, end: Integers) -> Iterator[tuple[Integers, Integers]]:
    """Number of each row, and those of the rows from its ``begin`` to before its ``end``, pair by pair.

    >>> [(one.tolist(), other.tolist()) for one, other in pairs_in(np.array([1, 2, 3]), np.array([3, 3, 3]))]
    [([0, 0, 1], [1, 2, 2])]
    """
    counts = np.maximum(end - begin, 0)
    before = np.concatenate([[0], np.cumsum(counts)])
    for first in range(0, int(before[-1]), _AT_ONCE):
        last = min(first + _AT_ONCE, int(before[-1]))
        rows = np.arange(np.searchsorted(before, first, "right") - 1, np.searchsorted(before, last, "left"))
        inside = np.minimum(before[rows + 1], last) - np.maximum(before[rows], first)
        one = np.repeat(rows, inside)
        yield one, begin[one] + np.arange(first, last) - before[one]


def distinct(numbers: npt.NDArray[Number]) -> npt.NDArray[Number]:
    """Each number once, ascending; several times as fast as ``np.unique``, which hashes.

    >>> distinct(np.array([3, 1, 3])).tolist(), distinct(np.array([], np.int64)).tolist()
    ([1, 3], [])
    """
    ordered = np.sort(numbers)
    first = np.ones(len(ordered), bool)
    first[1:] = ordered[1:] != ordered[:-1]
    return ordered[first]


class Rows(NamedTuple):
    """Some postings, sorted by word and then by size: numbers of variant and word, words and signature of the variant.

    ``place`` is how many of its words come before this one in the order of all words; 0 where that is not known.
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
    """The variants of some postings, by their number: words, wide signature, and whether this is known."""

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


def ranges_within(
    left: Rows, right: Rows, begin: Integers, end: Integers, spare: Integers, needed: Integers
) -> Iterator[tuple[Integers, Integers]]:
    """Pairs of a row of ``left`` and those of its range of ``right`` that may lack few enough of its words.

    The range of a row is from its ``begin`` to before its ``end``. Another row may lack so many words as the ``spare``
    ones of the first are more than it has ``needed``. Numbers of the rows on both sides are given, some at a time.
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
    for first in range(0, len(one), _WIDE_AT_ONCE):
        part = slice(first, first + _WIDE_AT_ONCE)
        a, b = one[part], other[part]
        x, y = variants.size[a], variants.size[b]
        left, right = x - variants.missing(a, b), y - variants.missing(b, a)
        wording = 5 * np.minimum(left, right) >= 3 * np.maximum(x, y)
        containment = np.where(x <= y, 10 * left >= 9 * x, 10 * right >= 9 * y)
        kept[part] = wording | containment | ~(variants.known[a] & variants.known[b])
    return kept


def batches_of_whole_tokens(batches: Iterable[pa.RecordBatch], at_once: int | None) -> Iterator[pa.Table]:
    """Gather postings into tables, each with all postings of its words.

    A table is given from ``at_once`` postings on, as soon as a word ends; the rows are sorted by ``token`` then. None:
    one table of all.
    """
    held: list[pa.RecordBatch] = []
    most = inf if at_once is None else at_once
    rows, enough = 0, most
    for batch in batches:
        held.append(batch)
        rows += batch.num_rows
        if rows < enough:
            continue
        table = pa.Table.from_batches(held)
        tokens = table.column("token").to_numpy()
        end = int(np.searchsorted(tokens, tokens[-1]))  # the last word may go on in the next batch
        if not end:  # it is the only one: looked at again when there is twice as much
            enough = 2 * rows
            continue
        yield table.slice(0, end)
        held = table.slice(end).combine_chunks().to_batches()
        rows, enough = rows - end, most
    if rows:
        yield pa.Table.from_batches(held)


def candidates(postings: pa.Table) -> pa.RecordBatch:
    """Find the pairs among postings of which at least one variant is new; each pair once.

    Args:
        postings: rows of :data:`quotelake.reuse.postings.LISTED` and ``new``; all there are of a word. ``place`` and
            ``wide`` are NULL where they are not known, as of the variants of earlier nights.

    Returns:
        Rows of :data:`COLUMNS`.
    """
    table = postings.combine_chunks()
    if not table.num_rows:
        return pa.RecordBatch.from_pydict({side: pa.array([], pa.string()) for side in "ab"})
    column = table.column("variant_id").combine_chunks().dictionary_encode()
    _, token = np.unique(table.column("token").to_numpy(), return_inverse=True)
    size = table.column("words").to_numpy().astype(np.int64)
    place = table.column("place").fill_null(0).to_numpy().astype(np.int64)
    order = np.lexsort((size, token))
    low, high = (table.column(f"signature_{half}").to_numpy().view(np.uint64)[order] for half in ("low", "high"))
    variant = column.indices.to_numpy().astype(np.int64)
    rows = Rows(variant[order], token[order], size[order], place[order], low, high)
    new, prefix, probe = (table.column(name).to_numpy().astype(bool)[order] for name in ("new", "prefix", "probe"))
    found = [
        np.zeros(0, np.int64),
        *_wordings(rows.where(prefix & new), rows.where(prefix & new), same=True),
        *_wordings(rows.where(prefix & new), rows.where(prefix & ~new), same=False),
        *_containments(rows.where(probe & new), rows),
        *_containments(rows.where(probe & ~new), rows.where(new)),
    ]
    pairs = distinct(np.concatenate(found))
    pairs = pairs[may_be_alike(pairs >> 32, pairs & _LOWER, Wide.of(table, variant))]
    one, other = pairs >> 32, pairs & _LOWER
    # The lesser id of a pair first; never as Python strings, of which millions would fill the memory.
    rank = pc.rank(column.dictionary).to_numpy().astype(np.int64)
    ordered = rank[one] < rank[other]
    sides = np.where(ordered, one, other), np.where(ordered, other, one)
    return pa.RecordBatch.from_arrays([column.dictionary.take(pa.array(side)) for side in sides], ["a", "b"])


def _wordings(left: Rows, right: Rows, *, same: bool) -> Iterator[Integers]:
    """Pairs that may share .6 of the words of the longer one; of rows among themselves each pair once.

    A pair is sought under the first word that it shares. Then it shares no word before, so as many as are left of the
    first text (positional filter, Xiao et al. 2008, PPJoin, §4.1).
    """
    keys, token = right.keys(), left.token << 32
    begin = np.arange(1, len(left.token) + 1) if same else np.searchsorted(keys, token | -(-3 * left.size // 5))
    end = np.searchsorted(keys, token | (5 * (left.size - left.place) // 3), side="right")
    for one, other in ranges_within(left, right, begin, end, left.size, -(-3 * right.size // 5)):
        y = right.size[other]
        likely = 5 * (y - missing(right, other, left, one)) >= 3 * np.maximum(left.size[one], y)
        yield _paired(left.variant[one[likely]], right.variant[other[likely]])


def _containments(short: Rows, long: Rows) -> Iterator[Integers]:
    """Pairs of which the longer one may have .9 of the words of the shorter one."""
    keys, token = long.keys(), short.token << 32
    begin = np.searchsorted(keys, token | short.size)
    end = np.searchsorted(keys, token | _LOWER, side="right")
    spare = short.size - -(-9 * short.size // 10)
    for one, other in ranges_within(short, long, begin, end, spare, np.zeros(len(keys), np.int64)):
        first, second = short.variant[one], long.variant[other]
        yield _paired(first[first != second], second[first != second])


def _paired(one: Integers, other: Integers) -> Integers:
    """Both variants of each pair in one number, the lower first; each pair once."""
    return distinct((np.minimum(one, other) << 32) | np.maximum(one, other))
