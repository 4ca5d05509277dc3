"""Sums of contexts merge and subtract exactly, and the formulas on them are the quadratic definitions."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.topics.group import Group, Use
from quotelake.topics.variation import Sums, balanced_mean_cosine, interval, numbered, to_fixed


def unit_vectors(n: int, seed: int, d: int = 16) -> np.ndarray:
    rows = np.random.default_rng(seed).normal(size=(n, d)) + 0.3
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


@given(st.integers(2, 40), st.integers(0, 10**6), st.data())
def test_any_order_and_any_parts_give_the_same_bits_and_the_mean_over_pairs(n: int, seed: int, data: st.DataObject):
    rows = unit_vectors(n, seed)
    fixed = to_fixed(rows)
    whole = Sums.of(fixed)
    order = data.draw(st.permutations(range(n)))
    cuts = sorted(data.draw(st.sets(st.integers(1, n - 1))))
    parts = [Sums.of(fixed[part]) for part in np.split(np.array(order), cuts)]
    merged = parts[-1]
    for part in parts[:-1]:
        merged = merged.plus(part)
    assert merged.equals(whole)
    assert merged.minus(parts[0]).plus(parts[0]).equals(whole)
    exact = rows.astype(np.float64)
    assert whole.mean_cosine == pytest.approx(np.mean([a @ b for a, b in combinations(exact, 2)]), abs=1e-9)


@given(st.integers(2, 30), st.integers(0, 10**6), st.data())
def test_what_is_withdrawn_was_never_there(n: int, seed: int, data: st.DataObject):
    fixed = to_fixed(unit_vectors(n, seed))
    gone = sorted(data.draw(st.sets(st.integers(0, n - 1), max_size=n - 1)))
    rest = [row for row in range(n) if row not in gone]
    assert Sums.of(fixed).minus(Sums.of(fixed[gone])).equals(Sums.of(fixed[rest]))


def test_each_outlet_counts_the_same():
    rows = unit_vectors(7, seed=3).astype(np.float64)
    fixed = to_fixed(rows)
    outlets = {"a": [0, 1, 2, 3, 4], "b": [4, 5], "c": [6]}
    uses = [Use(row, None, "news", name, name, 1) for name, those in outlets.items() for row in those]
    weights = np.array([sum(1 / len(those) for those in outlets.values() if row in those) for row in range(7)])
    pairs = list(combinations(range(7), 2))
    weighted = sum(weights[a] * weights[b] * (rows[a] @ rows[b]) for a, b in pairs)
    expected = weighted / sum(weights[a] * weights[b] for a, b in pairs)
    assert Group(fixed, uses).measure()["variation_outlets"] == pytest.approx(1 - expected, abs=1e-9)
    assert balanced_mean_cosine(fixed, np.ones(7)) == pytest.approx(Sums.of(fixed).mean_cosine, abs=1e-12)


def test_many_stories_are_left_out_by_the_bucket():
    """With thousands of stories the interval costs no more than with 32, and is as wide as with all of them."""
    rows = to_fixed(unit_vectors(3000, seed=4))
    ids = [f"story {row}" for row in range(len(rows))]
    buckets = numbered(ids)
    assert len(set(buckets.tolist())) == 32 and (numbered(ids[::-1])[::-1] == buckets).all()
    low, high = interval(rows, buckets) or (0.0, 0.0)
    each_low, each_high = interval(rows, np.arange(len(rows))) or (0.0, 0.0)
    assert high - low == pytest.approx(each_high - each_low, rel=0.4)
