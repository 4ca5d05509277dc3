"""Pairs of sentences, and how related people find them.

``sem_text_rel_ranked.csv`` of STR-2022 (Abdalla et al. 2023) has the columns SourceID, PairID, Text (two sentences with
a newline between) and Score (0 to 1).
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from quotelab.labels.judged import HIGHEST, LOWEST, Part
from quotelab.labels.tables import number, table_rows
from quotelake.files.jsonl import refuse

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


def as_texts(pairs: Sequence[SentencePair]) -> tuple[list[str], Part]:
    """Sentences, those of pair i at 2 i and 2 i + 1, and the pairs with their scores on the scale 1 to 4."""
    scores, first = np.array([pair.score for pair in pairs]), np.arange(0, 2 * len(pairs), 2)
    texts = [text for pair in pairs for text in (pair.first, pair.second)]
    return texts, Part(first, first + 1, LOWEST + (HIGHEST - LOWEST) * scores, (scores >= 0.5).astype(np.int64))
