"""Figures of scores, by hand; what is undefined is not a number."""

import math

import numpy as np
import pytest

from quotelab.statistics import auc, average_precision, brier, calibration_error, f1, lower_bound

LABELS = np.array([0.0, 0.0, 1.0, 1.0])


def test_figures_by_hand():
    scores = np.array([0.1, 0.6, 0.5, 0.9])
    assert auc(LABELS, scores) == 0.75
    assert f1(LABELS, scores >= 0.5) == pytest.approx(0.8)
    assert average_precision(LABELS, scores) == pytest.approx((1 + 2 / 3) / 2)
    assert brier(LABELS, scores) == pytest.approx((0.01 + 0.36 + 0.25 + 0.01) / 4)


def test_calibration_error_is_weighted_by_bin_and_holds_the_ends():
    probabilities = np.array([0.0, 0.05, 1.0, 0.55])
    assert calibration_error(LABELS, probabilities) == pytest.approx((0.05 + 0.0 + 0.45) / 4)


def test_what_is_undefined_is_nan():
    nothing, ones = np.array([]), np.ones(3)
    assert math.isnan(auc(ones, ones)) and math.isnan(brier(nothing, nothing))
    assert math.isnan(calibration_error(nothing, nothing)) and math.isnan(average_precision(np.zeros(2), np.ones(2)))
    assert math.isnan(f1(np.zeros(2), np.zeros(2, bool)))


def test_the_lower_bound_lies_below_the_mean_and_repeats():
    differences = np.array([0.0, 0.1, 0.2, 0.3])
    bound = lower_bound(differences)
    assert 0 <= bound < differences.mean() and bound == lower_bound(differences)
