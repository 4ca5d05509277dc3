"""The published detector: two embeddings and a small perceptron (Song et al., Findings of EACL 2023, §3). No Spark.

u is the embedding of the headline quote, v that of the body quote most similar to it, and a multilayer perceptron with
one hidden layer of 64 reads [u; v; |u - v|; u * v]. A known error: a headline that joins two body quotes looks
contextomized. This is a baseline for the shipped detector: unlike that one's, its score is not monotone in the support
that the body gives.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np
import numpy.typing as npt

from quotelake.errors import SettingsError

Vectors = npt.NDArray[np.float32]
Encode = Callable[[Sequence[str]], Vectors]

HIDDEN = 64  # Song et al. 2023, §4
# Of the authors' code: the highest rate of Adam, which rises over the first epoch and falls as a cosine to 0; its L2
# penalty; articles a step; passes over the articles.
RATE, WEIGHT_DECAY, BATCH, EPOCHS = 0.01, 1e-5, 16, 10


class Article(Protocol):
    """A headline quote and the quotes of its body, all without marks."""

    @property
    def headline_quote(self) -> str:
        """Text of the headline quote."""

    @property
    def body_quotes(self) -> Sequence[str]:
        """Texts of the body quotes in order."""


class LabelledArticle(Article, Protocol):
    """An article that people labelled."""

    @property
    def label(self) -> int:
        """1 for contextomized, 0 for modified."""


@dataclass(frozen=True)
class Perceptron:
    """A fitted perceptron: ``sigmoid(relu(x W1 + b1) W2 + b2)``; shapes (d, hidden), (hidden,), (hidden, 1), (1,)."""

    weights: tuple[Vectors, Vectors, Vectors, Vectors]

    def __call__(self, features: Vectors) -> npt.NDArray[np.float64]:
        """Probability of label 1 for each row of features, shape (n,), 0 to 1."""
        first, first_bias, second, second_bias = (array.astype(np.float64) for array in self.weights)
        hidden = np.maximum(features.astype(np.float64) @ first + first_bias, 0)
        # Halves of tanh: the logistic function without overflow.
        return np.asarray(0.5 + 0.5 * np.tanh((hidden @ second + second_bias)[:, 0] / 2))


class PerceptronDetector:
    """The published detector over an encoder.

    Args:
        encode: texts to unit vectors; each text is embedded once.
        seed: of initial weights, order of articles and oversampling.
    """

    def __init__(self, encode: Encode, seed: int = 0) -> None:
        self._encode, self._seed = remember(encode), seed
        self._perceptron: Perceptron | None = None

    def fit(self, articles: Sequence[LabelledArticle]) -> Self:
        """Fit on labelled articles; replaces an earlier fit."""
        labels = [article.label for article in articles]
        self._perceptron = fit_perceptron(pair_features(articles, self._encode), labels, self._seed)
        return self

    def predict_proba(self, articles: Sequence[Article]) -> npt.NDArray[np.float64]:
        """Probability that each headline quote is contextomized, shape (n,).

        Raises:
            SettingsError: the detector was not fitted.
        """
        if self._perceptron is None:
            raise SettingsError("the perceptron has no weights yet; fit it on labelled articles")
        return self._perceptron(pair_features(articles, self._encode))


def perceptron_over(model: str) -> PerceptronDetector:
    """The published detector over a model named as in ``[model] name``, in float32."""
    from quotelake.embeddings.encoder import Encoder

    return PerceptronDetector(Encoder(model, dtype="float32").encode)


def remember(encode: Encode) -> Encode:
    """Cache the vectors of an encoder, so that several fits on the same articles embed each text once."""
    known: dict[str, Vectors] = {}

    def encode_new(texts: Sequence[str]) -> Vectors:
        new = sorted({text for text in texts if text not in known})
        if new:
            known.update(zip(new, encode(new), strict=True))
        return np.array([known[text] for text in texts], dtype=np.float32)

    return encode_new


def pair_features(articles: Sequence[Article], encode: Encode) -> Vectors:
    """Compute [u; v; |u - v|; u * v] of articles, shape (n, 4 d), from unit vectors.

    v is 0 for an article without body quotes. Of equally similar body quotes the first is taken.

    >>> class One:
    ...     headline_quote, body_quotes = "b", ["a", "b"]
    >>> plane = {"a": [0.0, 1.0], "b": [1.0, 0.0]}
    >>> pair_features([One()], lambda texts: np.array([plane[text] for text in texts], dtype=np.float32)).tolist()
    [[1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]]
    """
    encode = remember(encode)
    encode([text for article in articles for text in (article.headline_quote, *article.body_quotes)])
    headlines = encode([article.headline_quote for article in articles])
    matches = np.zeros_like(headlines)
    for place, article in enumerate(articles):
        if article.body_quotes:
            quotes = encode(article.body_quotes)
            matches[place] = quotes[np.argmax(quotes @ headlines[place])]
    return np.concatenate([headlines, matches, np.abs(headlines - matches), headlines * matches], axis=1)


def fit_perceptron(features: Vectors, labels: Sequence[int], seed: int = 0) -> Perceptron:
    """Fit the perceptron with Adam on cross-entropy, the rarer label oversampled as in the authors' code.

    The same input gives the same weights on one machine; the caller's random state is not changed.

    Raises:
        SettingsError: only one label occurs.
    """
    import torch

    order = np.random.default_rng(seed)
    rows = torch.as_tensor(_balanced(labels, order))
    x, y = torch.as_tensor(features), torch.as_tensor(np.asarray(labels, dtype=np.float32))
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        layers = (torch.nn.Linear(x.shape[1], HIDDEN), torch.nn.ReLU(), torch.nn.Linear(HIDDEN, 1))
        model = torch.nn.Sequential(*layers)
    steps = -(-len(rows) // BATCH)
    optimizer = torch.optim.Adam(model.parameters(), lr=RATE, weight_decay=WEIGHT_DECAY)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: _warm_cosine(step, steps))
    for _ in range(EPOCHS):
        shuffled = rows[torch.as_tensor(order.permutation(len(rows)))]
        for batch in torch.split(shuffled, BATCH):
            loss = torch.nn.functional.binary_cross_entropy_with_logits(model(x[batch])[:, 0], y[batch])
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()
    first, first_bias, second, second_bias = (parameter.detach().numpy() for parameter in model.parameters())
    return Perceptron((first.T.copy(), first_bias, second.T.copy(), second_bias))


def _balanced(labels: Sequence[int], order: np.random.Generator) -> npt.NDArray[np.int64]:
    places = [np.flatnonzero(np.asarray(labels) == label) for label in (0, 1)]
    if not all(map(len, places)):
        raise SettingsError("the labelled articles have one label only; articles of label 0 and of label 1 are needed")
    most = max(map(len, places))
    extra = [order.choice(each, most - len(each)) for each in places]
    return np.concatenate([*places, *extra]).astype(np.int64)


def _warm_cosine(step: int, warm: int) -> float:
    """Share of the learning rate at a step: linear over the first epoch of ``warm`` steps, then half a cosine."""
    if step < warm:
        return step / warm
    return float(0.5 * (1 + np.cos(np.pi * (step - warm) / max(1, warm * (EPOCHS - 1)))))
