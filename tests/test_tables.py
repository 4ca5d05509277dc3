"""The lake: contracts are enforced, keys stay unique under any repetition or race, and other engines can read it."""

import threading
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import polars
import pytest
from deltalake import DeltaTable as RustTable
from py4j.protocol import Py4JJavaError
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quotelake.contracts import contract, table_names
from quotelake.errors import ContractError
from quotelake.tables import Lake, Transaction, check

pytestmark = pytest.mark.spark


def variants(lake: Lake, *ids: str, text: str = "some words") -> DataFrame:
    """Rows of variants that differ in their id."""
    schema = "variant_id STRING, canonical_text STRING, words INT"
    return lake.spark.createDataFrame([(name, text, 2) for name in ids], schema)


def ids(lake: Lake) -> list[str]:
    """Keys in the table, with repetitions."""
    return sorted(row["variant_id"] for row in lake.read("variants").select("variant_id").collect())


def test_a_frame_off_its_contract_is_told_every_fault_at_once(lake: Lake):
    wrong = variants(lake, "a").withColumn("words", F.lit("2")).withColumn("tmp", F.lit(1)).drop("canonical_text")
    with pytest.raises(ContractError) as caught:
        check(wrong, "variants")
    assert str(caught.value) == (
        "variants: missing [canonical_text]; unexpected [tmp]; wrong type [words: string, expected int]"
    )


def test_the_same_rows_again_change_nothing_not_even_the_version(lake: Lake):
    lake.append_new(variants(lake, "a", "b"), "variants")
    version = lake.version("variants")
    lake.append_new(variants(lake, "b", "a", "a"), "variants")
    assert (ids(lake), lake.version("variants")) == (["a", "b"], version)
    lake.append_new(variants(lake, "b", "c"), "variants")
    assert ids(lake) == ["a", "b", "c"]


def test_a_batch_taken_up_again_is_written_once(lake: Lake):
    for _ in range(2):
        lake.append(variants(lake, "a"), "variants", Transaction("checkpoint-1", 0))
    assert ids(lake) == ["a"]
    lake.append(variants(lake, "b"), "variants", Transaction("checkpoint-2", 0))
    assert ids(lake) == ["a", "b"], "another checkpoint counts its batches from 0 again"


def test_an_older_lake_gains_the_columns_that_may_be_null(lake: Lake):
    lake.append(variants(lake, "a"), "variants", Transaction("checkpoint-1", 0))
    path = lake.path("quotes")
    lake.spark.sql(f"ALTER TABLE delta.`{path}` SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name')")
    lake.spark.sql(f"ALTER TABLE delta.`{path}` DROP COLUMNS (speaker, reason)")
    lake.create()
    assert set(lake.read("quotes").columns) == {column.name for column in contract("quotes").columns}
    assert ids(lake) == ["a"]
    lake.spark.sql(f"ALTER TABLE delta.`{path}` DROP COLUMNS (marks)")
    with pytest.raises(ContractError, match=r"quotes in .* without \[marks\]: score the corpus into a new lake"):
        lake.create()


def test_two_writers_of_the_same_keys_leave_each_key_once(lake: Lake):
    failures: list[BaseException] = []

    def write(names: list[str]) -> None:
        try:
            lake.append_new(variants(lake, *names), "variants")
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=write, args=([f"k{j}" for j in range(i, i + 20)],)) for i in (0, 10, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert ids(lake) == sorted(f"k{j}" for j in range(30))


def test_merge_replaces_by_key_and_leaves_equal_rows_alone(lake: Lake):
    lake.merge(variants(lake, "a", "b"), "variants")
    later = Lake(lake.spark, lake.root, "later-run", datetime(2024, 7, 1, tzinfo=UTC))
    later.merge(variants(lake, "a").union(variants(lake, "b", text="other words")), "variants")
    found = {row["variant_id"]: (row["canonical_text"], row["run_id"]) for row in lake.read("variants").collect()}
    assert found == {"a": ("some words", "test-run"), "b": ("other words", "later-run")}


def test_constraints_hold_in_the_table_itself(lake: Lake):
    row = ("f", "s", "p", 1, datetime(2024, 1, 1), 3, 1, 1, 0)
    names = ", ".join(f"{c.name} {c.type}" for c in contract("files").columns[:9])
    with pytest.raises(Py4JJavaError, match="nothing_lost"):
        lake.append(lake.spark.createDataFrame([row], names), "files")


def test_a_lake_may_be_named_by_a_relative_path(lake: Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Lake(lake.spark, "./new", "test-run", lake.started).create()
    assert (tmp_path / "new" / "variants" / "_delta_log").is_dir()
    assert Lake(lake.spark, "s3a://bucket/lake/", "r", lake.started).path("runs") == "s3a://bucket/lake/runs"


def test_every_table_is_readable_by_engines_of_reader_version_1(lake: Lake):
    lake.append_new(variants(lake, "a", "b"), "variants")
    for table in table_names():
        assert RustTable(lake.path(table)).protocol().min_reader_version == 1
    arrow = RustTable(lake.path("variants")).to_pyarrow_table()
    expected = sorted(row.asDict()["variant_id"] for row in lake.read("variants").collect())
    assert sorted(arrow["variant_id"].to_pylist()) == expected
    assert sorted(polars.read_delta(lake.path("variants"))["variant_id"].to_list()) == expected
    assert [row[0] for row in duckdb.sql("SELECT variant_id FROM arrow ORDER BY 1").fetchall()] == expected
