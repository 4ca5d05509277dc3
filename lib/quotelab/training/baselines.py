"""Detectors to compare: each is trained on some rows and predicts probabilities for others."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from quotelab.labels.headline_quotes import LabelledQuote
from quotelab.training.contextomy import CLIPS, STRENGTHS, Vector, feature_matrix, fit
from quotelake.contextomy.features import FEATURE_SETS

FitPredict = Callable[[Sequence[LabelledQuote], Sequence[LabelledQuote]], Vector]

#: The columns of the rich set for a simple lexical baseline [measured: AUC .889].
PLAIN = (
    *(f"letters_containment_{size}_{which}" for size in (1, 2, 3) for which in ("best", "second", "union")),
    "letters_subsequence_best", "letters_length_log", "letters_best_length_log", "negation_differs",
)  # fmt: skip
#: Containment of 2-grams of syllables in the best two body quotes: the score before any detector was trained.
CONTAINMENT = ("letters_containment_2_pair",)


def detectors() -> Mapping[str, FitPredict]:
    """The shipped detector, the rich one, and two baselines. Features are computed once for all splits."""
    remember = {name: _Features(name) for name in FEATURE_SETS}
    return {
        "transfer": partial(_regression, remember["transfer"], None, STRENGTHS["transfer"], CLIPS["transfer"], True),
        "rich": partial(_regression, remember["rich"], None, STRENGTHS["rich"], CLIPS["rich"], False),
        "plain_lexical": partial(_regression, remember["rich"], PLAIN, (0.03, 0.1, 0.3), CLIPS["rich"], False),
        "containment": partial(_regression, remember["rich"], CONTAINMENT, (1.0,), CLIPS["rich"], True),
    }


def _regression(
    features: "_Features",
    columns: Sequence[str] | None,
    strengths: Sequence[float],
    clip: float,
    monotone: bool,
    train: Sequence[LabelledQuote],
    test: Sequence[LabelledQuote],
) -> Vector:
    labels = np.array([row.label for row in train], dtype=np.float64)
    chosen = features.columns(columns)
    return fit(features(train)[:, chosen], labels, strengths, clip, monotone).predict(features(test)[:, chosen])


class _Features:
    """Features of rows, computed once for each row."""

    def __init__(self, feature_set: str) -> None:
        self.feature_set = feature_set
        self.names = list(FEATURE_SETS[feature_set][0])
        self.known: dict[LabelledQuote, Vector] = {}

    def __call__(self, rows: Sequence[LabelledQuote]) -> Vector:
        new = [row for row in dict.fromkeys(rows) if row not in self.known]
        if new:
            matrix = feature_matrix(new, self.feature_set)
            self.known.update(zip(new, matrix, strict=True))
        return np.array([self.known[row] for row in rows])

    def columns(self, names: Sequence[str] | None) -> list[int]:
        return [self.names.index(name) for name in (self.names if names is None else names)]
