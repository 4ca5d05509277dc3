"""Whether two variants are uses of the same quote, by their words: the measures of an edge. Pure.

Measures, tried in this order, with LCS the length of the longest common subsequence of the words:

- ``wording``: ordered token Jaccard index LCS / (a + b - LCS) of at least .6;
- ``spelling``: Levenshtein distance of the texts over the length of the longer, at most .2;
- ``containment``: at least .9 of the shorter text stands in order, close together, in the longer;
- ``excerpt``: the shorter text stands in the longer word by word, but tells too little for the measures above.

By the first three the shared words must tell :data:`~quotelake.reuse.words.ENOUGH_BITS`, or the texts must be nearly
equal. An ``excerpt`` may be a phrase that many people say: :mod:`quotelake.reuse.excerpts` decides. A pair that differs
in a negation or a number is no edge, see :func:`.alignment.differ`.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Final, Literal, NamedTuple

import numpy as np
import pyarrow as pa
from rapidfuzz import process
from rapidfuzz.distance import LCSseq, Levenshtein

from quotelake.reuse.alignment import Pairs, align, align_contained, differ
from quotelake.reuse.candidates import candidates
from quotelake.reuse.pairs import A_IN_B, B_IN_A, NEITHER
from quotelake.reuse.words import (
    ENOUGH_BITS,
    MIN_BITS,
    MIN_CONTAINED,
    Words,
    comparable,
    containable,
    information,
    least_contained,
)

Measure = Literal["wording", "spelling", "containment", "excerpt"]

#: Longest distance of two spellings, one in so many characters of the longer text.
_SPELLING: Final = 5
#: Shared words from which two texts that differ in one word only are nearly equal, so that common words suffice [ours].
_NEAR: Final = 6
#: Pairs looked at together: bounds memory.
_AT_ONCE: Final = 100_000
#: A word stands as one character from here on: the private use area and all planes above, without surrogates.
_FIRST, _CHARACTERS = 0xE000, 0x110000 - 0xE000
#: Normalised edit distance of two spellings, and a little more for rounding.
_SHARE: Final = 0.2 + 1e-6


class Edge(NamedTuple):
    """Two variants that are the same quote, wholly or in part.

    Attributes:
        measure: by which they are: the first that holds.
        jaccard: ordered token Jaccard index, 0 to 1.
        containment: LCS over the words of the shorter text, 0 to 1.
        edit_distance: normalised Levenshtein distance of the texts, 0 to 1.
        contained: 1 if the first text is an excerpt of the second, 2 the other way round, 0 neither.
    """

    measure: Measure
    jaccard: float
    containment: float
    edit_distance: float
    contained: int


def verify(a: Words, b: Words) -> Edge | None:
    """Compare two variants; None if they are not the same quote.

    >>> from quotelake.reuse.words import words_of
    >>> whole = words_of("the keeper mended the harbour lantern before the winter came to the coast")
    >>> part = words_of("mended the harbour lantern before the winter")
    >>> verify(part, whole)._replace(edit_distance=0.4)
    Edge(measure='containment', jaccard=0.5384615384615384, containment=1.0, edit_distance=0.4, contained=1)
    >>> verify(part, words_of("never mended the harbour lantern before the winter"))
    """
    swapped = (len(a.words), a.words, sorted(a.gaps)) > (len(b.words), b.words, sorted(b.gaps))
    short, long = (b, a) if swapped else (a, b)
    n, m = len(short.words), len(long.words)
    for_wording = -(-3 * (n + m) // 8)  # LCS / (n + m - LCS) >= 3/5
    in_full = least_contained(n) if MIN_CONTAINED <= n < m else for_wording
    common = LCSseq.similarity(short.words, long.words, score_cutoff=min(for_wording, in_full))
    texts = " ".join(short.words), " ".join(long.words)
    longer = max(map(len, texts))
    most = longer // _SPELLING
    measure: Measure
    pairs: Pairs | None
    if common >= for_wording:
        measure, pairs = "wording", align(short, long)
    elif Levenshtein.distance(*texts, score_cutoff=most) <= most:
        measure, pairs = "spelling", align(short, long)
        common = len(pairs)
    elif common and containable(short.words):
        measure, pairs = "containment", align_contained(short, long)
    else:
        return None
    if pairs is None or not (comparable(short.words) and comparable(long.words)):
        return None
    distance = Levenshtein.distance(*texts) / longer
    is_contained = measure == "containment" or common == n < m
    contained = (B_IN_A if swapped else A_IN_B) if is_contained else NEITHER
    edge = Edge(measure, common / (n + m - common), common / n, distance, contained)
    # The shared words must be so many or so rare that two texts hardly share them by chance.
    shared = information(short.words[i] for i, _ in pairs)
    if measure == "spelling":
        shared = information(short.words) * (1 - distance)
    is_near = edge.jaccard == 1 or (m - len(pairs) == 1 and len(pairs) >= _NEAR)
    if shared >= (MIN_BITS if is_near else ENOUGH_BITS):
        return None if differ(short, long, pairs) else edge
    if not MIN_CONTAINED <= n < m or f" {texts[0]} " not in f" {texts[1]} ":
        return None
    stretch = align_contained(short, long)
    if stretch is None or differ(short, long, stretch):
        return None
    return edge._replace(measure="excerpt", contained=B_IN_A if swapped else A_IN_B)


def edges_among(pairs: Iterable[tuple[str, str]], words: Mapping[str, Words]) -> Iterator[tuple[str, str, Edge]]:
    """Verify pairs of ids, of which ``words`` has the words: those that are the same quote, in their order.

    First many pairs at once are tried for the words in common that wording or containment demands, and for a nearly
    equal spelling; the few that are left by :func:`verify`.
    """
    characters: dict[str, str] = {}

    @cache
    def letters(variant: str) -> str:
        # Beyond so many different words two share a character, so that texts seem to share more than they do.
        spelled = (
            characters.setdefault(word, chr(_FIRST + len(characters) % _CHARACTERS)) for word in words[variant].words
        )
        return "".join(spelled)

    @cache
    def text(variant: str) -> str:
        return " ".join(words[variant].words)

    left = iter(pairs)
    while some := list(islice(left, _AT_ONCE)):
        one, other = ([letters(pair[side]) for pair in some] for side in (0, 1))
        common = process.cpdist(one, other, scorer=LCSseq.similarity, dtype=np.int64)
        n, m = (np.array([*map(len, each)], np.int64) for each in (one, other))
        short, long = np.minimum(n, m), np.maximum(n, m)
        contained = (short >= MIN_CONTAINED) & (short < long) & (10 * common >= 9 * short)
        likely = np.asarray(contained | (8 * common >= 3 * (short + long)))
        rest = np.flatnonzero(~likely)
        one, other = ([text(some[place][side]) for place in rest.tolist()] for side in (0, 1))
        apart = process.cpdist(
            one, other, scorer=Levenshtein.normalized_distance, score_cutoff=_SHARE, dtype=np.float64
        )
        likely[rest] = apart <= _SHARE
        for place in np.flatnonzero(likely).tolist():
            a, b = some[place]
            edge = verify(words[a], words[b])
            if edge is not None:
                yield a, b, edge


def edges_within(postings: pa.RecordBatch, variants: Mapping[str, Words]) -> Iterator[tuple[str, str, Edge]]:
    """Find the edges among variants, of which ``postings`` are all: both ids, the lesser first, and their edge."""
    new = pa.array([True] * postings.num_rows, pa.bool_())
    found = candidates(pa.Table.from_batches([postings]).append_column("new", new))
    parts = (found.slice(first, _AT_ONCE).columns for first in range(0, found.num_rows, _AT_ONCE))
    return edges_among((pair for a, b in parts for pair in zip(a.to_pylist(), b.to_pylist(), strict=True)), variants)
