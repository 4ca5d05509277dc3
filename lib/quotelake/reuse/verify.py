"""Whether two variants are uses of the same quote, by their words: the measures of an edge. Pure.

Measures, tried in this order, with LCS the length of the longest common subsequence of the words:

- ``wording``: ordered token Jaccard index LCS / (a + b - LCS) of at least .6;
- ``spelling``: Levenshtein distance of the texts over the length of the longer, at most .2;
- ``containment``: at least .9 of the shorter text stands in order, close together, in the longer.

A pair is no edge if its texts differ in a negation or a number, see :mod:`quotelake.reuse.vetoes`.
"""

from typing import Final, Literal, NamedTuple

from rapidfuzz.distance import LCSseq, Levenshtein

from quotelake.reuse.alignment import Pairs, align, align_contained
from quotelake.reuse.vetoes import differ
from quotelake.reuse.words import Words, comparable, containable, least_contained

Measure = Literal["wording", "spelling", "containment"]

#: Longest distance of two spellings, one in so many characters of the longer text.
_SPELLING: Final = 5


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
    >>> whole = words_of("we lost the vote on tuesday and the whole council with it")
    >>> verify(words_of("we lost the vote on tuesday"), whole)
    Edge(measure='containment', jaccard=0.5, containment=1.0, edit_distance=0.5263157894736842, contained=1)
    >>> verify(words_of("we never lost the vote on tuesday"), words_of("we lost the vote on tuesday"))
    """
    swapped = (len(a.words), a.words, sorted(a.gaps)) > (len(b.words), b.words, sorted(b.gaps))
    short, long = (b, a) if swapped else (a, b)
    edge = _verify(short, long)
    return edge._replace(contained=3 - edge.contained) if edge and edge.contained and swapped else edge


def _verify(short: Words, long: Words) -> Edge | None:
    n, m = len(short.words), len(long.words)
    for_wording = -(-3 * (n + m) // 8)  # LCS / (n + m - LCS) >= 3/5
    in_full = n < m and containable(short.words)
    least = min(for_wording, least_contained(n)) if in_full else for_wording
    common = LCSseq.similarity(short.words, long.words, score_cutoff=least)
    texts = " ".join(short.words), " ".join(long.words)
    longer = max(map(len, texts))
    pairs: Pairs | None = None
    measure: Measure
    if common >= for_wording:
        measure, pairs = "wording", align(short, long)
    elif Levenshtein.distance(*texts, score_cutoff=longer // _SPELLING) <= longer // _SPELLING:
        measure, pairs = "spelling", align(short, long)
    elif common:
        measure, pairs = "containment", align_contained(short, long)
    if pairs is None or not (comparable(short.words) and comparable(long.words)) or differ(short, long, pairs):
        return None
    common = common or LCSseq.similarity(short.words, long.words)
    contained = measure == "containment" or common == n < m
    distance = Levenshtein.distance(*texts) / longer
    return Edge(measure, common / (n + m - common), common / n, distance, int(contained))
