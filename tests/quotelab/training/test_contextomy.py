"""Training a detector: it learns what is there, the same each time, and moves to another place."""

import json
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.running import Done

from quotelab.labels.headlines import LabelledQuote, read_labelled
from quotelab.training.contextomy import calibrate, feature_matrix, fit, train
from quotelake.contextomy.detector import load
from quotelake.errors import InputError

WORDS = (
    "bridge", "river", "mayor", "winter", "school", "ferry", "bread", "council", "market", "lantern", "window",
    "violin", "garden", "copper",
)  # fmt: skip


def made_up(count: int, seed: int = 0, positive: float = 0.5) -> list[LabelledQuote]:
    """Headline quotes that a body quote carries with a word changed, or that none carries."""
    draw = random.Random(seed)
    rows = []
    for place in range(count):
        body = [" ".join(draw.sample(WORDS, 7)) for _ in range(3)]
        label = int(place < count * positive)
        said = draw.sample(WORDS, 5) if label else [*draw.choice(body).split()[:5], draw.choice(WORDS)]
        rows.append(LabelledQuote(headline_quote=" ".join(said), body_quotes=tuple(body), label=label))
    return rows


def test_a_detector_tells_the_carried_from_the_others():
    detector = train(made_up(120), "made-up")
    others = made_up(100, seed=1)
    called = [detector.score(row.headline_quote, row.body_quotes) >= detector.threshold.value for row in others]
    assert sum(flag == bool(row.label) for flag, row in zip(called, others, strict=True)) >= 95
    assert detector.training.n == 120 and detector.training.positive == 60


def test_it_never_learns_that_support_speaks_against_a_quote():
    """Labels turned round: an unconstrained fit would turn its weights round."""
    turned = [row.model_copy(update={"label": 1 - row.label}) for row in made_up(60)]
    detector = train(turned, "turned")
    assert all(term.weight >= 0 for term in detector.terms.values())
    assert detector.calibration.a >= 0 and detector.calibration.b >= 0


def test_the_saved_detector_scores_as_the_fit_predicts():
    rows = made_up(80)
    detector = train(rows, "x")
    matrix = feature_matrix(rows)
    fitted = fit(matrix, np.array([row.label for row in rows], float))
    ours = [detector.score(row.headline_quote, row.body_quotes) for row in rows]
    assert ours == pytest.approx(fitted.predict(matrix).tolist(), abs=1e-4)


def test_beyond_the_clip_nothing_counts():
    """Support is used up: far more of a feature says no more than the clip."""
    features = np.random.default_rng(0).normal(size=(60, 1))
    fitted = fit(features, (features[:, 0] < 0).astype(float), (0.3,), 1.0)
    low, far, further = fitted.predict(fitted.mean + fitted.sd * np.array([[0.5], [1.0], [9.0]]))
    assert low > far == further


def test_labels_of_the_place_of_use_give_prior_and_threshold():
    local = made_up(200, seed=2, positive=0.1)
    moved = calibrate(load(), local, "local")
    assert moved.prior.expected == pytest.approx(20.5 / 201, rel=1e-4)
    assert (moved.threshold.set, moved.threshold.n) == ("local", 200)
    called = [moved.score(row.headline_quote, row.body_quotes) >= moved.threshold.value for row in local]
    right = sum(flag and row.label for flag, row in zip(called, local, strict=True))
    assert moved.threshold.precision == pytest.approx(right / sum(called), rel=1e-4)
    assert moved.threshold.recall == pytest.approx(right / 20, rel=1e-4)


def test_too_few_rows_of_a_label_are_refused():
    for labels in ([0] * 9, [1] * 9, [0] * 9 + [1] * 4):
        with pytest.raises(InputError, match="rows of one label; training needs 5"):
            fit(np.zeros((len(labels), 1)), np.array(labels, float), (1.0,), 5.0)
    with pytest.raises(InputError, match="no contextomized row"):
        calibrate(load(), made_up(10, positive=0), "local")


def test_the_job_needs_no_spark_and_writes_what_it_trained(lab: Callable[..., Done], jsonl, tmp_path: Path):
    """The same rows give the same bytes."""
    rows, out = made_up(60), tmp_path / "out.json"
    data = jsonl(*(row.model_dump_json() for row in rows), name="made_up.jsonl")
    done = lab("train contextomy", "--data", data, "--out", out)
    assert done.code == 0, done.error
    assert out.read_text("utf-8") == train(rows, "made_up").to_json()
    assert "trained on made_up" in done.out and "threshold 0.500: precision" in done.out


def test_the_job_moves_a_detector_without_training(lab: Callable[..., Done], jsonl, tmp_path: Path):
    local = jsonl(*(row.model_dump_json() for row in made_up(40, positive=0.25)), name="local.jsonl")
    given = ("--detector", "default", "--calibrate", local, "--prior", 0.02, "--out", tmp_path / "moved.json")
    assert lab("train contextomy", *given).code == 0
    moved = load(tmp_path / "moved.json")
    assert moved.terms == load().terms and moved.prior.expected == 0.02 and moved.threshold.set == "local"


def test_the_job_names_what_is_wrong(lab: Callable[..., Done]):
    for given in ("--data no_such.jsonl", "--detector default --prior 1.5", "--detector no_such.json"):
        done = lab(f"train contextomy {given}")
        assert done.code == 2 and given.split()[-1] in done.error and "Traceback" not in done.error


@pytest.mark.slow
@pytest.mark.real_data
def test_the_shipped_detector_is_what_the_labelled_articles_give(data: Callable[[str], Path]):
    """Change a feature without training anew, and this fails."""
    rows = read_labelled(data("contextomy/korean_1600.jsonl"))
    fresh, shipped = (json.loads(d.to_json()) for d in (train(rows, "korean_1600"), load()))
    assert fresh["training"] == shipped["training"]
    for name, term in shipped["terms"].items():
        assert fresh["terms"][name] == pytest.approx(term, rel=1e-3)
