"""Tools run as programs: what they are given, what is kept of their answer, and how a failure is said."""

import json
import sys
from argparse import Namespace
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from quotelab.benchmarks.peers import ours_spark
from quotelab.benchmarks.peers.adapters import read_groups, write_texts
from quotelab.benchmarks.peers.comparing import OURS, Tool, compare, tools
from quotelab.benchmarks.reuse import START_TEXTS, measure_sizes
from quotelake.reuse.texts import group_texts

pytestmark = pytest.mark.process

FAKE = Tool("datasketch", "fake", {"shingle": 2})
ROWS = [
    {"text": "we won", "group": "a", "kind": "base"},
    {"text": "We won!", "group": "a", "kind": "copy_3"},
    {"text": "we lost", "group": "b", "kind": "base"},
    {"text": "…", "group": "c", "kind": "base"},
]
#: Answers that a fake tool gives, as the body of a program with the path of the texts and that of the groups.
BY_FIRST_WORD = "groups.write_text(''.join(json.loads(line)['text'].split()[0] + '\\n' for line in texts.open()))"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "truth.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), "utf-8")
    return path


def fake_python(folder: Path, body: str) -> Path:
    """A program in the place of an environment's Python. It does what the body says instead of running an adapter."""
    path = folder / "python"
    given = "import json, sys, time\nfrom pathlib import Path\ntexts, groups = map(Path, sys.argv[4:6])\n"
    path.write_text(f"#!{sys.executable} -S\n{given}{body}\n", "utf-8")
    path.chmod(0o755)
    return path


def fake_tool(folder: Path, body: str) -> Tool:
    """A tool whose Python is such a program, whatever its environment."""
    path = fake_python(folder, body)
    return type("Fake", (Tool,), {"python": lambda self, environments: path})(FAKE.name, FAKE.setting, FAKE.options)


def scaling(sizes: list[int]) -> Namespace:
    return Namespace(sizes=sizes, work=None, limit_s=None, memory="1g")


def test_a_tool_is_compared_with_the_truth(tmp_path: Path, data: Path):
    outcome = compare(data, FAKE, fake_python(tmp_path, BY_FIRST_WORD), 600)
    assert outcome.failure == ""
    assert outcome.cost is not None and outcome.cost.peak >= 0 and outcome.moved is None
    # "we" and "We" are two words to the fake tool; "we lost" shares the first with "we won".
    names = ("pairs", "pairs_found", "pairs_right", "linked_copy_3")
    assert [outcome.figures[name] for name in names] == [1, 1, 0, 0]


def test_a_tool_is_given_the_texts_and_its_options_but_not_the_truth(tmp_path: Path, data: Path):
    seen = tmp_path / "seen"
    body = f"Path({str(seen)!r}).write_text(json.dumps([sys.argv[6], texts.read_text()])); {BY_FIRST_WORD}"
    assert not compare(data, FAKE, fake_python(tmp_path, body), 600).failure
    options, lines = json.loads(seen.read_text())
    assert json.loads(options) == {"shingle": 2}
    assert [json.loads(line) for line in lines.splitlines()] == [
        {"id": number, "text": row["text"]} for number, row in enumerate(ROWS)
    ]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("raise ModuleNotFoundError('no datasketch here')", "ModuleNotFoundError: no datasketch here"),
        ("groups.write_text('a\\n')", "1 groups for 4 texts"),
        ("pass", "No such file"),
    ],
)
def test_a_tool_that_fails_says_why(tmp_path: Path, data: Path, body: str, reason: str):
    outcome = compare(data, FAKE, fake_python(tmp_path, body), 600)
    assert reason in outcome.failure and not outcome.figures


def test_a_tool_without_an_answer_is_stopped(tmp_path: Path, data: Path):
    outcome = compare(data, FAKE, fake_python(tmp_path, "time.sleep(100_000)"), 0.5)
    assert outcome.failure == "stopped after 0.5 s without an answer"


def test_a_tool_that_is_not_installed_is_said_to_be(tmp_path: Path, data: Path):
    assert "not installed" in compare(data, FAKE, tmp_path / "bin" / "python", 600).failure


def test_ours_in_one_process_is_the_grouping_of_texts(data: Path):
    tool = next(tool for tool in tools(OURS) if not tool.spark)
    outcome = compare(data, tool, Path(sys.executable), 600)
    assert outcome.failure == ""
    figures = outcome.figures
    assert (figures["pairs"], figures["pairs_right"], figures["linked_copy_3"]) == (1, 1, 1)


def test_each_size_is_run_on_the_first_texts_of_one_stream_after_one_run_for_start_up(tmp_path: Path):
    seen = tmp_path / "seen"
    body = f"print(len(texts.open().readlines()), sys.argv[6], file=open({str(seen)!r}, 'a'))"
    tool = fake_tool(tmp_path, body)
    texts = lambda: (f"text {number}" for number in range(9_000))  # noqa: E731
    sizes = list(measure_sizes(tool, scaling([5_000, 2_000, 10_000]), texts))
    assert [line.split()[0] for line in seen.read_text().splitlines()] == [str(START_TEXTS), "2000", "5000", "9000"]
    given = {line.partition(" ")[2] for line in seen.read_text().splitlines()}
    assert [json.loads(each) for each in given] == [{"shingle": 2, "memory": "1g"}]
    assert [size.texts for size in sizes] == [2_000, 5_000, 9_000]
    assert len({size.start for size in sizes}) == 1


@pytest.mark.spark
def test_ours_on_spark_gives_each_text_the_group_of_ours_in_one_process(spark: SparkSession, tmp_path: Path):
    texts = [row["text"] for row in ROWS] * 3
    write_texts(texts, tmp_path / "texts.jsonl")
    ours_spark.group_file(spark, tmp_path / "texts.jsonl", tmp_path / "groups")
    assert read_groups(tmp_path / "groups", len(texts)) == group_texts(texts)
