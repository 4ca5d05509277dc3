"""The labelled pairs of contexts: whole, without a word of their texts, and held against vectors by the right texts."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from quotelab.labels.texts import read_rows, text_hash
from quotelab.protocols import context_pairs
from quotelab.protocols.context_pairs import LabelledPair, evaluate
from quotelake.errors import InputError
from quotelake.topics.head import load

LABELS = Path(__file__).parents[1] / "labels" / "context_pairs.jsonl"
SIZE = 384


def encode(texts: list[str]) -> np.ndarray:
    """A vector for each text: which of a few words it has."""
    words = ("harbour", "choir", "ship", "song")
    rows = np.zeros((len(texts), SIZE), np.float32)
    for row, text in zip(rows, texts, strict=True):
        row[: len(words)] = [0.1 + text.count(word) for word in words]
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.fixture
def encoder() -> Any:
    return SimpleNamespace(encode=encode, model=load().card.model)


def test_the_labels_hold_200_pairs_by_id_and_offset_alone():
    pairs = [pair for _, pair in read_rows(LabelledPair, LABELS)]
    assert len(pairs) >= 200 and all(len(pair.labels) == 2 for pair in pairs)
    for pair in pairs:
        for part in (pair.a, pair.b):
            assert part.text is None and part.context[0] <= part.use[0] < part.use[1] <= part.context[1]


def test_scores_are_of_the_labelled_contexts(jsonl, encoder: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(context_pairs, "_RESAMPLED", 1)
    texts = {
        "1": "The harbour and a ship said “we go on” at the harbour today.",
        "2": "A ship left the harbour: “we go on”, it said, as a ship must.",
        "3": "The choir said “we go on” with a song, and one more song.",
        "4": "The song of a choir, “we go on”, is a song of this choir.",
    }
    corpus = jsonl(*({"id": key, "text": text} for key, text in texts.items()), name="corpus.jsonl")

    def place(key: str) -> dict[str, object]:
        text = texts[key]
        start = text.index("we go on")
        return {"id": key, "text_sha256": text_hash(text), "use": [start, start + 8], "context": [0, len(text)]}

    judged = [("1", "2", 4), ("3", "4", 4), ("1", "3", 1), ("2", "4", 1), ("1", "4", 2)]
    rows = [{"a": place(a), "b": place(b), "labels": [label, label]} for a, b, label in judged]
    report = evaluate([str(jsonl(*rows))], [str(corpus)], encoder)
    assert report.figures["pairs"] == 5 and report.figures["agreed"] == 1
    assert report.figures["auc_masked"] == report.figures["auc_raw"] == 1
    assert report.figures["spearman_masked"] > 0.7


@pytest.mark.parametrize(("use", "context"), [([0, 3], [0, 99]), ([9, 12], [0, 8])])
def test_offsets_outside_a_text_are_named(jsonl, encoder: Any, use: list[int], context: list[int]):
    row = {"text": "We go on, they said.", "use": use, "context": context}
    with pytest.raises(InputError, match="line 1: field a"):
        evaluate([str(jsonl({"a": row, "b": row, "labels": [1]}))], [], encoder)
