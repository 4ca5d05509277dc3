"""Variants that mean the same in other words: pairs by the cosine of their vectors. Pure.

Off by default, and marked: a cosine vouches for less than shared words do. A pair joins two groups only if it is of
their anchors (:mod:`quotelake.reuse.clusters`), so meanings never chain.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from rapidfuzz.distance import LCSseq, Levenshtein

from quotelake.embeddings.nearest import Vectors, nearest
from quotelake.reuse.alignment import align
from quotelake.reuse.vetoes import differ
from quotelake.reuse.words import Words, words_of

#: The measure of such an edge.
SEMANTIC: Final = "semantic"
#: Neighbours that are looked at of each new variant.
NEIGHBOURS: Final = 32


class Likeness(NamedTuple):
    """Two variants that mean the same; ``a`` is the lesser id.

    Attributes:
        cosine: of their vectors.
        jaccard, containment, edit_distance: as of :class:`quotelake.reuse.verify.Edge`.
        words_a, words_b: words of each.
    """

    a: str
    b: str
    cosine: float
    jaccard: float
    containment: float
    edit_distance: float
    words_a: int
    words_b: int


class Found(NamedTuple):
    """Pairs by meaning.

    Attributes:
        pairs: in the order of their ids.
        crowded: new variants all of whose neighbours are as alike as asked for: they may have more. Without any, nights
            find the pairs that one run finds.
    """

    pairs: list[Likeness]
    crowded: int


def alike(ids: Sequence[str], vectors: Vectors, new: Sequence[int], texts: Mapping[str, str], least: float) -> Found:
    """Find the pairs of new variants with each other and with earlier ones that mean the same.

    Args:
        ids: of all variants that are compared.
        vectors: their vectors of unit length, one a row.
        new: rows of the new ones.
        texts: canonical text of each variant.
        least: cosine from which two texts mean the same.
    """
    found = nearest(vectors[list(new)], vectors, NEIGHBOURS + 1)
    pairs: dict[tuple[str, str], Likeness | None] = {}
    near = found.cosines >= least
    for row, cosines, others, close in zip(new, found.cosines, found.rows, near, strict=True):
        for cosine, other in zip(cosines[close].tolist(), others[close].tolist(), strict=True):
            a, b = sorted((ids[row], ids[other]))
            if a != b and (a, b) not in pairs:
                pairs[a, b] = _likeness(a, b, cosine, texts)
    crowded = int(near.all(axis=1).sum()) if len(ids) > NEIGHBOURS else 0
    return Found([pair for _, pair in sorted(pairs.items()) if pair is not None], crowded)


def _likeness(a: str, b: str, cosine: float, texts: Mapping[str, str]) -> Likeness | None:
    """A pair, or None if the texts differ in a negation or a number."""
    one, other = words_of(texts[a]), words_of(texts[b])
    short, long = sorted((one, other), key=_order)
    if differ(short, long, align(short, long)):
        return None
    n, m = len(one.words), len(other.words)
    common = LCSseq.similarity(one.words, other.words)
    distance = Levenshtein.normalized_distance(" ".join(one.words), " ".join(other.words))
    # Cosines are sums of floats, which depend on their order: so few digits do not.
    return Likeness(a, b, round(cosine, 5), common / (n + m - common), common / min(n, m), distance, n, m)


def _order(words: Words) -> tuple[int, tuple[str, ...], list[int]]:
    return len(words.words), words.words, sorted(words.gaps)
