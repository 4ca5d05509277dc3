"""The published detector: its features and its fit."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
import torch

from quotelab.training.quotecse.baseline import PerceptronDetector, fit_perceptron, pair_features
from quotelake.errors import SettingsError

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


def test_an_article_without_body_quotes_has_a_v_of_zero():
    features = pair_features([Article("rain", ()), Article("rain", ("vote",))], encode)
    assert features.shape == (2, 4 * len(WORDS)) and not features[0, len(WORDS) : 2 * len(WORDS)].any()


@pytest.mark.slow
def test_the_detector_learns_and_the_same_fit_is_the_same():
    detector = PerceptronDetector(encode).fit(articles(200))
    unseen = articles(60, seed=1)
    found = detector.predict_proba(unseen)
    assert np.mean((found > 0.5) == [article.label for article in unseen]) > 0.9
    torch.manual_seed(99)
    np.testing.assert_array_equal(PerceptronDetector(encode).fit(articles(200)).predict_proba(unseen), found)
    other = PerceptronDetector(encode, seed=1).fit(articles(200))
    assert not np.array_equal(other.predict_proba(unseen), found)


def test_numpy_computes_what_torch_fitted():
    features = pair_features(articles(40), encode)
    fitted = fit_perceptron(features, [article.label for article in articles(40)])
    first, first_bias, second, second_bias = map(torch.as_tensor, fitted.weights)
    logits = torch.relu(torch.as_tensor(features) @ first + first_bias) @ second + second_bias
    np.testing.assert_allclose(fitted(features), torch.sigmoid(logits)[:, 0].numpy(), atol=1e-6)


def test_mistakes_are_said():
    with pytest.raises(SettingsError, match="no weights"):
        PerceptronDetector(encode).predict_proba(articles(2))
    with pytest.raises(SettingsError, match="one label"):
        PerceptronDetector(encode).fit([article for article in articles(8) if article.label])
