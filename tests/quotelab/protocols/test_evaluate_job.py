"""The command as a person starts it: figures on the screen and in a file, one message for a mistake."""

import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.running import Done, run_without_spark

from quotelab.report import Report

ROOT = Path(__file__).parents[3]
ROW = {"text": "“We won,” Ito said.", "mode": "body", "spans": [[1, 8]], "part": "test"}
#: Of each protocol a row that is right.
USE = {"text": "We won", "group": 7}
QUOTE = {"headline_quote": "We go", "body_quotes": ["We go home"], "label": 0}
CUT = {"group": "a", "outlet": "b", "text": "a text", "start": 0, "end": 6, "kind": "k", "trimmed": True}
CHOICES = "Item1,Item2,Item3,Item4,BestItem,WorstItem"
MARKED = "context\tlemma\tindices_target_token"


@pytest.mark.process
def test_figures_go_to_the_screen_and_to_json(tmp_path: Path, jsonl):
    files = ("--data", str(jsonl(ROW, name="a.jsonl")), "--data", str(tmp_path / "[b]*.jsonl"))
    jsonl({**ROW, "spans": [[1, 7]]}, name="b.jsonl")
    given = ("--part", "test", "--json", str(tmp_path / "out.json"))
    result = run_without_spark(ROOT / "jobs" / "evaluate.py", "spans", *files, *given)
    assert result.code == 0, result.error
    assert result.out.startswith("spans\n") and "0.5000" in result.out
    written = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert set(written) == {"protocol", "figures", "rows"} and written["protocol"] == "spans"
    assert written["figures"]["f1"] == 0.5 and len(written["rows"]) == 1


def test_a_report_aligns_figures_tells_counts_from_measures_and_writes_null_for_what_is_undefined(tmp_path: Path):
    figures = {"texts": 1234, "f1": 0.98766, "recall": math.nan}
    report = Report("spans", figures, [{"text": "\ud800", "score": math.nan}])
    lines = report.as_table().splitlines()
    assert [line.split() for line in lines] == [["spans"], ["texts", "1,234"], ["f1", "0.9877"], ["recall", "–"]]
    assert len({len(line) for line in lines[1:]}) == 1
    report.write(tmp_path / "out.json")
    written = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert written["figures"] == {**figures, "recall": None} and written["rows"] == [{"text": "\ud800", "score": None}]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["polnear", "--data", "/nowhere.jsonl"], "/nowhere.jsonl: found no such file"),
        (["polnear", "--data", "{file}", "{file}"], "reads one file"),
        (["spans", "--data", "{file}", "--part", "dev"], "the parts of these files are: test"),
        (["spans", "--data", "{file}", "--json", "{file}/out.json"], "out.json: cannot be written"),
        (["spams", "--data", "{file}"], "spams"),
        (["spans"], "--data"),
        (["reuse", "--data", "{file}", "--part", "dev"], "--part: reuse reads no such option; leave it out"),
        (["spans", "--data", "{file}", "--no-model"], "(it is of contextomy, headlines, alerts)"),
        (["edges", "--data", "{file}"], "edges: give --lake DIR"),
        (["alerts", "--data", "{file}"], "alerts: give --texts CORPUS"),
        (["edges", "--data", "{file}", "--lake", "nowhere"], "nowhere holds no lake"),
    ],
)
def test_a_mistake_is_one_message(lab: Callable[..., Done], jsonl, arguments: list[str], expected: str):
    result = lab("evaluate", *(argument.format(file=jsonl(ROW)) for argument in arguments))
    assert result.code == 2, result.out + result.error
    assert expected in result.error and "Traceback" not in result.error


@pytest.mark.parametrize(
    ("protocol", "first", "wrong", "expected"),
    [
        ("spans", ROW, {**ROW, "mode": None}, "line 2: field mode"),
        ("spans", ROW, {**ROW, "colon_claim": [[0, 99], [1, 2]]}, "line 2: field colon_claim"),
        ("spans", ROW, {**ROW, "colon_claim": [[0, 1]]}, "line 2: field colon_claim"),
        ("speakers", "", ROW, "line 2: field content"),
        ("polnear", "", {"text": "It rained."}, "line 2: field attributed_spans: found none"),
        ("polnear", "", [1], "line 2: field (row)"),
        ("contextomy", QUOTE, {**QUOTE, "label": 2}, "line 2: field label"),
        ("contextomy", QUOTE, {**QUOTE, "label": True}, "line 2: field label"),
        ("contextomy", QUOTE, {**QUOTE, "body_quotes": "b"}, "line 2: field body_quotes"),
        ("contextomy", QUOTE, {**QUOTE, "body_quotes": [1]}, "line 2: field body_quotes.0"),
        ("quotecse", QUOTE, QUOTE, "2 rows of label 0; give 8 or more"),
        ("reuse", USE, {"text": "We won"}, "line 2: field group: found "),
        ("reuse", USE, {"text": 15, "group": "a"}, "line 2: field text: found 15"),
        ("reuse", USE, {"text": "We won", "group": ""}, "line 2: field group"),
        ("reuse", USE, {**USE, "kind": "cut_low"}, "must not end in _items, _low, _high"),
        ("reuse", USE, ["We won", "a"], "give a JSON object with text, group"),
        ("trimmed", CUT, {**CUT, "start": "1"}, "line 2: field start"),
        ("trimmed", CUT, {**CUT, "start": 9}, "line 2: found the quote [9, 6]"),
        ("bws", CHOICES, "a,b,c,c,a,b", "line 2: found the items a, b, c, c; give four different ones"),
        ("bws", CHOICES, "a,b,c,d,a,e", "line 2: found WorstItem 'e'; name an item of the row"),
        ("bws", CHOICES, "a,b,c,d,a", "line 2: found 5 fields; give 6"),
        ("relatedness", "Text", "a", "line 1: found the columns Text; name columns Text, Score"),
        ("relatedness", 'Text,Score\n"a\nb",0.5', "c,0.5", "line 4: found 1 sentences in Text"),
        ("relatedness", "Text,Score", '"a\nb",1.5', "line 3: found the score 1.5; give one from 0 to 1"),
        ("relatedness", "Text,Score", '"a\nb",much', "line 3: found 'much'; give a number"),
        ("relatedness", "Text,Score", "", "found no pair"),
        ("watch_spans", MARKED, "They go\tthey go\t7", "line 2: field indices_target_token: found '7'; give START:END"),
        ("watch_spans", MARKED, "They go\tthey\t0:4", "line 2: field lemma: found 'they'; give at least 2 words"),
    ],
)
def test_a_wrong_row_is_named_by_file_and_line(lab: Callable[..., Done], jsonl, protocol, first, wrong, expected: str):
    result = lab("evaluate", protocol, "--data", jsonl(first, wrong))
    assert result.code == 2, result.out + result.error
    assert expected in result.error and "rows.jsonl" in result.error and "Traceback" not in result.error
