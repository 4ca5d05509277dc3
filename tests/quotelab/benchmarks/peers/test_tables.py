"""Tables of tools, and the job that prints them; the tools are made up or fakes."""

import json
import re
from pathlib import Path

import pytest
from tests.quotelab.benchmarks.peers.test_running import BY_FIRST_WORD, fake_python
from tests.running import run_without_spark

from quotelab.benchmarks.cost import Cost, Sample
from quotelab.benchmarks.eventlog import Moved
from quotelab.benchmarks.peers.running import Outcome
from quotelab.benchmarks.peers.scale import Size, scale_table
from quotelab.benchmarks.peers.tables import (
    WITH,
    WITHOUT,
    as_rows,
    by_number,
    compared,
    failures,
    numbered_kinds,
    with_and_without,
)
from quotelab.benchmarks.peers.tools import DEFAULTS, OURS, TOOLS, TUNED, Tool, choose, pinned
from quotelake.errors import InputError

ROOT = Path(__file__).parents[4]
JOB = ROOT / "jobs" / "bench_reuse.py"
PEERS = sorted({tool.name for tool in TOOLS if not tool.ours})


def cost(seconds: float, cpu: float = 1.0) -> Cost:
    return Cost((Sample(0, 0, 0), Sample(seconds, cpu, 0)), 5_000_000, ())


def cells(table, column: str) -> list[str]:
    [found] = [each for each in table.columns if str(each.header) == column]
    return [str(cell) for cell in found.cells]


ONE = Outcome(Tool(OURS, "one process", "m"), cost(2), None, {"b3_recall": 1.0, "linked_copy": 0.5})
SPARK = Outcome(Tool(OURS, "Spark", "m", spark=True), cost(10), Moved(3_000_000, 0))
PEER = Outcome(Tool("datasketch", DEFAULTS, "m"), cost(5))
ON_SPARK = Outcome(Tool("distributed-curator", DEFAULTS, "m", spark=True), cost(30), Moved(0, 0))
FAILED = Outcome(Tool("datatrove", DEFAULTS, "m"), failure="no module")


def test_a_tool_is_compared_with_ours_in_the_way_it_runs_itself():
    table = compared([ONE, SPARK, PEER, ON_SPARK, FAILED], "")
    assert cells(table, ": ours") == ["1.00", "1.00", "2.50", "3.00", ""]
    assert cells(table, "shuffled MB") == ["", "3.0", "", "0.0", ""]
    assert cells(table, "B³ R") == ["1.000", "", "", "", ""]


def test_a_tool_that_failed_is_a_row_with_its_reason_below():
    assert cells(compared([ONE, FAILED], ""), "wall s") == ["2.0", "failed"]
    [line] = failures([ONE, FAILED])
    assert line.startswith("datatrove") and line.endswith("defaults: no module")
    assert [row["failure"] for row in as_rows([ONE, FAILED])] == [None, "no module"]
    json.dumps(as_rows([ONE, SPARK, FAILED]))


def test_recall_by_number_has_a_row_for_each_number_in_their_order():
    figures = {f"linked_copy_{size}": share for size, share in ((150, 0.25), (2, 1.0), (1000, 0.0))}
    figures |= {f"{name}_items": 7 for name in figures} | {"linked_copy": 0.5, "linked_copy_150_low": 0.1}
    outcomes = [Outcome(ONE.tool, cost(1), None, figures | {"linked_cut_3": 1.0}), FAILED]
    assert numbered_kinds(outcomes) == ["copy", "cut"]
    table = by_number(outcomes, "copy")
    assert cells(table, "copy") == ["2", "150", "1,000"]
    assert [list(each.cells) for each in table.columns[2:]] == [["1.000", "0.250", "0.000"], ["failed"] * 3]
    assert cells(table, "items") == ["7", "7", "7"]


def test_runs_with_something_are_compared_with_those_without_by_medians():
    table = with_and_without({WITHOUT: [cost(4, 2), cost(5, 4), cost(90, 9)], WITH: [cost(6, 6), cost(6, 5)]}, "")
    rows = list(zip(*(column.cells for column in table.columns), strict=True))
    assert rows == [(WITHOUT, "5.0", "1.00", "4.0", "1.00"), (WITH, "6.0", "1.20", "5.5", "1.38")]


def test_start_up_does_not_count_in_texts_per_second():
    sizes = [
        Size(11_000, cost(15, 7), cost(5, 2), None),
        Size(101_000, cost(205, 402), cost(5, 2), Moved(0, 2_000_000)),
    ]
    table = scale_table(sizes)
    assert cells(table, "texts/s") == ["1,000", "500"]
    assert cells(table, "ratio") == ["1.00", "0.50"]
    assert cells(table, "texts/CPU s") == ["2,000", "250"]
    assert cells(table, "CPU ratio") == ["1.00", "0.12"]
    assert cells(table, "spilled MB") == ["0.0", "2.0"]


@pytest.mark.parametrize("name", PEERS)
def test_a_public_tool_runs_at_its_defaults_and_tuned_with_a_reason_in_pinned_packages(name: str):
    tools = {tool.setting: tool for tool in TOOLS if tool.name == name}
    assert {DEFAULTS, TUNED} <= set(tools)
    assert tools[TUNED].options and all(tool.why for tool in tools.values())
    assert re.split(r"[\[=]", pinned(name)[0])[0] == name
    assert all(re.fullmatch(r"[\w\-\[\]]+==[\w.]+", package) for package in pinned(name))


def test_every_list_of_packages_is_of_a_tool():
    folder = ROOT / "lib" / "quotelab" / "benchmarks" / "peers"
    assert sorted(path.stem for path in folder.glob("*.txt")) == PEERS


def test_tools_are_chosen_by_name():
    assert choose(None) == list(TOOLS)
    assert {tool.name for tool in choose(f"datasketch,{OURS}")} == {"datasketch", OURS}
    with pytest.raises(InputError, match=r"no tool sketch: name some of .*datasketch"):
        choose("sketch,datatrove")


@pytest.mark.process
def test_the_job_writes_a_set_once_and_compares_a_fake_tool_on_it(tmp_path: Path):
    made, figures, peers = tmp_path / "set.jsonl", tmp_path / "figures.json", tmp_path / "peers"
    arguments = ("texts", "--set", "copies", "--copies", "2,9", "--out", made)
    assert run_without_spark(JOB, *arguments).code == 0
    again = run_without_spark(JOB, *arguments)
    assert again.code == 2 and "exists" in again.error
    (peers / "datasketch" / "bin").mkdir(parents=True)
    fake_python(peers / "datasketch" / "bin", BY_FIRST_WORD)
    given = ("compare", "--data", made, "--tools", "datasketch", "--peers", peers, "--json", figures)
    done = run_without_spark(JOB, *given, "--work", tmp_path)
    assert done.code == 0, done.error
    [rows] = json.loads(figures.read_text()).values()
    assert [row["figures"]["linked_copy_9"] for row in rows] == [1.0] * len(choose("datasketch"))
    assert "Recall of copy, by its number" in done.out


@pytest.mark.process
def test_the_job_names_a_tool_that_is_not_installed(tmp_path: Path):
    given = ("compare", "--sets", "words", "--pairs", "2", "--tools", "datatrove", "--peers", tmp_path)
    done = run_without_spark(JOB, *given)
    assert done.code == 0, done.error
    assert re.search(r"failed: datatrove.* defaults: not installed", done.out)
