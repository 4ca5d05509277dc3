"""Fine-tuning an encoder on pairs, and scoring them by a cross-encoder: very small models made here."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from tests.quotelab.protocols.trotr.made_up import write_folder
from tests.quotelab.training.tiny import WORDS
from tests.running import Done

from quotelab.protocols.trotr.command import load_cross_encoder
from quotelab.training.fine_tune import FineTuning, TextPairs, _share, best_vectors, dev_spearman, fine_tune

SETTINGS = FineTuning(epochs=3, rate=3e-3, batch_size=8)

pytestmark = pytest.mark.slow


def pairs(count: int, seed: int = 0) -> TextPairs:
    """Texts of three words, all of one half of the words; a pair of one half is related, though no word is shared."""
    drawn = np.random.default_rng(seed)
    halves = (WORDS[:10], WORDS[10:])
    texts: tuple[list[str], list[str]] = ([], [])
    values = []
    for _ in range(count):
        sides = drawn.integers(2, size=2)
        shuffled = [drawn.permutation(half) for half in halves]
        for place, side in enumerate(sides):
            texts[place].append(" ".join(shuffled[side][3 * place : 3 * place + 3]))
        values.append(float(sides[0] == sides[1]))
    return TextPairs(*texts, values)


@pytest.mark.parametrize("loss", ["contrastive", "cosent", "cosine"])
def test_every_loss_brings_cosines_nearer_to_the_scores(base: str, tmp_path: Path, loss: str):
    train, dev = pairs(96), pairs(64, seed=1)
    settings = replace(SETTINGS, loss=loss)
    untrained, _ = fine_tune(base, train, dev, settings, tmp_path / "none", lambda _: None, "cpu", stop_after=0)
    before = dev_spearman(untrained, dev)
    network, progress = fine_tune(base, train, dev, settings, tmp_path / "all", lambda _: None, "cpu")
    assert dev_spearman(network, dev) == pytest.approx(1 - progress.best_loss, abs=1e-6)
    assert dev_spearman(network, dev) > before + 0.2


def test_interrupted_is_uninterrupted(base: str, tmp_path: Path):
    train, dev = pairs(32), pairs(16, seed=1)
    whole, _ = fine_tune(base, train, dev, SETTINGS, tmp_path / "whole", lambda _: None, "cpu")
    for stop in (1, 2, None):
        parts, progress = fine_tune(base, train, dev, SETTINGS, tmp_path / "parts", lambda _: None, "cpu", stop)
    assert len(progress.history) == 3
    assert all(map(torch.equal, whole.state_dict().values(), parts.state_dict().values()))


def test_the_rate_rises_in_a_tenth_of_the_first_epoch_and_falls_to_zero():
    shares = [_share(step, 20, FineTuning(epochs=2)) for step in range(41)]
    assert shares[:2] == [0.5, 1.0] and max(shares) == 1.0 and shares[40] == 0
    assert shares[2:] == sorted(shares[2:], reverse=True)


def test_the_best_rate_is_chosen_on_dev_and_nothing_is_trained_twice(base: str, tmp_path: Path):
    train, dev, said = pairs(96), pairs(64, seed=1), []
    rates = [replace(SETTINGS, rate=rate, epochs=1) for rate in (1e-9, 3e-3)]
    texts = sorted({*dev.first, *dev.second})
    found = best_vectors(base, train, dev, texts, rates, tmp_path, said.append)
    alone = [best_vectors(base, train, dev, texts, [rate], tmp_path, said.append) for rate in rates]
    assert [np.array_equal(found, each) for each in alone] == [False, True]
    assert sum("fine-tuning" in line for line in said) == 2
    assert not list(tmp_path.rglob("*.pt"))


def cross_encoder(base: str, root: Path, numbers: int) -> str:
    """A classifier over the very small model's vocabulary, random weights."""
    from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

    transformer = next(Path(base).rglob("tokenizer.json")).parent
    tokenizer = AutoTokenizer.from_pretrained(transformer)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        config = BertConfig(
            vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
            intermediate_size=32, max_position_embeddings=64, num_labels=numbers,
        )  # fmt: skip
        BertForSequenceClassification(config).save_pretrained(root)
    tokenizer.save_pretrained(root)
    return str(root)


def test_a_cross_encoder_gives_a_pair_one_score_in_any_order_and_batch(base: str, tmp_path: Path):
    score = load_cross_encoder(cross_encoder(base, tmp_path / "model", 1))
    first, second = ["the mayor will stay", "coal tax"], ["a boat", "the river"]
    together = score(first, second)
    assert together.shape == (2,) and np.ptp(together) > 0
    np.testing.assert_allclose(score(second, first), together, atol=1e-6)
    np.testing.assert_allclose(score(first[1:], second[1:]), together[1:], atol=1e-6)


def test_the_tables_have_fine_tuned_encoders_and_cross_encoders(lab: Callable[..., Done], base: str, tmp_path: Path):
    (tmp_path / "data").mkdir()
    judges, made = cross_encoder(base, tmp_path / "judges", 1), tmp_path / "report.json"
    arguments = ["trotr", "--data", write_folder(tmp_path / "data"), "--model", base, "--json", made]
    further = ["--fine-tune", "cosent+mask", "contrastive", "--epochs", "1", "--work", tmp_path / "work"]
    done = lab("evaluate", *arguments, *further, "--cross-encoder", judges)
    assert done.code == 0, done.error
    figures = json.loads(made.read_text("utf-8"))["figures"]
    for setting in ("ft_cosent_mask", "ft_contrastive", "cross_encoder", "cross_encoder_mask"):
        assert -1 <= figures[f"tric_spearman_oov_{setting}"] <= 1, setting
    assert done.error.count("fine-tuning with") == 2
    again = lab("evaluate", *arguments, *further)
    assert again.code == 0 and "fine-tuning with" not in again.error
    assert json.loads(made.read_text("utf-8"))["figures"]["tric_f1_ft_contrastive"] == figures["tric_f1_ft_contrastive"]
