"""Loss and measures against their formulas and against other implementations."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from quotelab.training.quotecse.run import alignment, uniformity
from quotelab.training.quotecse.trainer import quotecse_loss


def vectors(seed: int, rows: int = 5) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    h, p, n = torch.randn(3, rows, 7, generator=generator, dtype=torch.float64)
    return h, p, n


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 50), st.booleans(), st.sampled_from([0.05, 0.5]))
def test_the_loss_is_the_formula(seed: int, hard: bool, t: float):
    h, p, n = vectors(seed)

    def s(a: torch.Tensor, b: torch.Tensor) -> float:
        return float(a @ b / a.norm() / b.norm())

    expected = 0.0
    for i in range(5):
        below = sum(math.exp(s(h[i], p[j]) / t) + (math.exp(s(h[i], n[j]) / t) if hard else 0.0) for j in range(5))
        expected -= math.log(math.exp(s(h[i], p[i]) / t) / below) / 5
    assert float(quotecse_loss(h, p, n if hard else None, t)) == pytest.approx(expected, rel=1e-9)


def test_alignment_and_uniformity_are_their_definitions():
    x = vectors(2, 9)[0].numpy()
    x = x / np.linalg.norm(x, axis=1, keepdims=True)
    potential = [math.exp(-2 * float(np.sum((x[i] - x[j]) ** 2))) for i in range(9) for j in range(9) if i != j]
    assert uniformity(x) == pytest.approx(math.log(np.mean(potential)))
    assert alignment(x, x) == 0.0
    assert alignment(x, -x) == pytest.approx(4.0)
    assert math.isnan(uniformity(x[:1]))
