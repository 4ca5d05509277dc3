"""Figures of alerts on a made-up corpus whose labels are known, and mistakes in the files."""

import math
from collections.abc import Callable

import pytest

from quotelab.protocols.alerts import evaluate
from quotelake.errors import InputError

SAID = "“It is a lie that we will strike on Monday,” said Tom Bell. “We will not pay for it,” he added."
TITLES = {
    "risky": "Bell: “We will strike on Monday”",
    "fair": "Bell: “We will not pay for it”",
    "nowhere": "Bell: “Gulls are wicked creatures all of them”",
    "plain": "Bell sails",
}


def row(name: str, *given: str, **changed: object) -> dict:
    title = TITLES[name]
    return {"id": name, "start": title.index("“") + 1, "end": len(title) - 1, "labels": given, **changed}


@pytest.fixture
def figures(jsonl) -> Callable[..., dict[str, float]]:
    corpus = jsonl(*({"ID": name, "title": title, "text": SAID} for name, title in TITLES.items()), name="corpus.jsonl")
    return lambda *rows: evaluate([str(jsonl(*rows))], [str(corpus)]).figures


def test_alerts_are_counted_over_all_articles_and_right_if_a_reader_says_so(figures):
    found = figures(row("risky", "X", "M"), row("fair", "F", "F"), row("nowhere", "A", "R"))
    assert (found["headline_quotes"], found["alerts"], found["checks"], found["absent"]) == (3, 1, 1, 1)
    assert found["per_1000"] == found["checks_per_1000"] == pytest.approx(1000 / 3)
    assert (found["precision"], found["recall"], found["absent_precision"]) == (1, 1, 1)
    assert found["precision_reported_n"] == found["precision_absent"] == 1 and math.isnan(found["precision_number"])
    assert found["precision_low"] < 1, "one row proves little"


def test_a_row_weighs_what_it_stands_for(figures):
    missed = row("fair", "D", "D", stratum="excerpt", in_stratum=30, drawn=10)
    found = figures(row("risky", "M", "M"), missed, row("nowhere", "F", "X"))
    assert found["recall"] == pytest.approx(1 / 4)
    assert found["absent_precision"] == found["precision_absent"] == 0, "a reader found it in the article"
    assert found["precision"] == 1


def test_a_span_that_marks_read_otherwise_now_belongs_to_the_quote_it_overlaps(figures):
    moved = row("risky", "M", "M")
    found = figures({**moved, "start": moved["start"] + 3})
    assert (found["recall"], found["not_found"]) == (1, 0)
    assert figures({**moved, "start": 0, "end": 3})["not_found"] == 1


def test_a_mistake_in_a_row_names_file_and_line(figures):
    faults = [({"id": "gone"}, "no such article"), ({"labels": []}, "at least one"), ({"end": 999}, "the title has")]
    faults += [({"start": 40, "end": 30}, "end must be greater"), ({"drawn": 2}, "drawn must not exceed")]
    for changed, message in (*faults, ({"labels": ["Q"]}, "labels")):
        with pytest.raises(InputError, match=rf"rows\.jsonl, line 1.*{message}"):
            figures({**row("risky", "M", "M"), **changed})
