"""Texts → reuse groups without Spark: the groups that a run gives the variants of these texts.

The kernels are those of :mod:`quotelake.reuse.stage`; a test compares both on the sample lake.
"""

from collections.abc import Mapping, Sequence

from quotelake.quotes.keys import canonical_text
from quotelake.reuse.clusters import Pair, cluster
from quotelake.reuse.postings import postings_of
from quotelake.reuse.verify import edges_within
from quotelake.reuse.words import Words, words_of
from quotelake.text.ids import content_id


def group_texts(texts: Sequence[str]) -> list[str | None]:
    """Return the ``group_id`` of each text, in order; None for a text without words, which shares no group.

    >>> one, same, other = group_texts(["“We won!”", "we won", "We lost"])
    >>> one == same, one == other
    (True, False)
    """
    canonical = {text: canonical_text(text) for text in dict.fromkeys(texts)}
    ids = {text: None if folded is None else content_id(folded) for text, folded in canonical.items()}
    variants = {
        variant: words_of(folded)
        for folded, variant in zip(canonical.values(), ids.values(), strict=True)
        if folded is not None and variant is not None
    }
    places = cluster(pairs_among(variants))
    found = {variant: place.group_id for variant, place in places.items()}
    return [None if variant is None else found.get(variant, variant) for variant in map(ids.get, texts)]


def pairs_among(variants: Mapping[str, Words]) -> list[Pair]:
    """Verified pairs among variants; ``variants`` gives the words of each variant id."""
    return [
        Pair(a, b, edge.measure, edge.contained, len(variants[a].words), len(variants[b].words))
        for a, b, edge in edges_within(postings_of(list(variants), list(variants.values())), variants)
    ]
