"""Statistics of protocols: shares and their intervals, scores against labels, agreement of people.

NaN where one is undefined. scikit-learn and nltk are imported where they are needed: each takes seconds.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import binomtest, spearmanr

Span = tuple[int, int]
#: Arrays of any shape.
Numbers = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]


def ratio(part: float, whole: float) -> float:
    """Share of ``part`` in ``whole``; NaN if ``whole`` is 0."""
    return part / whole if whole else math.nan


def retrieval_figures(matched: int, found: int, labelled: int) -> dict[str, float]:
    """``precision``, ``recall`` and ``f1`` (van Rijsbergen 1979), each in [0, 1], of items found, labelled, and both.

    Of summed numbers they are micro-averaged; NaN where nothing was found, labelled, or either.
    """
    shares = {"precision": ratio(matched, found), "recall": ratio(matched, labelled)}
    return shares | {"f1": ratio(2 * matched, found + labelled)}


def wilson(hits: float, n: float) -> tuple[float, float]:
    """Wilson's 95 % interval of a share (Wilson 1927); NaN without trials.

    Both numbers are rounded to integers, because weighted shares have effective sizes (Kish 1965).

    >>> [round(end, 3) for end in wilson(8, 10)]
    [0.49, 0.943]
    """
    trials = round(n)
    if not trials:
        return math.nan, math.nan
    interval = binomtest(min(round(hits), trials), trials).proportion_ci(method="wilson")
    return float(interval.low), float(interval.high)


def share_figures(name: str, hits: int, n: int) -> dict[str, float]:
    """Share of hits among trials as a report names it, with Wilson's interval as ``NAME_low`` and ``NAME_high``."""
    return weighted_figures(name, [(number < hits, 1.0) for number in range(n)])


def weighted_figures(name: str, items: Sequence[tuple[bool, float]]) -> dict[str, float]:
    """The same of weighted items: whether each counts, and its weight.

    The interval is that of the effective number of items (Kish 1965); all is NaN without items.
    """
    part, total = sum(weight for counts, weight in items if counts), math.fsum(weight for _, weight in items)
    effective = ratio(total**2, math.fsum(weight**2 for _, weight in items))
    low, high = wilson(part / total * effective, effective) if total else (math.nan, math.nan)
    return {name: ratio(part, total), f"{name}_low": low, f"{name}_high": high}


def spearman(one: npt.ArrayLike, other: npt.ArrayLike) -> float:
    """Spearman correlation, -1 to 1; NaN if either side is constant or there are fewer than two values."""
    sides = (np.asarray(one), np.asarray(other))
    if any(len(side) < 2 or np.ptp(side) == 0 for side in sides):
        return math.nan
    return float(spearmanr(*sides).statistic)


def bootstrap_places(n: int, samples: int, seed: int = 0) -> Places:
    """Places of ``samples`` resamples of n items, drawn with replacement (Efron and Tibshirani 1993): (samples, n)."""
    return np.random.default_rng(seed).integers(0, n, (samples, n))


def lower_bound(differences: Numbers) -> float:
    """Lower end of the 95 % interval of a mean difference by the percentile bootstrap (Efron and Tibshirani 1993)."""
    return float(np.quantile(differences[bootstrap_places(len(differences), 10_000)].mean(axis=1), 0.025))


def auc(labels: Numbers, scores: Numbers) -> float:
    """Area under the ROC curve, 0 to 1; NaN where all labels are the same."""
    return _metric("roc_auc_score", labels, scores, 0 < labels.sum() < len(labels))


def f1(labels: Numbers, called: npt.NDArray[np.bool_]) -> float:
    """F1 of label 1, 0 to 1; NaN if no row has it and none is predicted."""
    return _metric("f1_score", labels, called, labels.any() or called.any())


def average_precision(labels: Numbers, scores: Numbers) -> float:
    """Average precision of label 1, 0 to 1; NaN if no row has it."""
    return _metric("average_precision_score", labels, scores, labels.any())


def brier(labels: Numbers, probabilities: Numbers) -> float:
    """Mean squared error of probabilities (Brier 1950), 0 to 1; NaN without rows."""
    return float(((probabilities - labels) ** 2).mean()) if len(labels) else math.nan


def _metric(name: str, labels: Numbers, found: npt.NDArray[Any], is_defined: bool | np.bool_) -> float:
    from sklearn import metrics

    return float(getattr(metrics, name)(labels, found)) if is_defined else math.nan


def calibration_error(labels: Numbers, probabilities: Numbers) -> float:
    """Expected calibration error over ten bins of equal width (Naeini, Cooper and Hauskrecht 2015), 0 to 1.

    The difference of mean probability and share of label 1 in each bin, weighted by its rows; NaN without rows.
    """
    if not len(labels):
        return math.nan
    gaps = np.bincount(np.minimum((probabilities * 10).astype(int), 9), weights=probabilities - labels)
    return float(np.abs(gaps).sum() / len(labels))


def krippendorff_alpha(items: Sequence[Sequence[object]], distance: Callable[[Any, Any], float] | None = None) -> float:
    """Krippendorff's alpha (2011) of the labels that people gave each item: 1 is full agreement, 0 that of chance.

    Items with fewer than two labels do not count; NaN if fewer than two different labels are left. Labels are nominal
    unless a squared distance of two is given.
    """
    counted = [item for item in items if len(item) > 1]
    if len({value for item in counted for value in item}) < 2:
        return math.nan
    from nltk.metrics.agreement import AnnotationTask

    triples = [(f"p{who}", place, value) for place, item in enumerate(counted) for who, value in enumerate(item)]
    return float(AnnotationTask(data=triples, **({"distance": distance} if distance else {})).alpha())


def ordinal_alpha(items: Sequence[Sequence[int]]) -> float:
    """Krippendorff's alpha for ordinal values.

    The squared distance of two ranks is ``(sum of n_g for g from c to k - (n_c + n_k) / 2) ** 2``, with n_g the number
    of times that g was given (Krippendorff 2011, ordinal metric).
    """
    given = Counter(value for item in items if len(item) > 1 for value in item)
    ranks = sorted(given)
    middle = {rank: sum(given[each] for each in ranks[:place]) + given[rank] / 2 for place, rank in enumerate(ranks)}
    return krippendorff_alpha(items, lambda one, other: (middle[one] - middle[other]) ** 2)


def pairwise_spearman(items: Sequence[Mapping[str, int | None]]) -> float:
    """Mean Spearman correlation of each two annotators, weighted by the items that both judged; NaN if no two do.

    An item has annotator → value, None for undecided. Two who share fewer than two items do not count.
    """
    decided = [{who: value for who, value in item.items() if value is not None} for item in items]
    annotators = dict.fromkeys(who for item in decided for who in item)
    total = weight = 0.0
    for one, other in combinations(annotators, 2):
        shared = [(item[one], item[other]) for item in decided if one in item and other in item]
        found = spearman([pair[0] for pair in shared], [pair[1] for pair in shared])
        if not math.isnan(found):
            total += len(shared) * found
            weight += len(shared)
    return total / weight if weight else math.nan
