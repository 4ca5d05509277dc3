"""Pairs of texts → stories. Pure; the clustering is that of quotes, see :mod:`quotelake.reuse.clusters`."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from quotelake.reuse.clusters import A_IN_B, Pair, Place, cluster


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
