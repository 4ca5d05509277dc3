"""The published detector: two embeddings and a small perceptron (Song et al., Findings of EACL 2023, §3). No Spark.

u is the embedding of the headline quote, v that of the body quote most similar to it, and a multilayer perceptron with
one hidden layer of 64 reads [u; v; |u - v|; u * v]. A known error: a headline that joins two body quotes looks
contextomized. In the variant ``second_quote`` (QuoteCSE++, by the same authors) v is the embedding of the two best
body quotes joined to one text, if the second is nearly as similar as the first.

This is a baseline for the shipped detector. Its weights hold only for vectors of the model that it was fitted with.
Unlike the shipped detector's, its score is not monotone in the support that the body gives.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol, Self, get_args

import numpy as np
import numpy.typing as npt

from quotelab.training.quotecse.perceptron import FitSettings, Perceptron, Vectors, fit_perceptron
from quotelake.errors import SettingsError
from quotelake.files.outputs import write_whole
from quotelake.text.ids import content_id

Encode = Callable[[Sequence[str]], Vectors]
Variant = Literal["base", "second_quote"]

SECOND_WITHIN = 0.0512  # largest difference in cosine at which the second quote is joined: default of the authors' code
_FORMAT = "quotecse-mlp-1"


class TrainingArticle(Protocol):
    """A headline quote and the quotes of its body, all without marks."""

    @property
    def headline_quote(self) -> str:
        """Text of the headline quote."""

    @property
    def body_quotes(self) -> Sequence[str]:
        """Texts of the body quotes in order."""


class LabelledArticle(TrainingArticle, Protocol):
    """An article that people labelled."""

    @property
    def label(self) -> int:
        """1 for contextomized, 0 for modified."""


def remember(encode: Encode) -> Encode:
    """Cache the vectors of an encoder, so that several fits on the same articles embed each text once."""
    known: dict[str, Vectors] = {}

    def encode_new(texts: Sequence[str]) -> Vectors:
        new = sorted({text for text in texts if text not in known})
        if new:
            known.update(zip(new, encode(new), strict=True))
        return np.array([known[text] for text in texts], dtype=np.float32)

    return encode_new


def pair_features(articles: Sequence[TrainingArticle], encode: Encode, variant: Variant = "base") -> Vectors:
    """Compute [u; v; |u - v|; u * v] of articles, shape (n, 4 d), from unit vectors.

    v is 0 for an article without body quotes. Of equally similar body quotes the first is taken.

    >>> class One:
    ...     headline_quote, body_quotes = "b", ["a", "b"]
    >>> plane = {"a": [0.0, 1.0], "b": [1.0, 0.0]}
    >>> pair_features([One()], lambda texts: np.array([plane[text] for text in texts], dtype=np.float32)).tolist()
    [[1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]]
    """
    if variant not in get_args(Variant):
        raise SettingsError(f"variant {variant!r} is unknown; use {' or '.join(get_args(Variant))}")
    encode = remember(encode)
    encode([text for article in articles for text in (article.headline_quote, *article.body_quotes)])
    headlines = encode([article.headline_quote for article in articles])
    chosen = [_matching_text(article, encode, variant) for article in articles]
    matches = np.zeros_like(headlines)
    present = [place for place, text in enumerate(chosen) if text is not None]
    if present:
        matches[present] = encode([text for text in chosen if text is not None])
    return np.concatenate([headlines, matches, np.abs(headlines - matches), headlines * matches], axis=1)


def _matching_text(article: TrainingArticle, encode: Encode, variant: Variant) -> str | None:
    quotes = list(article.body_quotes)
    if not quotes:
        return None
    cosines = encode(quotes) @ encode([article.headline_quote])[0]
    places: list[int] = np.argsort(-cosines, kind="stable").tolist()
    best, *others = places
    if variant == "second_quote" and others and cosines[best] - cosines[others[0]] <= SECOND_WITHIN:
        return f"{quotes[best]} {quotes[others[0]]}"
    return quotes[best]


class PerceptronDetector:
    """The published detector over an encoder: fit, predict, save, load.

    Args:
        encode: texts to unit vectors; see :func:`remember`.
        fingerprint: of the encoder's model, stored with the weights.
        variant: ``base`` or ``second_quote``.
        settings: of the fit.
    """

    def __init__(
        self, encode: Encode, fingerprint: str, variant: Variant = "base", settings: FitSettings | None = None
    ) -> None:
        self.encode, self.fingerprint, self.variant = encode, fingerprint, variant
        self.settings = settings or FitSettings()
        self.perceptron: Perceptron | None = None
        self.training_digest: str | None = None

    def fit(self, articles: Sequence[LabelledArticle]) -> Self:
        """Fit on labelled articles; replaces an earlier fit."""
        labels = [article.label for article in articles]
        self.perceptron = fit_perceptron(pair_features(articles, self.encode, self.variant), labels, self.settings)
        self.training_digest = content_id(*_fields(articles), *labels)
        return self

    def predict_proba(self, articles: Sequence[TrainingArticle]) -> npt.NDArray[np.float64]:
        """Probability that each headline quote is contextomized, shape (n,).

        Raises:
            SettingsError: the detector was neither fitted nor loaded.
        """
        if self.perceptron is None:
            raise SettingsError("the perceptron has no weights yet; fit it on labelled articles or load it")
        return self.perceptron(pair_features(articles, self.encode, self.variant))

    def save(self, path: Path, **record: Any) -> None:
        """Write weights, settings and training digest as JSON, with further ``record`` fields."""
        assert self.perceptron is not None, "fit before saving"
        content = {
            "format": _FORMAT,
            "variant": self.variant,
            "encoder": self.fingerprint,
            "settings": vars(self.settings),
            "training_digest": self.training_digest,
            **record,
            "weights": [[round(float(v), 8) for v in array.ravel()] for array in self.perceptron.weights],
        }
        write_whole(path, json.dumps(content) + "\n")

    @classmethod
    def load(cls, path: Path, encode: Encode, fingerprint: str) -> "PerceptronDetector":
        """Read what :meth:`save` wrote.

        Raises:
            SettingsError: the file is of another kind, or was fitted on the vectors of another model.
        """
        try:
            content = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise SettingsError(f"{path}: not a saved detector ({error})") from None
        if content.get("format") != _FORMAT:
            raise SettingsError(f"{path}: format is {content.get('format')!r}, expected {_FORMAT!r}; train it again")
        if content["encoder"] != fingerprint:
            raise SettingsError(
                f"{path}: fitted on vectors of model {content['encoder']}, this one is {fingerprint}; train it again"
            )
        detector = cls(encode, fingerprint, content["variant"], FitSettings(**content["settings"]))
        flat = [np.array(values, dtype=np.float32) for values in content["weights"]]
        hidden = len(flat[1])
        shapes = ((-1, hidden), (hidden,), (hidden, 1), (1,))
        first, first_bias, second, second_bias = (a.reshape(s) for a, s in zip(flat, shapes, strict=True))
        detector.perceptron = Perceptron((first, first_bias, second, second_bias))
        detector.training_digest = content["training_digest"]
        return detector


def _fields(articles: Iterable[TrainingArticle]) -> Iterator[str | int]:
    for article in articles:
        yield article.headline_quote
        yield len(article.body_quotes)
        yield from article.body_quotes


def mlp_detector(model: str, variant: Variant = "base", seed: int = 0) -> PerceptronDetector:
    """Make the published detector over a model named as in ``[model] name``; each text is embedded once.

    Vectors are float32 on all devices, so that saved weights can be used on each.
    """
    from quotelake.embeddings.encoder import Encoder

    encoder = Encoder(model, dtype="float32")
    return PerceptronDetector(remember(encoder.encode), encoder.fingerprint, variant, FitSettings(seed=seed))
