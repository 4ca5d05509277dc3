"""Postings → candidates: the pairs of variants that may be the same quote, each to be verified.

Where two variants share a posting, their sizes and signatures give a bound on the words they share: a pair that cannot
share enough is left out, and no other. Frequent words have long lists of postings; none is cut or skipped.
"""

from collections.abc import Iterable, Iterator
from math import inf
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from quotelake.reuse.ranges import Integers, distinct
from quotelake.reuse.signatures import Rows, Wide, may_be_alike, missing, within

#: The lower half of a number that holds two.
_LOWER: Final = (1 << 32) - 1
#: Grain: a pair of variants, ``a`` before ``b``.
COLUMNS: Final = "a STRING, b STRING"


def schema() -> pa.Schema:
    """Arrow types of :data:`COLUMNS`."""
    return pa.schema([("a", pa.string()), ("b", pa.string())])


def whole_words(batches: Iterable[pa.RecordBatch], at_once: int | None) -> Iterator[pa.Table]:
    """Gather postings into tables, each with all postings of its words.

    Args:
        batches: rows with ``token``.
        at_once: postings from which a table is given, as soon as a word ends; the rows are sorted by ``token`` then.
            None: one table of all.
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
        return pa.RecordBatch.from_pylist([], schema=schema())
    column = table.column("variant_id").combine_chunks().dictionary_encode()
    _, token = np.unique(table.column("token").to_numpy(), return_inverse=True)
    size = table.column("words").to_numpy().astype(np.int64)
    place = table.column("place").fill_null(0).to_numpy().astype(np.int64)
    order = np.lexsort((size, token))
    low, high = (table.column(f"signature_{half}").to_numpy().view(np.uint64)[order] for half in ("low", "high"))
    variant = column.indices.to_numpy().astype(np.int64)
    rows = Rows(variant[order], token[order], size[order], place[order], low, high)
    new, prefix, probe = (_flags(table, name)[order] for name in ("new", "prefix", "probe"))
    found = [
        np.zeros(0, np.int64),
        *_wordings(rows.where(prefix & new), rows.where(prefix & new), same=True),
        *_wordings(rows.where(prefix & new), rows.where(prefix & ~new), same=False),
        *_containments(rows.where(probe & new), rows),
        *_containments(rows.where(probe & ~new), rows.where(new)),
    ]
    pairs = distinct(np.concatenate(found))
    return _named(pairs[may_be_alike(pairs >> 32, pairs & _LOWER, Wide.of(table, variant))], column.dictionary)


def _flags(table: pa.Table, name: str) -> npt.NDArray[np.bool_]:
    return np.asarray(table.column(name).to_numpy(), dtype=bool)


def _wordings(left: Rows, right: Rows, *, same: bool) -> Iterator[Integers]:
    """Pairs that may share .6 of the words of the longer one; of rows among themselves each pair once.

    A pair is sought under the first word that it shares. Then it shares no word before, so as many as are left of the
    first text (positional filter, Xiao et al. 2008, PPJoin, §4.1).
    """
    keys, token = right.keys(), left.token << 32
    begin = np.arange(1, len(left.token) + 1) if same else np.searchsorted(keys, token | -(-3 * left.size // 5))
    end = np.searchsorted(keys, token | (5 * (left.size - left.place) // 3), side="right")
    for one, other in within(left, right, begin, end, left.size, -(-3 * right.size // 5)):
        y = right.size[other]
        likely = 5 * (y - missing(right, other, left, one)) >= 3 * np.maximum(left.size[one], y)
        yield _paired(left.variant[one[likely]], right.variant[other[likely]])


def _containments(short: Rows, long: Rows) -> Iterator[Integers]:
    """Pairs of which the longer one may have .9 of the words of the shorter one."""
    keys, token = long.keys(), short.token << 32
    begin = np.searchsorted(keys, token | short.size)
    end = np.searchsorted(keys, token | _LOWER, side="right")
    spare = short.size - -(-9 * short.size // 10)
    for one, other in within(short, long, begin, end, spare, np.zeros(len(keys), np.int64)):
        first, second = short.variant[one], long.variant[other]
        yield _paired(first[first != second], second[first != second])


def _paired(one: Integers, other: Integers) -> Integers:
    """Both variants of each pair in one number, the lower first; each pair once."""
    return distinct((np.minimum(one, other) << 32) | np.maximum(one, other))


def _named(pairs: Integers, ids: pa.Array) -> pa.RecordBatch:
    """Both ids of each pair, the lesser first; never as Python strings, of which millions would fill the memory."""
    one, other = pairs >> 32, pairs & _LOWER
    rank = pc.rank(ids).to_numpy().astype(np.int64)
    ordered = rank[one] < rank[other]
    sides = (np.where(ordered, one, other), np.where(ordered, other, one))
    return pa.RecordBatch.from_arrays([ids.take(pa.array(side)) for side in sides], schema=schema())
