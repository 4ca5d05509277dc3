"""Tables of tools, and the command that prints them; the tools are made up or fakes."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.quotelab.benchmarks.peers.test_running import BY_FIRST_WORD, fake_python
from tests.running import Done

from quotelab.benchmarks.cost import Cost, Sample
from quotelab.benchmarks.peers import comparing
from quotelab.benchmarks.peers.comparing import OURS, Outcome, Tool, by_number, show_outcomes, tools
from quotelab.benchmarks.reuse import Size, show_sizes
from quotelab.benchmarks.runs import Moved
from quotelake.errors import InputError

FOLDER = Path(comparing.__file__).parent
PEERS = sorted({tool.name for tool in tools() if tool.name != OURS})


def cost(seconds: float, cpu: float = 1.0) -> Cost:
    return Cost((Sample(0, 0, 0), Sample(seconds, cpu, 0)), 5_000_000, ())


def cells(printed: str) -> list[list[str]]:
    """Cells of the rows of a printed table."""
    rows = (re.split("[│┃]", line)[1:-1] for line in printed.splitlines() if line[:1] in ("│", "┃"))
    return [[cell.strip() for cell in row] for row in rows]


ONE = Outcome(Tool(OURS, "one process"), cost(2), None, {"b3_recall": 1.0, "linked_copy": 0.5})
SPARK = Outcome(Tool(OURS, "Spark", spark=True), cost(10), Moved(3_000_000, 0))
PEER = Outcome(Tool("datasketch", "defaults"), cost(5))
ON_SPARK = Outcome(Tool("distributed-curator", "defaults", spark=True), cost(30), Moved(0, 0))
FAILED = Outcome(Tool("datatrove", "defaults"), failure="no module")


def test_a_tool_is_compared_with_ours_in_the_way_it_runs_itself(capsys: pytest.CaptureFixture[str]):
    show_outcomes([ONE, SPARK, PEER, ON_SPARK, FAILED], "")
    printed = capsys.readouterr().out
    header, *rows = cells(printed)
    found = {name: [row[place] for row in rows] for place, name in enumerate(header)}
    assert found[": ours"] == ["1.00", "1.00", "2.50", "3.00", ""]
    assert found["shuffled MB"] == ["", "3.0", "", "0.0", ""]
    assert found["B³ R"] == ["1.000", "", "", "", ""] and found["wall s"][-1] == "failed"
    assert re.search("failed: datatrove .*, defaults: no module", printed)
    assert [row["failure"] for row in (ONE.as_row(), FAILED.as_row())] == [None, "no module"]
    json.dumps([each.as_row() for each in (ONE, SPARK, FAILED)])


def test_recall_by_number_has_a_row_for_each_number_in_their_order():
    figures = {f"linked_copy_{size}": share for size, share in ((150, 0.25), (2, 1.0), (1000, 0.0))}
    figures |= {f"{name}_items": 7 for name in figures} | {"linked_copy": 0.5, "linked_copy_150_low": 0.1}
    outcomes = [Outcome(ONE.tool, cost(1), None, figures | {"linked_cut_3": 1.0}), FAILED]
    assert list(by_number(outcomes, "copy")) == [
        ("2", "7", "1.000", "failed"), ("150", "7", "0.250", "failed"), ("1,000", "7", "0.000", "failed"),
    ]  # fmt: skip


def test_start_up_does_not_count_in_texts_per_second(capsys: pytest.CaptureFixture[str]):
    spilled = Outcome(SPARK.tool, cost(205), Moved(0, 2_000_000))
    show_sizes([Size(11_000, SPARK, cost(15, 7), cost(5, 2)), Size(101_000, spilled, cost(205, 402), cost(5, 2))])
    _, first, second = cells(capsys.readouterr().out)
    assert first[4:8] == ["1,000", "1.00", "2,000", "1.00"]
    assert second[4:8] == ["500", "0.50", "250", "0.12"] and second[-1] == "2.0"


@pytest.mark.parametrize("name", PEERS)
def test_a_public_tool_runs_at_its_defaults_and_tuned_with_a_reason_in_pinned_packages(name: str):
    settings = {tool.setting: tool for tool in tools(name)}
    assert {"defaults", "tuned for F1"} <= set(settings)
    assert settings["tuned for F1"].options and all(tool.why for tool in settings.values())
    lines = (FOLDER / f"{name}.txt").read_text("utf-8").splitlines()
    packages = [line.partition("#")[0].strip() for line in lines if line.partition("#")[0].strip()]
    assert re.split(r"[\[=]", packages[0])[0] == name
    assert all(re.fullmatch(r"[\w\-\[\]]+==[\w.]+", package) for package in packages)


def test_every_list_of_packages_is_of_a_tool():
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == PEERS


def test_tools_are_chosen_by_name():
    assert {tool.name for tool in tools()} == {*PEERS, OURS}
    assert {tool.name for tool in tools(f"datasketch,{OURS}")} == {"datasketch", OURS}
    with pytest.raises(InputError, match=r"no tool sketch: name some of .*datasketch"):
        tools("sketch,datatrove")


@pytest.mark.process
def test_the_command_writes_a_set_once_and_compares_a_fake_tool_on_it(tmp_path: Path, lab: Callable[..., Done]):
    made, figures, peers = tmp_path / "set.jsonl", tmp_path / "figures.json", tmp_path / "peers"
    arguments = ("texts", "--set", "copies", "--copies", "2,9", "--out", made)
    assert lab("bench reuse", *arguments).code == 0
    again = lab("bench reuse", *arguments)
    assert again.code == 2 and "does not exist" in again.error
    (peers / "datasketch" / "bin").mkdir(parents=True)
    fake_python(peers / "datasketch" / "bin", BY_FIRST_WORD)
    given = ("compare", "--data", made, "--tools", "datasketch", "--peers", peers, "--json", figures)
    done = lab("bench reuse", *given, "--work", tmp_path)
    assert done.code == 0, done.error
    [rows] = json.loads(figures.read_text()).values()
    assert [row["figures"]["linked_copy_9"] for row in rows] == [1.0] * len(tools("datasketch"))
    assert "Recall of copy, by its number" in done.out


def test_the_command_names_a_tool_that_is_not_installed(tmp_path: Path, lab: Callable[..., Done]):
    given = ("compare", "--sets", "words", "--pairs", "2", "--tools", "datatrove", "--peers", tmp_path)
    done = lab("bench reuse", *given)
    assert done.code == 0, done.error
    assert re.search(r"failed: datatrove.* defaults: not installed", done.out)
