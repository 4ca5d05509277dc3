"""Exact topic variation in time linear in the contexts. Pure numpy: no Spark.

For unit vectors v_1 … v_n the mean cosine over all pairs is ``(|Σv|² - Σ|v|²) / (n (n - 1))`` (group-average
similarity, Manning, Raghavan & Schütze, *Introduction to Information Retrieval*, §17.3); topic variation is 1 minus it
(Periti et al. 2024, §4, TRaC), in [0, 2]. Sums are in int64 fixed point, so that any order and any partitioning of the
contexts gives the same bits, and what was added can be taken away exactly (:class:`Sums`).
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

#: 1.0 in fixed point: 36 bits of fraction round by 7e-12 at most, and leave room for the sum of 2²⁷ unit vectors.
ONE = 1 << 36
#: 97.5 % quantile of the normal distribution: two-sided 95 % intervals.
Z = 1.959963984540054
#: Stories that are left out one at a time; more are dealt into buckets by hash (delete-a-group jackknife, Kott 2001).
MOST_STORIES = 512
BUCKETS = 32


@dataclass(frozen=True)
class Sums:
    """What topic variation needs of some contexts: it merges and subtracts exactly, in any order.

    Attributes:
        n: number of vectors.
        total: (d,) their sum, fixed point.
        squares: sum of their squared norms, fixed point.
    """

    n: int
    total: Ints
    squares: int

    @classmethod
    def of(cls, vectors: Ints) -> "Sums":
        """Sums of (n, d) vectors in fixed point.

        >>> some = to_fixed(np.eye(3))
        >>> Sums.of(some).plus(Sums.of(some[:1])).minus(Sums.of(some[:1])).equals(Sums.of(some[::-1]))
        True
        """
        return cls(len(vectors), vectors.sum(axis=0), int(squared_norms(vectors).sum()))

    def plus(self, other: "Sums") -> "Sums":
        """Sums of both."""
        return Sums(self.n + other.n, self.total + other.total, self.squares + other.squares)

    def minus(self, other: "Sums") -> "Sums":
        """Sums without the contexts of ``other``, which are among these: as if they had never been added."""
        return Sums(self.n - other.n, self.total - other.total, self.squares - other.squares)

    def equals(self, other: "Sums") -> bool:
        """Whether every bit is the same."""
        return (self.n, self.squares) == (other.n, other.squares) and bool((self.total == other.total).all())

    @property
    def mean_cosine(self) -> float | None:
        """Mean cosine over all pairs, None for fewer than two vectors."""
        return mean_cosine(self.total, self.squares, self.n)


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


def balanced_mean_cosine(vectors: Ints, weights: Floats) -> float | None:
    """Mean cosine over all pairs, a pair weighted by the product of its weights; None for fewer than two vectors.

    Args:
        vectors: (n, d) fixed point, unit norm.
        weights: (n,) positive; all 1 gives :func:`mean_cosine`. The bits of the result depend on the order.

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
    """Number of the story of each context for :func:`interval`, in the order of their ids.

    Of more than :data:`MOST_STORIES` stories, the number of the bucket that the hash of the id gives.

    >>> numbered(["b", "a", "b"]).tolist(), len(set(numbered([str(n) for n in range(999)]).tolist()))
    ([1, 0, 1], 32)
    """
    ids, numbers = np.unique(np.asarray(stories, dtype=object), return_inverse=True)
    if len(ids) <= MOST_STORIES:
        return numbers.astype(np.int64)
    return np.array([zlib.crc32(each.encode()) % BUCKETS for each in ids], dtype=np.int64)[numbers]


def interval(vectors: Ints, stories: Ints) -> tuple[float, float] | None:
    """95 % interval of the mean cosine by the jackknife over stories; None for fewer than three stories.

    Contexts of one story depend on one another, so a story is left out as a whole. With m_j the mean cosine without
    story j, and G stories, the variance is ``(G - 1)/G`` times the sum of the squares of ``m_j - mean(m)``: Arvesen's
    jackknife of a U-statistic (1969) with groups left out instead of contexts, which is the same if each is its own.

    Args:
        vectors: (n, d) fixed point, unit norm.
        stories: (n,) number of the story of each (:func:`numbered`); the bits of the result depend on this numbering.

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
