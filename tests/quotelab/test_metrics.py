"""Figures from counts, by hand; what cannot be known is not a number."""

import math

import pytest

from quotelab.statistics import Counts, count_spans, ratio


@pytest.mark.parametrize(
    ("labelled", "found", "expected"),
    [
        ([(0, 4)], [(0, 4)], Counts(1, 1, 1)),
        ([(0, 4)], [(0, 5)], Counts(0, 1, 1)),
        ([(0, 4)], [(1, 4)], Counts(0, 1, 1)),
        ([(0, 4), (0, 9)], [(0, 9), (0, 9)], Counts(1, 1, 2)),
        ([], [], Counts(0, 0, 0)),
    ],
)
def test_a_span_counts_when_both_ends_agree(labelled, found, expected):
    assert count_spans(labelled, found) == expected


def test_figures_are_micro_averaged():
    total = Counts(matched=3, found=4, labelled=3) + Counts(matched=0, found=0, labelled=3)
    assert (total.precision, total.recall, total.f1) == (0.75, 0.5, 0.6)


def test_what_is_undefined_is_nan_and_what_is_wrong_is_nought():
    assert math.isnan(ratio(0, 0)) and math.isnan(Counts().f1)
    only_found = Counts(found=2)
    assert math.isnan(only_found.recall) and only_found.precision == only_found.f1 == 0
