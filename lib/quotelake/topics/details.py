"""What the topic variation of a group consists of: its months, its clusters of topics, its pairs. Pure: no Spark.

Clusters are by average linkage on the cosine; pairs have a score of how related their topics are (TRiC, Periti et al.
2024, §4).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.cluster.hierarchy import fcluster, linkage

from quotelake.topics.group import Group
from quotelake.topics.keywords import keywords
from quotelake.topics.timeline import Shift, timeline
from quotelake.topics.variation import ONE, Floats

#: Clusters kept of a group, the largest ones.
MOST: Final = 8


class Cluster(NamedTuple):
    """Contexts about one topic.

    Attributes:
        contexts: their rows, in order.
        mean_cosine: over its pairs; None of one context.
        typical: rows of the two contexts nearest to all others of it, the nearest first; one where it has but one.
    """

    contexts: list[int]
    mean_cosine: float | None
    typical: list[int]


def clusters(vectors: Floats, least_cosine: float) -> list[Cluster]:
    """Cluster contexts: two clusters are one as long as the mean cosine between them is at least ``least_cosine``.

    Group-average agglomerative clustering (Manning et al., *Introduction to Information Retrieval*, §17.3). The same
    rows in the same order give the same clusters.

    Args:
        vectors: (n, d) unit norm; n is bounded by ``topics.sample``, and time grows with its square.
        least_cosine: mean cosine below which clusters stay apart.

    Returns:
        The :data:`MOST` largest ones; of equal size the one with the first context.

    >>> axes = np.array([[1.0, 0, 0], [0.6, 0.8, 0], [0, 0, 1]])
    >>> [each.contexts for each in clusters(axes, 0.5)]
    [[0, 1], [2]]
    """
    cosines = np.clip(vectors @ vectors.T, -1, 1)
    n = len(vectors)
    if n < 2:
        labels = np.ones(n, dtype=np.int64)
    else:
        distances = np.round(1 - cosines[np.triu_indices(n, 1)], 9)
        labels = fcluster(linkage(distances, "average"), 1 - least_cosine, "distance")
    members = [np.flatnonzero(labels == label) for label in np.unique(labels)]
    members.sort(key=lambda rows: (-len(rows), int(rows[0])))
    return [_cluster_of(rows, cosines) for rows in members[:MOST]]


def _cluster_of(rows: np.ndarray[tuple[int, ...], np.dtype[np.intp]], cosines: Floats) -> Cluster:
    inside = cosines[np.ix_(rows, rows)]
    n = len(rows)
    mean = float((inside.sum() - np.trace(inside)) / (n * (n - 1))) if n > 1 else None
    nearest = np.argsort(-np.round(inside.sum(axis=1), 9), kind="stable")[:2]
    return Cluster([int(row) for row in rows], mean, [int(rows[place]) for place in nearest])


SAME, UNCLEAR, DIFFERENT = "same", "unclear", "different"
#: Odd multipliers of SplitMix64 (Steele, Lea and Flood 2014), which spread the bits of the pair's hashes.
_MIX: Final = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)

Words = npt.NDArray[np.uint64]


class Thresholds(NamedTuple):
    """From which score on a pair has the same topic, and below which it has different ones; between them: unclear."""

    same: float
    different: float

    def label(self, score: float) -> str:
        """Label of a score.

        >>> [Thresholds(0.5, 0.3).label(score) for score in (0.5, 0.4, 0.2)]
        ['same', 'unclear', 'different']
        """
        return SAME if score >= self.same else DIFFERENT if score < self.different else UNCLEAR


class Pair(NamedTuple):
    """Two contexts, by their rows, the one with the lesser hash first, and their cosine."""

    first: int
    second: int
    cosine: float


def choose_pairs(hashes: Sequence[str], most: int) -> list[tuple[int, int]]:
    """All pairs of contexts if they are at most ``most``, else that many by hash: the same in any order of arrival.

    Args:
        hashes: hexadecimal hash of each context, in ascending order.
        most: pairs wanted.

    >>> choose_pairs(["0" * 32, "1" * 32, "2" * 32], 5)
    [(0, 1), (0, 2), (1, 2)]
    >>> len(choose_pairs([f"{n:032x}" for n in range(99)], 50))
    50
    """
    first, second = np.triu_indices(len(hashes), 1)
    if len(first) > most:
        beginnings = np.array([int(each[:16], 16) for each in hashes], dtype=np.uint64)
        mixed = _mixed(_mixed(beginnings)[first] ^ beginnings[second])
        chosen = np.sort(np.lexsort((second, first, mixed))[:most])
        first, second = first[chosen], second[chosen]
    return [(int(a), int(b)) for a, b in zip(first, second, strict=True)]


def related(vectors: Floats, pairs: Sequence[tuple[int, int]]) -> list[Pair]:
    """Cosine of each pair, rounded to 9 places: -1 to 1.

    Args:
        vectors: (n, d) unit norm.
        pairs: rows of their contexts.
    """
    if not pairs:
        return []
    first, second = np.array(pairs).T
    cosines = np.round((vectors[first] * vectors[second]).sum(axis=1), 9)
    return [Pair(a, b, float(cosine)) for (a, b), cosine in zip(pairs, cosines, strict=True)]


def _mixed(words: Words) -> Words:
    for multiplier in _MIX:
        words = (words ^ (words >> np.uint64(30))) * np.uint64(multiplier)
    return words ^ (words >> np.uint64(31))


Where = Mapping[str, Any]


@dataclass(frozen=True)
class Explain:
    """How a group is explained.

    Attributes:
        least: distinct contexts from which on it is.
        most_pairs: pairs kept of a group.
        thresholds: of the labels of pairs; clusters are apart below ``thresholds.different``.
        is_common: whether a word is a function word.
    """

    least: int
    most_pairs: int
    thresholds: Thresholds
    is_common: Callable[[str], bool]


def details(
    group: Group, plain: Floats, where: Sequence[Where], texts: Sequence[str], explain: Explain, *, has_head: bool
) -> dict[str, Any]:
    """Explain a group: the content columns of ``topic_details`` after its key.

    Args:
        group: its distinct contexts, by the vectors that are compared.
        plain: (n, d) vectors of the same contexts before the topic head.
        where: of each context ``doc_id``, ``start``, ``context_start``, ``context_end`` and ``masked_hash`` of a use.
        texts: masked text of each.
        explain: how.
        has_head: whether the group's vectors are those of a head.
    """
    vectors = group.vectors.astype(np.float64) / ONE
    over_time = timeline(group)
    shift = over_time.shift
    found = clusters(vectors, explain.thresholds.different)
    words = keywords([[texts[row] for row in each.contexts] for each in found], explain.is_common)
    return {
        "n_sampled": len(vectors),
        "n_dated": over_time.n_dated,
        "n_undated": over_time.n_undated,
        "n_periods": over_time.n_periods,
        "variation_within": over_time.within,
        "variation_between": over_time.between,
        **_shift(shift, texts, explain.is_common),
        "clusters": [_cluster(*each, where) for each in zip(found, words, strict=True)],
        "pairs": _pairs(vectors, plain, where, explain, has_head=has_head),
    }


def _shift(shift: Shift | None, texts: Sequence[str], is_common: Callable[[str], bool]) -> dict[str, Any]:
    if shift is None:
        names = ("shift_period", "shift", "shift_chance", "has_shifted", "words_before", "words_after")
        return dict.fromkeys(names)
    before, after = keywords([[texts[row] for row in side] for side in (shift.before, shift.after)], is_common)
    return {
        "shift_period": shift.period,
        "shift": shift.size,
        "shift_chance": shift.chance,
        "has_shifted": shift.is_clear,
        "words_before": before,
        "words_after": after,
    }


def _cluster(cluster: Cluster, words: list[str], where: Sequence[Where]) -> dict[str, Any]:
    typical = [dict(where[row]) for row in cluster.typical]
    return {
        "n_contexts": len(cluster.contexts),
        "mean_cosine": cluster.mean_cosine,
        "words": words,
        "typical": typical[0],
        "second": typical[1] if len(typical) > 1 else None,
    }


def _pairs(
    vectors: Floats, plain: Floats, where: Sequence[Where], explain: Explain, *, has_head: bool
) -> list[dict[str, Any]]:
    chosen = choose_pairs([str(each["masked_hash"]) for each in where], explain.most_pairs)
    scored = zip(related(plain, chosen), related(vectors, chosen), strict=True)
    return [
        {
            **where[before.first],
            **{f"other_{name}": value for name, value in where[before.second].items()},
            "cosine": before.cosine,
            "head_score": after.cosine if has_head else None,
            "label": explain.thresholds.label(after.cosine),
        }
        for before, after in scored
    ]
