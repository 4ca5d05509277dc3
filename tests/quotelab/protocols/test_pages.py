"""Figures of pages follow from what is named of each, and a page that gives nothing counts against us."""

from pathlib import Path

import pytest
from tests.sources.web_files import HEADLINE, PARAGRAPHS, page

pytest.importorskip("trafilatura", reason="the packages of quotelake[web] are not installed")

from quotelab.protocols.pages import evaluate
from quotelake.errors import InputError

BODY = "\n".join(PARAGRAPHS)


def test_headlines_and_bodies_are_compared_by_their_words(tmp_path: Path, jsonl):
    (tmp_path / "a.html").write_text(page(), "utf-8")
    (tmp_path / "b.html").write_text(page(title="Ferry sinks off the coast"), "utf-8")
    (tmp_path / "c.html").write_text('<meta property="og:type" content="website"><p>x', "utf-8")
    jsonl(
        {"file": "a.html", "outlet": "x", "headline": HEADLINE.upper(), "body": BODY},
        {"file": "a.html", "outlet": "x", "headline": "Ferry sinks"},
        {"file": "b.html", "outlet": "y", "headline": HEADLINE, "body": BODY + " and as many words again" + BODY},
        {"file": "c.html", "body": "x"},
        name="gold.jsonl",
    )
    report = evaluate(tmp_path)
    figures = report.figures
    assert (figures["pages"], figures["outlets"], figures["bodies"], figures["no_record"]) == (4, 2, 3, 1)
    assert figures["headline"] == pytest.approx(1 / 3)
    assert [row["headline"] for row in report.rows] == ["right", "wrong", "empty", "unknown"]
    assert [row["rouge_l"] for row in report.rows] == pytest.approx([1, None, 2 / 3, 0], abs=0.02)
    assert report.rows[2]["body_precision"] == 1


def test_what_is_missing_is_named(tmp_path: Path, jsonl):
    faults = [([{"file": "a.html"}], r"line 1: the page .*a\.html cannot be read"), ([], "names no page")]
    for rows, message in (*faults, ([{"headline": "x"}], "names no page")):
        jsonl(*rows, name="gold.jsonl")
        with pytest.raises(InputError, match=message):
            evaluate(tmp_path)
