"""The job as a person starts it: plain python, no Spark, one message for a mistake."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.running import Done, run_without_spark

ROOT = Path(__file__).parents[3]
ROW = {"text": "“We won,” Ito said.", "mode": "body", "spans": [[1, 8]], "part": "test"}


@pytest.mark.process
def test_figures_go_to_the_screen_and_to_json(tmp_path: Path):
    for name, spans in (("a", [[1, 8]]), ("b", [[1, 7]])):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps({**ROW, "spans": spans}) + "\n", "utf-8")
    files = ["--data", str(tmp_path / "a.jsonl"), "--data", str(tmp_path / "[b]*.jsonl")]
    result = run_without_spark(
        ROOT / "jobs" / "evaluate.py", "spans", *files, "--part", "test", "--json", str(tmp_path / "out.json")
    )
    assert result.code == 0, result.error
    assert result.out.startswith("spans\n") and "0.5000" in result.out
    written = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert set(written) == {"protocol", "figures", "rows"} and written["protocol"] == "spans"
    assert written["figures"]["f1"] == 0.5 and len(written["rows"]) == 1


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["spans", "--data", "/nowhere.jsonl"], "/nowhere.jsonl: found no such file"),
        (["polnear", "--data", "/nowhere.jsonl"], "/nowhere.jsonl: found no such file"),
        (["polnear", "--data", "{file}", "{file}"], "reads one file"),
        (["spans", "--data", "{file}", "--part", "dev"], "the parts of these files are: test"),
        (["spans", "--data", "{file}", "--json", "{file}/out.json"], "out.json: cannot be written"),
        (["speakers", "--data", "{file}"], "field content"),
        (["spams", "--data", "{file}"], "spams"),
        (["spans"], "--data"),
        (["reuse", "--data", "{file}", "--part", "dev"], "--part: reuse reads no such option; leave it out"),
        (["spans", "--data", "{file}", "--no-model"], "(it is of contextomy, headlines, alerts)"),
        (["reuse", "--data", "{file}"], "line 1: field group"),
        (["edges", "--data", "{file}"], "give --lake DIR"),
    ],
)
def test_a_mistake_is_one_message(lab: Callable[..., Done], tmp_path: Path, arguments: list[str], expected: str):
    file = tmp_path / "labels.jsonl"
    file.write_text(json.dumps(ROW) + "\n", "utf-8")
    result = lab("evaluate", *(argument.format(file=file) for argument in arguments))
    assert result.code == 2, result.out + result.error
    assert expected in result.error and "Traceback" not in result.error
