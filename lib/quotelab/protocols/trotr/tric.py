"""TRiC: pairs of contexts ranked by topic relatedness, and divided into related and unrelated (Periti et al. 2024)."""

from typing import NamedTuple

import numpy as np
from scipy.stats import spearmanr

from quotelab.protocols.trotr.folds import Part, Places, Scores
from quotelab.statistics import Counts


class LabelFigures(NamedTuple):
    """Precision, recall and F1 of a label, and F1 of both weighted by their numbers; NaN where one is undefined."""

    precision_0: float
    recall_0: float
    f1_0: float
    precision_1: float
    recall_1: float
    f1_1: float
    weighted_f1: float


def label_figures(labels: Places, predicted: Places) -> LabelFigures:
    """Compare predicted labels with those of people, both (pairs,) of 0 and 1.

    >>> round(label_figures(np.array([0, 0, 1]), np.array([0, 1, 1])).weighted_f1, 4)
    0.6667
    """
    counts = []
    for label in (0, 1):
        there, found = labels == label, predicted == label
        counts.append(Counts(int((there & found).sum()), int(found.sum()), int(there.sum())))
    weighted = sum(count.labelled * (count.f1 if count.labelled else 0.0) for count in counts) / len(labels)
    unrelated, related = ((count.precision, count.recall, count.f1) for count in counts)
    return LabelFigures(*unrelated, *related, weighted)


def best_threshold(relatedness: Scores, labels: Places) -> float:
    """Least relatedness called related that gives the highest weighted F1, exact: all thresholds are tried.

    It lies between two neighbouring values; of several best ones the lowest is taken.

    >>> best_threshold(np.array([0.1, 0.2, 0.6, 0.8]), np.array([0, 0, 1, 1]))
    0.4
    """
    order = np.argsort(relatedness, kind="stable")
    values, truth = relatedness[order], labels[order]
    n, positive = len(truth), int(truth.sum())
    # With the lowest k pairs called unrelated: how many of them are.
    k = np.arange(n + 1)
    unrelated = np.r_[0, np.cumsum(1 - truth)]
    related = positive - (k - unrelated)
    negative = n - positive
    f1_0 = 2 * unrelated / np.maximum(k + negative, 1)
    f1_1 = 2 * related / np.maximum(n - k + positive, 1)
    weighted = (negative * f1_0 + positive * f1_1) / n
    possible = np.r_[True, values[1:] > values[:-1], True]  # equal values cannot be divided
    best = int(np.argmax(np.where(possible, weighted, -1)))
    if best == 0:
        return float(values[0])
    return float((values[best - 1] + values[best]) / 2) if best < n else float(np.nextafter(values[-1], np.inf))


def spearman(relatedness: Scores, part: Part) -> float:
    """Spearman correlation with the mean judgments, -1 to 1; NaN if either is constant or there is no pair."""
    if not len(relatedness) or np.ptp(relatedness) == 0 or np.ptp(part.scores) == 0:
        return float("nan")
    return float(spearmanr(relatedness, part.scores).statistic)


def measure(relatedness: Scores, part: Part, threshold: float) -> dict[str, float]:
    """Spearman and :class:`LabelFigures` of the pairs of a part, related from ``threshold`` on."""
    predicted = (relatedness >= threshold).astype(np.int64)
    return {"spearman": spearman(relatedness, part), **label_figures(part.labels, predicted)._asdict()}
