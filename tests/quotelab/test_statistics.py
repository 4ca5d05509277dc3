"""Statistics by hand and by published examples."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelab import statistics
from quotelab.statistics import krippendorff_alpha, ordinal_alpha, pairwise_spearman, retrieval_figures, wilson


def test_figures_of_what_is_found_are_shares_and_what_is_wrong_is_nought():
    assert retrieval_figures(matched=3, found=4, labelled=6) == {"precision": 0.75, "recall": 0.5, "f1": 0.6}
    wrong = retrieval_figures(0, 2, 0)
    assert wrong["precision"] == wrong["f1"] == 0 and math.isnan(wrong["recall"])


LABELS = np.array([0.0, 0.0, 1.0, 1.0])


def test_figures_by_hand():
    scores = np.array([0.1, 0.6, 0.5, 0.9])
    assert statistics.auc(LABELS, scores) == 0.75
    assert statistics.f1(LABELS, scores >= 0.5) == pytest.approx(0.8)
    assert statistics.average_precision(LABELS, scores) == pytest.approx((1 + 2 / 3) / 2)
    assert statistics.brier(LABELS, scores) == pytest.approx((0.01 + 0.36 + 0.25 + 0.01) / 4)


def test_calibration_error_is_weighted_by_bin_and_holds_the_ends():
    probabilities = np.array([0.0, 0.05, 1.0, 0.55])
    assert statistics.calibration_error(LABELS, probabilities) == pytest.approx((0.05 + 0.0 + 0.45) / 4)


def test_what_is_undefined_is_nan():
    nothing, ones, noughts = np.array([]), np.ones(3), np.zeros(2)
    undefined = [statistics.ratio(0, 0), *retrieval_figures(0, 0, 0).values(), *wilson(0, 0)]
    undefined += [statistics.auc(ones, ones), statistics.brier(nothing, nothing)]
    undefined += [statistics.calibration_error(nothing, nothing), statistics.average_precision(noughts, np.ones(2))]
    undefined += [statistics.f1(noughts, noughts > 0)]
    # One label says nothing, and who always says 1 ranks nothing.
    undefined += [krippendorff_alpha([("a", "a"), ("a", "a")]), pairwise_spearman([{"a": 1, "b": 1}, {"a": 1, "b": 2}])]
    assert all(map(math.isnan, undefined))


def test_the_lower_bound_lies_below_the_mean_and_repeats():
    differences = np.array([0.0, 0.1, 0.2, 0.3])
    bound = statistics.lower_bound(differences)
    assert 0 <= bound < differences.mean() and bound == statistics.lower_bound(differences)


def test_alpha_of_the_published_example():
    """Krippendorff (2011), example B: two observers, twelve units, nominal labels, alpha .692."""
    published = [*zip("aabbdcccedda", "babbbccceddd", strict=True)]
    assert krippendorff_alpha(published) == pytest.approx(0.692, abs=5e-4)
    assert krippendorff_alpha([("a", "a"), ("b", "b")]) == 1


@given(st.integers(0, 60), st.integers(1, 60))
def test_an_interval_holds_its_share_and_is_narrower_with_more_trials(hits: int, n: int):
    (low, high), many = wilson(min(hits, n), n), wilson(100 * min(hits, n), 100 * n)
    assert 0 <= low <= min(hits, n) / n <= high <= 1
    assert high - low > 5 * (many[1] - many[0])


def test_ordinal_alpha_of_the_published_example_with_gaps():
    """Krippendorff (2011), example C: four observers, twelve units, a dot where one gave no value; alpha .815."""
    observers = ("123321412...", "1233224125.3", ".3332342251.", "123324412 51.".replace(" ", ""))
    items = [[int(value) for value in unit if value != "."] for unit in zip(*observers, strict=True)]
    assert ordinal_alpha(items) == pytest.approx(0.815, abs=5e-4)


def test_the_mean_of_correlations_weighs_by_shared_items():
    items = [{"a": 1, "b": 1}, {"a": 2, "b": 2}, {"a": 3, "b": 3}]
    items += [{"a": 1, "c": 2}, {"a": 2, "c": 1}, {"b": 1, "c": None}]
    assert pairwise_spearman(items) == pytest.approx((3 * 1 + 2 * -1) / 5)
