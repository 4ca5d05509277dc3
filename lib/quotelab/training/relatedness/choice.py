"""The choice among models of relatedness, made inside the training part.

Every model predicts each training pair from a fit on the other ones (three folds). The model with the highest Spearman
correlation is taken; blends of several models, with non-negative weights, compete too. A trained model that does worse
than the plain cosine there is not taken.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from scipy.optimize import nnls
from sklearn.model_selection import GroupKFold, KFold

from quotelab.labels.sentence_pairs import SentencePair, texts_of
from quotelab.statistics import spearman
from quotelab.training.fine_tune import FineTuning, TextPairs, Vectors, best_vectors
from quotelab.training.loop import Say
from quotelab.training.relatedness.models import Evidence, Fit, Numbers, Places, Predict, candidates, standardise

FOLDS: Final = 3
Learn = Callable[[Places, Places, Sequence[str] | None], dict[str, tuple[str, Numbers]]]
#: Gain of Spearman that a model must bring over a simpler one [ours]: less is noise at these sizes.
LEAST_GAIN: Final = 0.001


@dataclass(frozen=True, slots=True)
class Chosen:
    """A model fitted on all of the training part.

    Attributes:
        name: of the model, or of the blend's models with their weights.
        inner: its Spearman correlation on the training part, each pair predicted by a fit without it.
        predict: the model.
    """

    name: str
    inner: float
    predict: Predict


def inner_folds(n: int, groups: Sequence[str] | None, seed: int) -> list[tuple[Places, Places]]:
    """Rows to fit on and rows to predict of each inner fold.

    Args:
        n: pairs.
        groups: corpus of each pair, where the test part is of another corpus than the training part: then each fold
            holds out whole corpora. Fewer than three corpora are not held out.
        seed: of the random folds.
    """
    if groups is not None and len(set(groups)) >= FOLDS:
        return list(GroupKFold(FOLDS).split(np.zeros(n), groups=groups))
    return list(KFold(FOLDS, shuffle=True, random_state=seed).split(np.zeros(n)))


def choose(
    fits: Mapping[str, Fit],
    families: Mapping[str, Iterable[str]],
    train: Evidence,
    scores: Numbers,
    groups: Sequence[str] | None = None,
    seed: int = 0,
) -> dict[str, Chosen]:
    """Choose one model for each family of candidates.

    Args:
        fits: candidates by name, the simpler ones first.
        families: name of a family to the names of its candidates.
        train: evidence of the training pairs.
        scores: theirs.
        groups: see :func:`inner_folds`.
        seed: of the inner folds.
    """
    folds = inner_folds(len(scores), groups, seed)
    held_out: dict[str, Numbers] = {}
    for name, fit in fits.items():
        held_out[name] = np.empty(len(scores))
        for inside, outside in folds:
            held_out[name][outside] = fit(train.take(inside), scores[inside])(train.take(outside))
    fitted: dict[str, Predict] = {}

    def final(name: str) -> Predict:
        if name not in fitted:
            fitted[name] = fits[name](train, scores)
        return fitted[name]

    return {family: _best(list(names), held_out, scores, folds, final) for family, names in families.items()}


def learner(evidence: Evidence, scored: Sequence[float]) -> Learn:
    """Choose and fit on some rows, predict others: ``head`` without the kernels, ``best`` among all candidates.

    Returns:
        From rows to train on, rows to predict, and the corpora of the former where the latter are of another corpus,
        to family → (name of the chosen model and its inner correlation, a number per row to predict).
    """
    fits, scores = candidates(), np.array(scored, dtype=np.float64)
    families = {"head": [name for name in fits if not name.startswith("kernel")], "best": list(fits)}

    def learn(train: Places, test: Places, groups: Sequence[str] | None) -> dict[str, tuple[str, Numbers]]:
        chosen = choose(fits, families, evidence.take(train), scores[train], groups)
        known = evidence.take(test)
        return {family: (f"{each.name} ({each.inner:.3f})", each.predict(known)) for family, each in chosen.items()}

    return learn


def _best(
    names: Sequence[str],
    held_out: Mapping[str, Numbers],
    scores: Numbers,
    folds: Sequence[tuple[Places, Places]],
    final: Callable[[str], Predict],
) -> Chosen:
    """The best single model, or the blend of all if it gains on it."""
    best, reached = names[0], _spearman(held_out[names[0]], scores)
    for name in names[1:]:
        found = _spearman(held_out[name], scores)
        if found > reached + LEAST_GAIN:
            best, reached = name, found
    if len(names) > 1:
        columns, mean, spread = standardise({name: held_out[name] for name in names})
        blended = np.empty(len(scores))
        for inside, outside in folds:
            blended[outside] = columns[outside] @ _weights(columns[inside], scores[inside])
        found = _spearman(blended, scores)
        if found > reached + LEAST_GAIN:
            weights = _weights(columns, scores)
            parts = [
                (name, float(weight), float(mean[place]), float(spread[place]))
                for place, (name, weight) in enumerate(zip(names, weights, strict=True))
                if weight > 0
            ]
            models = {name: final(name) for name, *_ in parts}
            label = " + ".join(f"{weight / weights.sum():.2f} {name}" for name, weight, *_ in parts)
            return Chosen(
                label,
                found,
                lambda pairs: np.sum([(models[n](pairs) - m) / s * w for n, w, m, s in parts], axis=0),
            )
    return Chosen(best, reached, final(best))


def _weights(columns: Numbers, scores: Numbers) -> Numbers:
    """Non-negative least squares of the scores on standardised predictions."""
    return np.asarray(nnls(columns, scores - scores.mean())[0], dtype=np.float64)


def _spearman(predicted: Numbers, scores: Numbers) -> float:
    """Spearman correlation; -1 where either is constant, so that such a model is never taken."""
    return float(np.nan_to_num(spearman(predicted, scores), nan=-1.0))


#: Fine-tunes on pairs, stops by others, and embeds texts: see :func:`~quotelab.training.fine_tune.best_vectors`.
Tune = Callable[[TextPairs, TextPairs, Sequence[str]], Vectors]

DEV: Final = 0.1  # share of the training part that is held back to stop and to blend by [ours]
#: Weights of the fine-tuned cosine in the blend that the dev part chooses from [ours].
WEIGHTS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
RATE: Final = 5e-5  # learning rate: for MiniLM more than for the large models of Abdalla et al. 2023 [ours]
_SEED: Final = 0


def tuner(model: str, rates: Sequence[float] | None, epochs: int, work: Path, say: Say) -> Tune:
    """Fine-tune a model by the cosine-similarity loss, with the best of some learning rates on the dev part."""
    settings = [FineTuning("cosine", rate, epochs=epochs, patience=1) for rate in rates or [RATE]]
    return lambda train, dev, texts: best_vectors(model, train, dev, texts, settings, work, say)


def split_off_dev(rows: Places, seed: int = _SEED) -> tuple[Places, Places]:
    """Hold back a dev part of :data:`DEV` of the rows, drawn at random: rows to train on, and those held back.

    >>> train, dev = split_off_dev(np.arange(20))
    >>> len(train), len(dev), sorted({*train.tolist(), *dev.tolist()}) == list(range(20))
    (18, 2, True)
    """
    shuffled = np.random.default_rng(seed).permutation(rows)
    size = max(round(DEV * len(rows)), 2)
    return np.sort(shuffled[size:]), np.sort(shuffled[:size])


def with_fine_tuning(pairs: Sequence[SentencePair], frozen: Learn, tune: Tune) -> Learn:
    """Add ``fine_tuned`` to the models of another learner, and blend its ``best`` with it.

    The encoder is fine-tuned on nine tenths of the training part; the tenth left decides when to stop, and how much the
    fine-tuned cosine weighs in ``best`` beside the best model on stored vectors, which is then named ``best_frozen``.

    Args:
        pairs: all pairs.
        frozen: learner on stored vectors.
        tune: fine-tunes.
    """

    def learn(train: Places, test: Places, groups: Sequence[str] | None) -> dict[str, tuple[str, Numbers]]:
        found = frozen(train, test, groups)
        trained, dev = split_off_dev(train)
        texts = texts_of([pairs[row] for row in (*dev.tolist(), *test.tolist())])
        vectors = dict(zip(texts, tune(_text_pairs(pairs, trained), _text_pairs(pairs, dev), texts), strict=True))
        tuned_dev, tuned_test = (_cosines(pairs, rows, vectors) for rows in (dev, test))
        corpora = None if groups is None else [pairs[row].source for row in trained.tolist()]
        both = np.concatenate([dev, test])
        name, predicted = frozen(trained, both, corpora)["best"]
        frozen_dev, frozen_test = predicted[: len(dev)], predicted[len(dev) :]
        scores = np.array([pairs[row].score for row in dev.tolist()])
        weight = best_weight(frozen_dev, tuned_dev, scores)
        blend = _blended(frozen_dev, frozen_test, 1 - weight) + _blended(tuned_dev, tuned_test, weight)
        label = f"{weight:g} fine-tuned + {1 - weight:g} ({name})"
        return found | {"best_frozen": found["best"], "fine_tuned": ("", tuned_test), "best": (label, blend)}

    return learn


def best_weight(frozen: Numbers, tuned: Numbers, scores: Numbers) -> float:
    """Weight of the fine-tuned cosine with the highest Spearman correlation; of several, the smallest.

    >>> best_weight(np.array([1.0, 2, 3]), np.array([3.0, 1, 2]), np.array([3.0, 1, 2]))
    0.75
    """
    reached = []
    for weight in WEIGHTS:
        blend = _blended(frozen, frozen, 1 - weight) + _blended(tuned, tuned, weight)
        reached.append(np.nan_to_num(spearman(blend, scores), nan=-1.0))
    return WEIGHTS[int(np.argmax(reached))]


def _blended(dev: Numbers, values: Numbers, weight: float) -> Numbers:
    """Values in deviations of the dev part, weighted."""
    return np.asarray(weight * (values - dev.mean()) / (dev.std() + 1e-9))


def _text_pairs(pairs: Sequence[SentencePair], rows: Places) -> TextPairs:
    chosen = [pairs[row] for row in rows.tolist()]
    return TextPairs([pair.first for pair in chosen], [pair.second for pair in chosen], [pair.score for pair in chosen])


def _cosines(pairs: Sequence[SentencePair], rows: Places, vectors: dict[str, Vectors]) -> Numbers:
    chosen = [pairs[row] for row in rows.tolist()]
    return np.array([float(vectors[pair.first] @ vectors[pair.second]) for pair in chosen], dtype=np.float64)
