"""Figures of alerts on a made-up corpus whose labels are known, and mistakes in the files."""

import json
import math
from pathlib import Path

import pytest

from quotelab.protocols.alerts import evaluate
from quotelake.errors import InputError
from quotelake.settings import load_settings

SETTINGS = load_settings()
SAID = "“If the talks fail, we will strike on Monday,” said Tom Bell. “We will not pay for it,” he added."
TITLES = {
    "risky": "Bell: “We will strike on Monday”",
    "fair": "Bell: “If the talks fail, we will strike”",
    "nowhere": "Bell: “Gulls are wicked creatures all of them”",
    "plain": "Bell sails",
}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.jsonl"
    rows = [{"ID": name, "title": title, "text": SAID} for name, title in TITLES.items()]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def labels(folder: Path, *rows: dict) -> str:
    path = folder / "labels.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return str(path)


def row(name: str, *given: str, **changed: object) -> dict:
    title = TITLES[name]
    return {"id": name, "start": title.index("“") + 1, "end": len(title) - 1, "labels": given, **changed}


def figures(folder: Path, corpus: Path, *rows: dict) -> dict[str, float]:
    return evaluate([labels(folder, *rows)], [str(corpus)], SETTINGS).figures


def test_alerts_are_counted_over_all_articles_and_right_if_a_reader_says_so(tmp_path: Path, corpus: Path):
    found = figures(tmp_path, corpus, row("risky", "X", "M"), row("fair", "F", "F"), row("nowhere", "A", "R"))
    assert (found["headline_quotes"], found["alerts"], found["absent"]) == (3, 1, 1)
    assert found["per_1000"] == pytest.approx(1000 / 3)
    assert (found["precision"], found["recall"], found["absent_precision"]) == (1, 1, 1)
    assert found["precision_risky_excerpt_n"] == 1 and math.isnan(found["precision_contextomized"])
    assert found["precision_low"] < 1, "one row proves little"


def test_a_row_weighs_what_it_stands_for(tmp_path: Path, corpus: Path):
    missed = row("fair", "D", "D", stratum="excerpt", in_stratum=30, drawn=10)
    found = figures(tmp_path, corpus, row("risky", "M", "M"), missed, row("nowhere", "F", "X"))
    assert found["recall"] == pytest.approx(1 / 4)
    assert found["absent_precision"] == 0, "a reader found it in the article"


def test_a_span_that_marks_read_otherwise_now_belongs_to_the_quote_it_overlaps(tmp_path: Path, corpus: Path):
    moved = row("risky", "M", "M")
    found = figures(tmp_path, corpus, {**moved, "start": moved["start"] + 3})
    assert (found["recall"], found["not_found"]) == (1, 0)
    assert figures(tmp_path, corpus, {**moved, "start": 0, "end": 3})["not_found"] == 1


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"id": "gone"}, "no such article"),
        ({"labels": ["Q"]}, "labels"),
        ({"labels": []}, "at least one"),
        ({"end": 999}, "the title has"),
        ({"start": 40, "end": 30}, "end must be greater"),
        ({"in_stratum": 1, "drawn": 2}, "drawn must not exceed"),
    ],
)
def test_a_mistake_in_a_row_names_file_and_line(tmp_path: Path, corpus: Path, changed: dict, message: str):
    with pytest.raises(InputError, match=message) as caught:
        figures(tmp_path, corpus, {**row("risky", "M", "M"), **changed})
    assert "labels.jsonl, line 1" in str(caught.value)
