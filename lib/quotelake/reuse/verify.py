"""Whether two variants are uses of the same quote, by their words: verified pairs and their measure. Pure.

Measures, tried in this order, with LCS the length of the longest common subsequence of the words:

- ``wording``: ordered token Jaccard index LCS / (a + b - LCS) of at least .6;
- ``spelling``: Levenshtein distance of the texts over the length of the longer, at most .2;
- ``containment``: at least .9 of the shorter text are in order, close together, in the longer;
- ``excerpt``: the longer text has the shorter one word by word, but that has too little information for the others.

By the first three the shared words must have :data:`~quotelake.reuse.words.ENOUGH_BITS`, or the texts must be nearly
equal. An excerpt pair may be of a phrase that many people say: :mod:`quotelake.reuse.clusters` decides. Texts that
differ in a negation or a number are no pair, see :func:`.alignment.differ`.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Final, Literal, NamedTuple

import numpy as np
import pyarrow as pa
from rapidfuzz import process
from rapidfuzz.distance import LCSseq, Levenshtein

from quotelake.reuse.alignment import WordPairs, align, align_contained, differ
from quotelake.reuse.candidates import Index
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

#: Measure of a pair by which no group is formed: one text is a short excerpt of the other.
EXCERPT_PAIR: Final = "excerpt"
#: Longest distance of two spellings, one in so many characters of the longer text.
_SPELLING: Final = 5
#: Shared words from which two texts that differ in one word only are nearly equal, so that common words suffice [ours].
_NEARLY_EQUAL: Final = 6
#: Pairs compared in one call: bounds memory.
_PAIRS_PER_CALL: Final = 100_000
#: A word is written as one character from here on: the private use area and all planes above, without surrogates.
_FIRST, _CHARACTERS = 0xE000, 0x110000 - 0xE000
#: Normalised edit distance of two spellings, and a little more for rounding.
_SHARE: Final = 0.2 + 1e-6


class Pair(NamedTuple):
    """A verified pair of variants, by their ids.

    ``measure`` is the first :data:`Measure` that holds; ``contained`` is the id of the one that is part of the other,
    or None. ``words_a`` and ``words_b`` count words, gaps excluded.
    """

    a: str
    b: str
    measure: str
    contained: str | None
    words_a: int
    words_b: int

    @property
    def part_and_whole(self) -> tuple[str, str]:
        """Both ids, the contained one first."""
        return (self.a, self.b) if self.contained == self.a else (self.b, self.a)


class Edge(NamedTuple):
    """Measure of two variants that are the same quote; ``part`` is the one that is part of the other, if any."""

    measure: Measure
    part: Literal["a", "b"] | None


def verify(a: Words, b: Words) -> Edge | None:
    """Compare two variants; None if they are not the same quote.

    >>> from quotelake.reuse.words import tokenize
    >>> whole = tokenize("the keeper mended the harbour lantern before the winter came to the coast")
    >>> part = tokenize("mended the harbour lantern before the winter")
    >>> verify(part, whole)
    Edge(measure='containment', part='a')
    >>> verify(part, tokenize("never mended the harbour lantern before the winter"))
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
    pairs: WordPairs | None
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
    shorter: Literal["a", "b"] = "b" if swapped else "a"
    # The shared words must be so many or so rare that two texts hardly share them by chance.
    shared = information(short.words[i] for i, _ in pairs)
    if measure == "spelling":
        shared = information(short.words) * (1 - Levenshtein.distance(*texts) / longer)
    is_near = common == n == m or (m - len(pairs) == 1 and len(pairs) >= _NEARLY_EQUAL)
    if shared >= (MIN_BITS if is_near else ENOUGH_BITS):
        is_contained = measure == "containment" or common == n < m
        return None if differ(short, long, pairs) else Edge(measure, shorter if is_contained else None)
    if not MIN_CONTAINED <= n < m or f" {texts[0]} " not in f" {texts[1]} ":
        return None
    stretch = align_contained(short, long)
    return None if stretch is None or differ(short, long, stretch) else Edge(EXCERPT_PAIR, shorter)


def verified_pairs(pairs: Iterable[tuple[str, str]], words: Mapping[str, Words]) -> Iterator[Pair]:
    """Verify pairs of ids, whose texts are ``words``; in their order.

    A pass over many pairs in one call keeps those with the words in common that wording or containment demands, or a
    nearly equal spelling; :func:`verify` decides these few.
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
    while chunk := list(islice(left, _PAIRS_PER_CALL)):
        one, other = ([letters(pair[side]) for pair in chunk] for side in (0, 1))
        common = process.cpdist(one, other, scorer=LCSseq.similarity, dtype=np.int64)
        n, m = (np.array([*map(len, each)], np.int64) for each in (one, other))
        short, long = np.minimum(n, m), np.maximum(n, m)
        contained = (short >= MIN_CONTAINED) & (short < long) & (10 * common >= 9 * short)
        likely = np.asarray(contained | (8 * common >= 3 * (short + long)))
        rest = np.flatnonzero(~likely)
        one, other = ([text(chunk[place][side]) for place in rest.tolist()] for side in (0, 1))
        apart = process.cpdist(
            one, other, scorer=Levenshtein.normalized_distance, score_cutoff=_SHARE, dtype=np.float64
        )
        likely[rest] = apart <= _SHARE
        for place in np.flatnonzero(likely).tolist():
            a, b = chunk[place]
            if edge := verify(words[a], words[b]):
                part = edge.part and (a if edge.part == "a" else b)
                yield Pair(a, b, edge.measure, part, len(words[a].words), len(words[b].words))


def pairs_within(postings: pa.RecordBatch, variants: Mapping[str, Words]) -> Iterator[Pair]:
    """Find the verified pairs among variants, of which ``postings`` are all; the lesser id of a pair is ``a``."""
    found = Index.of(postings).pairs()
    parts = (found.slice(first, _PAIRS_PER_CALL).columns for first in range(0, found.num_rows, _PAIRS_PER_CALL))
    likely = (pair for a, b in parts for pair in zip(a.to_pylist(), b.to_pylist(), strict=True))
    return verified_pairs(likely, variants)
