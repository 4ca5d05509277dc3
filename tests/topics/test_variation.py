"""The linear formulas agree with the quadratic definitions."""

from itertools import combinations

import numpy as np
import pytest

from quotelake.topics.variation import Z, interval, mean_cosine, squared_norms, to_fixed


def unit_vectors(n: int, seed: int = 1, d: int = 8) -> np.ndarray:
    """Random unit vectors that lean the same way, as contexts of one quote do."""
    rows = np.random.default_rng(seed).normal(size=(n, d)) + 0.5
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def squares(rows: np.ndarray) -> int:
    """Sum of squared norms in fixed point."""
    return int(squared_norms(to_fixed(rows)).sum())


@pytest.mark.parametrize("n", [2, 3, 10, 57])
def test_linear_mean_cosine_is_the_mean_over_all_pairs(n: int):
    rows = unit_vectors(n)
    brute = np.mean([a @ b for a, b in combinations(rows, 2)])
    assert mean_cosine(to_fixed(rows).sum(axis=0), squares(rows), n) == pytest.approx(brute, abs=1e-7)


def test_one_vector_has_no_variation_rather_than_none_at_all():
    rows = unit_vectors(1)
    assert mean_cosine(to_fixed(rows)[0], squares(rows), 1) is None
    assert interval(to_fixed(unit_vectors(9)), np.array([0, 1] * 4 + [0])) is None, "two stories"


@pytest.mark.parametrize("stories", [[0, 1, 2], list(range(12)), [0, 1, 1, 2, 1, 3, 3], [2, 2, 2, 2, 0, 1]])
def test_interval_is_the_jackknife_that_leaves_out_a_story_at_a_time(stories: list[int]):
    rows = unit_vectors(len(stories), seed=len(stories))
    cosines = rows @ rows.T
    left_out = [
        np.mean([cosines[i, j] for i, j in combinations([k for k, of in enumerate(stories) if of != gone], 2)])
        for gone in set(stories)
    ]
    n = len(left_out)
    error = np.sqrt((n - 1) / n * np.sum((left_out - np.mean(left_out)) ** 2))
    low, high = interval(to_fixed(rows), np.array(stories)) or (0.0, 0.0)
    mean = np.mean([cosines[i, j] for i, j in combinations(range(len(rows)), 2)])
    assert (low, high) == pytest.approx((max(mean - Z * error, -1), min(mean + Z * error, 1)), abs=1e-6)
