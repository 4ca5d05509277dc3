"""Exact topic variation of one group, in time linear in its contexts. Pure numpy: no Spark.

For unit vectors v_1 … v_n the mean cosine over all pairs is ``(|Σv|² - Σ|v|²) / (n (n - 1))`` (group-average
similarity, Manning, Raghavan & Schütze, *Introduction to Information Retrieval*, §17.3); topic variation is 1 minus it
(Periti et al. 2024, §4, TRaC), in [0, 2]. Sums are in int64 fixed point, so that any order and any partitioning of the
contexts gives the same bits.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

#: The period of all contexts, dated or not, and the kind of all sources.
ALL = "all"
#: 1.0 in fixed point: 36 bits of fraction round by 7e-12 at most, and leave room for the sum of 2²⁷ unit vectors.
ONE = 1 << 36
#: 97.5 % quantile of the normal distribution: two-sided 95 % intervals.
Z = 1.959963984540054
#: Stories that are left out one at a time; more are put into buckets by hash (delete-a-group jackknife, Kott 2001).
MAX_STORIES = 512
BUCKETS = 32


class Use(NamedTuple):
    """Equal uses of a distinct context: those of one month, kind, outlet and story."""

    context: int  #: row of its vector
    period: str | None  #: month as YYYY-MM; None without a date
    kind: str | None  #: ``news`` or ``tweet``; None in rows of older rules
    outlet: str | None  #: None where it is not known, as for tweets: then each use is an outlet by itself
    story: str  #: id of the story, or of the author of a tweet
    copies: int  #: how many uses


@dataclass(frozen=True)
class Group:
    """The distinct contexts of a group that are compared: their vectors, (n, d) fixed point, by their hash; their uses.

    The same context in two months counts in both, and once over all time.
    """

    vectors: Ints
    uses: Sequence[Use]

    def measure(self, period: str = ALL, kind: str = ALL) -> dict[str, Any]:
        """Measures of ``topic_variation`` for one period and kind of source; None where undefined."""
        uses = [use for use in self.uses if period in (ALL, use.period) and kind in (ALL, use.kind)]
        contexts = sorted({use.context for use in uses})
        place = {context: number for number, context in enumerate(contexts)}
        copies = np.zeros(len(contexts), dtype=np.int64)
        stories: dict[int, str] = {}
        for use in uses:
            copies[place[use.context]] += use.copies
            stories[use.context] = min(use.story, stories.get(use.context, use.story))
        vectors = self.vectors[contexts]
        mean, mean_all = mean_cosine(vectors), mean_cosine(vectors, copies)
        bounds = interval(vectors, numbered([stories[context] for context in contexts]))
        return {
            "n_sampled": len(contexts),
            "mean_cosine": mean,
            "variation": _variation(mean),
            "variation_low": None if bounds is None else 1 - bounds[1],
            "variation_high": None if bounds is None else 1 - bounds[0],
            "mean_cosine_all": mean_all,
            "variation_all": _variation(mean_all),
            "variation_outlets": _variation(balanced_mean_cosine(vectors, _outlet_weights(uses, place))),
        }


def _variation(mean: float | None) -> float | None:
    return None if mean is None else 1 - mean


def _outlet_weights(uses: Sequence[Use], place: dict[int, int]) -> Floats:
    """Weight of each context if every outlet counts the same, whatever number of contexts it has."""
    of_outlets: dict[str, set[int]] = {}
    weights = np.zeros(len(place))
    for use in uses:
        if use.outlet is None:
            weights[place[use.context]] += use.copies
        else:
            of_outlets.setdefault(use.outlet, set()).add(place[use.context])
    for outlet in sorted(of_outlets):
        shared = sorted(of_outlets[outlet])
        weights[shared] += 1 / len(shared)
    return weights


def to_fixed(values: npt.NDArray[np.floating]) -> Ints:
    """Round to fixed point.

    >>> to_fixed(np.array([0.5, -1.0])).tolist()
    [34359738368, -68719476736]
    """
    return np.rint(values.astype(np.float64) * ONE).astype(np.int64)


def squared_norms(vectors: Ints) -> Ints:
    """Squared norm of each row, in fixed point like the rows: (n, d) to (n,).

    >>> squared_norms(to_fixed(np.array([[0.0, -1.0]]))).tolist() == [ONE]
    True
    """
    floats = vectors.astype(np.float64) / ONE
    return to_fixed((floats * floats).sum(axis=1))


def mean_cosine(vectors: Ints, copies: Ints | None = None) -> float | None:
    """Mean cosine over all pairs of vectors, (n, d) fixed point, or of so many copies; None for fewer than two.

    >>> mean_cosine(to_fixed(np.array([[1.0, 0.0], [0.0, 1.0]])))
    0.0
    """
    n, total, squares = len(vectors), vectors.sum(axis=0), squared_norms(vectors)
    if copies is not None:
        n, total, squares = int(copies.sum()), copies @ vectors, squares * copies
    if n < 2:
        return None
    sums = total.astype(np.float64) / ONE
    return float(((sums * sums).sum() - int(squares.sum()) / ONE) / (n * (n - 1)))


def balanced_mean_cosine(vectors: Ints, weights: Floats) -> float | None:
    """Mean cosine over all pairs, each weighted by the product of its weights; None for fewer than two vectors.

    The bits of the result depend on the order.

    >>> both = to_fixed(np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
    >>> round(balanced_mean_cosine(both, np.array([1.0, 1.0, 2.0])), 6)  # (1 + 0 + 0) / (1 + 2 + 2)
    0.2
    """
    if len(vectors) < 2:
        return None
    floats = vectors.astype(np.float64) / ONE
    total, norms = weights @ floats, (floats * floats).sum(axis=1)
    return float(((total * total).sum() - (weights**2 * norms).sum()) / (weights.sum() ** 2 - (weights**2).sum()))


def numbered(stories: Sequence[str]) -> Ints:
    """Number of the story of each context, by the order of their ids; of many stories the number of a bucket by hash.

    >>> numbered(["b", "a", "b"]).tolist(), len(set(numbered([str(n) for n in range(999)]).tolist()))
    ([1, 0, 1], 32)
    """
    ids, numbers = np.unique(np.asarray(stories, dtype=object), return_inverse=True)
    if len(ids) <= MAX_STORIES:
        return numbers.astype(np.int64)
    return np.array([zlib.crc32(each.encode()) % BUCKETS for each in ids], dtype=np.int64)[numbers]


def interval(vectors: Ints, stories: Ints) -> tuple[float, float] | None:
    """95 % interval of the mean cosine by the jackknife over stories; None for fewer than three stories.

    Contexts of one story depend on one another, so a story is left out as a whole. With m_j the mean cosine without
    story j, and G stories, the variance is ``(G - 1)/G`` times the sum of the squares of ``m_j - mean(m)``: Arvesen's
    jackknife of a U-statistic (1969) with groups left out instead of contexts, which is the same if each is its own.
    The bits of the result depend on the numbers of the stories (:func:`numbered`).

    >>> alike = to_fixed(np.array([[1.0, 0.0]] * 4))
    >>> interval(alike, np.array([0, 1, 2, 2])), interval(alike, np.array([0, 1, 1, 1])) is None
    ((1.0, 1.0), True)
    """
    n, order = len(vectors), np.argsort(stories, kind="stable")
    _, starts, sizes = np.unique(stories[order], return_index=True, return_counts=True)
    if len(starts) < 3:
        return None
    squares = squared_norms(vectors)
    of_story = np.add.reduceat(vectors[order], starts, axis=0)
    rest = (vectors.sum(axis=0) - of_story).astype(np.float64) / ONE
    rest_squares = (squares.sum() - np.add.reduceat(squares[order], starts)) / ONE
    left = n - sizes
    means = ((rest * rest).sum(axis=1) - rest_squares) / (left * (left - 1))
    half = Z * float(np.sqrt((len(starts) - 1) / len(starts) * ((means - means.mean()) ** 2).sum()))
    mean = mean_cosine(vectors)
    assert mean is not None  # three stories have three contexts
    return max(mean - half, -1.0), min(mean + half, 1.0)
