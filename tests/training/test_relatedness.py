"""Models of relatedness and the choice among them, on vectors whose truth is known."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from quotelake.training.relatedness.choice import choose, inner_folds
from quotelake.training.relatedness.models import (
    Evidence,
    Numbers,
    cosine,
    kernel_ridge,
    linear_head,
    with_overlap,
)

FITS = {"cosine": cosine, "cosine+overlap": with_overlap, "head": linear_head(0.1), "kernel": kernel_ridge(0.5, 1.0)}
FAMILY = {"best": list(FITS)}


def pairs(n: int, seed: int, informative: int = 12, d: int = 12) -> tuple[Evidence, Numbers]:
    """Random pairs; people's score is the cosine of the first dimensions only, with an error."""
    drawn = np.random.default_rng(seed)
    sides = drawn.normal(size=(2, n, d)).astype(np.float32)
    sides[1] += sides[0] * drawn.uniform(0, 2, size=(n, 1)).astype(np.float32)
    sides /= np.linalg.norm(sides, axis=2, keepdims=True)
    seen = sides[:, :, :informative] / np.linalg.norm(sides[:, :, :informative], axis=2, keepdims=True)
    truth = (seen[0] * seen[1]).sum(axis=1) + drawn.normal(0, 0.05, n)
    scores = (truth - truth.min()) / np.ptp(truth)
    return Evidence(sides[0], sides[1], drawn.uniform(size=(n, 1))), scores.astype(np.float64)


def reached(predicted: Numbers, scores: Numbers) -> float:
    return float(spearmanr(predicted, scores).statistic)


def test_a_head_is_taken_where_some_dimensions_mislead():
    (train, scores), (test, truth) = pairs(240, 0, informative=5), pairs(200, 1, informative=5)
    chosen = choose(FITS, FAMILY, train, scores)["best"]
    assert "head" in chosen.name or "kernel" in chosen.name
    assert reached(chosen.predict(test), truth) > reached(test.cosine, truth) + 0.05


def test_nothing_is_trained_where_the_cosine_is_the_truth():
    """Else a model that only learned noise would stand where the plain cosine is better."""
    (train, scores), (test, truth) = pairs(90, 2), pairs(200, 3)
    chosen = choose(FITS, FAMILY, train, scores)["best"]
    assert reached(chosen.predict(test), truth) > reached(test.cosine, truth) - 0.01
    noise = np.random.default_rng(4).uniform(size=90)
    assert choose({"cosine": cosine}, {"best": ["cosine"]}, train, noise)["best"].name == "cosine"


def test_far_from_the_training_pairs_a_kernel_says_what_overlap_says():
    train, scores = pairs(60, 5)
    far = Evidence(-100 * train.first, 100 * train.second, train.overlap)
    found = kernel_ridge(0.5, 1.0)(train, scores)(far)
    assert found == pytest.approx(with_overlap(train, scores)(far))


def test_where_other_corpora_are_predicted_whole_corpora_are_held_out():
    groups = [name for name in "abcd" for _ in range(5)]
    for inside, outside in inner_folds(20, groups, 0):
        assert not {groups[row] for row in inside} & {groups[row] for row in outside}
    assert len(inner_folds(20, ["a"] * 20, 0)) == 3, "one corpus cannot be held out"
