"""Planted shifts are counted where they are, and quotes without one count as false alarms only."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from quotelab.protocols import shifts
from quotelake.errors import InputError

TOPICS = {"choir": 0, "harbour": 1, "courts": 2}


def encode(texts: list[str]) -> np.ndarray:
    """Vectors around the axis of the topic that a text names, the same for the same text."""
    made = np.random.default_rng(3).normal(size=(len(texts), 6)).astype(np.float32) * 0.2
    for row, text in zip(made, texts, strict=True):
        row[next(axis for topic, axis in TOPICS.items() if topic in text)] += 1
    return made / np.linalg.norm(made, axis=1, keepdims=True)


ENCODER: Any = SimpleNamespace(encode=encode)


def test_shifts_of_far_topics_are_found_and_others_are_not(jsonl, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(shifts, "QUOTES", 12)
    monkeypatch.setattr(shifts, "SIZES", (8,))
    ids = [(f"{topic}{n}", topic) for topic in TOPICS for n in range(40)]
    articles = jsonl(*({"id": i, "topic": t, "wire_copy": False} for i, t in ids), name="articles.jsonl")
    body = "Nobody at the {} was surprised. “A stitch in time saves nine,” said Bell, number {}."
    texts = jsonl(*({"id": i, "text": body.format(t, i)} for i, t in ids))
    report = shifts.evaluate([str(articles)], [str(texts)], ENCODER)
    assert report.figures["contexts"] == 120
    assert report.figures["found_8"] == 1 and report.figures["false_8"] <= 0.1


def test_rows_of_another_kind_are_named(jsonl):
    articles = jsonl({"id": "a", "topic": "choir", "wire_copy": False}, name="articles.jsonl")
    with pytest.raises(InputError, match=r"news\.jsonl, line 1: field text: found none"):
        shifts.evaluate([str(articles)], [str(jsonl({"id": "a"}, name="news.jsonl"))], ENCODER)
