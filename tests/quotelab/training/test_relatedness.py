"""Models of relatedness and the choice among them, on vectors whose truth is known."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr
from tests.quotelab.training.tiny import WORDS

from quotelab.labels.sentence_pairs import SentencePair
from quotelab.training.fine_tune import FineTuning, best_vectors
from quotelab.training.relatedness.choice import choose, with_fine_tuning
from quotelab.training.relatedness.models import (
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
    noise = {"cosine": cosine, "noise": lambda *_: lambda known: np.random.default_rng(4).normal(size=len(known.first))}
    assert choose(noise, {"best": list(noise)}, train, scores)["best"].name == "cosine"


def test_fine_tuning_is_blended_as_the_dev_part_says():
    """A tuner that sees the truth is taken whole; it is never shown a score of the test part."""
    _, scores = pairs(60, 7)
    sentences = [SentencePair(f"p{n}", "AB"[n % 2], "", f"{n} one", f"{n} two", s) for n, s in enumerate(scores)]
    train, test = np.arange(40), np.arange(40, 60)

    def tune(inside, dev, texts):
        shown = {*inside.first, *dev.first}
        assert not shown & {sentences[row].first for row in test} and len(dev.first) == 4
        number = [int(text.split()[0]) for text in texts]
        angle = [np.arccos(scores[n]) if text.endswith("two") else 0 for n, text in zip(number, texts, strict=True)]
        return np.column_stack([np.cos(angle), np.sin(angle)]).astype(np.float32)

    def frozen(rows, predicted, groups):
        assert groups is None or len(groups) == len(rows)
        return {"best": ("noise", np.random.default_rng(0).normal(size=len(predicted)))}

    found = with_fine_tuning(sentences, frozen, tune)(train, test, ["A"] * 40)
    assert reached(found["fine_tuned"][1], scores[test]) == pytest.approx(1)
    assert found["best_frozen"][0] == "noise" and reached(found["best"][1], scores[test]) > 0.8


@pytest.mark.slow
def test_an_encoder_is_fine_tuned_on_the_scores(base: str, tmp_path: Path):
    half = (WORDS[:10], WORDS[10:])
    drawn = np.random.default_rng(0)
    sentences = []
    for number in range(120):
        sides = drawn.integers(2, size=2)
        first, second = (" ".join(drawn.choice(half[side], 3)) for side in sides)
        sentences.append(SentencePair(f"p{number}", "", "", first, second, float(sides[0] == sides[1])))

    def frozen(rows, predicted, groups):
        return {"best": ("nothing", np.zeros(len(predicted)))}

    settings = [FineTuning("cosine", 3e-3, epochs=4, batch_size=8)]
    learn = with_fine_tuning(
        sentences, frozen, lambda *parts: best_vectors(base, *parts, settings, tmp_path, lambda line: None)
    )
    scores = np.array([pair.score for pair in sentences])
    _, predicted = learn(np.arange(90), np.arange(90, 120), None)["best"]
    assert reached(predicted, scores[90:]) > 0.5
