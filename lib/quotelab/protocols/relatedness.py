"""Protocol ``relatedness``: how well overlap, vectors and models rank pairs of sentences by relatedness (STR-2022).

Abdalla et al. 2023, §4 and §5. Published: Dice .57; mean over 5 folds of BERT .82 and RoBERTa .83, fine-tuned. The
terms of their file forbid redistribution, so it is read from wherever its user keeps it.
"""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from sklearn.model_selection import KFold

from quotelab.labels.sentences import SentencePair, as_texts, read_sentence_pairs
from quotelab.report import Report, progress
from quotelab.statistics import Numbers, Places, spearman
from quotelab.training.relatedness import Learn, evidence_of, learner
from quotelake.embeddings.encoder import Encoder

if TYPE_CHECKING:
    from quotelab.protocols.fine_tuned import FineTuning

FOLDS: Final = 5  # Abdalla et al. 2023, §5
FEWEST: Final = 20  # fewest pairs that a correlation is stated for


def evaluate(path: Path, encoder: Encoder, tuning: "FineTuning | None" = None) -> Report:
    """Correlate overlap, vectors and trained models with the scores of a file; see :func:`correlate`.

    With ``tuning``, the encoder is fine-tuned in each fold too (``fine_tuned``).
    """
    pairs = read_sentence_pairs(path)
    evidence = evidence_of([pair.first for pair in pairs], [pair.second for pair in pairs], encoder.encode)
    measures = {"dice": evidence.overlap[:, 0], "encoder": evidence.cosine}
    learn = learner(evidence, np.array([pair.score for pair in pairs]))
    if tuning is None:
        return correlate(pairs, measures, learn)
    texts, part = as_texts(pairs)
    tasks = [tuning.of_rows(number, texts, part, *rows) for number, rows in enumerate(folds_of(len(pairs)), 1)]
    found = tuning.run(tasks)
    return correlate(pairs, measures, lambda *rows: learn(*rows) | {"fine_tuned": ("squared", next(found))})


def folds_of(n: int) -> list[tuple[Places, Places]]:
    """Rows to train on and to test on of each fold; none for fewer pairs than folds."""
    return list(KFold(FOLDS, shuffle=True, random_state=0).split(range(n))) if n >= FOLDS else []


def correlate(pairs: Sequence[SentencePair], measures: Mapping[str, Numbers], learn: Learn) -> Report:
    """Correlate predictions with the scores of people.

    Measures need no training and give a number per pair; models are trained by ``learn``.

    Figures: Spearman correlation of each measure over all pairs; of each trained model the mean over five folds, with
    its standard deviation ``NAME_sd``. Rows: ``kind`` fold or source; of a model, a source has the mean over the folds.
    """
    scores, sources = np.array([pair.score for pair in pairs]), np.array([pair.source for pair in pairs])
    names = sorted({*sources.tolist()} - {""})
    figures: dict[str, float] = {"pairs": len(pairs), "sources": len(names)}
    figures |= {name: _spearman(values, scores) for name, values in measures.items()}
    rows: list[dict[str, Any]] = []
    found: dict[tuple[str, str], list[float]] = {}
    for number_of_fold, (train, test) in enumerate(folds_of(len(pairs)), 1):
        row: dict[str, Any] = {"kind": "fold", "fold": number_of_fold, "train": len(train), "test": len(test)}
        row |= {name: _spearman(values[test], scores[test]) for name, values in measures.items()}
        for model, (chosen, predicted) in learn(train, test).items():
            row |= {model: _spearman(predicted, scores[test]), f"{model}_chosen": chosen}
            found.setdefault((model, ""), []).append(row[model])
            for source in names:
                inside = sources[test] == source
                correlation = _spearman(predicted[inside], scores[test][inside])
                found.setdefault((model, source), []).append(correlation)
        rows.append(row)
        shown = (f"{value:.3f}" if isinstance(value, float) else str(value) for value in row.values())
        progress(", ".join(f"{name} {value}" for name, value in zip(row, shown, strict=True)))
    models = list(dict.fromkeys(model for model, _ in found))
    for model in models:
        figures |= {model: float(np.mean(found[model, ""])), f"{model}_sd": float(np.std(found[model, ""]))}
    for source in names:
        inside = sources == source
        row = {"kind": "source", "source": source, "pairs": int(inside.sum()), "mean": float(scores[inside].mean())}
        row |= {name: _spearman(values[inside], scores[inside]) for name, values in measures.items()}
        for model in models:
            known = [value for value in found[model, source] if not math.isnan(value)]
            row[model] = sum(known) / len(known) if known else math.nan
        rows.append(row)
    return Report("relatedness", figures, rows)


def _spearman(values: Numbers, scores: Numbers) -> float:
    return spearman(values, scores) if len(values) >= FEWEST else math.nan
