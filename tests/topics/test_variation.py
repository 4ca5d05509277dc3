"""The linear formulas agree with the quadratic definitions."""

from itertools import combinations

import numpy as np
import pytest

from quotelake.topics.variation import Z, interval, mean_cosine, mean_cosine_to_others, squared_norms, to_fixed


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
    assert interval(1.0, 2.0, 2) is None


@pytest.mark.parametrize("n", [3, 12])
def test_interval_is_the_delete_one_jackknife(n: int):
    rows = unit_vectors(n, seed=n)
    cosines = rows @ rows.T
    left_out = [
        np.mean([cosines[i, j] for i, j in combinations([k for k in range(n) if k != gone], 2)]) for gone in range(n)
    ]
    error = np.sqrt((n - 1) / n * np.sum((left_out - np.mean(left_out)) ** 2))
    fixed = to_fixed(rows)
    total = fixed.sum(axis=0)
    to_others = mean_cosine_to_others(fixed, total, n)
    mean = mean_cosine(total, squares(rows), n)
    assert mean is not None
    low, high = interval(mean, float((to_others**2).sum()), n) or (0.0, 0.0)
    assert (high - low) / 2 == pytest.approx(Z * error, abs=1e-6)
