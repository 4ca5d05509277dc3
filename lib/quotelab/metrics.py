"""Precision, recall and F1 from counts; NaN where a metric is undefined."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

Span = tuple[int, int]


def ratio(part: float, whole: float) -> float:
    """Share of ``part`` in ``whole``; NaN if ``whole`` is 0.

    >>> ratio(1, 4), ratio(0, 0)
    (0.25, nan)
    """
    return part / whole if whole else math.nan


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of items labelled, found, and both. Metrics of summed counts are micro-averaged.

    Attributes:
        matched: items both found and labelled, at least 0.
        found: items found.
        labelled: items labelled.
    """

    matched: int = 0
    found: int = 0
    labelled: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        """Sum of the counts of two texts."""
        return Counts(self.matched + other.matched, self.found + other.found, self.labelled + other.labelled)

    @property
    def precision(self) -> float:
        """Share of the found that is labelled, in [0, 1]; NaN when nothing was found."""
        return ratio(self.matched, self.found)

    @property
    def recall(self) -> float:
        """Share of the labelled that is found, in [0, 1]; NaN when nothing is labelled."""
        return ratio(self.matched, self.labelled)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall (van Rijsbergen 1979), in [0, 1]; NaN when both sets are empty.

        >>> Counts(matched=1, found=1, labelled=2).f1, Counts(found=1, labelled=0).f1
        (0.6666666666666666, 0.0)
        """
        return ratio(2 * self.matched, self.found + self.labelled)


def count_spans(labelled: Iterable[Span], found: Iterable[Span]) -> Counts:
    """Count spans whose both ends agree; the same span twice counts once.

    >>> count_spans([(0, 4), (6, 9)], [(0, 4), (6, 8)])
    Counts(matched=1, found=2, labelled=2)
    """
    expected, actual = set(labelled), set(found)
    return Counts(len(expected & actual), len(actual), len(expected))
