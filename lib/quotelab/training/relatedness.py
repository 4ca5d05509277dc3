"""Models of how related two sentences are, over vectors of an encoder that stays as it is, and the choice among them.

The choice is made inside the training part: every model predicts each of its pairs from a fit on the others (three
folds). The model with the highest Spearman correlation is taken; a blend of all, with non-negative weights, competes.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, Final

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import nnls
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import KFold

from quotelab.statistics import Numbers, Places, spearman
from quotelab.training.topic_head import Recipe, train_weights
from quotelake.topics.head import Vectors, project

FOLDS: Final = 3
#: Gain of Spearman that a model must bring over a simpler one [ours]: less is noise at these sizes.
LEAST_GAIN: Final = 0.001
#: Strengths of the pull of the head's matrix towards the identity that the choice may take [ours].
STRENGTHS: Final = (1.0, 3.0, 10.0)
#: Widths of the kernel, in median distances of training pairs, and ridges [ours].
WIDTHS: Final = (0.5, 1.0)
RIDGES: Final = (0.3, 1.0)
#: Weights of product, difference, mean and scalars in the distance of two pairs [ours].
_WEIGHTS: Final = (1.0, 1.0, 0.5, 0.3)
_TINY: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of n pairs without their scores: unit vectors of both sentences, (n, d), and :func:`overlaps`."""

    first: Vectors
    second: Vectors
    overlap: Numbers

    def take(self, rows: Places) -> "Evidence":
        """That of some pairs."""
        return Evidence(self.first[rows], self.second[rows], self.overlap[rows])

    @property
    def cosine(self) -> Numbers:
        """(n,) cosine of the two vectors."""
        return np.asarray(np.einsum("ij,ij->i", self.first, self.second, dtype=np.float64))

    @property
    def scalars(self) -> Numbers:
        """(n, 1 + k) cosine and overlap."""
        return np.column_stack([self.cosine, self.overlap])


Predict = Callable[[Evidence], Numbers]  # numbers for pairs, higher for more related ones, as a fitted model gives them
Fit = Callable[[Evidence, Numbers], Predict]  # fits a model on pairs and their scores in [0, 1]
#: From rows to train on and rows to predict to name → (what was chosen, a number per row to predict).
Learn = Callable[[Places, Places], dict[str, tuple[str, Numbers]]]


def evidence_of(first: Sequence[str], second: Sequence[str], encode: Callable[[list[str]], Vectors]) -> Evidence:
    """Embed sentences and their words, each different one once, and measure overlap."""
    texts = sorted({*first, *second})
    vectors = dict(zip(texts, encode(texts), strict=True))
    one, other = (np.array([vectors[text] for text in side]) for side in (first, second))
    return Evidence(one, other, overlaps(first, second, encode))


def overlaps(first: Sequence[str], second: Sequence[str], encode: Callable[[list[str]], Vectors]) -> Numbers:
    r"""Measures of the overlap of n pairs of sentences, each 0 (nothing in common) to 1, (n, 7).

    Dice coefficient ``2 |x & y| / (|x| + |y|)`` of the sets of lower-cased runs of ``\w``, which reproduces that of
    STR-2022 (Abdalla et al. 2023, §4); the same with tokens weighted by the logarithm of their rarity among the
    sentences; of neighbouring tokens; of letter trigrams; shorter over longer token count. Then how well each word
    finds a word like it in the other sentence: the highest cosine of vectors of words embedded alone, averaged by
    rarity (as Mihalcea et al. 2006 weigh similarities of words); mean of both sides, and least.
    """
    tokens = {text: re.findall(r"\w+", text.lower()) for text in (*first, *second)}
    found_in = Counter(word for words in tokens.values() for word in set(words))
    rarity = {word: math.log((1 + len(tokens)) / found_in[word]) for word in sorted(found_in)}
    vectors = dict(zip(rarity, encode(list(rarity)), strict=True))

    def dice(x: set[Any], y: set[Any], weight: Callable[[Any], float] = lambda _: 1.0) -> float:
        whole = math.fsum(map(weight, x)) + math.fsum(map(weight, y))
        return 2 * math.fsum(map(weight, x & y)) / whole if whole else 0.0

    def trigrams(words: Sequence[str]) -> set[str]:
        text = f" {' '.join(words)} "
        return {text[place : place + 3] for place in range(len(text) - 2)}

    rows = np.zeros((len(first), 7))
    for row, sides in zip(rows, zip(first, second, strict=True), strict=True):
        x, y = (tokens[text] for text in sides)
        row[:3] = dice({*x}, {*y}), dice({*x}, {*y}, rarity.__getitem__), dice({*pairwise(x)}, {*pairwise(y)})
        row[3], row[4] = dice(trigrams(x), trigrams(y)), min(len(x), len(y)) / max(len(x), len(y), 1)
        if x and y:
            cosines = np.array([vectors[word] for word in x]) @ np.array([vectors[word] for word in y]).T
            likeness = [
                np.average(cosines.max(axis=axis), weights=[rarity[word] for word in side])
                for axis, side in ((1, x), (0, y))
            ]
            row[5:] = np.mean(likeness), min(likeness)
    return rows


def cosine(_: Evidence, __: Numbers) -> Predict:
    """The cosine as it is: nothing is fitted."""
    return lambda pairs: pairs.cosine


def with_overlap(train: Evidence, scores: Numbers) -> Predict:
    """Ridge regression on cosine and overlap."""
    mean, spread = train.scalars.mean(axis=0), train.scalars.std(axis=0) + _TINY
    ridge = RidgeCV(alphas=np.logspace(-1, 3, 9)).fit((train.scalars - mean) / spread, scores)
    return lambda pairs: np.asarray(ridge.predict((pairs.scalars - mean) / spread), dtype=np.float64)


def linear_head(strength: float) -> Fit:
    """Cosine after a linear map, pulled to the identity, that ranks as scores do; where these are alike, as it is."""
    recipe = Recipe(strength=strength, seeds=1)

    def fit(train: Evidence, scores: Numbers) -> Predict:
        n = len(scores)
        if np.ptp(scores) <= recipe.margin:
            return cosine(train, scores)
        stacked, places = np.concatenate([train.first, train.second]), np.arange(n, dtype=np.int64)
        weights = train_weights(stacked, places, places + n, 1 + 3 * scores, recipe)  # scores of judgments, 1 to 4
        return lambda pairs: (
            Evidence(project(pairs.first, weights), project(pairs.second, weights), pairs.overlap).cosine
        )

    return fit


def kernel_ridge(width: float, ridge: float) -> Fit:
    """Kernel ridge regression on what :func:`with_overlap` leaves unexplained.

    Two pairs are alike if their products, differences and means of vectors and their overlap are; the kernel is
    ``exp(-(distance / (width * median distance)) ** 2)``. Far from all training pairs the prediction is that of
    :func:`with_overlap`.
    """

    def fit(train: Evidence, scores: Numbers) -> Predict:
        prior = with_overlap(train, scores)
        mean, spread = train.scalars.mean(axis=0), train.scalars.std(axis=0) + _TINY

        def place(pairs: Evidence) -> Vectors:
            parts = (
                pairs.first * pairs.second * np.float32(np.sqrt(pairs.first.shape[1])),
                np.abs(pairs.first - pairs.second),
                (pairs.first + pairs.second) / 2,
                (pairs.scalars - mean) / spread,
            )
            return np.hstack([part * weight for part, weight in zip(parts, _WEIGHTS, strict=True)]).astype(np.float32)

        def distances(one: Vectors, other: Vectors) -> Vectors:
            squares = (one * one).sum(axis=1)[:, None] + (other * other).sum(axis=1)[None, :]
            return np.asarray(np.maximum(squares - 2 * (one @ other.T), np.float32(0)), dtype=np.float32)

        known = place(train)
        apart = distances(known, known)
        unit = width**2 * float(np.median(apart))
        kernel = np.exp(-apart / unit)
        kernel[np.diag_indices_from(kernel)] += np.float32(ridge)
        left = cho_solve(cho_factor(kernel, overwrite_a=True), (scores - prior(train)).astype(np.float32))
        return lambda pairs: prior(pairs) + np.exp(-distances(place(pairs), known) / unit) @ left

    return fit


def candidates() -> dict[str, Fit]:
    """All models that the choice may take, the simpler ones first."""
    found: dict[str, Fit] = {"cosine": cosine, "cosine+overlap": with_overlap}
    found |= {f"head {strength:g}": linear_head(strength) for strength in STRENGTHS}
    return found | {f"kernel {width:g} {ridge:g}": kernel_ridge(width, ridge) for width in WIDTHS for ridge in RIDGES}


def learner(evidence: Evidence, scores: Numbers) -> Learn:
    """Choose and fit on some rows, predict others."""
    fits = candidates()

    def learn(train: Places, test: Places) -> dict[str, tuple[str, Numbers]]:
        chosen = choose(fits, evidence.take(train), scores[train])
        return {family: (label, predict(evidence.take(test))) for family, (label, predict) in chosen.items()}

    return learn


def choose(fits: Mapping[str, Fit], train: Evidence, scores: Numbers) -> dict[str, tuple[str, Predict]]:
    """Choose ``head``, without the kernels, and ``best`` among all: name with inner correlation, and fitted model."""
    folds = list(KFold(FOLDS, shuffle=True, random_state=0).split(scores))
    held_out = {name: np.empty(len(scores)) for name in fits}
    for name, fit in fits.items():
        for inside, outside in folds:
            held_out[name][outside] = fit(train.take(inside), scores[inside])(train.take(outside))
    final = cache(lambda name: fits[name](train, scores))
    plain = {name: values for name, values in held_out.items() if not name.startswith("kernel")}
    return {name: _best(among, scores, folds, final) for name, among in (("head", plain), ("best", held_out))}


def _best(
    held_out: dict[str, Numbers],
    scores: Numbers,
    folds: Sequence[tuple[Places, Places]],
    final: Callable[[str], Predict],
) -> tuple[str, Predict]:
    """The best single model, or the blend of all if it gains on it."""
    best, reached = "", -math.inf
    for name, predicted in held_out.items():
        found = _correlation(predicted, scores)
        if found > reached + LEAST_GAIN:
            best, reached = name, found
    matrix = np.column_stack(list(held_out.values()))
    mean, spread = matrix.mean(axis=0), matrix.std(axis=0) + _TINY
    columns, blended = (matrix - mean) / spread, np.empty(len(scores))
    for inside, outside in folds:
        blended[outside] = columns[outside] @ _weights(columns[inside], scores[inside])
    found = _correlation(blended, scores)
    if len(held_out) == 1 or found <= reached + LEAST_GAIN:
        return f"{best} ({reached:.3f})", final(best)
    weights = _weights(columns, scores)
    parts = [(name, *row) for name, *row in zip(held_out, weights, mean, spread, strict=True) if row[0] > 0]
    models = {name: final(name) for name, *_ in parts}
    label = " + ".join(f"{weight / weights.sum():.2f} {name}" for name, weight, *_ in parts)

    def predict(pairs: Evidence) -> Numbers:
        return np.asarray(np.sum([(models[name](pairs) - m) / s * weight for name, weight, m, s in parts], axis=0))

    return f"{label} ({found:.3f})", predict


def _weights(columns: Numbers, scores: Numbers) -> Numbers:
    """Non-negative least squares of the scores on standardised predictions."""
    return np.asarray(nnls(columns, scores - scores.mean())[0], dtype=np.float64)


def _correlation(predicted: Numbers, scores: Numbers) -> float:
    """Spearman correlation; -1 where either is constant, so that such a model is never taken."""
    return float(np.nan_to_num(spearman(predicted, scores), nan=-1.0))
