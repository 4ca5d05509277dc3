"""Models of the relatedness of two sentences, over vectors of an encoder that stays as it is.

Each is fitted on pairs with scores and then gives a number for any pair, higher for more related sentences.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.linalg import cho_factor, cho_solve
from sklearn.linear_model import RidgeCV

from quotelab.labels.sentence_pairs import SentencePair, texts_of
from quotelab.training.overlap import overlaps, rarities, tokens
from quotelab.training.topic_head import Recipe, train_weights
from quotelake.topics.head import project

Numbers = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]
Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of n pairs without their scores.

    Attributes:
        first: (n, d) unit vectors of one sentence of each pair.
        second: (n, d) those of the other.
        overlap: (n, k) measures of lexical overlap.
    """

    first: Vectors
    second: Vectors
    overlap: Numbers

    def take(self, rows: Places) -> "Evidence":
        """The evidence of some pairs."""
        return Evidence(self.first[rows], self.second[rows], self.overlap[rows])

    @property
    def cosine(self) -> Numbers:
        """(n,) cosine of the two vectors."""
        return np.asarray(np.einsum("ij,ij->i", self.first, self.second, dtype=np.float64))

    @property
    def scalars(self) -> Numbers:
        """(n, 1 + k) cosine and overlap."""
        return np.column_stack([self.cosine, self.overlap])


def evidence_of(pairs: Sequence[SentencePair], encode: Callable[[Sequence[str]], Vectors]) -> Evidence:
    """Embed the sentences of pairs and their words, each different one once, and measure overlap and alignment."""
    texts = texts_of(pairs)
    place = {text: row for row, text in enumerate(texts)}
    vectors = encode(texts)
    first, second = ([getattr(pair, side) for pair in pairs] for side in ("first", "second"))
    one, other = (vectors[[place[text] for text in side]] for side in (first, second))
    return Evidence(one, other, np.hstack([overlaps(first, second), alignments(first, second, encode)]))


def alignments(first: Sequence[str], second: Sequence[str], encode: Callable[[Sequence[str]], Vectors]) -> Numbers:
    """How well each word of a sentence finds a word like it in the other one, (n, 2): mean of both sides, and least.

    A word's likeness is the highest cosine of its vector, embedded alone, with one of the other sentence; a sentence
    has the mean of its words, each weighted by its rarity (as Mihalcea et al. 2006 weigh similarities of words).
    """
    words_of = {text: tokens(text) for text in (*first, *second)}
    rarity = rarities(words_of.values())
    vocabulary = sorted(rarity)
    place = {word: row for row, word in enumerate(vocabulary)}
    vectors = encode(vocabulary)
    weights = np.array([rarity[word] for word in vocabulary])
    rows = {text: np.array([place[word] for word in words], dtype=np.int64) for text, words in words_of.items()}
    found = np.zeros((len(first), 2))
    for number, (one, other) in enumerate(zip(first, second, strict=True)):
        x, y = rows[one], rows[other]
        if len(x) and len(y):
            cosines = vectors[x] @ vectors[y].T
            sides = [
                float(np.average(cosines.max(axis=axis), weights=weights[mine])) for axis, mine in ((1, x), (0, y))
            ]
            found[number] = np.mean(sides), min(sides)
    return found


#: Numbers for pairs, as a fitted model gives them.
Predict = Callable[[Evidence], Numbers]
#: Fits a model on pairs and their scores in [0, 1].
Fit = Callable[[Evidence, Numbers], Predict]

#: Strengths of the pull of the head's matrix towards the identity that the choice may take [ours].
STRENGTHS: Final = (1.0, 3.0, 10.0)
#: Widths of the kernel, in median distances of training pairs, and ridges [ours].
WIDTHS: Final = (0.5, 1.0)
RIDGES: Final = (0.3, 1.0)
#: Weights of product, difference, mean and scalars in the distance of two pairs [ours].
_WEIGHTS: Final = (1.0, 1.0, 0.5, 0.3)


def cosine(_: Evidence, __: Numbers) -> Predict:
    """The cosine as it is: nothing is fitted."""
    return lambda pairs: pairs.cosine


def with_overlap(train: Evidence, scores: Numbers) -> Predict:
    """Ridge regression on cosine and overlap."""
    mean, spread = train.scalars.mean(axis=0), train.scalars.std(axis=0) + 1e-9
    ridge = RidgeCV(alphas=np.logspace(-1, 3, 9)).fit((train.scalars - mean) / spread, scores)
    return lambda pairs: np.asarray(ridge.predict((pairs.scalars - mean) / spread), dtype=np.float64)


def linear_head(strength: float) -> Fit:
    """Cosine after a linear map W, trained so that pairs rank as their scores do.

    See :func:`~quotelab.training.topic_head.train_weights`. The cosine as it is, where scores are too alike to rank.

    Args:
        strength: of the pull of W towards the identity.
    """

    def fit(train: Evidence, scores: Numbers) -> Predict:
        n = len(scores)
        if np.ptp(scores) <= Recipe().margin:
            return cosine(train, scores)
        stacked = np.concatenate([train.first, train.second])
        places = np.arange(n, dtype=np.int64)
        recipe = Recipe(strength=strength, seeds=1)
        weights = train_weights(stacked, places, places + n, 1 + 3 * scores, recipe)  # scores of judgments, 1 to 4

        def predict(pairs: Evidence) -> Numbers:
            first, second = (project(side, weights) for side in (pairs.first, pairs.second))
            return Evidence(first, second, pairs.overlap).cosine

        return predict

    return fit


def kernel_ridge(width: float, ridge: float) -> Fit:
    """Kernel ridge regression on what :func:`with_overlap` leaves unexplained.

    Two pairs are alike if their products, differences and means of vectors and their overlap are; the kernel is
    ``exp(-(distance / (width * median distance)) ** 2)``. Far from all training pairs the prediction is that of
    :func:`with_overlap`.
    """

    def fit(train: Evidence, scores: Numbers) -> Predict:
        prior = with_overlap(train, scores)
        mean, spread = train.scalars.mean(axis=0), train.scalars.std(axis=0) + 1e-9

        def place(pairs: Evidence) -> Vectors:
            both = (
                pairs.first * pairs.second * np.float32(np.sqrt(pairs.first.shape[1])),
                np.abs(pairs.first - pairs.second),
                (pairs.first + pairs.second) / 2,
                (pairs.scalars - mean) / spread,
            )
            return np.hstack([part * weight for part, weight in zip(both, _WEIGHTS, strict=True)]).astype(np.float32)

        known = place(train)
        apart = _distances(known, known)
        unit = width**2 * float(np.median(apart))
        kernel = np.exp(-apart / unit)
        kernel[np.diag_indices_from(kernel)] += np.float32(ridge)
        left = cho_solve(cho_factor(kernel, overwrite_a=True), (scores - prior(train)).astype(np.float32))
        return lambda pairs: prior(pairs) + np.exp(-_distances(place(pairs), known) / unit) @ left

    return fit


def candidates() -> dict[str, Fit]:
    """All models that the choice may take, the simpler ones first."""
    found: dict[str, Fit] = {"cosine": cosine, "cosine+overlap": with_overlap}
    found |= {f"head {strength:g}": linear_head(strength) for strength in STRENGTHS}
    found |= {f"kernel {width:g} {ridge:g}": kernel_ridge(width, ridge) for width in WIDTHS for ridge in RIDGES}
    return found


def standardise(columns: Mapping[str, Numbers]) -> tuple[Numbers, Numbers, Numbers]:
    """Predictions as a matrix of columns with mean 0 and deviation 1; and the means and deviations."""
    matrix = np.column_stack(list(columns.values()))
    mean, spread = matrix.mean(axis=0), matrix.std(axis=0) + 1e-9
    return (matrix - mean) / spread, mean, spread


def _distances(one: Vectors, other: Vectors) -> Vectors:
    """Squared Euclidean distances of rows."""
    squares = (one * one).sum(axis=1)[:, None] + (other * other).sum(axis=1)[None, :]
    return np.asarray(np.maximum(squares - 2 * (one @ other.T), np.float32(0)), dtype=np.float32)
