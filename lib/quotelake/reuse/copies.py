"""Samples of texts → pairs of copies: new texts are an index, in which every text is looked up. Pure.

A pair shares at least :data:`CONTAINMENT` of the smaller sample, so at least one of any ``n - k + 1`` of its ``n``
hashes if ``k`` must be shared (prefix filter, Chaudhuri, Ganti and Kaushik 2006). Of each text those are looked up that
fewest new texts have: not a footer that many share, unless they have little else. No order of the hashes loses a pair.
"""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from quotelake.reuse.candidates import distinct, pairs_in
from quotelake.reuse.postings import Integers
from quotelake.reuse.stories import CONTAINMENT, JACCARD, LEVELS, LONGER, MIN_SHARED, Hashes, differ_in_facts

#: Columns of a text that pairs depend on: those of ``story_texts``, and whether it is ``new``.
COLUMNS: Final = ("text_id", "published", "words", "level", "sizes", "sample", "facts", "new")
#: Grain: a pair of texts; columns of ``story_edges``, which has more.
EDGES: Final = pa.schema([
    ("a", pa.string()), ("b", pa.string()), ("measure", pa.string()), ("contained", pa.string()),
    ("jaccard", pa.float64()), ("containment", pa.float64()), ("shared", pa.int32()), ("words_a", pa.int32()),
    ("words_b", pa.int32()),
])  # fmt: skip
#: Pairs whose samples are compared in one step: some 10 megabytes.
_COMPARED: Final = 4096


class Texts(NamedTuple):
    """Texts by number, and their hashes: ``owner`` is the text of each, ascending."""

    text_id: pa.Array
    day: npt.NDArray[np.float64]  # days since 1970, NaN without a date
    words: Integers
    level: Integers
    sizes: Integers  # (texts, LEVELS + 1)
    new: npt.NDArray[np.bool_]
    facts: pa.Array  # lists of hashes, ascending; NULL in rows of older rules
    hashes: Hashes
    owner: Integers

    @classmethod
    def of(cls, rows: pa.RecordBatch | pa.Table) -> "Texts":
        """The texts of rows with :data:`COLUMNS`."""
        names = dict(zip(rows.schema.names, rows.columns, strict=True))
        day = pc.cast(names["published"], pa.int32()).to_numpy(zero_copy_only=False).astype(np.float64)
        words, level = (_numbers(names[name]) for name in ("words", "level"))
        sizes = _numbers(pc.list_flatten(names["sizes"])).reshape(-1, LEVELS + 1)
        hashes, owner = _numbers(pc.list_flatten(names["sample"])), _numbers(pc.list_parent_indices(names["sample"]))
        new = np.asarray(names["new"].to_numpy(zero_copy_only=False), bool)
        return cls(names["text_id"], day, words, level, sizes, new, names["facts"], hashes.view(np.uint64), owner)


def _numbers(column: Any) -> Integers:
    return np.asarray(column.to_numpy(), np.int64)


def _needed(size: Integers) -> Integers:
    """Hashes that a pair shares at least, by the size of its smaller sample."""
    needed: Integers = np.maximum(np.ceil(CONTAINMENT * size - 1e-9).astype(np.int64), MIN_SHARED)
    return needed


class _Postings(NamedTuple):
    """Hashes of texts by their code in an index; ``bits`` say at which levels the text is looked up by each."""

    code: Integers
    text: Integers
    bits: Integers

    @classmethod
    def of(cls, texts: Texts, code: Integers, among: npt.NDArray[np.bool_], frequency: Integers) -> "_Postings":
        """The hashes ``among`` those of texts that are in the index; the ``frequency`` is by code.

        A bit is of a level, above that of the text, at which a larger sample shares one of the hashes with it: it is
        set where so many more frequent ones of that level follow that with them the text has enough to share.
        """
        among &= np.bincount(texts.owner[among], minlength=len(texts.words))[texts.owner] >= MIN_SHARED
        order = np.flatnonzero(among)
        order = order[np.argsort((texts.owner[order] << 32) | frequency[code[order]])]
        owner, hashes, bits = texts.owner[order], texts.hashes[order], np.zeros(len(order), np.int64)
        ends = np.searchsorted(owner, np.arange(len(texts.words)), side="right")
        for above in range(LEVELS + 1):
            zeros = (np.uint64(1) << (texts.level[owner] + above).astype(np.uint64)) - np.uint64(1)
            inside = (hashes & zeros) == 0
            until = np.concatenate([[0], np.cumsum(inside)])
            following = until[ends[owner]] - until[1:]
            bits |= (inside & (following >= _needed(texts.sizes[owner, above]) - 1)).astype(np.int64) << above
        return cls(code[order], owner, bits)

    def looked_up(self) -> "_Postings":
        """Those by which a text is looked up."""
        return _Postings._make(column[self.bits > 0] for column in self)

    def of_all(self) -> "_Postings":
        """All, to be found at every level."""
        return self._replace(bits=np.full_like(self.bits, -1))

    def by_code(self) -> "_Postings":
        """In the order of their codes."""
        order = np.argsort(self.code)
        return _Postings._make(column[order] for column in self)


class Index:
    """New texts, to be looked up by their hashes."""

    def __init__(self, texts: Texts) -> None:
        self.texts = texts
        self._hashes, code = np.unique(texts.hashes, return_inverse=True)
        self._frequency = np.bincount(code, minlength=len(self._hashes))
        every = np.ones(len(code), bool)
        postings = _Postings.of(texts, code, every, self._frequency).by_code()
        self._every, self._looked_up = postings.of_all(), postings.looked_up()
        self._keys = np.sort(self._key(texts.owner, code))

    def pairs(self, rows: pa.RecordBatch, window: int) -> pa.RecordBatch:
        """Pairs of texts with new ones, published at most ``window`` days apart or undated: rows of :data:`EDGES`.

        A pair of new texts is found where the lesser ``text_id`` is looked up; one of a text that has several rows
        may be found again.
        """
        if not rows.num_rows or not len(self._hashes):
            return pa.RecordBatch.from_pylist([], schema=EDGES)
        texts = Texts.of(rows)
        code = np.minimum(np.searchsorted(self._hashes, texts.hashes), len(self._hashes) - 1)
        known = self._hashes[code] == texts.hashes
        postings = _Postings.of(texts, code, known, self._frequency)
        # A text of the smaller sample is on either side.
        found = self._sharing(texts, postings.looked_up(), self._every)
        back = self._sharing(texts, postings.of_all(), self._looked_up)
        pairs = distinct(np.concatenate([*found, *back]))
        one, other = self._comparable(texts, pairs >> 32, pairs & 0xFFFFFFFF, window)
        shared = np.zeros(len(one), np.int64)
        starts = np.searchsorted(postings.text, np.arange(len(texts.words) + 1))
        for first in range(0, len(one), _COMPARED):
            part = slice(first, first + _COMPARED)
            for pair, place in pairs_in(starts[one[part]], starts[one[part] + 1]):
                wanted = self._key(other[part][pair], postings.code[place])
                at = np.minimum(np.searchsorted(self._keys, wanted), len(self._keys) - 1)
                shared[part] += np.bincount(pair[self._keys[at] == wanted], minlength=len(one[part]))
        return self._edges(texts, one, other, shared)

    def _sharing(self, texts: Texts, left: _Postings, right: _Postings) -> Iterator[Integers]:
        """Pairs with a hash by which one of them is looked up at their common level: both in one number."""
        yield np.zeros(0, np.int64)
        begin, end = (np.searchsorted(right.code, left.code, side=side) for side in ("left", "right"))
        for at, found in pairs_in(begin, end):
            one, other = left.text[at], right.text[found]
            level, other_level = texts.level[one], self.texts.level[other]
            common = np.maximum(level, other_level)
            bits = (left.bits[at] >> (common - level)) & (right.bits[found] >> (common - other_level))
            kept = bits & 1 == 1
            yield distinct((one[kept] << 32) | other[kept])

    def _key(self, text: Integers, code: Integers) -> Integers:
        return text * len(self._hashes) + code

    def _comparable(self, texts: Texts, one: Integers, other: Integers, window: int) -> tuple[Integers, Integers]:
        """Pairs of comparable length and day, each once."""
        x, y = texts, self.texts
        near = (np.abs(x.level[one] - y.level[other]) <= LEVELS) & ~(np.abs(x.day[one] - y.day[other]) > window)
        near &= np.maximum(x.words[one], y.words[other]) <= LONGER * np.minimum(x.words[one], y.words[other])
        one, other = one[near], other[near]
        ids = x.text_id.take(pa.array(one)), y.text_id.take(pa.array(other))
        is_first, same = (_truths(compare(*ids)) for compare in (pc.less, pc.equal))
        kept = np.where(x.new[one], is_first, ~same)
        return one[kept], other[kept]

    def _edges(self, texts: Texts, one: Integers, other: Integers, shared: Integers) -> pa.RecordBatch:
        """Rows of the pairs that share enough."""
        common = np.maximum(texts.level[one], self.texts.level[other])
        size, other_size = (
            each.sizes[text, common - each.level[text]] for each, text in ((texts, one), (self.texts, other))
        )
        copies = shared >= _needed(np.minimum(size, other_size))
        for place in np.flatnonzero(copies):
            facts = texts.facts[one[place]].as_py() or (), self.texts.facts[other[place]].as_py() or ()
            copies[place] = not differ_in_facts(*facts)
        one, other, shared, size, other_size = (each[copies] for each in (one, other, shared, size, other_size))
        ids = texts.text_id.take(pa.array(one)), self.texts.text_id.take(pa.array(other))
        ordered = _truths(pc.less(*ids))
        a, b = (pc.if_else(pa.array(ordered), *each) for each in (ids, ids[::-1]))
        numbers = np.array([[size, texts.words[one]], [other_size, self.texts.words[other]]])
        (size_a, words_a), (size_b, words_b) = np.where(ordered, numbers, numbers[::-1])
        jaccard = shared / (size_a + size_b - shared)
        # Ids are ordered, so of texts that are equal otherwise a is the part.
        a_is_part = (size_a < size_b) | ((size_a == size_b) & (words_a <= words_b))
        near = jaccard > JACCARD
        columns = [
            a, b, np.where(near, "wording", "containment"),
            pc.if_else(pa.array(near), pa.scalar(None, pa.string()), pc.if_else(pa.array(a_is_part), a, b)),
            jaccard, shared / np.minimum(size_a, size_b), shared, words_a, words_b,
        ]  # fmt: skip
        return pa.RecordBatch.from_arrays(
            [pa.array(column, field.type) for column, field in zip(columns, EDGES, strict=True)], schema=EDGES
        )


def _truths(column: Any) -> npt.NDArray[np.bool_]:
    return np.asarray(column.to_numpy(zero_copy_only=False), bool)
