"""Models of relatedness and the choice among them, on vectors whose truth is known."""

import numpy as np
from scipy.stats import spearmanr

from quotelab.training import relatedness
from quotelab.training.relatedness import Evidence, Numbers, choose, cosine, overlaps

FITS = {"cosine": cosine, "cosine+overlap": relatedness.with_overlap}
FITS |= {"head": relatedness.linear_head(0.1), "kernel": relatedness.kernel_ridge(0.5, 1.0)}


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
    name, predict = choose(FITS, train, scores)["best"]
    assert "head" in name or "kernel" in name
    assert reached(predict(test), truth) > reached(test.cosine, truth) + 0.05


def test_nothing_is_trained_where_the_cosine_is_the_truth():
    """Else a model that only learned noise would stand where the plain cosine is better."""
    (train, scores), (test, truth) = pairs(90, 2), pairs(200, 3)
    _, predict = choose(FITS, train, scores)["best"]
    assert reached(predict(test), truth) > reached(test.cosine, truth) - 0.01
    noise = {"cosine": cosine, "noise": lambda *_: lambda known: np.random.default_rng(4).normal(size=len(known.first))}
    assert choose(noise, train, scores)["best"][0].startswith("cosine (")


def test_overlap_is_that_of_lower_cased_tokens():
    rows = overlaps(["The the rain", ""], ["RAIN falls", ""], lambda words: np.eye(len(words), dtype=np.float32))
    dice, rare, bigrams, letters, length, mean, least = rows[0]
    assert dice == 0.5 and rare < dice and bigrams == 0 and 0 < letters < 1 and length == 2 / 3
    assert 0 < least < mean < 1 and not rows[1].any()
