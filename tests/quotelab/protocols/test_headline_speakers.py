"""Protocol headline_speakers: what becomes of a quote, told which speaker it has, and a floor on real headlines."""

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from quotelab.protocols import headline_speakers
from quotelab.report import Report

HEADLINE = "Sen. Ana Ruiz, mayor, to Odell: “We will never give in”"
QUOTE = [HEADLINE.index("We"), len(HEADLINE) - 1]
LABELS = {"text": HEADLINE, "quote": QUOTE, "speakers": [[0, 13], [5, 13]]}
REAL = Path(__file__).parents[1] / "labels" / "headline_speakers.jsonl"


def speaker(start: int, head_end: int, end: int | None = None) -> SimpleNamespace:
    return SimpleNamespace(start=start, head_end=head_end, end=end or head_end)


@pytest.fixture
def evaluate(jsonl, monkeypatch: pytest.MonkeyPatch):
    """Evaluate one labelled quote, told its speaker."""

    def run(given: Any, **labels: Any) -> Report:
        monkeypatch.setattr(headline_speakers, "find_speakers", lambda text, quotes, mode, language: [given])
        return headline_speakers.evaluate([str(jsonl({**LABELS, **labels}))])

    return run


@pytest.mark.parametrize(
    ("given", "labels", "outcome"),
    [
        (speaker(0, 13), {}, "right"),
        (speaker(5, 13), {}, "right"),
        (speaker(0, 13, 20), {}, "right"),
        (speaker(0, 20), {}, "span_wrong"),
        (speaker(5, 8), {}, "span_wrong"),
        (speaker(25, 30), {}, "wrong"),
        (speaker(0, 13), {"speakers": []}, "wrong"),
        (None, {}, "missed"),
        (None, {"optional": True}, "rightly_none"),
        (None, {"speakers": []}, "rightly_none"),
        (speaker(0, 13), {"quote": [32, 36]}, "missed"),  # the rules have no such quote
    ],
)
def test_outcome_of_a_quote(evaluate, given: Any, labels: dict[str, Any], outcome: str):
    figures = evaluate(given, **labels).figures
    assert [name for name in headline_speakers.OUTCOMES if figures[name]] == [outcome]
    assert figures["quotes"] == figures[outcome] == 1


def test_a_wrong_span_lowers_precision_and_recall_and_an_optional_speaker_is_no_part_of_recall(evaluate):
    figures = evaluate(speaker(0, 20)).figures
    assert [figures[name] for name in ("precision", "precision_anybody", "recall")] == [0, 1, 0]
    assert evaluate(speaker(0, 13), optional=True).figures["recall"] != 1 == evaluate(speaker(0, 13)).figures["recall"]


def test_the_label_file_holds_no_text():
    fields = {"id", "source", "part", "text_sha256", "mode", "quote", "speakers", "optional"}
    rows = [json.loads(line) for line in REAL.read_text("utf-8").splitlines()]
    assert len(rows) == 284 and all(set(row) <= fields for row in rows)


def test_real_headlines_keep_their_precision(data: Callable[[str], Path]):
    """A floor under the figures of docs/FIGURES.md."""
    corpora = [str(data(f"news/{name}.jsonl.gz")) for name in ("us_news_4k", "us_news_quoted_2k", "bbc_2k")]
    figures = headline_speakers.evaluate([str(REAL)], corpora).figures
    assert figures["precision"] >= 0.9 and figures["recall"] >= 0.8
