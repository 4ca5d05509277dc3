"""Metrics of scores against labels of 0 and 1; NaN where a metric is undefined."""

import math

import numpy as np
import numpy.typing as npt
from sklearn.metrics import average_precision_score, brier_score_loss, f1_score, roc_auc_score

Vector = npt.NDArray[np.float64]

BINS = 10


def auc(labels: Vector, scores: Vector) -> float:
    """Area under the ROC curve, 0 to 1; NaN where all labels are the same.

    >>> auc(np.array([0.0, 1.0, 1.0]), np.array([0.1, 0.1, 0.9]))
    0.75
    """
    return float(roc_auc_score(labels, scores)) if _both(labels) else math.nan


def f1(labels: Vector, called: npt.NDArray[np.bool_]) -> float:
    """F1 of label 1, 0 to 1; NaN if no row has label 1 and none is predicted."""
    return float(f1_score(labels, called)) if labels.any() or called.any() else math.nan


def average_precision(labels: Vector, scores: Vector) -> float:
    """Average precision of label 1, 0 to 1; NaN if no row has label 1."""
    return float(average_precision_score(labels, scores)) if labels.any() else math.nan


def brier(labels: Vector, probabilities: Vector) -> float:
    """Mean squared error of probabilities (Brier 1950), 0 to 1; NaN without rows."""
    return float(brier_score_loss(labels, probabilities, pos_label=1)) if len(labels) else math.nan


def calibration_error(labels: Vector, probabilities: Vector, bins: int = BINS) -> float:
    """Expected calibration error over bins of equal width (Naeini, Cooper and Hauskrecht 2015), 0 to 1.

    The difference of mean probability and share of label 1 in each bin, weighted by its rows; NaN without rows.

    >>> calibration_error(np.array([0.0, 1.0]), np.array([0.25, 0.75]))
    0.25
    """
    if not len(labels):
        return math.nan
    places = np.minimum((probabilities * bins).astype(int), bins - 1)
    gaps = np.bincount(places, weights=probabilities - labels, minlength=bins)
    return float(np.abs(gaps).sum() / len(labels))


def lower_bound(differences: Vector, *, share: float = 0.025, rounds: int = 10_000, seed: int = 0) -> float:
    """Lower bound of a mean difference by the percentile bootstrap (Efron and Tibshirani 1993, §13).

    Args:
        differences: of pairs, such as two detectors' F1 on each split.
        share: of bootstrap means below the bound; .025 gives a two-sided 95 % interval.
        rounds: number of bootstrap samples.
        seed: of the sampling.

    >>> lower_bound(np.array([0.1, 0.1, 0.1])).__round__(6)
    0.1
    """
    draws = np.random.default_rng(seed).integers(0, len(differences), (rounds, len(differences)))
    return float(np.quantile(differences[draws].mean(axis=1), share))


def _both(labels: Vector) -> bool:
    return bool(0 < labels.sum() < len(labels))
