"""Exact topic variation in time linear in the contexts. Pure numpy: no Spark.

For unit vectors v_1 … v_n the mean cosine over all pairs is ``(|Σv|² - Σ|v|²) / (n (n - 1))`` (group-average
similarity, Manning, Raghavan & Schütze, *Introduction to Information Retrieval*, §17.3); topic variation is 1 minus it
(Periti et al. 2024, §4, TRaC), in [0, 2]. Sums are in int64 fixed point, so that any order and any partitioning of the
contexts gives the same bits.
"""

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

#: 1.0 in fixed point: 30 bits of fraction leave room for the sum of 2³³ unit vectors.
ONE = 1 << 30
#: 97.5 % quantile of the normal distribution: two-sided 95 % intervals.
Z = 1.959963984540054


def to_fixed(values: npt.NDArray[np.floating]) -> Ints:
    """Round to fixed point.

    >>> to_fixed(np.array([0.5, -1.0])).tolist()
    [536870912, -1073741824]
    """
    return np.rint(values.astype(np.float64) * ONE).astype(np.int64)


def squared_norms(vectors: Ints) -> Ints:
    """Squared norm of each row, in fixed point like the rows: (n, d) to (n,).

    >>> squared_norms(to_fixed(np.array([[0.0, -1.0]]))).tolist() == [ONE]
    True
    """
    floats = vectors.astype(np.float64) / ONE
    return to_fixed((floats * floats).sum(axis=1))


def mean_cosine(total: Ints, squares: int, n: int) -> float | None:
    """Mean cosine over all pairs of ``n`` unit vectors, -1 to 1; None for fewer than two.

    Args:
        total: (d,) sum of the vectors, fixed point.
        squares: sum of their squared norms, fixed point.
        n: number of vectors, copies included.

    >>> total = to_fixed(np.array([1.0, 1.0]))  # two orthogonal unit vectors
    >>> mean_cosine(total, 2 * ONE, 2)
    0.0
    """
    if n < 2:
        return None
    sums = total.astype(np.float64) / ONE
    return float(((sums * sums).sum() - squares / ONE) / (n * (n - 1)))


def interval(vectors: Ints, stories: Ints) -> tuple[float, float] | None:
    """95 % interval of the mean cosine by the jackknife over stories; None for fewer than three stories.

    Contexts of one story depend on one another, so a story is left out as a whole. With m_j the mean cosine without
    story j, and G stories, the variance is ``(G - 1)/G`` times the sum of the squares of ``m_j - mean(m)``: Arvesen's
    jackknife of a U-statistic (1969) with groups left out instead of contexts, which is the same if each is its own.

    Args:
        vectors: (n, d) fixed point, unit norm.
        stories: (n,) number of the story of each, from 0; the bits of the result depend on this numbering.

    Returns:
        (low, high), within [-1, 1].

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
    mean = mean_cosine(vectors.sum(axis=0), int(squares.sum()), n)
    assert mean is not None  # three stories have three contexts
    return max(mean - half, -1.0), min(mean + half, 1.0)
