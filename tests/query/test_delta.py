"""Delta tables opened without Spark: at the version of the last complete run, with the columns of the contract."""

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from deltalake import DeltaTable, write_deltalake

from quotelake.errors import InputError
from quotelake.lake.local import Unsupported
from quotelake.query.ask import Answer, AutoEngine, DuckEngine

ROOT = Path(__file__).parents[2]
DAY = datetime(2024, 6, 1, 12, tzinfo=UTC)
RUNS = pa.schema(
    [
        ("run_id", pa.string()), ("stage", pa.string()), ("night", pa.string()), ("seconds", pa.float64()),
        ("counts", pa.map_(pa.string(), pa.int64())), ("settings_fingerprint", pa.string()),
        ("table_versions", pa.map_(pa.string(), pa.int64())), ("ingested_at", pa.timestamp("us", "UTC")),
    ]
)  # fmt: skip


def variants(*texts: str) -> pa.Table:
    """Rows of variants without the column words, as an older contract may have left them."""
    rows = [{"variant_id": text, "canonical_text": text, "run_id": "r", "ingested_at": DAY} for text in texts]
    return pa.Table.from_pylist(rows, schema=pa.schema(
        [("variant_id", pa.string()), ("canonical_text", pa.string()), ("run_id", pa.string()),
         ("ingested_at", pa.timestamp("us", "UTC"))]
    ))  # fmt: skip


def complete(root: Path, run_id: str, stage: str = "run", **versions: int) -> None:
    row = {
        "run_id": run_id, "stage": stage, "night": None, "seconds": 1.0, "counts": [], "settings_fingerprint": "f",
        "table_versions": list(versions.items()), "ingested_at": DAY,
    }  # fmt: skip
    write_deltalake(str(root / "runs"), pa.Table.from_pylist([row], schema=RUNS), mode="append")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A lake whose last run left one variant; a later one, not complete, added another."""
    place = tmp_path / "a lake, 50% 'odd' #1 é"
    write_deltalake(str(place / "variants"), variants("first"))
    complete(place, "r1", variants=0)
    write_deltalake(str(place / "variants"), variants("second"), mode="append")
    complete(place, "r2", stage="quotes", variants=1)
    return place


def ask(root: Path, statement: str) -> list[dict[str, Any]]:
    with DuckEngine(str(root)) as engine:
        return engine.answer(statement).rows


def test_tables_are_those_of_the_last_complete_run_in_a_lake_of_any_name(root: Path):
    assert ask(root, "SELECT canonical_text FROM variants") == [{"canonical_text": "first"}]
    complete(root, "r3", variants=1)
    assert len(ask(root, "SELECT * FROM variants")) == 2
    assert len(ask(root, "SELECT * FROM runs")) == 3, "runs are read as they are now"


def test_columns_are_those_of_the_contract_and_times_are_utc(root: Path):
    [row] = ask(root, "SELECT * FROM variants")
    assert list(row) == ["variant_id", "canonical_text", "words", "run_id", "ingested_at"]
    assert row["words"] is None and row["ingested_at"] == DAY.replace(tzinfo=None)


def test_a_table_younger_than_the_lake_is_empty(root: Path):
    with DuckEngine(str(root)) as engine:
        answer = engine.answer("SELECT * FROM rejects")
    assert answer.rows == [] and "reason" in answer.names


def test_a_kept_view_is_read_once(root: Path):
    statement = "SELECT run_id FROM run_summary ORDER BY run_id"
    with DuckEngine(str(root), kept=["run_summary"]) as kept, DuckEngine(str(root)) as engine:
        first = kept.answer(statement)
        assert first == engine.answer(statement) and first.rows
        for file in (root / "runs").glob("*.parquet"):
            file.unlink()
        assert kept.answer(statement) == first
        with pytest.raises(InputError, match="lacks 2 of its data files"):
            engine.answer(statement)


def test_a_place_without_a_complete_run_is_said(tmp_path: Path):
    for place in (tmp_path / "none", tmp_path):
        with pytest.raises(InputError, match="holds no lake with a complete run"):
            DuckEngine(str(place))
    complete(tmp_path, "r1", stage="quotes")
    with pytest.raises(InputError, match="holds no lake with a complete run"):
        DuckEngine(str(tmp_path))


def test_a_table_that_asks_for_a_newer_reader_is_refused(root: Path):
    DeltaTable(str(root / "variants")).alter.set_table_properties({"delta.enableDeletionVectors": "true"})
    complete(root, "r4", variants=2)
    with pytest.raises(Unsupported, match="reader version 3"):
        ask(root, "SELECT * FROM variants")


class Recorder:
    """Stands for Spark, and notes what it is asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def answer(self, statement: str) -> Answer:
        self.asked.append(statement)
        return Answer(("a",), [{"a": 1}])


def test_what_duckdb_does_not_answer_goes_to_spark_and_it_is_said_why(root: Path):
    spark, told = Recorder(), list[str]()
    engine = AutoEngine(str(root), lambda: spark, told.append)
    engine.answer("SELECT count(*) AS n FROM variants")
    assert not spark.asked and not told
    for statement in ("SELECT embed_text(canonical_text) FROM variants", "SELECT 1 / 0 AS a", "DESCRIBE variants"):
        engine.answer(statement)
    assert spark.asked == ["SELECT embed_text(canonical_text) FROM variants", "SELECT 1 / 0 AS a", "DESCRIBE variants"]
    assert "embed_text" in told[0] and "division by zero" in told[1]


def test_a_lake_at_an_address_is_asked_by_spark():
    spark = Recorder()
    assert AutoEngine("s3a://bucket/lake", lambda: spark).answer("SELECT 1 AS a").rows == [{"a": 1}]
    assert spark.asked


@pytest.mark.process
def test_no_answer_of_duckdb_imports_spark(root: Path):
    code = (
        "import runpy, sys\n"
        "sys.argv[:] = ['jobs/query.py', '--lake', sys.argv[1], 'SELECT count(*) AS n FROM variants']\n"
        "runpy.run_path('jobs/query.py', run_name='__main__')\n"
        "heavy = {'pyspark', 'torch', 'pandas', 'pyarrow'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(root)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
