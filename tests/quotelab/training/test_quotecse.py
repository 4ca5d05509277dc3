"""QuoteCSE: its pairs, its loss and measures against their formulas, and the training on a very small model."""

import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace

import duckdb
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.quotelab.training.conftest import WORDS
from tests.running import Done

import quotelake
from quotelab.training import articles
from quotelab.training.articles import Pair, QuotedArticle, assign, build_pairs, read_articles, split
from quotelab.training.network import Network
from quotelab.training.quotecse import Plan, alignment, quotecse_loss, train, uniformity
from quotelake.embeddings.encoder import Encoder
from quotelake.errors import InputError, SettingsError

ARTICLE = QuotedArticle("k", "a", "The bridge stays shut", ("The bridge stays shut.", "We will pay.", "Ask the mayor"))
PLAN = Plan(batch_size=4, epochs=3, dynamic_epochs=1)


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=30), st.text(max_size=5), st.integers(0, 3), st.integers(0, 12))
def test_the_positive_is_most_similar_and_the_negative_another_quote(
    cosines: list[float], key: str, seed: int, epoch: int
):
    positive, negative = assign(cosines, key, seed, epoch)
    assert cosines[positive] == max(cosines)
    assert negative != positive and 0 <= negative < len(cosines)


def test_negatives_are_drawn_evenly_and_anew_by_seed_and_epoch():
    drawn = np.bincount([assign([0.0, 0.9, 0.1, 0.2], str(key))[1] for key in range(3000)], minlength=4)
    assert drawn[1] == 0 and drawn[[0, 2, 3]].min() > 900
    given = ((0, 1), (0, 1), (0, 2), (1, 1))  # seeds and epochs
    first, *others = ([assign([0.9] + [0.0] * 9, str(key), *each)[1] for key in range(50)] for each in given)
    assert [each == first for each in others] == [True, False, False]


def unit(texts: Sequence[str]) -> np.ndarray:
    """Unit vectors of letters: no meaning, but alike for alike words."""
    counts = np.array([[text.casefold().count(letter) + 0.01 for letter in "abehinorstuwy"] for text in texts])
    return (counts / np.linalg.norm(counts, axis=1, keepdims=True)).astype(np.float32)


def test_what_gives_no_pair_is_counted():
    few, unlike = QuotedArticle("k", "a", "Shut", ("Shut",)), QuotedArticle("u", "a", "oooo", ARTICLE.body_quotes)
    pairs, counts = build_pairs([few, unlike, ARTICLE], unit, 0.98)
    assert sorted(counts.values()) == [1, 1, 1] and counts["built"] == 1
    assert pairs == [Pair(ARTICLE, *assign([1.0, 0.0, 0.0], "k"))]


def test_parts_are_80_10_10_of_articles_without_syndicated_copies():
    pairs = [Pair(QuotedArticle(str(n), str(n), f"{n % 5000}", ("a", "b")), 0, 1) for n in range(6000)]
    parts = split(pairs)
    kept = [pair for part in parts.values() for pair in part]
    assert sorted(int(pair.article.key) for pair in kept) == list(range(5000))
    shares = [len(part) / 5000 for part in parts.values()]
    assert shares == pytest.approx([0.8, 0.1, 0.1], abs=0.02)


def test_articles_of_a_file(jsonl: Callable[..., Path]):
    quotes = ["We won", "we won!", "…", "They lost"]
    (article,) = read_articles(jsonl({"headline_quote": "We won", "body_quotes": quotes}))
    assert article.body_quotes == ("We won", "They lost"), "a quote that only marks set apart is no negative"


@pytest.mark.parametrize("row", ['{"headline_quote": "a"}', '{"headline_quote": 1, "body_quotes": []}', "[]", "{"])
def test_a_row_of_another_form_is_named(jsonl: Callable[..., Path], row: str):
    with pytest.raises(InputError, match="line 2"):
        read_articles(jsonl({"headline_quote": "a", "body_quotes": []}, row))


def test_articles_of_a_lake_have_the_quotes_of_utterances(monkeypatch: pytest.MonkeyPatch):
    tables = duckdb.connect()
    tables.execute("""CREATE TABLE documents AS SELECT * FROM (VALUES
        ('d0', 'n0', 'news', 's', 'en'), ('d1', 'n1', 'news', 's', 'en'), ('d2', 'n2', 'news', 't', 'de'),
        ('d3', 'n3', 'tweet', 's', 'en')) AS t(doc_id, native_key, kind, source, language)""")
    tables.execute("""CREATE TABLE quotes AS SELECT *, start + 9 AS "end" FROM (VALUES
        ('q1', 'd0', 'headline', 0, 'direct', 0, 'The bridge stays shut'),
        ('q2', 'd0', 'body', 70, 'claim', 0, 'We pay'),
        ('q3', 'd0', 'body', 10, 'direct', 0, 'The bridge stays shut.'),
        ('q4', 'd0', 'body', 90, 'title', 0, 'A title'),
        ('q5', 'd0', 'body', 30, 'direct', 0, 'the bridge STAYS shut'), ('q6', 'd0', 'body', 95, 'direct', 1, 'Inside'),
        ('q7', 'd1', 'headline', 0, 'claim', 0, 'Boats'), ('q8', 'd2', 'headline', 0, 'direct', 0, 'Boote'),
        ('q9', 'd3', 'tweet', 0, 'direct', 0, 'Hi')) AS t(quote_id, doc_id, field, start, kind, depth, text)""")

    lake = SimpleNamespace(sql=lambda statement: tables.sql(statement).to_arrow_table().to_pylist())
    monkeypatch.setattr(quotelake, "open", lambda root: lake)
    assert sorted(articles.articles_of_lake("lake", ["s"], ["en"])) == [
        QuotedArticle("q1", "n0", "The bridge stays shut", ("The bridge stays shut.", "We pay")),
        QuotedArticle("q7", "n1", "Boats", ()),
    ]
    assert len(articles.articles_of_lake("lake")) == 3
    with pytest.raises(InputError, match="found no headline quote"):
        articles.articles_of_lake("lake", ["t"], ["en"])


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 50), st.sampled_from([0.05, 0.5]))
def test_the_loss_is_the_formula(seed: int, t: float):
    h, p, n = torch.randn(3, 5, 7, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)

    def e(a: torch.Tensor, b: torch.Tensor) -> float:
        return math.exp(float(a @ b / a.norm() / b.norm()) / t)

    shares = (e(h[i], p[i]) / sum(e(h[i], p[j]) + e(h[i], n[j]) for j in range(5)) for i in range(5))
    expected = -sum(map(math.log, shares)) / 5
    assert float(quotecse_loss(h, p, n, t)) == pytest.approx(expected, rel=1e-9)


def test_alignment_and_uniformity_are_their_definitions():
    x = np.random.default_rng(2).normal(size=(9, 7))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    potential = [math.exp(-2 * float(np.sum((x[i] - x[j]) ** 2))) for i in range(9) for j in range(9) if i != j]
    assert uniformity(x) == pytest.approx(math.log(np.mean(potential)))
    assert (alignment(x, x), alignment(x, -x)) == (0.0, pytest.approx(4.0))


def made_up(count: int, seed: int = 0) -> list[Pair]:
    """Invented articles: the headline is the first body quote with a word changed."""
    drawn = np.random.default_rng(seed)
    made: list[Pair] = []
    for number in range(count):
        quotes = tuple(" ".join(drawn.choice(WORDS, 6)) for _ in range(4))
        headline = " ".join([*quotes[0].split()[:-1], str(drawn.choice(WORDS))])
        made.append(Pair(QuotedArticle(f"k{number:02}", f"a{number}", headline, quotes), 0, 1 + number % 3))
    return made


@pytest.mark.slow
def test_training_lowers_the_loss_is_the_same_each_time_and_leaves_the_random_state_alone(base: str):
    torch.manual_seed(7)
    expected = torch.rand(1)
    torch.manual_seed(7)
    pairs = made_up(24)
    one, other = Network(base, device="cpu"), Network(base, device="cpu")
    history = train(one, pairs[:16], pairs[16:], PLAN._replace(epochs=5), lambda line: None)
    assert torch.equal(torch.rand(1), expected)
    assert [row["phase"] for row in history] == ["static"] * 4 + ["dynamic"]
    assert history[3]["train_loss"] < 0.8 * history[0]["train_loss"]
    assert train(other, pairs[:16], pairs[16:], PLAN._replace(epochs=5), lambda line: None) == history
    ours, theirs = one.state_dict(), other.state_dict()
    assert all(torch.equal(ours[name], theirs[name]) for name in ours)


@pytest.mark.slow
def test_the_best_epoch_stays_and_patience_ends_a_phase(base: str, monkeypatch: pytest.MonkeyPatch):
    held_out, states = iter([3.0, 2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 5.0]), []

    def loss(network: Network, pairs: Sequence[Pair], size: int, optimizer: object = None) -> float:
        if optimizer is None:
            states.append(float(network.head[0].bias[0].detach()))
            return next(held_out)
        with torch.no_grad():
            network.head[0].bias += 1
        return 1.0

    monkeypatch.setattr("quotelab.training.quotecse._mean_loss", loss)
    network = Network(base, device="cpu")
    history = train(network, made_up(4), [], Plan(epochs=20, dynamic_epochs=9), lambda line: None)
    assert [row["phase"] for row in history] == ["static"] * 5 + ["dynamic"] * 3
    assert [row["best"] for row in history] == [True, True] + [False] * 6
    assert float(network.head[0].bias[0].detach()) == states[1]


@pytest.mark.slow
def test_a_network_knows_near_copies_and_a_device_that_is_not_there_is_named(base: str):
    network = Network(base, device="cpu")
    anew, _ = build_pairs((pair.article for pair in made_up(24)), lambda some: network.embed(some, True), -2, 0, 9)
    assert sum(pair.positive == 0 for pair in anew) > 12
    with pytest.raises(SettingsError, match=r"device abacus: .*; give cpu, cuda or cuda:N"):
        Network(base, device="abacus")


@pytest.mark.slow
def test_the_command_leaves_a_model_like_any_other_and_a_report(
    base: str, tmp_path: Path, lab: Callable[..., Done], jsonl
):
    rows = [pair.article._asdict() for pair in made_up(60, seed=2)]
    pairs = jsonl(*rows, {"headline_quote": "the tax", "body_quotes": ["the tax"]})
    given = ("--pairs", pairs, "--base", base, "--out", tmp_path / "out", "--device", "cpu")
    done = lab("train quotecse", *given, "--epochs", 2, "--dynamic-epochs", 1, "--minimum", 0)
    assert done.code == 0, done.error
    assert "1 fewer than 2 distinct body quotes" in done.out and "epoch 2 (dynamic)" in done.out
    report = json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))
    assert len(report["epochs"]) == 2 and report["after"].keys() == {"title_title", "title_body", "uniformity"}
    encoder = Encoder(str(tmp_path / "out" / "model"), dtype="float32", device="cpu")
    assert encoder.max_length == 32, "the limit of the base model is kept"
    vectors = encoder.encode(["the bridge will stay close"])
    assert vectors.shape == (1, 16) and np.linalg.norm(vectors) == pytest.approx(1)
    assert not np.allclose(vectors, Encoder(base, dtype="float32", device="cpu").encode(["the bridge will stay close"]))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("--minimum=nan", "--minimum must be"),
        ("--batch-size=1", "--batch-size must"),
        ("--epochs=1", "--dynamic-epochs"),
        pytest.param("--seed=1", "2 pairs at least", marks=pytest.mark.slow),
    ],
)
def test_a_mistake_is_one_error(base: str, lab: Callable[..., Done], jsonl, tmp_path: Path, given: str, said: str):
    pairs = jsonl(ARTICLE._asdict())
    done = lab("train quotecse", "--pairs", pairs, "--out", tmp_path / "out", "--base", base, given)
    assert done.code == 2 and said in done.error
