"""Variants → postings: for each word by which a pair of variants may be found, the variants that have it.

Every pair of :mod:`quotelake.reuse.verify`'s measures shares a posting, by the prefix filter (Chaudhuri, Ganti and
Kaushik 2006; Xiao et al. 2008, PPJoin). The words of a variant are ordered from the rarest on, by one frozen order. If
two variants share *k* words, one of these is among the first ``n - k + 1`` words of a variant of *n* words. A repeated
word counts as another word each time, so *k* counts repetitions.

- wording and spelling: *k* is at least .6 of the words of the longer one, so of either: ``prefix`` postings of both.
- containment: *k* is at least .9 of the words of the shorter one: its ``probe`` postings, any posting of the longer.
"""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from quotelake.reuse.words import Words, comparable, containable, is_common, prefix_length, rank
from quotelake.text.ids import word_hash

Integers = npt.NDArray[np.int64]

#: Grain: variant × word that it is found by. The two signatures are 64 bits each, one bit set for each word.
COLUMNS: Final = (
    "token BIGINT, variant_id STRING, words INT, prefix BOOLEAN, probe BOOLEAN, signature_low BIGINT, "
    "signature_high BIGINT"
)
#: The same with two columns that are not stored: how many words of the variant, all of them rarer, precede the word;
#: and a signature of :data:`WIDE` times 64 bits: by the short one, long texts of everyday words often seem to share
#: enough. Of the candidates among 87,000 quotes of US news the wide one leaves 7 %.
LISTED: Final = f"{COLUMNS}, place INT, wide BINARY"
WIDE: Final = 8
#: Distance between the tokens of a repeated word: the golden ratio in 64 bits, which is odd.
_OCCURRENCE: Final = 0x9E3779B97F4A7C15


_SCHEMA: Final = pa.schema([
    ("token", pa.int64()), ("variant_id", pa.string()), ("words", pa.int32()), ("prefix", pa.bool_()),
    ("probe", pa.bool_()), ("signature_low", pa.int64()), ("signature_high", pa.int64()), ("place", pa.int32()),
    ("wide", pa.binary()),
])  # fmt: skip


def shared_by_wording(words: int) -> int:
    """Fewest words that a variant shares with another one of the same wording: .6 of them.

    >>> [shared_by_wording(words) for words in (4, 5, 10)]
    [3, 3, 6]
    """
    return -(-3 * words // 5)


def postings_of(variant_ids: Sequence[str], variants: Sequence[Words]) -> pa.RecordBatch:
    """Postings of the variants that can be compared, ordered by variant; rows of :data:`LISTED`."""
    compared = [number for number, (words, _) in enumerate(variants) if comparable(words)]
    sizes = np.array([len(variants[number].words) for number in compared], np.int64)
    if not len(sizes):
        return pa.RecordBatch.from_pylist([], schema=_SCHEMA)
    owner, starts = np.repeat(np.arange(len(sizes)), sizes), np.cumsum(sizes) - sizes
    token, rarity, common = _tokens(chain.from_iterable(variants[number].words for number in compared), owner)
    order = np.lexsort((token, -rarity, owner))
    token, common = token[order], common[order]
    place = np.arange(len(owner)) - np.repeat(starts, sizes)
    contained = np.array([containable(variants[number].words) for number in compared])
    prefix = place < (sizes - [shared_by_wording(int(size)) for size in sizes] + 1)[owner]
    probes = np.where(contained, [prefix_length(int(size)) for size in sizes], 0)
    # Signatures: a bit for each token, by its first bits; of 128 in two halves, and of 64 times WIDE.
    bit = token >> np.uint64(57)
    flags = np.uint64(1) << (bit & np.uint64(63))
    low, high = (
        np.bitwise_or.reduceat(np.where(in_half, flags, np.uint64(0)), starts).view(np.int64)
        for in_half in (bit < 64, bit >= 64)
    )
    bit = token >> np.uint64(64 - (64 * WIDE).bit_length() + 1)
    wide = np.zeros(len(sizes) * WIDE, np.uint64)
    flags = np.uint64(1) << (bit & np.uint64(63))
    np.bitwise_or.at(wide, owner * WIDE + (bit >> np.uint64(6)).astype(np.int64), flags)
    wides = pa.FixedSizeBinaryArray.from_buffers(pa.binary(8 * WIDE), len(sizes), [None, pa.py_buffer(wide)])
    kept = prefix | ~common  # a common word is nobody's probe
    whose, ids = owner[kept], pa.array([variant_ids[number] for number in compared], pa.string())
    columns = [
        token[kept].view(np.int64), ids.take(pa.array(whose)), sizes[whose], prefix[kept],
        (place < probes[owner])[kept], low[whose], high[whose], place[kept],
        wides.cast(pa.binary()).take(pa.array(whose)),
    ]  # fmt: skip
    return pa.RecordBatch.from_arrays(
        [pa.array(column, field.type) for column, field in zip(columns, _SCHEMA, strict=True)], schema=_SCHEMA
    )


def _tokens(words: Iterable[str], owner: Integers) -> tuple[npt.NDArray[np.uint64], Integers, npt.NDArray[np.bool_]]:
    """Token of each word of each variant, how rare it is, and whether it is common; ``owner`` is ascending."""
    encoded = pa.array(words, pa.string()).dictionary_encode()
    distinct = encoded.dictionary.to_pylist()
    code = encoded.indices.to_numpy()
    hashes = np.array([word_hash(word) for word in distinct], np.uint64)
    ranks = np.array([rank(word) for word in distinct], np.int64)
    frequent = np.array([is_common(word) for word in distinct], bool)
    # Number of the occurrence of a word in its variant: equal words of a variant are adjacent in this order.
    order = np.lexsort((code, owner))
    first = np.ones(len(order), bool)
    first[1:] = (code[order][1:] != code[order][:-1]) | (owner[order][1:] != owner[order][:-1])
    since = np.arange(len(order)) - np.maximum.accumulate(np.where(first, np.arange(len(order)), 0))
    occurrence = np.empty(len(order), np.uint64)
    occurrence[order] = since.astype(np.uint64)
    return hashes[code] + occurrence * np.uint64(_OCCURRENCE), ranks[code], frequent[code]
