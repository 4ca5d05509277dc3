"""Fit the published detector on labelled articles and write it as JSON, with figures on held-out articles.

The detector itself is :mod:`quotelab.training.quotecse.baseline`.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from quotelab.training.quotecse.articles import QuotedArticle, part_of, read_articles
from quotelab.training.quotecse.baseline import Variant, mlp_detector
from quotelake.errors import InputError

_FEWEST = 10  # articles of each label


def train_detector(labels: Path, model: str, variant: Variant, out: Path, seed: int = 0) -> dict[str, float]:
    """Fit on the labelled articles of a JSONL file and write the detector.

    A tenth of the articles, chosen by hash, is held out for the figures; the detector is fitted on all others.

    Args:
        labels: rows with ``headline_quote``, ``body_quotes``, ``label``.
        model: encoder, named as in ``[model] name``.
        variant: ``base`` or ``second_quote``.
        out: file to write.
        seed: of the fit.

    Returns:
        ``accuracy`` and ``f1`` of label 1 at .5; the numbers of articles ``fitted`` on and ``kept_out``.

    Raises:
        InputError: the file has another form or too few articles of a label.
    """
    articles = read_articles(labels, labelled=True)
    fitted = [article for article in articles if part_of(article.article) != "test"]
    kept_out = [article for article in articles if part_of(article.article) == "test"]
    for label in (0, 1):
        if (count := sum(article.label == label for article in fitted)) < _FEWEST:
            raise InputError(f"{labels}: {count} articles of label {label} to fit on; at least {_FEWEST} are needed")
    detector = mlp_detector(model, variant, seed).fit([_Labelled(article) for article in fitted])
    figures = _figures(kept_out, detector.predict_proba(kept_out)) if kept_out else {}
    figures |= {"fitted": len(fitted), "kept_out": len(kept_out)}
    detector.save(out, figures=figures)
    return figures


class _Labelled:
    """An article whose label was checked."""

    def __init__(self, article: QuotedArticle) -> None:
        assert article.label is not None  # read_articles(labelled=True) refuses it
        self.headline_quote, self.body_quotes, self.label = article.headline_quote, article.body_quotes, article.label


def _figures(articles: Sequence[QuotedArticle], probabilities: npt.NDArray[np.float64]) -> dict[str, float]:
    truth = np.array([article.label for article in articles])
    found = (probabilities >= 0.5).astype(int)
    both, either = int((truth & found).sum()), int(truth.sum() + found.sum())
    return {"accuracy": float((truth == found).mean()), "f1": 2 * both / either if either else 0.0}
