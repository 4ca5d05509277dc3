"""Clusters of the contexts of a group, by topic: average linkage on the cosine. Pure: no Spark."""

from typing import Final, NamedTuple

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage

from quotelake.topics.variation import Floats

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
    return [_cluster(rows, cosines) for rows in members[:MOST]]


def _cluster(rows: np.ndarray[tuple[int, ...], np.dtype[np.intp]], cosines: Floats) -> Cluster:
    inside = cosines[np.ix_(rows, rows)]
    n = len(rows)
    mean = float((inside.sum() - np.trace(inside)) / (n * (n - 1))) if n > 1 else None
    nearest = np.argsort(-np.round(inside.sum(axis=1), 9), kind="stable")[:2]
    return Cluster([int(row) for row in rows], mean, [int(rows[place]) for place in nearest])
