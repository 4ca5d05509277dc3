"""How relatedness goes with similarity: scores of STR-2022 beside those of STS for the same pairs (Cer et al. 2017).

Abdalla et al. 2023 drew pairs of STS from bins of its similarity scores, 0 (nothing in common) to 5 (equivalent).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from quotelab.labels.sentence_pairs import SentencePair
from quotelab.labels.tables import number, table_rows
from quotelab.protocols.relatedness import spearman
from quotelake.files.jsonl import refuse

HIGHEST: Final = 5
_Key = frozenset[str]


def read_similarity(path: Path) -> dict[_Key, float]:
    """Read a table with the columns sentence1, sentence2 and score (0 to 5): score by both sentences, in any order.

    Raises:
        InputError: the file cannot be read, or a score is out of range; it names file and line.
    """
    scores: dict[_Key, float] = {}
    for place, row in table_rows(path, ("sentence1", "sentence2", "score")):
        score = number(place, row["score"])
        if not 0 <= score <= HIGHEST:
            refuse(place, f"the score {row['score']}", f"give one from 0 to {HIGHEST}")
        scores[_key(row["sentence1"], row["sentence2"])] = score
    return scores or refuse(str(path), "no pair", "give a row for each pair")


def similarity_rows(pairs: Sequence[SentencePair], similarity: dict[_Key, float]) -> list[dict[str, Any]]:
    """Relatedness within each bin of similarity, [0, 1) to [4, 5], and in all of them.

    Returns:
        Rows: ``kind`` similarity, ``bin``, pairs, ``mean`` and ``sd`` of relatedness, and ``spearman`` of both scores.
    """
    found = [(similarity[key], pair.score) for pair in pairs if (key := _key(pair.first, pair.second)) in similarity]
    similar, related = (np.array([each[side] for each in found], dtype=np.float64) for side in (0, 1))
    place = np.minimum(similar.astype(int), HIGHEST - 1)
    bins = [(f"{low} to {low + 1}", place == low) for low in range(HIGHEST)]
    return [
        {"kind": "similarity", "bin": name, "pairs": int(inside.sum()),
         "mean": float(related[inside].mean()) if inside.any() else None,
         "sd": float(related[inside].std()) if inside.any() else None,
         "spearman": spearman(similar[inside], related[inside])}
        for name, inside in (("all", np.ones(len(found), dtype=bool)), *bins)
    ]  # fmt: skip


def _key(one: str, other: str) -> _Key:
    return frozenset(" ".join(text.casefold().split()) for text in (one, other))
