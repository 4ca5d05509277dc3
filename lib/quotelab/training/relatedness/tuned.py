"""Fine-tuning of the encoder itself for relatedness, and its blend with the models on stored vectors."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from quotelab.labels.sentence_pairs import SentencePair, texts_of
from quotelab.statistics import spearman
from quotelab.training.fine_tune import FineTuning, TextPairs, Vectors, best_vectors
from quotelab.training.loop import Say
from quotelab.training.relatedness.choice import Learn
from quotelab.training.relatedness.models import Numbers, Places

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
