"""Protocol ``quotecse``: the 15 splits of Song et al. (Findings of EACL 2023, §5), for any detectors.

80:20, stratified by label, with seeds 0, 10, …, 140. A detector is trained on the 80 % and predicts the 20 %; all its
choices are made inside the training part. F1 is of label 1 at .5, ``auc_hard`` the AUC of the predicted labels, which
the authors' code computes, ``auc`` that of the probabilities.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.model_selection import train_test_split

from quotelab.labels.headlines import LabelledQuote, read_labelled
from quotelab.report import Report, progress
from quotelab.statistics import Numbers, auc, brier, calibration_error, f1, lower_bound
from quotelab.training.contextomy import feature_matrix, fit
from quotelake.contextomy.features import spell
from quotelake.contextomy.letters import best_pair, found_bits, ngrams
from quotelake.files.jsonl import refuse

SEEDS = tuple(range(0, 150, 10))
TEST_SHARE, HARD = 0.2, 0.5
FEWEST = 8  # rows of each label: four fifths of them are the 5 that a detector is trained on at least
#: F1 and AUC of hard predictions as published [Song et al. 2023, table 2 and ablations].
PUBLISHED = {
    "BERT": (0.665, 0.662),
    "SBERT": (0.440, 0.591),
    "SimCSE-Quote": (0.690, 0.686),
    "SimCSE-NLI": (0.617, 0.623),
    "fine-tuned BERT": (0.754, 0.749),
    "QuoteCSE": (0.770, 0.768),
    "QuoteCSE without its positive": (0.700, 0.690),
    "QuoteCSE without the hard negative": (0.674, 0.673),
}
#: Probabilities of label 1 for test rows, after training on others.
FitPredict = Callable[[Sequence[LabelledQuote], Sequence[LabelledQuote]], Numbers]


def evaluate(path: Path, detectors: Mapping[str, FitPredict] | None = None) -> Report:
    """Run detectors, by name, ours unless given, over all splits of labelled rows, such as the 1,600 of the paper.

    Figures: For each detector ``<name>_f1``, ``_auc_hard``, ``_auc``, ``_brier`` (means), ``_ece`` (pooled), and
    ``_f1_over_published``, ``_auc_hard_over_published``: the lower 95 % bound of the mean difference to QuoteCSE, by a
    bootstrap over the splits. Rows: one per detector with standard errors, then the published ones.
    """
    rows = read_labelled(path)
    labels = np.array([row.label for row in rows], dtype=np.float64)
    for label in (0, 1):
        if (n := int((labels == label).sum())) < FEWEST:
            refuse(str(path), f"{n} rows of label {label}", f"give {FEWEST} or more: each split trains on four fifths")
    splits = [
        train_test_split(np.arange(len(rows)), test_size=TEST_SHARE, random_state=seed, stratify=labels)
        for seed in SEEDS
    ]
    figures: dict[str, float] = {"rows": len(rows), "splits": len(splits)}
    details: list[dict[str, Any]] = []
    for name, fit_predict in (detectors or _detectors()).items():
        predicted: list[Numbers] = []
        for number, (train, test) in enumerate(splits, 1):
            predicted.append(fit_predict([rows[place] for place in train], [rows[place] for place in test]))
            progress(f"{name}: split {number} of {len(splits)}")
        pairs = [(labels[test], scores) for (_, test), scores in zip(splits, predicted, strict=True)]
        by_split = {
            "f1": np.array([f1(truth, scores >= HARD) for truth, scores in pairs]),
            "auc_hard": np.array([auc(truth, (scores >= HARD).astype(np.float64)) for truth, scores in pairs]),
            "auc": np.array([auc(truth, scores) for truth, scores in pairs]),
            "brier": np.array([brier(truth, scores) for truth, scores in pairs]),
        }
        found = {figure: float(values.mean()) for figure, values in by_split.items()}
        found["ece"] = calibration_error(np.concatenate([truth for truth, _ in pairs]), np.concatenate(predicted))
        for figure, published in zip(("f1", "auc_hard"), PUBLISHED["QuoteCSE"], strict=True):
            found[f"{figure}_over_published"] = lower_bound(by_split[figure] - published)
        figures |= {f"{name}_{figure}": value for figure, value in found.items()}
        errors = {f"{each}_se": float(values.std(ddof=1) / len(values) ** 0.5) for each, values in by_split.items()}
        lists = {each: values.tolist() for each, values in by_split.items()}
        details.append({"detector": name, **found, **errors, "by_split": lists})
    details += [{"detector": name, "published": True, "f1": f, "auc_hard": a} for name, (f, a) in PUBLISHED.items()]
    return Report("quotecse", figures, details)


def _detectors() -> Mapping[str, FitPredict]:
    """The shipped detector, and a baseline: the score before any detector was trained."""
    support = _Regression(lambda row: feature_matrix([row]).ravel())
    return {"transfer": support, "containment": _Regression(_containment, (1.0,), 5.0)}


def _containment(row: LabelledQuote) -> Numbers:
    """Share of the headline quote's 2-grams of syllables that stand in the best two body quotes together."""
    headline, quotes = spell(row.headline_quote, row.body_quotes)
    grams = ngrams(headline.letters, 2)
    found = best_pair([found_bits(grams, quote.letters) for quote in quotes]) if headline.letters else 0
    return np.array([found / len(grams)])


class _Regression:
    """A regression on features, which are computed once for all splits."""

    def __init__(self, features: Callable[[LabelledQuote], Numbers], *chosen: Any) -> None:
        self.features, self.chosen = cache(features), chosen

    def __call__(self, train: Sequence[LabelledQuote], test: Sequence[LabelledQuote]) -> Numbers:
        labels = np.array([row.label for row in train], dtype=np.float64)
        known, new = (np.array([self.features(row) for row in rows]) for rows in (train, test))
        return fit(known, labels, *self.chosen).predict(new)
