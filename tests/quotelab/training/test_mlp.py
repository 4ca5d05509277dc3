"""The published detector: its features, its fit, its file, and the training of it from labels."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import torch
from quotelab.training.quotecse.perceptron import FitSettings, fit_perceptron

from quotelab.training import mlp
from quotelab.training.quotecse import baseline as quotecse
from quotelab.training.quotecse.baseline import PerceptronDetector, pair_features, remember
from quotelake.errors import InputError, SettingsError

WORDS = ("rain", "vote", "tax", "boat", "coal", "school", "river", "bridge")


@dataclass(frozen=True)
class Article:
    headline_quote: str
    body_quotes: tuple[str, ...]
    label: int = 0


def encode(texts: Sequence[str]) -> np.ndarray:
    """Unit vectors that count words."""
    counts = np.array([[text.split().count(word) + 0.01 for word in WORDS] for text in texts], dtype=np.float32)
    return counts / np.linalg.norm(counts, axis=1, keepdims=True)


def articles(count: int, seed: int = 0) -> list[Article]:
    """Label 0: a body quote has the words of the headline; label 1: none has."""
    drawn = np.random.default_rng(seed)
    made = []
    for number in range(count):
        words = drawn.permutation(WORDS)
        quotes = [" ".join(words[:3]), " ".join(words[3:6])]
        headline = quotes[number // 2 % 2].split()[::-1] if number % 2 == 0 else list(words[6:])
        made.append(Article(" ".join(headline), tuple(quotes), number % 2))
    return made


def test_v_is_the_body_quote_most_similar():
    article = Article("rain vote", ("coal school", "vote rain", "rain boat"))
    u, v, difference, product = pair_features([article], encode)[0].reshape(4, -1)
    np.testing.assert_allclose(u, encode(["rain vote"])[0])
    np.testing.assert_allclose(v, encode(["vote rain"])[0])
    np.testing.assert_allclose(difference, np.abs(u - v))
    np.testing.assert_allclose(product, u * v)


def test_the_second_quote_is_joined_only_if_it_is_nearly_as_similar():
    joined = Article("rain vote coal school", ("rain vote", "coal school", "boat"))
    apart = Article("rain vote coal", ("rain vote coal", "rain boat", "boat"))
    base = pair_features([joined, apart], encode, "base")
    both = pair_features([joined, apart], encode, "second_quote")
    size = len(WORDS)
    np.testing.assert_allclose(both[0, size : 2 * size], encode(["rain vote coal school"])[0], atol=1e-6)
    assert not np.allclose(base[0], both[0]), "a headline of two quotes is met by both"
    np.testing.assert_array_equal(base[1], both[1])


def test_an_article_without_body_quotes_has_a_v_of_zero():
    features = pair_features([Article("rain", ()), Article("rain", ("vote",))], encode)
    assert features.shape == (2, 4 * len(WORDS)) and not features[0, len(WORDS) : 2 * len(WORDS)].any()


def test_each_text_is_embedded_once():
    seen: list[str] = []

    def counting(texts: Sequence[str]) -> np.ndarray:
        seen.extend(texts)
        return encode(texts)

    kept = remember(counting)
    for _ in range(2):
        pair_features(articles(20), kept, "second_quote")
    assert len(seen) == len(set(seen))


@pytest.mark.slow
def test_the_detector_learns_and_the_same_fit_is_the_same():
    detector = PerceptronDetector(encode, "f").fit(articles(200))
    unseen = articles(60, seed=1)
    found = detector.predict_proba(unseen)
    assert np.mean((found > 0.5) == [article.label for article in unseen]) > 0.9
    torch.manual_seed(99)
    np.testing.assert_array_equal(PerceptronDetector(encode, "f").fit(articles(200)).predict_proba(unseen), found)
    other = PerceptronDetector(encode, "f", settings=FitSettings(seed=1)).fit(articles(200))
    assert not np.array_equal(other.predict_proba(unseen), found)


def test_numpy_computes_what_torch_fitted():
    features = pair_features(articles(40), encode)
    fitted = fit_perceptron(features, [article.label for article in articles(40)], FitSettings(epochs=2))
    first, first_bias, second, second_bias = map(torch.as_tensor, fitted.weights)
    logits = torch.relu(torch.as_tensor(features) @ first + first_bias) @ second + second_bias
    np.testing.assert_allclose(fitted(features), torch.sigmoid(logits)[:, 0].numpy(), atol=1e-6)


def test_a_saved_detector_answers_alike_and_only_for_its_own_vectors(tmp_path: Path):
    detector = PerceptronDetector(encode, "f", "second_quote").fit(articles(100))
    path = tmp_path / "detector.json"
    detector.save(path, figures={"f1": 0.5})
    loaded = PerceptronDetector.load(path, encode, "f")
    np.testing.assert_allclose(loaded.predict_proba(articles(9)), detector.predict_proba(articles(9)), atol=1e-5)
    assert loaded.variant == "second_quote" and loaded.training_digest == detector.training_digest
    with pytest.raises(SettingsError, match="train it again"):
        PerceptronDetector.load(path, encode, "other")
    path.write_text("{}", "utf-8")
    with pytest.raises(SettingsError, match="format"):
        PerceptronDetector.load(path, encode, "f")


def test_mistakes_are_said():
    with pytest.raises(SettingsError, match="variant"):
        pair_features(articles(2), encode, "third_quote")  # type: ignore[arg-type]
    with pytest.raises(SettingsError, match="no weights"):
        PerceptronDetector(encode, "f").predict_proba(articles(2))
    with pytest.raises(SettingsError, match="one label"):
        PerceptronDetector(encode, "f").fit([article for article in articles(8) if article.label])


def test_training_from_a_file_keeps_articles_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def fake(model: str, variant: quotecse.Variant, seed: int) -> PerceptronDetector:
        return PerceptronDetector(encode, model, variant, FitSettings(seed=seed))

    monkeypatch.setattr(mlp, "mlp_detector", fake)
    path = tmp_path / "labels.jsonl"
    # Numbered, so that no two rows are one article to the split.
    rows = [vars(article) | {"id": number} for number, article in enumerate(articles(300))]
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    figures = mlp.train_detector(path, "m", "base", tmp_path / "detector.json")
    assert figures["accuracy"] > 0.9 and figures["f1"] > 0.9
    assert figures["fitted"] + figures["kept_out"] == 300 and figures["kept_out"] > 10
    assert json.loads((tmp_path / "detector.json").read_text("utf-8"))["figures"] == figures
    path.write_text("\n".join(map(json.dumps, rows[:6])), "utf-8")
    with pytest.raises(InputError, match="at least 10"):
        mlp.train_detector(path, "m", "base", tmp_path / "detector.json")
    path.write_text(json.dumps(rows[0] | {"label": None}), "utf-8")
    with pytest.raises(InputError, match="line 1"):
        mlp.train_detector(path, "m", "base", tmp_path / "detector.json")
