"""Agreement and intervals, against figures that others published or that can be counted by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelab.statistics import krippendorff_alpha, ordinal_alpha, pairwise_spearman, wilson

#: Krippendorff (2011), example B: two observers, twelve units, nominal labels, alpha .692.
PUBLISHED = [*zip("aabbdcccedda", "babbbccceddd", strict=True)]


def test_alpha_of_the_published_example():
    assert krippendorff_alpha(PUBLISHED) == pytest.approx(0.692, abs=5e-4)


def test_full_agreement_is_one_and_one_label_says_nothing():
    assert krippendorff_alpha([("a", "a"), ("b", "b")]) == 1
    assert math.isnan(krippendorff_alpha([("a", "a"), ("a", "a")]))


@given(st.integers(0, 60), st.integers(1, 60))
def test_an_interval_holds_its_share(hits: int, n: int):
    low, high = wilson(min(hits, n), n)
    assert 0 <= low <= min(hits, n) / n <= high <= 1


def test_an_interval_is_narrower_with_more_trials_and_undefined_without_any():
    few, many = wilson(4, 5), wilson(400, 500)
    assert few[1] - few[0] > 5 * (many[1] - many[0])
    assert all(map(math.isnan, wilson(0, 0)))


def test_ordinal_alpha_of_the_published_example_with_gaps():
    """Krippendorff (2011), example C: four observers, twelve units, a dot where one gave no value; alpha .815."""
    observers = ("123321412...", "1233224125.3", ".3332342251.", "123324412 51.".replace(" ", ""))
    items = [[int(value) for value in unit if value != "."] for unit in zip(*observers, strict=True)]
    assert ordinal_alpha(items) == pytest.approx(0.815, abs=5e-4)


def test_the_mean_of_correlations_weighs_by_shared_items():
    items = [
        {"a": 1, "b": 1},
        {"a": 2, "b": 2},
        {"a": 3, "b": 3},
        {"a": 1, "c": 2},
        {"a": 2, "c": 1},
        {"b": 1, "c": None},
    ]
    assert pairwise_spearman(items) == pytest.approx((3 * 1 + 2 * -1) / 5)
    assert math.isnan(pairwise_spearman([{"a": 1, "b": 1}, {"a": 1, "b": 2}])), "who always says 1 ranks nothing"
