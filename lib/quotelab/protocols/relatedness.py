r"""Protocol ``relatedness``: how well overlap, vectors and models rank pairs of sentences by relatedness (STR-2022).

Abdalla et al. 2023, §4 and §5. Published: Dice .57; mean over 5 folds of BERT .82 and RoBERTa .83, fine-tuned. The file
``sem_text_rel_ranked.csv`` has the columns SourceID, PairID, Text (two sentences with a newline between) and Score (0
to 1). Its terms forbid redistribution, so it is read from wherever its user keeps it.
"""

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from sklearn.model_selection import KFold

from quotelab.labels.tables import number, table_rows
from quotelab.report import Report, progress
from quotelab.statistics import Numbers, spearman
from quotelab.training.relatedness import Learn, evidence_of, learner
from quotelake.embeddings.encoder import Encoder
from quotelake.files.jsonl import refuse

FOLDS: Final = 5  # Abdalla et al. 2023, §5
FEWEST: Final = 20  # fewest pairs that a correlation is stated for
#: What stands between the sentences: a newline, or what became of it in an export.
_BETWEEN: Final = (r"\n", r"\r", r"\\n", r"\t")


class SentencePair(NamedTuple):
    """Two sentences, their corpus (empty where the file names none), and their score from 0 to 1 by people."""

    source: str
    first: str
    second: str
    score: float


def read_sentence_pairs(path: Path) -> list[SentencePair]:
    """Read pairs in their order; only Text and Score are needed. An older edition names the source in DocID."""
    pairs: list[SentencePair] = []
    for place, row in table_rows(path, ("Text", "Score"), optional=("SourceID", "DocID")):
        divided = ([each.strip() for each in re.split(mark, row["Text"]) if each.strip()] for mark in _BETWEEN)
        sentences = next((found for found in divided if len(found) > 1), [row["Text"]])
        if len(sentences) != 2:
            refuse(place, f"{len(sentences)} sentences in Text", "give two, with a newline between")
        score = number(place, row["Score"])
        if not 0 <= score <= 1:
            refuse(place, f"the score {row['Score']}", "give one from 0 to 1")
        pairs.append(SentencePair(row["SourceID"].strip() or row["DocID"].strip(), sentences[0], sentences[1], score))
    return pairs or refuse(str(path), "no pair", "give a row for each pair")


def evaluate(path: Path, encoder: Encoder) -> Report:
    """Correlate overlap, vectors and trained models with the scores of a file; see :func:`correlate`."""
    pairs = read_sentence_pairs(path)
    evidence = evidence_of([pair.first for pair in pairs], [pair.second for pair in pairs], encoder.encode)
    measures = {"dice": evidence.overlap[:, 0], "encoder": evidence.cosine}
    return correlate(pairs, measures, learner(evidence, np.array([pair.score for pair in pairs])))


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
    folds = KFold(FOLDS, shuffle=True, random_state=0).split(scores) if len(pairs) >= FOLDS else ()
    for number_of_fold, (train, test) in enumerate(folds, 1):
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
