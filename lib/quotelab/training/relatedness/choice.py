"""The choice among models of relatedness, made inside the training part.

Every model predicts each training pair from a fit on the other ones (three folds). The model with the highest Spearman
correlation is taken; blends of several models, with non-negative weights, compete too. A trained model that does worse
than the plain cosine there is not taken.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.optimize import nnls
from sklearn.model_selection import GroupKFold, KFold

from quotelab.statistics import spearman
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
