"""A lake with files missing or cut is told as damaged, table by table; a lake that is being made is not."""

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable, write_deltalake
from hypothesis import given
from hypothesis import strategies as st
from py4j.protocol import Py4JJavaError
from tests.lake.rows import by_spark, remove
from tests.query.lakes import complete, variants
from tests.running import run_without_spark

from quotelake.errors import InputError
from quotelake.lake.contracts import table_names
from quotelake.lake.damage import DamageError, check_tables, log_fault
from quotelake.lake.frames import data_files
from quotelake.lake.local import check_lake
from quotelake.lake.place import Files
from quotelake.lake.runs import LastRun
from quotelake.lake.stream import check_remembered
from quotelake.lake.tables import Lake
from quotelake.query.engines import AutoEngine, DuckEngine

QUERY = Path(__file__).parents[2] / "jobs" / "query.py"
COMMIT = '{"commitInfo":{}}\n{"add":{"path":"a","stats":"x\u2028y"}}\n'
TABLES = table_names()


class Stored(Files):
    """Files of a lake in memory: path and text."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.files = dict(files)

    def names(self, folder: str) -> list[str]:
        return [name.removeprefix(f"{folder}/") for name in self.files if name.startswith(f"{folder}/")]

    def sizes(self, folder: str) -> dict[str, int]:
        return {name: len(self.files[f"{folder}/{name}"]) for name in self.names(folder)}

    def read(self, name: str) -> str | None:
        return self.files.get(name)


def commit(table: str, version: int) -> str:
    return f"{table}/_delta_log/{version:020}.json"


def stored(commits: Mapping[str, int], *, noted: bool = False) -> Stored:
    """A lake whose tables have commits 0 to N."""
    files = {commit(table, version): COMMIT for table, last in commits.items() for version in range(last + 1)}
    return Stored(files | ({"_contracts.json": json.dumps(dict.fromkeys(TABLES, "c"))} if noted else {}))


def faults(lake: Stored, tables: Iterable[str] | None = None) -> dict[str, str]:
    """What is wrong after a last run, if there was one, that left these tables at version 0."""
    last = None if tables is None else LastRun("r1", datetime(2024, 6, 1, tzinfo=UTC), dict.fromkeys(tables, 0))
    try:
        check_tables("lake", lake, lambda: last, lambda table: {})
    except DamageError as error:
        return dict(re.findall(r"the table (\w+) (is missing|has [^;(]*)", str(error)))
    return {}


@given(st.integers(0, len(TABLES)), st.permutations(TABLES))
def test_a_first_run_killed_while_it_made_the_tables_is_not_damage(made: int, order: list[str]):
    assert faults(stored(dict.fromkeys(order[:made], 0))) == {}


@given(st.sets(st.sampled_from(TABLES), min_size=1), st.integers(0, 3), st.booleans(), st.booleans())
def test_every_table_that_a_run_left_is_missed_and_no_younger_one(gone: set[str], version: int, noted: bool, ran: bool):
    there = dict.fromkeys(set(TABLES) - gone, version)
    told = ran and "runs" not in gone
    known = noted or told or (version > 0 and len(gone) < len(TABLES))
    found = faults(stored(there, noted=noted), TABLES if told else None)
    assert found == (dict.fromkeys(gone, "is missing") if known else {})
    if told:
        assert faults(stored(there), there) == {}


@given(st.integers(0, 5), st.integers(-1, 5), st.sets(st.integers(0, 5)), st.integers(0, 7))
def test_a_log_is_whole_if_every_commit_after_its_checkpoint_is_there(
    last: int, checkpoint: int, gone: set[int], left_at: int
):
    checkpoint = min(checkpoint, last)
    there = {version for version in range(last + 1) if version not in gone or version == last}
    lake = Stored({commit("quotes", version): COMMIT for version in there})
    if checkpoint >= 0:
        lake.files[f"quotes/_delta_log/{checkpoint:020}.checkpoint.parquet"] = ""
    needed = set(range(checkpoint + 1, max(last, left_at) + 1))
    assert (log_fault(lake, "quotes", left_at) is None) == (needed <= there)


@given(st.integers(0, len(COMMIT) - 1), st.integers(0, 2))
def test_a_cut_commit_is_told_unless_only_its_line_feed_is_gone(length: int, version: int):
    lake = stored({"quotes": 2})
    lake.files[commit("quotes", version)] = COMMIT[:length]
    whole = length in (len(COMMIT) - 1, COMMIT.index("\n"), COMMIT.index("\n") + 1)
    fault = log_fault(lake, "quotes", None, thorough=True)
    assert fault == (None if whole else f"has a cut commit {version:020}.json in its log")
    if version < 2:
        assert log_fault(lake, "quotes", None) is None, "only the last commit is read unless something failed"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A lake of two tables, as its one complete run left it."""
    for name in ("first", "second"):
        write_deltalake(str(tmp_path / "variants"), variants(name), mode="append")
    write_deltalake(str(tmp_path / "contexts"), variants("other"))
    complete(tmp_path, "r1", variants=1, contexts=0, runs=0)
    return tmp_path


@pytest.mark.parametrize(
    ("gone", "told"),
    [
        ("variants/**/*", "the table variants is missing (at version 1 when run r1 ended)"),
        ("variants/_delta_log/*0.json", "the table variants has no commit 00000000000000000000.json in its log"),
        ("variants/_delta_log/*1.json", "the table variants has no commit 00000000000000000001.json in its log"),
        ("variants/*.parquet", "the table variants lacks 2 of its data files, the first: "),
    ],
)
def test_a_statement_on_a_damaged_table_is_refused_and_others_are_answered(root: Path, gone: str, told: str):
    remove(root, gone)
    with DuckEngine(str(root)) as engine:
        with pytest.raises(DamageError, match=re.escape(f"{root}: the lake is damaged: {told}")):
            engine.sql("SELECT canonical_text FROM variants")
        assert len(engine.answer("SELECT * FROM runs").rows) == 1
    with pytest.raises(DamageError, match="the table variants "):
        check_lake(str(root), thorough=True)


@pytest.mark.process
def test_a_job_says_in_one_line_that_a_table_is_damaged(root: Path):
    remove(root, "variants/*.parquet")
    asked = run_without_spark(QUERY, "--lake", root, "SELECT canonical_text FROM variants")
    assert (asked.code, asked.out) == (2, "") and asked.error.count("\n") == 1
    assert f"{root}: the lake is damaged: the table variants lacks 2" in asked.error and "backup" in asked.error


def test_a_whole_lake_passes_and_so_does_a_place_without_one_but_none_without_its_runs(root: Path):
    for place in (root, root / "none"):
        check_lake(str(place), thorough=True)
    with pytest.raises(InputError, match="holds no lake"):
        DuckEngine(str(root / "none"))
    remove(root, "runs/_delta_log/*0.json")
    with pytest.raises(DamageError, match="the table runs is missing"):
        DuckEngine(str(root))


#: What is left of a file of so many bytes; None: nothing, it is gone.
CUTS: dict[str, Callable[[int], int | None]] = {
    "empty": lambda size: 0, "half": lambda size: size // 2, "one byte short": lambda size: size - 1,
    "gone": lambda size: None,
}  # fmt: skip


def cut_file(path: Path, cut: str) -> None:
    left = CUTS[cut](path.stat().st_size)
    if left is None:
        path.unlink()
    else:
        os.truncate(path, left)


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize(
    ("file", "told"),
    [
        ("variants/*.parquet", r"the table variants (has 1 cut|lacks 1 of its) data files, the first: {path}"),
        ("runs/*.parquet", r"the table runs (has 1 cut|lacks 1 of its) data files, the first: {path}"),
        ("variants/_delta_log/*.checkpoint.parquet", "the table variants has (a cut|no checkpoint) 0+1.*delete it and"),
        ("variants/_delta_log/_last_checkpoint", None),
        ("variants/_delta_log/*0.json", None),
        ("_contracts.json", None),
        ("_lease.json", None),
    ],
)
def test_a_cut_file_is_named_or_what_it_held_is_found_elsewhere(root: Path, file: str, told: str | None, cut: str):
    """By statements, by what rank, report and look-up ask, and by the thorough look of upkeep."""
    DeltaTable(str(root / "variants")).create_checkpoint()
    for name in ("_contracts.json", "_lease.json"):
        (root / name).write_text('{"variants": "c"}', "utf-8")
    path = sorted(root.glob(file))[0]
    cut_file(path, cut)

    statement = "SELECT canonical_text FROM variants"
    ways: list[Callable[[], object]] = [
        lambda: DuckEngine(str(root)).sql(statement),
        lambda: AutoEngine(str(root), pytest.fail).sql(statement),  # DuckDB finds what is wrong, no Spark
        lambda: check_lake(str(root), thorough=True),
    ]
    expected = (
        nullcontext() if told is None else pytest.raises(DamageError, match=told.format(path=re.escape(str(path))))
    )
    for run_sql in ways:
        with expected:
            run_sql()


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("file", ["offsets/3", "commits/2", "offsets/1"])
def test_a_stream_goes_on_only_by_the_whole_file_of_its_last_batch(tmp_path: Path, file: str, cut: str):
    folder = tmp_path / "_checkpoints" / "documents-1"
    written = {f"offsets/{n}": json.dumps({"version": n, "since": n - 1, "files": {}, "left": {}}) for n in range(4)}
    for name, text in (written | {f"commits/{n}": "{}" for n in range(3)}).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    lake: Any = SimpleNamespace(storage=Files(tmp_path), root=str(tmp_path), last_transaction=lambda table, txn: 3)
    check_remembered(lake, "documents", "1", written="quotes")
    cut_file(folder / file, cut)
    if file == "offsets/3":  # gone, it is told by what the batch wrote
        with pytest.raises(DamageError, match="lacks batch 3" if cut == "gone" else "offsets/3 is missing or cut"):
            check_remembered(lake, "documents", "1", written="quotes")
    else:
        check_remembered(lake, "documents", "1", written="quotes")


@pytest.mark.spark
def test_spark_lists_the_data_files_of_a_log_as_the_check_does(lake: Lake):
    row = {"variant_id": "v", "canonical_text": "we left", "words": 2}
    lake.append(lake.frame([row], "variants"), "variants")
    [path] = Path(lake.path("variants")).glob("*.parquet")
    listed = lake.data_files("variants")
    assert listed == data_files(lake.spark, lake.path("variants")) == {path.name: path.stat().st_size}
    for cut, said in (("half", "has 1 cut"), ("gone", "lacks 1 of its")):
        cut_file(path, cut)
        with pytest.raises(DamageError, match=rf"the table variants {said} data .*{path.name}"):
            lake.check(thorough=True)


@pytest.mark.spark
def test_a_changed_page_is_an_error_though_no_checksums_lie_beside_the_files(lake: Lake):
    """Protects: altered text would be read as if it were written; and half of the files of a lake were checksums."""
    rows = [{"variant_id": f"{n}", "canonical_text": f"the words {n}", "words": 3} for n in range(50)]
    lake.append(by_spark(lake.frame(rows, "variants")), "variants")
    left = [path.name for path in Path(lake.path("variants")).rglob("*") if path.is_file()]
    assert len(left) == 5 and not any(name.startswith(".") for name in left), "two commits, Delta's sum of each, rows"
    [path] = Path(lake.path("variants")).glob("*.parquet")
    written = path.read_bytes()
    page = pq.ParquetFile(path).metadata.row_group(0).column(0)
    place = page.data_page_offset + page.total_compressed_size - 1
    path.write_bytes(written[:place] + bytes([written[place] ^ 1]) + written[place + 1 :])
    with pytest.raises(Py4JJavaError, match="CRC checksum verification failed"):
        lake.stored("variants").collect()


@pytest.mark.spark
def test_a_file_of_checksums_of_an_earlier_release_is_not_read(lake: Lake):
    """Protects: it is of other bytes once its file was written again, as the note of a table's last checkpoint is."""
    row = {"variant_id": "v", "canonical_text": "we left", "words": 2}
    lake.append(by_spark(lake.frame([row], "variants")), "variants")
    [path] = Path(lake.path("variants")).glob("*.parquet")
    path.with_name(f".{path.name}.crc").write_bytes(b"crc\0\0\0\2\0" + bytes(64))
    assert [row.variant_id for row in lake.stored("variants").collect()] == ["v"]
