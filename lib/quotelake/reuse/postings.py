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
import pyarrow.compute as pc

from quotelake.reuse.words import Words, comparable, containable, is_common, prefix_length, rank
from quotelake.text.ids import word_hash

Integers = npt.NDArray[np.int64]

#: Grain: a variant that can be compared. ``tokens`` are of the words that it is found by, from the rarest on: the first
#: ``n_prefix`` and ``n_probe`` of them as above. The ``signature`` has a bit for each word, in :data:`WIDE` numbers of
#: 64 bits: long texts of everyday words seem to share enough by 128 bits. Of the candidates among 87,000 quotes of US
#: news it leaves 7 %.
COLUMNS: Final = "variant_id STRING, words INT, tokens ARRAY<BIGINT>, n_prefix INT, n_probe INT, signature BINARY"
#: Grain: variant × token. ``place`` is the number of its rarer words.
LISTED: Final = "token BIGINT, variant_id STRING, words INT, prefix BOOLEAN, probe BOOLEAN, place INT, signature BINARY"
WIDE: Final = 8
#: Distance between the tokens of a repeated word: the golden ratio in 64 bits, which is odd.
_OCCURRENCE: Final = 0x9E3779B97F4A7C15

_SCHEMA: Final = pa.schema([
    ("variant_id", pa.string()), ("words", pa.int32()), ("tokens", pa.list_(pa.field("element", pa.int64()))),
    ("n_prefix", pa.int32()), ("n_probe", pa.int32()), ("signature", pa.binary()),
])  # fmt: skip


def shared_by_wording(words: int) -> int:
    """Fewest words that a variant shares with another one of the same wording: .6 of them.

    >>> [shared_by_wording(words) for words in (4, 5, 10)]
    [3, 3, 6]
    """
    return -(-3 * words // 5)


def postings_of(variant_ids: Sequence[str], variants: Sequence[Words]) -> pa.RecordBatch:
    """The variants that can be compared, with their tokens; rows of :data:`COLUMNS`."""
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
    prefix = sizes - [shared_by_wording(int(size)) for size in sizes] + 1
    probe = np.where(contained, [prefix_length(int(size)) for size in sizes], 0)
    bit = token >> np.uint64(64 - (64 * WIDE).bit_length() + 1)
    wide = np.zeros(len(sizes) * WIDE, np.uint64)
    flags = np.uint64(1) << (bit & np.uint64(63))
    np.bitwise_or.at(wide, owner * WIDE + (bit >> np.uint64(6)).astype(np.int64), flags)
    signatures = pa.FixedSizeBinaryArray.from_buffers(pa.binary(8 * WIDE), len(sizes), [None, pa.py_buffer(wide)])
    kept = (place < prefix[owner]) | ~common  # a common word is nobody's probe; these are the least rare
    offsets = np.concatenate([[0], np.cumsum(np.bincount(owner[kept], minlength=len(sizes)))])
    tokens = pa.ListArray.from_arrays(offsets.astype(np.int32), token[kept].view(np.int64))
    ids = [variant_ids[number] for number in compared]
    columns = zip(_SCHEMA.names, (ids, sizes, tokens, prefix, probe, signatures), strict=True)
    return pa.RecordBatch.from_pydict(dict(columns), schema=_SCHEMA)


def listed(variants: pa.RecordBatch) -> pa.Table:
    """Rows of :data:`COLUMNS` → postings: the row, ``variant``, and ``token``, ``place``, ``prefix``, ``probe``."""
    variant = pc.list_parent_indices(variants["tokens"]).to_numpy().astype(np.int64)
    place = np.arange(len(variant)) - np.searchsorted(variant, np.arange(variants.num_rows))[variant]
    first = {name: place < variants[f"n_{name}"].to_numpy()[variant] for name in ("prefix", "probe")}
    return pa.table({"variant": variant, "token": pc.list_flatten(variants["tokens"]), "place": place, **first})


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
