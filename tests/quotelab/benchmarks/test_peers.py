"""Tools that group texts: what they are given, what is made of their answers, how a failure is said, and the tables."""

import ast
import json
import re
import struct
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyspark.sql import SparkSession
from tests.running import Done

from quotelab.benchmarks import adapters, comparing, ours_spark, reuse
from quotelab.benchmarks.comparing import OURS, Outcome, Tool, compare, show_outcomes, tools
from quotelab.benchmarks.cost import Cost
from quotelab.benchmarks.event_log import Moved
from quotelab.benchmarks.reuse import START_TEXTS, measure_sizes, show_sizes
from quotelab.grouping import group_texts
from quotelake.errors import InputError

FOLDER = Path(comparing.__file__).parent / "peers"
PEERS = sorted({tool.name for tool in tools() if tool.name != OURS})
FAKE = Tool("datasketch", "fake", {"shingle": 2})
USES = (("we won", "a", "base"), ("We won!", "a", "copy_3"), ("we lost", "b", "base"), ("…", "c", "base"))
ROWS = [{"text": text, "group": group, "kind": kind} for text, group, kind in USES]
#: An answer of a fake tool, as the body of a program with the path of the texts and that of the groups.
BY_FIRST_WORD = "groups.write_text(''.join(json.loads(line)['text'].split()[0] + '\\n' for line in texts.open()))"


@pytest.fixture
def data(jsonl: Callable[..., Path]) -> Path:
    return jsonl(*ROWS)


def fake(peers: Path, body: str) -> Path:
    """A folder of environments; what stands for Python there does what the body says instead of running an adapter."""
    path = peers / FAKE.name / "bin" / "python"
    path.parent.mkdir(parents=True)
    given = "import json, sys, time\nfrom pathlib import Path\ntexts, groups = map(Path, sys.argv[4:6])\n"
    path.write_text(f"#!{sys.executable} -S\n{given}{body}\n", "utf-8")
    path.chmod(0o755)
    return peers


@given(st.lists(st.text()), st.lists(st.none() | st.integers(0, 9)))
def test_texts_and_groups_come_back_as_they_were_and_one_too_few_is_refused(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], groups: list[int | None]
):
    path = tmp_path_factory.getbasetemp() / "texts"
    adapters.write_texts(texts, path)
    assert adapters.read_texts(path) == texts
    adapters.write_groups(groups, path)
    assert adapters.read_groups(path, len(groups)) == [None if group is None else str(group) for group in groups]
    with pytest.raises(ValueError, match=f"{len(groups)} groups for {len(groups) + 1} texts"):
        adapters.read_groups(path, len(groups) + 1)


def test_buckets_and_queries_of_an_index_link_the_same_texts():
    """By what stands for an index of datasketch: two tables of buckets; a query returns what shares a bucket."""
    tables = ({b"x": [0, 2], b"y": [1], b"z": [3]}, {b"x": [0], b"y": [1], b"z": [2, 3]})
    buckets = [bucket for table in tables for bucket in table.values()]
    query = lambda number: [item for bucket in buckets if number in bucket for item in bucket]  # noqa: E731
    index = SimpleNamespace(hashtables=tables, query=query)
    for pairs in (adapters.in_buckets(index), adapters.queried(index, [0, 1, 2, 3])):
        assert adapters.components(4, pairs) == [0, 1, 0, 0]


def test_adapters_need_only_the_standard_library_at_the_start():
    """The environment of a tool holds nothing else; what is needed of the tool is imported when its adapter runs."""
    tree = ast.parse(Path(adapters.__file__).read_text("utf-8"))
    nodes = [node for each in tree.body if not isinstance(each, ast.FunctionDef) for node in ast.walk(each)]
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names


def test_records_of_clusters_are_pairs_of_text_and_cluster(tmp_path: Path):
    path = tmp_path / "000000.clusters"
    assert adapters.read_clusters(path) == {}
    path.write_bytes(struct.pack("<4I", 3, 0, 7, 0))
    assert adapters.read_clusters(path) == {3: 0, 7: 0}


@pytest.mark.process
def test_a_tool_is_given_texts_and_options_and_its_answer_is_compared_with_the_truth(tmp_path: Path, data: Path):
    seen = tmp_path / "seen"
    body = f"Path({str(seen)!r}).write_text(json.dumps([sys.argv[6], texts.read_text()])); {BY_FIRST_WORD}"
    outcome = compare(data, FAKE, fake(tmp_path, body), 600)
    assert outcome.failure is None and outcome.cost is not None and outcome.moved is None
    # "we" and "We" are two words to the fake tool; "we lost" shares the first with "we won".
    names = ("pairs", "pairs_found", "pairs_right", "linked_copy_3")
    assert [outcome.figures[name] for name in names] == [1, 1, 0, 0]
    options, lines = json.loads(seen.read_text())
    assert json.loads(options) == FAKE.options
    told = [tuple(json.loads(line).items()) for line in lines.splitlines()]
    assert told == [(("id", n), ("text", text)) for n, (text, *_) in enumerate(USES)], "not the truth"


FAILURES = {
    "raise ModuleNotFoundError('no datasketch here')": "ModuleNotFoundError: no datasketch here",
    "groups.write_text('a\\n')": "1 groups for 4 texts",
    "pass": "No such file",
    "time.sleep(100_000)": "stopped after 3 s without an answer",
    "": "not installed",
}


@pytest.mark.process
@pytest.mark.parametrize(("body", "reason"), FAILURES.items())
def test_a_tool_that_fails_says_why(tmp_path: Path, data: Path, body: str, reason: str):
    outcome = compare(data, FAKE, fake(tmp_path, body) if body else tmp_path, 3 if "sleep" in body else 600)
    assert reason in str(outcome.failure) and not outcome.figures


@pytest.mark.process
def test_ours_in_one_process_is_the_grouping_of_texts(tmp_path: Path, data: Path):
    found = compare(data, next(tool for tool in tools(OURS) if not tool.spark), tmp_path, 600).figures
    assert [found[name] for name in ("pairs", "pairs_right", "linked_copy_3")] == [1, 1, 1]


@pytest.mark.spark
@pytest.mark.process
def test_ours_on_spark_gives_each_text_the_group_of_ours_in_one_process(spark: SparkSession, tmp_path: Path):
    texts = [row["text"] for row in ROWS] * 3
    adapters.write_texts(texts, tmp_path / "texts.jsonl")
    assert [group or None for group in ours_spark.group_file(spark, tmp_path / "texts.jsonl")] == group_texts(texts)


def test_each_size_is_run_on_the_first_texts_of_one_stream_after_one_run_for_start_up(monkeypatch: pytest.MonkeyPatch):
    seen: list[tuple[int, str, dict[str, str]]] = []

    def run(tool: Tool, texts: Path, groups: Path, peers: Path, limit: float, **options: str) -> tuple[Cost, None]:
        lines = adapters.read_texts(texts)
        seen.append((len(lines), lines[0], options))
        return Cost(len(seen), 1.0), None

    monkeypatch.setattr(reuse, "run_tool", run)
    options = Namespace(sizes=(1_200, 2_000), work=None, limit_s=None, memory="1g", seed=7)
    sizes = list(measure_sizes(FAKE, options))
    assert [number for number, *_ in seen] == [START_TEXTS, 1_200, 2_000]
    assert len({first for _, first, _ in seen}) == 1 and all(given == {"memory": "1g"} for *_, given in seen)
    told = [(texts, cost.seconds, start.seconds) for texts, cost, start, _ in sizes]
    assert told == [(1_200, 2, 1), (2_000, 3, 1)]


def cells(printed: str) -> Iterator[list[str]]:
    """Cells of the rows of a printed table."""
    rows = (re.split("[│┃]", line)[1:-1] for line in printed.splitlines() if line[:1] in ("│", "┃"))
    return ([cell.strip() for cell in row] for row in rows)


def test_a_tool_is_compared_with_ours_in_the_way_it_runs_itself(capsys: pytest.CaptureFixture[str]):
    outcomes = [
        Outcome(Tool(OURS, "one process"), Cost(2, 1), None, {"b3_recall": 1.0, "linked_substituted": 0.5}),
        Outcome(Tool(OURS, "Spark", spark=True), Cost(10, 1), Moved(3_000_000, 0)),
        Outcome(Tool("datasketch", "defaults"), Cost(5, 1)),
        Outcome(Tool("distributed-curator", "defaults", spark=True), Cost(30, 1), Moved(0, 0)),
        Outcome(Tool("datatrove", "defaults"), failure="no module"),
    ]
    show_outcomes(outcomes, "")
    printed = capsys.readouterr().out
    found = {name: column for name, *column in zip(*cells(printed), strict=True)}
    assert found[": ours"] == ["1.00", "1.00", "2.50", "3.00", ""]
    assert found["shuffled MB"] == ["", "3.0", "", "0.0", ""]
    assert found["B³ R"] == ["1.000", "", "", "", ""] and found["wall s"][-1] == "failed"
    assert re.search("failed: datatrove .*, defaults: no module", printed)
    json.dumps([each.as_row() for each in outcomes])


def test_start_up_does_not_count_in_texts_per_second(capsys: pytest.CaptureFixture[str]):
    start = Cost(5, 2)
    sizes = [(11_000, Cost(15, 7), start, Moved(0, 0)), (101_000, Cost(205, 402), start, Moved(0, 2_000_000))]
    show_sizes(sizes)
    _, first, second = cells(capsys.readouterr().out)
    assert first[4:8] == ["1,000", "2,000", "1.00", "1.00"]
    assert second[4:8] == ["500", "250", "0.50", "0.12"] and second[-1] == "2.0"


@pytest.mark.parametrize("name", PEERS)
def test_a_public_tool_runs_at_its_defaults_and_tuned_with_a_reason_in_pinned_packages(name: str):
    settings = {tool.setting: tool for tool in tools(name)}
    assert {"defaults", "tuned for F1"} <= set(settings)
    assert settings["tuned for F1"].options and all(tool.why for tool in settings.values())
    lines = (FOLDER / f"{name}.txt").read_text("utf-8").splitlines()
    packages = [package for line in lines if (package := line.partition("#")[0].strip())]
    assert re.split(r"[\[=]", packages[0])[0] == name
    assert all(re.fullmatch(r"[\w\-\[\]]+==[\w.]+", package) for package in packages)


def test_tools_are_chosen_by_name_and_every_list_of_packages_is_of_one():
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == PEERS
    assert {tool.name for tool in tools(f"datasketch,{OURS}")} == {"datasketch", OURS}
    with pytest.raises(InputError, match=r"no tool sketch: name some of .*datasketch"):
        tools("sketch,datatrove")


@pytest.mark.process
def test_the_command_writes_a_set_once_and_compares_tools_on_it(tmp_path: Path, lab: Callable[..., Done]):
    made, figures = tmp_path / "set.jsonl", tmp_path / "figures.json"
    words = "bench reuse texts --set words --words 7 --pairs 9 --out"
    assert lab(words, made).code == 0
    again = lab(words, made)
    assert again.code == 2 and "does not exist" in again.error
    peers = fake(tmp_path / "peers", BY_FIRST_WORD)
    given = ("--data", made, "--peers", peers, "--json", figures, "--work", tmp_path)
    done = lab("bench reuse compare --tools datasketch,datatrove", *given)
    assert done.code == 0, done.error
    assert re.search(r"failed: datatrove.* defaults: not installed", done.out)
    [rows] = json.loads(figures.read_text()).values()
    found = [row["figures"]["linked_substituted_7"] for row in rows if row["tool"].startswith("datasketch")]
    assert len(found) == len(tools("datasketch"))
