"""Quality of embeddings of quotes: alignment and uniformity after Wang & Isola (ICML 2020).

For both, smaller is better: alignment measures the distance of the two vectors of a pair, uniformity how unevenly all
vectors are distributed on the sphere.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.floating]

_ROWS = 1024  # rows of the distance matrix held at once


@dataclass(frozen=True, slots=True)
class Quality:
    """Quality on held-out pairs; published for QuoteCSE: .150, .194 and -3.562 (Song et al. 2023, §5).

    Attributes:
        title_title: alignment of headline quotes with themselves under another dropout, 0 to 4 [our reading].
        title_body: alignment of headline quotes with their positives, 0 to 4.
        uniformity: of headline quotes and positives together, -8 to 0.
        pairs: number of pairs.
    """

    title_title: float
    title_body: float
    uniformity: float
    pairs: int


def alignment(first: Vectors, second: Vectors) -> float:
    """Mean squared distance of paired unit vectors: E ||f(x) - f(x+)||^2, 0 to 4.

    >>> alignment(np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]]))
    2.0
    """
    return float(np.mean(np.sum((first.astype(np.float64) - second) ** 2, axis=1)))


def uniformity(vectors: Vectors, t: float = 2.0) -> float:
    """Log of the mean Gaussian potential over all pairs of different rows, -4 t to 0; NaN for fewer than two rows.

    >>> round(uniformity(np.array([[1.0, 0.0], [-1.0, 0.0]])), 9)
    -8.0
    """
    exact = vectors.astype(np.float64)
    count = len(exact)
    if count < 2:
        return float("nan")
    total = 0.0
    for start in range(0, count, _ROWS):
        cosines = exact[start : start + _ROWS] @ exact.T
        total += float(np.exp(-t * (2 - 2 * cosines)).sum())
    return float(np.log((total - count) / (count * (count - 1))))  # the diagonal is exp(0) for each row
