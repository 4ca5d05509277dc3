"""Protocol ``relatedness``: how well measures and models rank pairs of sentences by relatedness (STR-2022).

Abdalla et al. 2023, §4 and §5. Published: Dice .57; mean over 5 folds of BERT .82 and RoBERTa .83, fine-tuned.
"""

import argparse
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from scipy.stats import spearmanr
from sklearn.model_selection import KFold

from quotelab.labels.sentence_pairs import SentencePair, read_sentence_pairs
from quotelab.protocols.evaluate import encoder_of, only_file
from quotelab.report import Report, progress
from quotelab.training.overlap import mean_vector_cosines
from quotelab.training.relatedness.choice import learner
from quotelab.training.relatedness.models import evidence_of

Numbers = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]
#: Predictions of trained models: from the rows to train on, the rows to predict, and the corpora of the former where
#: the latter are of another corpus, to name of model → (what was chosen, a number per row to predict).
Learn = Callable[[Places, Places, Sequence[str] | None], Mapping[str, tuple[str, Numbers]]]

FOLDS: Final = 5  # Abdalla et al. 2023, §5
#: Fewest pairs of a corpus that a correlation within it is stated for.
FEWEST: Final = 20
_SEED: Final = 0


def evaluate(
    pairs: Sequence[SentencePair],
    untrained: Mapping[str, Numbers],
    learn: Learn,
    say: Callable[[str], None] = lambda line: None,
) -> Report:
    """Correlate predictions with the scores of people.

    Args:
        pairs: with their scores.
        untrained: measures that need no training, by name: a number per pair.
        learn: trains models and predicts by them.
        say: called with a line for each part that was trained.

    Returns:
        Spearman correlation of each measure over all pairs; of each trained model the mean over five folds, with its
        standard deviation ``NAME_sd``, and ``NAME_other_sources``, the mean over corpora of what models say that were
        trained on the other corpora. Rows: ``kind`` fold, source or subset. In a row of a source ``NAME`` is the mean
        over the folds' pairs of that source, and ``NAME_other_sources`` is trained on the others.
    """
    scores = np.array([pair.score for pair in pairs])
    sources = [pair.source for pair in pairs]
    names = sorted(set(sources) - {""})
    figures: dict[str, float] = {"pairs": len(pairs), "sources": len(names)}
    figures |= {name: spearman(values, scores) for name, values in untrained.items()}
    rows: list[dict[str, Any]] = []
    of_source: dict[str, dict[str, list[float]]] = {name: {} for name in names}
    for number, (train, test) in enumerate(_folds(len(pairs)), 1):
        row: dict[str, Any] = {"kind": "fold", "fold": number, "train": len(train), "test": len(test)}
        row |= {name: spearman(values[test], scores[test]) for name, values in untrained.items()}
        for name, (chosen, predicted) in learn(train, test, None).items():
            row |= {name: spearman(predicted, scores[test]), f"{name}_chosen": chosen}
            for source in names:
                inside = np.array([sources[place] == source for place in test])
                found = spearman(predicted[inside], scores[test][inside])
                of_source[source].setdefault(name, []).append(found)
        rows.append(row)
        say(_line(f"fold {number}", row))
    trained = [name.removesuffix("_chosen") for name in rows[0] if name.endswith("_chosen")] if rows else []
    for name in trained:
        values = np.array([row[name] for row in rows])
        figures |= {name: float(values.mean()), f"{name}_sd": float(values.std())}
    by_source = [_source_row(source, sources, scores, untrained, of_source[source], learn, say) for source in names]
    for name in trained if len(names) > 1 else ():
        figures[f"{name}_other_sources"] = _mean([row.get(f"{name}_other_sources", math.nan) for row in by_source])
    rows += [*by_source, *subset_rows(pairs)]
    return Report("relatedness", figures, [_finite(row) for row in rows])


def _source_row(
    source: str,
    sources: Sequence[str],
    scores: Numbers,
    untrained: Mapping[str, Numbers],
    in_folds: Mapping[str, Sequence[float]],
    learn: Learn,
    say: Callable[[str], None],
) -> dict[str, Any]:
    inside = np.array([each == source for each in sources])
    row: dict[str, Any] = {
        "kind": "source",
        "source": source,
        "pairs": int(inside.sum()),
        "mean": scores[inside].mean(),
    }
    row |= {name: spearman(values[inside], scores[inside]) for name, values in untrained.items()}
    row |= {name: _mean(found) for name, found in in_folds.items()}
    if (~inside).sum() >= FOLDS:  # fewer train nothing
        test, train = np.flatnonzero(inside), np.flatnonzero(~inside)
        others = [sources[place] for place in train.tolist()]
        for name, (chosen, predicted) in learn(train, test, others).items():
            row |= {f"{name}_other_sources": spearman(predicted, scores[test]), f"{name}_chosen": chosen}
    say(_line(source, row))
    return row


def subset_rows(pairs: Sequence[SentencePair]) -> list[dict[str, Any]]:
    """Mean and spread of the scores of each way in which pairs were sampled from a corpus."""
    groups: dict[tuple[str, str], list[float]] = {}
    for pair in pairs:
        if pair.subset:
            groups.setdefault((pair.source, pair.subset), []).append(pair.score)
    return [
        {"kind": "subset", "source": source, "subset": subset, "pairs": len(found), "mean": float(np.mean(found)),
         "sd": float(np.std(found))}
        for (source, subset), found in sorted(groups.items())
    ]  # fmt: skip


def spearman(values: Numbers, scores: Numbers) -> float:
    """Spearman correlation over the pairs that have a value; NaN for few pairs, or where one side is constant."""
    given = np.isfinite(values)
    if given.sum() < FEWEST or np.ptp(values[given]) == 0 or np.ptp(scores[given]) == 0:
        return math.nan
    return float(spearmanr(values[given], scores[given]).statistic)


def _folds(n: int) -> list[tuple[Places, Places]]:
    return list(KFold(FOLDS, shuffle=True, random_state=_SEED).split(np.zeros(n))) if n >= FOLDS else []


def _mean(values: Sequence[float]) -> float:
    """Mean of the defined values; NaN if there are none."""
    defined = [value for value in values if not math.isnan(value)]
    return sum(defined) / len(defined) if defined else math.nan


def _line(name: str, row: Mapping[str, Any]) -> str:
    figures = ", ".join(
        f"{key} {value:.3f}" for key, value in row.items() if isinstance(value, float) and key not in ("mean", "sd")
    )
    chosen = "; ".join(f"{key.removesuffix('_chosen')} is {value}" for key, value in row.items() if "_chosen" in key)
    return f"{name}: {figures}; {chosen}"


def _finite(row: Mapping[str, Any]) -> dict[str, Any]:
    """JSON has no NaN: what is undefined becomes null."""
    return {key: None if isinstance(value, float) and math.isnan(value) else value for key, value in row.items()}


def report(options: argparse.Namespace) -> Report:
    """The protocol as the command runs it."""
    pairs, encoder = read_sentence_pairs(only_file(options)), encoder_of(options)
    evidence = evidence_of(pairs, encoder.encode)
    untrained = {"dice": evidence.overlap[:, 0], "encoder": evidence.cosine}
    if options.word_vectors:
        untrained["word_vectors"] = mean_vector_cosines(pairs, options.word_vectors)
    learn = learner(evidence, [pair.score for pair in pairs])
    if options.fine_tune is not None:
        from quotelab.training.relatedness.choice import tuner, with_fine_tuning

        tune = tuner(encoder.model, options.rates, options.epochs, options.work, progress)
        learn = with_fine_tuning(pairs, learn, tune)
    return evaluate(pairs, untrained, learn, progress)
