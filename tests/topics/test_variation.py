"""The linear formulas are the quadratic definitions, to the same bits in any order of the contexts; and a topic that
moves is seen over time, one that only varies is not."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.topics.timeline import Shift, largest_shift, over_time
from quotelake.topics.variation import Group, Use, Z, balanced_mean_cosine, interval, mean_cosine, numbered, to_fixed


def unit_vectors(n: int, seed: int = 1, d: int = 16) -> np.ndarray:
    """Random unit vectors that lean the same way, as contexts of one quote do."""
    rows = np.random.default_rng(seed).normal(size=(n, d)) + 0.3
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def brute(rows: np.ndarray) -> float:
    return float(np.mean([a @ b for a, b in combinations(rows, 2)]))


@given(st.integers(2, 40), st.integers(0, 10**6), st.data())
def test_any_order_gives_the_same_bits_and_the_mean_over_pairs(n: int, seed: int, data: st.DataObject):
    rows = unit_vectors(n, seed)
    fixed, order = to_fixed(rows), data.draw(st.permutations(range(n)))
    assert mean_cosine(fixed) == mean_cosine(fixed[order]) == pytest.approx(brute(rows), abs=1e-9)
    copies = np.array(data.draw(st.lists(st.integers(1, 3), min_size=n, max_size=n)))
    found = mean_cosine(fixed, copies)
    assert found == mean_cosine(fixed[order], copies[order]) == mean_cosine(np.repeat(fixed, copies, axis=0))
    assert balanced_mean_cosine(fixed, np.ones(n)) == pytest.approx(mean_cosine(fixed), abs=1e-9)


def test_one_vector_has_no_variation_rather_than_none_at_all():
    assert mean_cosine(to_fixed(unit_vectors(1))) is None
    assert interval(to_fixed(unit_vectors(9)), np.array([0, 1] * 4 + [0])) is None, "two stories"
    assert Group(to_fixed(unit_vectors(1)), []).measure()["variation"] is None


@pytest.mark.parametrize("stories", [[0, 1, 2], list(range(12)), [0, 1, 1, 2, 1, 3, 3], [2, 2, 2, 2, 0, 1]])
def test_interval_is_the_jackknife_that_leaves_out_a_story_at_a_time(stories: list[int]):
    rows, of = unit_vectors(len(stories), seed=len(stories)), np.array(stories)
    left_out = [brute(rows[of != gone]) for gone in set(stories)]
    n = len(left_out)
    error = np.sqrt((n - 1) / n * np.sum((left_out - np.mean(left_out)) ** 2))
    low, high = interval(to_fixed(rows), of) or (0.0, 0.0)
    assert (low, high) == pytest.approx((max(brute(rows) - Z * error, -1), min(brute(rows) + Z * error, 1)), abs=1e-6)


def test_many_stories_are_left_out_by_the_bucket():
    """With thousands of stories the interval costs no more than with 32, and is as wide as with all of them."""
    rows = to_fixed(unit_vectors(3000, seed=4))
    ids = [f"story {row}" for row in range(len(rows))]
    buckets = numbered(ids)
    assert len(set(buckets.tolist())) == 32 and (numbered(ids[::-1])[::-1] == buckets).all()
    low, high = interval(rows, buckets) or (0.0, 0.0)
    each_low, each_high = interval(rows, np.arange(len(rows))) or (0.0, 0.0)
    assert high - low == pytest.approx(each_high - each_low, rel=0.4)


def test_each_outlet_counts_the_same():
    rows = unit_vectors(7, seed=3)
    outlets = {"a": [0, 1, 2, 3, 4], "b": [4, 5], "c": [6]}
    uses = [Use(row, None, "news", name, name, 1) for name, those in outlets.items() for row in those]
    weights = np.array([sum(1 / len(those) for those in outlets.values() if row in those) for row in range(7)])
    pairs = list(combinations(range(7), 2))
    weighted = sum(weights[a] * weights[b] * (rows[a] @ rows[b]) for a, b in pairs)
    expected = weighted / sum(weights[a] * weights[b] for a, b in pairs)
    assert Group(to_fixed(rows), uses).measure()["variation_outlets"] == pytest.approx(1 - expected, abs=1e-9)


MONTHS = ("2024-01", "2024-02", "2024-03")


def month_vectors(n: int, seed: int, lean: int) -> np.ndarray:
    """Unit vectors around one axis."""
    rows = np.random.default_rng(seed).normal(size=(n, 12)) * 0.3
    rows[:, lean] += 1
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def dated(rows: np.ndarray, periods: list[str | None], stories: list[str] | None = None) -> Group:
    named = stories or [str(row) for row in range(len(rows))]
    return Group(to_fixed(rows), [Use(row, periods[row], "news", None, named[row], 1) for row in range(len(rows))])


def shift_of(before: int, after: int, months: list[int], stories: list[str] | None = None) -> Shift:
    """Shift of so many contexts of one topic and of another, in the given months."""
    rows = np.concatenate([month_vectors(before, 1, 0), month_vectors(after, 2, 5)])
    shift = largest_shift(dated(rows, [MONTHS[month] for month in months], stories))
    assert shift is not None
    return shift


def test_a_new_topic_is_found_at_its_month():
    shift = shift_of(20, 10, [row // 10 for row in range(30)])
    assert shift.is_clear and shift.chance == 1 / 200, "no other order of the stories reaches it"
    assert (shift.period, shift.before, shift.after) == ("2024-03", list(range(20)), list(range(20, 30)))


def test_topics_that_take_turns_are_no_shift():
    assert shift_of(15, 15, [row % 3 for row in range(30)]).chance > 0.2


def test_one_much_told_story_is_no_shift():
    """Twelve contexts of one story in its month are one story: chance alone may put it there."""
    stories = [str(row) for row in range(12)] + ["told"] * 12
    assert not shift_of(12, 12, [*(row // 6 for row in range(12)), *[2] * 12], stories).is_clear


def test_variation_within_and_between_months_is_that_of_their_pairs():
    rows = month_vectors(9, 7, 2)
    periods: list[str | None] = [MONTHS[row % 2] for row in range(8)] + [None]
    found = over_time(dated(rows, periods))
    assert (found["n_dated"], found["n_undated"], found["n_periods"]) == (8, 1, 2)
    pairs = [(rows[a] @ rows[b], periods[a] == periods[b]) for a, b in combinations(range(8), 2)]
    for name, same in (("within", True), ("between", False)):
        expected = 1 - np.mean([cosine for cosine, together in pairs if together == same])
        assert found[f"variation_{name}"] == pytest.approx(expected, abs=1e-9)


def test_without_dates_there_is_nothing_over_time():
    group = dated(month_vectors(3, 1, 0), [None] * 3)
    assert [*over_time(group).values(), largest_shift(group)] == [0, 3, 0, None, None, None]
