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


def mean_cosine_to_others(vectors: Ints, total: Ints, n: int) -> Floats:
    """Mean cosine of each vector to the other ``n - 1`` of its group, shape (n,): input of the jackknife.

    Args:
        vectors: (n, d) fixed point.
        total: (d,) their sum, fixed point.
        n: number of vectors, at least 2.
    """
    floats = vectors.astype(np.float64) / ONE
    sums = total.astype(np.float64) / ONE
    return np.asarray(((floats * sums).sum(axis=1) - (floats * floats).sum(axis=1)) / (n - 1))


def interval(mean: float, squares: float, n: int) -> tuple[float, float] | None:
    """95 % interval of the mean cosine by the delete-one jackknife over contexts; None for fewer than three.

    Let r_i be the mean cosine of context i to the others. Leaving out i changes the mean by ``-2 (r_i - mean) / (n -
    2)``; the jackknife variance is ``(n - 1)/n`` times the sum of the squares (Arvesen 1969, jackknifing U-statistics).

    Args:
        mean: mean cosine over all pairs, which is also the mean of the r_i.
        squares: sum of the squares of the r_i.
        n: number of contexts.

    Returns:
        (low, high), within [-1, 1].

    >>> interval(0.5, 3 * 0.25, 3)
    (0.5, 0.5)
    """
    if n < 3:
        return None
    spread = max(squares - n * mean * mean, 0.0)
    half = Z * float(np.sqrt((n - 1) / n * 4.0 / (n - 2) ** 2 * spread))
    return max(mean - half, -1.0), min(mean + half, 1.0)
