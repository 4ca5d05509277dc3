"""Agreement of people who labelled the same items, and confidence intervals of shares."""

import math
from collections.abc import Sequence

from scipy.stats import binomtest


def krippendorff_alpha(labels: Sequence[Sequence[str]]) -> float:
    """Krippendorff's alpha for nominal labels: 1 is full agreement, 0 that of chance.

    Krippendorff, *Computing Krippendorff's Alpha-Reliability* (2011). NaN if fewer than two different labels occur,
    because then nobody can disagree.

    Args:
        labels: for each item, the labels that people gave it, with the people in the same order.

    >>> round(krippendorff_alpha([("a", "a"), ("b", "b"), ("a", "b"), ("b", "b")]), 3)
    0.533
    """
    if len({label for row in labels for label in row}) < 2:
        return math.nan
    # Imported here, because nltk takes two seconds to import, and most protocols do not need it.
    from nltk.metrics.agreement import AnnotationTask

    triples = [(f"p{who}", place, label) for place, row in enumerate(labels) for who, label in enumerate(row)]
    return float(AnnotationTask(data=triples).alpha())


def wilson(hits: float, n: float) -> tuple[float, float]:
    """Wilson's 95 % interval of a share (Wilson 1927); NaN without trials.

    Args:
        hits: 0 to n; rounded to an integer, as is ``n``, because weighted shares have effective sizes (Kish 1965).
        n: trials.

    >>> [round(end, 3) for end in wilson(8, 10)]
    [0.49, 0.943]
    """
    trials = round(n)
    if not trials:
        return math.nan, math.nan
    interval = binomtest(min(round(hits), trials), trials).proportion_ci(method="wilson")
    return float(interval.low), float(interval.high)
