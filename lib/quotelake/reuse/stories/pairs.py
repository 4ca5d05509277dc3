"""Sampled shingles → pairs of texts that are copies of one another, by what their samples share. Pure.

Two texts are a pair if their samples, at the higher of the two levels, share at least :data:`MIN_SHARED` hashes and at
least :data:`CONTAINMENT` of those of the smaller sample; and if one text is at most :data:`LONGER` times as long as the
other: a list of briefs contains many articles and is a copy of none.

All pairs that share a hash are counted. A hash that many texts have, such as one of a notice below articles, has a long
list: it is narrowed to texts of comparable length, never cut or skipped.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from quotelake.reuse.candidates import pairs_in
from quotelake.reuse.clusters import A_IN_B, Pair, Place, cluster
from quotelake.reuse.postings import Integers
from quotelake.reuse.stories.texts import LEVELS

#: Hashes that samples of a pair share at least: fewer are chance, or one sentence that both quote [ours].
MIN_SHARED: Final = 8
#: Share of the smaller sample that the other one has at least. Pairs from .5 on were read: see docs/FIGURES.md.
CONTAINMENT: Final = 0.6
#: Share of the hashes of both samples together above which two texts are near copies rather than one a part: more than
#: half, so that of two articles on one page at most one is a near copy of the page.
JACCARD: Final = 0.5
#: How many times as long the longer text may be.
LONGER: Final = 4

#: Grain: a pair of texts, ``a`` before ``b``, and a part of the hashes: how many of these they share. The other columns
#: are the same for all parts.
COLUMNS: Final = "a STRING, b STRING, words_a INT, words_b INT, size_a INT, size_b INT, shared INT"


def schema() -> pa.Schema:
    """Arrow types of :data:`COLUMNS`."""
    numbers = [(name, pa.int32()) for name in ("words_a", "words_b", "size_a", "size_b", "shared")]
    return pa.schema([("a", pa.string()), ("b", pa.string()), *numbers])


def shared_hashes(rows: pa.Table) -> pa.RecordBatch:
    """Count what the samples of texts share, for each pair of which at least one text is new.

    Args:
        rows: ``text_id``, ``words``, ``level``, ``sizes`` (counts of the sample at its level and at the next ones),
            ``token`` (a hash of the sample) and ``new``; of a hash all there are.

    Returns:
        Rows of :data:`COLUMNS`: pairs of comparable length that share a hash, each once.
    """
    table = rows.combine_chunks()
    if not table.num_rows:
        return pa.RecordBatch.from_pylist([], schema=schema())
    column = table.column("text_id").combine_chunks().dictionary_encode()
    text = column.indices.to_numpy().astype(np.int64)
    _, token = np.unique(table.column("token").to_numpy(), return_inverse=True)
    words = table.column("words").to_numpy().astype(np.int64)
    new = np.asarray(table.column("new").to_numpy(), bool)
    _, first = np.unique(text, return_index=True)  # a row of each text, whose number is its place here
    order = np.lexsort((words, token))
    text, token, words, new = text[order], token[order], words[order], new[order]
    keys = (token << 32) | words
    end = np.searchsorted(keys, (token << 32) | np.minimum(words * LONGER, (1 << 32) - 1), side="right")
    pairs, counts = _counted(text, new, np.arange(1, len(text) + 1), end)
    texts = table.take(pa.array(first))
    return _described(pairs >> 32, pairs & 0xFFFFFFFF, counts, texts, column.dictionary)


def _counted(text: Integers, new: npt.NDArray[np.bool_], begin: Integers, end: Integers) -> tuple[Integers, Integers]:
    """Pairs of a row and those after it up to ``end``, as numbers, the lower text first, and how often each occurs."""
    found, times = np.zeros(0, np.int64), np.zeros(0, np.int64)
    for one, other in pairs_in(begin, end):
        chosen = (new[one] | new[other]) & (text[one] != text[other])
        one, other = text[one[chosen]], text[other[chosen]]
        part, n = np.unique((np.minimum(one, other) << 32) | np.maximum(one, other), return_counts=True)
        found, place = np.unique(np.concatenate([found, part]), return_inverse=True)
        times = np.bincount(place, np.concatenate([times, n]), len(found)).astype(np.int64)
    return found, times


def _described(one: Integers, other: Integers, shared: Integers, texts: pa.Table, ids: pa.Array) -> pa.RecordBatch:
    """Pairs with the words of both and the sizes of their samples at the higher level; those too far apart left out."""
    level = texts.column("level").to_numpy().astype(np.int64)
    sizes = np.array(texts.column("sizes").to_pylist(), np.int64)
    near = np.abs(level[one] - level[other]) <= LEVELS
    one, other, shared = one[near], other[near], shared[near]
    names = np.asarray(ids.to_numpy(zero_copy_only=False))
    swapped = names[one] > names[other]
    a, b = np.where(swapped, other, one), np.where(swapped, one, other)
    common = np.maximum(level[a], level[b])
    words = texts.column("words").to_numpy()
    arrays: list[Any] = [names[a], names[b], words[a], words[b]]
    arrays += [sizes[side, common - level[side]] for side in (a, b)]
    columns = [pa.array(values, field.type) for values, field in zip([*arrays, shared], schema(), strict=True)]
    return pa.RecordBatch.from_arrays(columns, schema=schema())


def cluster_stories(pairs: Iterable[Pair]) -> dict[str, Place]:
    """Place every text that is in a pair; see :func:`quotelake.reuse.clusters.cluster`.

    Args:
        pairs: all pairs of some components.
    """
    pairs = list(pairs)
    places = cluster(copies_only(pairs))
    components = {text: place.component_id for text, place in cluster(pairs).items()}
    return {text: Place(places[text].group_id if text in places else text, components[text]) for text in components}


def copies_only(pairs: list[Pair]) -> list[Pair]:
    """Leave out the parts of a text that holds several articles, such as a list of briefs or a live page.

    All parts of a text are left out if pairs among them do not connect them. A part is left out if it is in a pair with
    fewer than half of the near copies of the text: these share more than half of it, and the part is another half.
    """
    partners: dict[str, set[str]] = defaultdict(set)
    parts: dict[str, set[str]] = defaultdict(set)
    for pair in pairs:
        partners[pair.a].add(pair.b)
        partners[pair.b].add(pair.a)
        if pair.contained:
            part, whole = _part_and_whole(pair)
            parts[whole].add(part)
    one_article = {whole: _connected(found, partners) for whole, found in parts.items()}

    def stays(pair: Pair) -> bool:
        if not pair.contained:
            return True
        part, whole = _part_and_whole(pair)
        near = {text for text in partners[whole] - parts[whole] if whole not in parts[text]}
        return one_article[whole] and 2 * len(near & partners[part]) >= len(near)

    return [pair for pair in pairs if stays(pair)]


def _part_and_whole(pair: Pair) -> tuple[str, str]:
    return (pair.a, pair.b) if pair.contained == A_IN_B else (pair.b, pair.a)


def _connected(texts: set[str], partners: Mapping[str, set[str]]) -> bool:
    """Whether pairs among texts connect all of them."""
    waiting, left = [min(texts)], texts - {min(texts)}
    while waiting:
        reached = partners[waiting.pop()] & left
        left = left - reached
        waiting += reached
    return not left
