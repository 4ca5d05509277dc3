"""Protocol ``contextomy``: the shipped detector on labelled headline quotes; it is not trained or adjusted on them."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from quotelab.labels.headlines import LabelledQuote, read_labelled
from quotelab.report import Report
from quotelab.statistics import auc, average_precision, brier, calibration_error, f1, ratio
from quotelake.article import Encode
from quotelake.contextomy.detector import load
from quotelake.contextomy.features import extract
from quotelake.settings import load_settings
from quotelake.text.language import detect_language, normalise_language


def evaluate(path: Path, encode: Encode | None = None) -> Report:
    """Score each row, with cosines where there is an encoder, and compare the scores with the labels.

    A row of the report is a headline quote, with the contribution of each feature to its score.
    """
    rows = read_labelled(path)
    detector = load()
    known = cosines(rows, encode) if encode else [None] * len(rows)
    both = zip(rows, known, strict=True)
    scores = np.array([detector.score(row.headline_quote, row.body_quotes, cosine) for row, cosine in both])
    labels = np.array([row.label for row in rows], dtype=np.float64)
    called = scores >= detector.threshold.value
    right = float(labels[called].sum())
    figures: dict[str, float] = {
        "rows": len(rows),
        "contextomized": int(labels.sum()),
        "with_cosine": sum(cosine is not None for cosine in known),
        "auc": auc(labels, scores),
        "f1": f1(labels, called),
        "precision": ratio(right, float(called.sum())),
        "recall": ratio(right, float(labels.sum())),
        "average_precision": average_precision(labels, scores),
        "brier": brier(labels, scores),
        "ece": calibration_error(labels, scores),
    }
    details = []
    for line, (row, score, cosine) in enumerate(zip(rows, scores, known, strict=True), 1):
        evidence = detector.explain(extract(row.headline_quote, row.body_quotes), cosine)
        adds = {each.name: round(each.adds, 6) for each in evidence}
        details.append({"row": line, "label": row.label, "score": round(float(score), 6), "adds": adds})
    return Report("contextomy", figures, details)


def cosines(rows: Sequence[LabelledQuote], encode: Encode) -> list[float | None]:
    """Highest cosine of each headline quote with a body quote; None where the model does not know the language."""
    settings = load_settings()
    ingest = settings.ingest

    def is_known(row: LabelledQuote) -> bool:
        text = "\n".join((row.headline_quote, *row.body_quotes))
        found = normalise_language(row.language)
        found = found or detect_language(text, ingest.languages, ingest.language_confidence)
        return found in settings.model.languages

    bodies = [row.body_quotes if is_known(row) else () for row in rows]
    pairs = list(zip(rows, bodies, strict=True))
    texts = sorted({text for row, body in pairs if body for text in (row.headline_quote, *body)})
    vectors = dict(zip(texts, encode(texts), strict=True)) if texts else {}
    return [
        max((float(vectors[text] @ vectors[row.headline_quote]) for text in body), default=None) for row, body in pairs
    ]
