"""Figures of a grouping, against their definitions over pairs and over items; names and order decide nothing."""

import math
from collections import Counter
from collections.abc import Hashable
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelab.protocols.reuse import alone, b_cubed, count_pairs
from quotelab.statistics import Counts

#: Labelled and found group of each item; None where an item was found to share its group with no other.
Items = list[tuple[str, str | None]]
GROUPINGS = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from(["w", "x", "y", None])), min_size=1, max_size=25
)


def groupings(items: Items) -> tuple[list[str], list[Hashable]]:
    return [labelled for labelled, _ in items], alone([found for _, found in items])


def together(one: str | None, other: str | None) -> bool:
    return one is not None and one == other


@given(GROUPINGS)
def test_pairs_are_those_that_both_groupings_keep_together_counted_one_by_one(items: Items):
    counts: Counter[str] = Counter()
    for (labelled, found), (other_labelled, other_found) in combinations(items, 2):
        same, alike = labelled == other_labelled, together(found, other_found)
        counts.update(matched=same and alike, found=alike, labelled=same)
    assert count_pairs(*groupings(items)) == Counts(counts["matched"], counts["found"], counts["labelled"])


@given(GROUPINGS)
def test_b_cubed_is_the_mean_over_items_of_each_one_s_precision_and_recall(items: Items):
    precision = recall = Fraction(0)
    for place, (labelled, found) in enumerate(items):
        in_labelled = {other for other, item in enumerate(items) if item[0] == labelled}
        in_found = {other for other, item in enumerate(items) if together(item[1], found)} | {place}
        right = len(in_labelled & in_found)
        precision += Fraction(right, len(in_found) * len(items))
        recall += Fraction(right, len(in_labelled) * len(items))
    harmonic = 2 * precision * recall / (precision + recall)
    assert b_cubed(*groupings(items)) == pytest.approx((float(precision), float(recall), float(harmonic)), abs=1e-12)


def test_the_right_grouping_scores_exactly_one_and_pairs_are_exact_where_a_float_is_not():
    labelled = [place % 3 for place in range(1000)]
    assert b_cubed(labelled, labelled) == (1.0, 1.0, 1.0)
    assert count_pairs([0] * 200_001, [0] * 200_001).matched == 200_001 * 200_000 // 2
    assert count_pairs([], []) == Counts() and all(map(math.isnan, b_cubed([], [])))
