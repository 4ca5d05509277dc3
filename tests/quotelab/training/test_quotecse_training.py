"""The training loop on a very small model made here: phases, resuming, ablations, and the model it leaves."""

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from tests.quotelab.training.tiny import WORDS
from tests.running import Done

from quotelab.training.loop import Epoch, Progress
from quotelab.training.network import QuoteNetwork
from quotelab.training.quotecse.articles import Pair, part_of
from quotelab.training.quotecse.run import RECORD, train_model
from quotelab.training.quotecse.trainer import TrainingSettings, assign_anew, new_network, next_phase, train
from quotelake.embeddings.encoder import Encoder
from quotelake.errors import InputError, SettingsError

SETTINGS = TrainingSettings(epochs=3, dynamic_epochs=1, batch_size=4, encoder_rate=1e-3, head_rate=1e-3)

pytestmark = pytest.mark.slow


def pairs(count: int, seed: int = 0) -> list[Pair]:
    """Invented articles: the headline is the first body quote with a word changed."""
    drawn = np.random.default_rng(seed)
    made: list[Pair] = []
    for number in range(count):
        quotes = tuple(" ".join(drawn.choice(WORDS, 6)) for _ in range(4))
        headline = " ".join([*quotes[0].split()[:-1], str(drawn.choice(WORDS))])
        made.append(Pair(f"k{number}", f"a{number}", headline, quotes, 0, 1 + number % 3, 0.9))
    return made


PAIRS = pairs(24)


def network(base: str, settings: TrainingSettings = SETTINGS) -> QuoteNetwork:
    return QuoteNetwork(base, settings.pooling, settings.hidden, settings.max_length, settings.seed, "cpu")


def run(base: str, out: Path, settings: TrainingSettings = SETTINGS, stop_after: int | None = None):
    one = network(base, settings)
    progress = train(one, PAIRS[:16], PAIRS[16:], settings, out, lambda line: None, stop_after)
    return one, progress


def same_weights(one: torch.nn.Module, other: torch.nn.Module) -> bool:
    ours, theirs = one.state_dict(), other.state_dict()
    return ours.keys() == theirs.keys() and all(torch.equal(ours[name], theirs[name]) for name in ours)


@pytest.mark.parametrize("stops", [(1,), (2,), (1, 2)])
def test_interrupted_is_uninterrupted(base: str, tmp_path: Path, stops: tuple[int, ...]):
    whole, expected = run(base, tmp_path / "whole")
    for stop in stops:
        run(base, tmp_path / "parts", stop_after=stop)
    resumed, progress = run(base, tmp_path / "parts")
    assert same_weights(whole, resumed)
    assert [(e.phase, e.train_loss, e.validation_loss) for e in progress.history] == [
        (e.phase, e.train_loss, e.validation_loss) for e in expected.history
    ]
    assert progress.best == expected.best
    assert (tmp_path / "parts" / "losses.csv").read_text("utf-8").count("\n") == 1 + len(progress.history)


def test_another_training_is_not_taken_up(base: str, tmp_path: Path):
    run(base, tmp_path, stop_after=1)
    with pytest.raises(SettingsError, match="another --out"):
        run(base, tmp_path, replace(SETTINGS, seed=1))


def test_training_lowers_the_loss_and_leaves_the_random_state_alone(base: str, tmp_path: Path):
    torch.manual_seed(7)
    expected = torch.rand(1)
    torch.manual_seed(7)
    _, progress = run(base, tmp_path, replace(SETTINGS, epochs=8, dynamic_epochs=0, patience=8))
    assert torch.equal(torch.rand(1), expected)
    assert progress.history[-1].train_loss < 0.8 * progress.history[0].train_loss
    assert {epoch.phase for epoch in progress.history} == {"static"}


def test_every_ablation_changes_what_is_learnt(base: str, tmp_path: Path):
    variants = {
        "full": SETTINGS,
        "simcse": replace(SETTINGS, positive="simcse"),
        "in-batch": replace(SETTINGS, hard_negative=False),
        "cls": replace(SETTINGS, pooling="cls"),
    }
    losses = {}
    for name, settings in variants.items():
        _, progress = run(base, tmp_path / name, replace(settings, epochs=1, dynamic_epochs=0))
        losses[name] = progress.history[0].train_loss
    assert len(set(losses.values())) == len(losses)
    assert losses["in-batch"] < losses["full"], "fewer terms stand below the fraction"


def test_the_dynamic_phase_assigns_by_the_network(base: str):
    one = network(base)
    wrong = [replace(pair, positive=2) for pair in PAIRS]
    anew = assign_anew(one, wrong, seed=0, epoch=9)
    for pair in anew:
        vectors = one.embed([pair.headline_quote, *pair.body_quotes], projected=True)
        cosines = vectors[1:] @ vectors[0]
        assert cosines[pair.positive] == pytest.approx(cosines.max(), abs=1e-6)
        assert pair.negative != pair.positive
    assert sum(pair.positive == 0 for pair in anew) > len(anew) / 2, "even a random network knows near copies"


def epoch(number: int, phase: str) -> Epoch:
    return Epoch(number, phase, 1.0, 1.0, 0, 0.0)


def test_phases_follow_one_another_and_patience_ends_each():
    settings = TrainingSettings(epochs=10, dynamic_epochs=2, patience=3)
    progress = Progress()
    phases = []
    while phase := next_phase(progress, settings):
        phases.append(phase)
        progress.history.append(epoch(len(phases), phase))
    assert phases == ["static"] * 8 + ["dynamic"] * 2
    impatient = Progress(history=[epoch(1, "static")] * 4, waited=3)
    assert next_phase(impatient, settings) == "dynamic" and impatient.waited == 0
    impatient.waited = 3
    assert next_phase(impatient, settings) is None


def test_the_result_is_a_model_like_any_other(base: str, tmp_path: Path):
    outcome = train_model(pairs(60, seed=1), base, SETTINGS, tmp_path, "cpu", lambda line: None)
    assert outcome.model is not None
    encoder = Encoder(str(outcome.model), dtype="float32", device="cpu")
    vectors = encoder.encode(["the bridge will stay close", "the bridge will stay open"])
    assert vectors.shape == (2, 16)
    assert encoder.max_length == 32, "the limit of the base model is kept"
    trained = network(base)
    trained.load_state_dict(torch.load(tmp_path / "checkpoint" / "best.pt", weights_only=True))
    assert vectors == pytest.approx(
        trained.embed(["the bridge will stay close", "the bridge will stay open"]), abs=1e-6
    )
    assert not np.allclose(vectors, Encoder(base, dtype="float32", device="cpu").encode(["the bridge"] * 2), atol=1e-3)
    record = json.loads((outcome.model / RECORD).read_text("utf-8"))
    assert record["seed"] == 0 and record["settings"]["temperature"] == 0.05 and record["training_digest"]
    assert sum(outcome.parts.values()) == 60 and not math.isnan(outcome.after.title_body)
    again = train_model(pairs(60, seed=1), base, SETTINGS, tmp_path / "again", "cpu", lambda line: None)
    assert Encoder(str(again.model), dtype="float32", device="cpu").fingerprint == encoder.fingerprint


def test_too_few_pairs_are_refused(base: str, tmp_path: Path):
    few = [pair for pair in PAIRS if part_of(pair.article) == "test"][:1]
    with pytest.raises(InputError, match="at least 2"):
        train_model(few, base, SETTINGS, tmp_path, "cpu", lambda line: None)


def test_a_device_that_is_not_there_is_named(base: str):
    with pytest.raises(SettingsError, match=r"device abacus: .*; give cpu, cuda or cuda:N"):
        new_network(base, SETTINGS, "abacus")


def test_the_command_goes_on_where_it_was(base: str, tmp_path: Path, lab: Callable[..., Done]):
    rows = [vars_of(pair) for pair in pairs(60, seed=2)] + [{"headline_quote": "the tax", "body_quotes": ["the tax"]}]
    (tmp_path / "articles.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    given = ("--pairs", tmp_path / "articles.jsonl", "--base", base, "--out", tmp_path / "out", "--device", "cpu")
    first = lab("train quotecse", *given, "--epochs", 2, "--dynamic-epochs", 1)
    assert first.code == 0, first.error
    assert "1 fewer than 2 distinct body quotes" in first.out and "epoch 2 (dynamic)" in first.out
    report = json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))
    assert len(report["epochs"]) == 2 and report["after"]["pairs"] == report["parts"]["test"]
    model = Encoder(str(tmp_path / "out" / "model"), dtype="float32", device="cpu")
    again = lab("train quotecse", *given, "--epochs", 2, "--dynamic-epochs", 1)
    assert "taken up again after epoch 2" in again.out
    assert Encoder(str(tmp_path / "out" / "model"), dtype="float32", device="cpu").fingerprint == model.fingerprint


def vars_of(pair: Pair) -> dict[str, object]:
    return {"headline_quote": pair.headline_quote, "body_quotes": pair.body_quotes}
