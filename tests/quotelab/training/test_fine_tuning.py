"""Fine-tuning on pairs: losses against their formulas, what is learned and chosen, models, and trainings that go on."""

import json
from collections.abc import Callable
from functools import partial
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import torch
from tests.quotelab.protocols.test_relatedness import written
from tests.quotelab.protocols.test_trotr import folder  # noqa: F401  # a fixture
from tests.quotelab.training.conftest import WORDS
from tests.running import Done

from quotelab.labels.judged import Part, read_judged, read_judgment_table
from quotelab.labels.tables import write_csv
from quotelab.protocols import fine_tuned, trotr_settings
from quotelab.protocols.fine_tuned import FineTuning
from quotelab.statistics import spearman
from quotelab.training import fine_tuning
from quotelab.training.fine_tuning import Recipe, fine_tune, relatedness
from quotelab.training.network import Network
from quotelake.embeddings.encoder import Encoder
from quotelake.errors import InputError

pytestmark = pytest.mark.slow


def silent(_: str) -> None:
    """No progress."""


def made_up(seed: int = 0, texts: int = 24) -> tuple[list[str], Part]:
    """Texts on one of two topics, a word each in a text of other words; all pairs, those of one topic related."""
    drawn = np.random.default_rng(seed)
    topics = drawn.integers(2, size=texts)
    made = []
    for topic in topics:
        words = [WORDS[1 + topic], *drawn.choice(WORDS[3:], 5)]
        made.append(" ".join(drawn.permutation(words)))
    first, second = np.array(list(combinations(range(texts), 2))).T
    labels = (topics[first] == topics[second]).astype(np.int64)
    return made, Part(first, second, 1 + 3.0 * labels, labels)


def split(pairs: Part) -> tuple[Part, Part]:
    rows = np.random.default_rng(1).permutation(len(pairs.labels))
    return pairs.take(rows[40:]), pairs.take(rows[:40])


@pytest.mark.parametrize("loss", ["squared", "contrastive", "cross"])
def test_a_model_learns_what_relates_texts_and_the_same_each_time(base: str, loss: str):
    texts, pairs = made_up()
    train, dev = split(pairs)
    recipe = Recipe(loss, rate=1e-2, epochs=6)
    torch.manual_seed(7)
    expected = torch.rand(1)
    torch.manual_seed(7)
    network, history = fine_tune(base, texts, train, dev, recipe, silent, "cpu")
    assert torch.equal(torch.rand(1), expected), "the caller's random numbers go on"
    assert max(history) > history[0] + 0.2
    assert spearman(relatedness(network, texts, dev.first, dev.second, loss), dev.scores) == max(history)
    again, repeated = fine_tune(base, texts, train, dev, recipe, silent, "cpu")
    assert repeated == history
    ours, theirs = network.state_dict(), again.state_dict()
    assert all(torch.equal(ours[name], theirs[name]) for name in ours)


def test_a_loss_is_its_formula_whatever_the_groups_of_a_batch(base: str):
    texts, pairs = made_up()
    batch = pairs.take(np.arange(0, len(pairs.labels), 9))
    network = Network(base, device="cpu", outputs=1).eval()
    c = relatedness(network, texts, batch.first, batch.second, "squared")
    o = relatedness(network, texts, batch.first, batch.second, "cross")
    g, d = (batch.scores - 1) / 3, 1 - c
    formulas = {
        "squared": (c - g) ** 2,
        "contrastive": np.where(batch.labels == 1, d**2, np.maximum(0, 0.5 - d) ** 2) / 2,
        "cross": np.log1p(np.exp(o)) - g * o,
    }
    for loss, expected in formulas.items():
        found = fine_tuning._loss(network, texts, batch, Recipe(loss))
        assert float(found.detach()) == pytest.approx(expected.mean(), rel=1e-4), loss


def test_the_best_epoch_stays_and_patience_ends_the_training(base: str, monkeypatch: pytest.MonkeyPatch):
    texts, pairs = made_up(texts=8)
    states: list[dict[str, torch.Tensor]] = []
    order = iter([0.1, 0.5, 0.3, 0.2, 0.9])

    def known(network: Network, *_: object) -> float:
        states.append({name: value.clone() for name, value in network.state_dict().items()})
        return next(order)

    monkeypatch.setattr(fine_tuning, "relatedness", known)
    monkeypatch.setattr(fine_tuning, "spearman", lambda found, scores: found)
    network, history = fine_tune(base, texts, pairs, pairs, Recipe(epochs=9), silent, "cpu")
    assert history == [0.1, 0.5, 0.3, 0.2]
    kept = network.state_dict()
    assert all(torch.equal(kept[name], states[1][name]) for name in kept)


@pytest.mark.parametrize("rows", [[], [0, 0, 0]])
def test_pairs_that_choose_no_epoch_are_refused(base: str, rows: list[int]):
    texts, pairs = made_up(texts=4)
    with pytest.raises(InputError, match=r"6 pairs to train on, \d to choose the epoch by; give more, with unlike"):
        fine_tune(base, texts, pairs, pairs.take(np.array(rows, np.int64)), Recipe(), silent)


def judgments(path: Path) -> Path:
    """A CSV file of four texts in four contexts each, with two judgments of each pair."""
    rows = []
    for number in range(4):
        said = [f"{WORDS[use % 2]} {WORDS[5 + use]}: so it goes {number}" for use in range(4)]
        for one, other in combinations(range(4), 2):
            label = 4 if one % 2 == other % 2 else 1
            rows += [(f"So it goes {number}", said[one], said[other], label, who) for who in ("ann", "")]
    write_csv(path, ("text", "context_1", "context_2", "label", "annotator"), rows)
    return path


def test_the_command_leaves_a_model_like_any_other_with_a_card(
    base: str, lab: Callable[..., Done], tmp_path: Path, jsonl: Callable[..., Path]
):
    data, out = judgments(tmp_path / "mine.csv"), tmp_path / "model"
    done = lab("train topics", "--data", data, "--base", base, "--out", out, "--epochs", 2, "--rate", 0.01)
    assert done.code == 0, done.error
    assert "epoch 1: Spearman on dev" in done.error and f"model written to {out}" in done.out
    card = json.loads((out / "card.json").read_text("utf-8"))
    assert card["data"]["pairs"] == 24 and card["recipe"]["epochs"] == 2 and card["base"] == "model"
    assert len(card["figures"]["dev_spearman"]) == 3 and card["figures"]["held_out_spearman"] is not None
    texts = ["the mayor will be open", "never close the road"]
    vectors = Encoder(str(out), dtype="float32", device="cpu").encode(texts)
    assert np.allclose(vectors, Network(str(out), device="cpu").embed(texts), atol=1e-5)
    assert not np.allclose(vectors, Encoder(base, dtype="float32", device="cpu").encode(texts), atol=1e-3)

    said = [f"{word} said so it goes, the {word} said" for word in WORDS[:4]]
    places = [{"text": text, "use": [text.index("so"), text.index(",")], "context": [0, len(text)]} for text in said]
    rows = jsonl(*({"a": a, "b": b, "labels": [1 + n % 4]} for n, (a, b) in enumerate(combinations(places, 2))))
    done = lab("evaluate context_pairs", "--data", rows, "--model", out)
    assert done.code == 0, done.error
    assert "spearman_masked" in done.out and "head" not in done.out, "the shipped head is of another encoder"


def test_a_table_of_judgments_is_read_as_a_folder_is(tmp_path: Path):
    judged = read_judgment_table(judgments(tmp_path / "mine.csv"))
    assert len(judged.uses) == 16 and len(judged.pairs) == len(judged.clear) == 24
    assert judged.uses[0].masked == "the river:  - " and judged.pairs[0].score == 1.0


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("a,b a,c,4,", "line 2: field context_2: found 'c'; give one that holds the text"),
        (",b,c,4,", "line 2: field context_1: found 'b'"),
        ("a,b a,c a,5,", "line 2: field label: found '5'; give 1 to 4, or -"),
        ("a,b a,b a,4,", "a context with itself"),
        ("a,b a,c a,4,ann\na,b a,c a,3,ann", "line 3: found a context with itself, or a second judgment"),
    ],
)
def test_a_faulty_row_is_named(tmp_path: Path, row: str, said: str):
    (tmp_path / "mine.csv").write_text(f"text,context_1,context_2,label,annotator\n{row}\n", "utf-8")
    with pytest.raises(InputError) as error:
        read_judgment_table(tmp_path / "mine.csv")
    assert said in str(error.value)


def test_a_mistake_is_one_error(base: str, lab: Callable[..., Done], tmp_path: Path):
    data = judgments(tmp_path / "mine.csv")
    (tmp_path / "two.csv").write_text("".join(data.read_text("utf-8").splitlines(keepends=True)[:25]), "utf-8")
    faults = {
        "there is something already": ("--data", data, "--out", tmp_path),
        "--rate 2: must be": ("--data", data, "--out", tmp_path / "out", "--rate", 2),
        "agreed pairs of 2 texts; give pairs of at least three": (
            "--data",
            tmp_path / "two.csv",
            "--out",
            tmp_path / "o",
        ),
        "found a file that cannot be read": ("--data", tmp_path / "none.csv", "--out", tmp_path / "out"),
        "is not a directory": ("--data", data, "--out", tmp_path / "out", "--base", "./none"),
    }
    for said, given in faults.items():
        done = lab("train topics", *given)
        assert done.code == 2 and said in done.error, done.error


def test_finished_trainings_are_not_done_again(
    base: str,
    folder: Path,  # noqa: F811
    lab: Callable[..., Done],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(fine_tuned, "leave_texts_out", partial(trotr_settings.leave_texts_out, groups=3))
    given = ("evaluate trotr", "--data", folder, "--model", base, "--fine-tune", "--work", tmp_path / "work")
    given += ("--json", tmp_path / "report.json")
    monkeypatch.setattr(fine_tuned.os, "sched_getaffinity", lambda _: {0})
    done = lab(*given)
    assert done.code == 0, done.error
    figures = json.loads((tmp_path / "report.json").read_text("utf-8"))["figures"]
    assert {"tric_spearman_ft_mask", "tric_f1_oov_ft_contrastive", "tric_all_spearman_ft_mask"} <= figures.keys()
    assert {"trac_spearman_ft_mask_lto", "trac_annotated_spearman_ft_mask_lto"} <= figures.keys()
    assert not any("cross" in name for name in figures)

    def never(*_: object) -> None:
        raise AssertionError("trained again")

    monkeypatch.setattr(fine_tuned, "fine_tune", never)
    assert lab(*given).code == 0
    assert json.loads((tmp_path / "report.json").read_text("utf-8"))["figures"] == figures
    next((tmp_path / "work").glob("*.json")).write_text("{}", "utf-8")
    done = lab(*given)
    assert done.code == 2 and "found no result of a training" in done.error


def test_no_training_sees_what_it_is_asked(folder: Path, tmp_path: Path):  # noqa: F811
    judged = read_judged(folder)
    tuning = FineTuning("none", tmp_path)
    asked: list[tuple[int, int]] = []
    for task in tuning.of_texts(judged):
        seen = {judged.uses[place].target for part in (task.train, task.dev) for place in (*part.first, *part.second)}
        out = {judged.uses[place].target for place in (*task.first, *task.second)}
        assert out and not seen & out
        asked += zip(task.first.tolist(), task.second.tolist(), strict=True)
    assert len(asked) == len({*asked}) == 6 * 15, "each pair of uses of a text, once"
    (fold,) = trotr_settings.read_folds(folder / trotr_settings.FOLDS, judged)
    task = tuning.of_fold(judged, fold, "ft_mask")
    trained = {frozenset(pair) for pair in zip(task.train.first.tolist(), task.train.second.tolist(), strict=True)}
    assert not trained & {frozenset(pair) for pair in zip(task.first.tolist(), task.second.tolist(), strict=True)}


def test_trainings_side_by_side_give_what_one_after_the_other_does(
    base: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    texts, pairs = made_up()
    rows = np.random.default_rng(0).permutation(len(pairs.labels))
    found = []
    for cores in (1, 2):
        monkeypatch.setattr(fine_tuned.os, "sched_getaffinity", lambda _, cores=cores: range(cores))
        tuning = FineTuning(base, tmp_path / str(cores), device="cpu")
        tasks = [tuning.of_rows(n, texts, pairs, rows[n * 40 :], rows[: n * 40]) for n in (1, 2)]
        found.append(list(tuning.run(tasks)))
    for one, other in zip(*found, strict=True):
        assert np.allclose(one, other, atol=1e-5)


def test_sentences_are_fine_tuned_in_each_fold_and_as_a_model(base: str, lab: Callable[..., Done], tmp_path: Path):
    rows = ([pair.source, f"{pair.first}\n{pair.second}", pair.score] for pair in written())
    write_csv(tmp_path / "str.csv", ("SourceID", "Text", "Score"), rows)
    given = ("--data", tmp_path / "str.csv", "--base", base, "--out", tmp_path / "model", "--rate", 0.01)
    done = lab("train relatedness", *given)
    assert done.code == 0, done.error
    figures = json.loads((tmp_path / "model" / "card.json").read_text("utf-8"))["figures"]
    assert figures["held_out_spearman"] > figures["held_out_spearman_of_base"]
