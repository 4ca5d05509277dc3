"""A topic that moves is seen, one that only varies is not, and undated uses take no part."""

from itertools import combinations

import numpy as np
import pytest

from quotelake.topics.timeline import timeline
from quotelake.topics.variation import Group, Use, to_fixed

MONTHS = ("2024-01", "2024-02", "2024-03")


def vectors(n: int, seed: int, lean: int) -> np.ndarray:
    """Unit vectors around one axis."""
    rows = np.random.default_rng(seed).normal(size=(n, 12)) * 0.3
    rows[:, lean] += 1
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def dated(rows: np.ndarray, periods: list[str | None], stories: list[str] | None = None) -> Group:
    named = stories or [str(row) for row in range(len(rows))]
    return Group(to_fixed(rows), [Use(row, periods[row], "news", None, named[row], 1) for row in range(len(rows))])


def test_a_new_topic_is_found_at_its_month():
    rows = np.concatenate([vectors(20, 1, 0), vectors(10, 2, 5)])
    found = timeline(dated(rows, [MONTHS[row // 10] for row in range(30)]))
    assert found.shift is not None and found.shift.is_clear
    assert found.shift.chance == 1 / 200, "no other order of the stories reaches it"
    assert (found.shift.period, found.shift.before, found.shift.after) == (
        "2024-03", list(range(20)), list(range(20, 30)),
    )  # fmt: skip
    assert found.between is not None and found.within is not None and found.between > found.within


def test_topics_that_take_turns_are_no_shift():
    rows = np.concatenate([vectors(15, 1, 0), vectors(15, 2, 5)])
    found = timeline(dated(rows, [MONTHS[row % 3] for row in range(30)]))
    assert found.shift is not None and not found.shift.is_clear
    assert found.shift.chance > 0.2


def test_one_much_told_story_is_no_shift():
    """Twelve contexts of one story in its month are one story: chance alone may put it there."""
    rows = np.concatenate([vectors(12, 1, 0), vectors(12, 2, 5)])
    stories = [str(row) for row in range(12)] + ["told"] * 12
    found = timeline(dated(rows, [MONTHS[row // 6] for row in range(12)] + ["2024-03"] * 12, stories))
    assert found.shift is None or not found.shift.is_clear


def test_variation_within_and_between_months_is_that_of_their_pairs():
    rows = vectors(9, 7, 2)
    periods: list[str | None] = [MONTHS[row % 2] for row in range(8)] + [None]
    found = timeline(dated(rows, periods))
    assert (found.n_dated, found.n_undated, found.n_periods) == (8, 1, 2)
    pairs = [(rows[a] @ rows[b], periods[a] == periods[b]) for a, b in combinations(range(8), 2)]
    for value, same in ((found.within, True), (found.between, False)):
        assert value == pytest.approx(1 - np.mean([cosine for cosine, together in pairs if together == same]), abs=1e-9)


def test_without_dates_there_is_nothing_over_time():
    found = timeline(dated(vectors(3, 1, 0), [None] * 3))
    assert (found.within, found.between, found.shift, found.n_undated) == (None, None, None, 3)
