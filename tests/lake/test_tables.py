"""The lake: contracts are enforced, keys stay unique under any repetition or race, and other engines can read it."""

import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

import duckdb
import polars
import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable as RustTable
from hypothesis import given
from hypothesis import settings as property_settings
from hypothesis import strategies as st
from py4j.protocol import Py4JJavaError
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from tests.running import Done

from quotelake.contracts import contract, table_names
from quotelake.errors import ContractError, InputError
from quotelake.lake import layout, lookup, tables
from quotelake.lake.digest import digest
from quotelake.lake.layout import arranged
from quotelake.lake.stream import follow
from quotelake.lake.tables import Lake, Transaction, check
from quotelake.text import content_id

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
    noted = Path(lake.root, "_contracts.json")  # an older lake notes another contract, or none
    noted.unlink()
    lake.create()
    assert set(lake.read("quotes").columns) == {column.name for column in contract("quotes").columns}
    assert ids(lake) == ["a"]
    lake.spark.sql(f"ALTER TABLE delta.`{path}` DROP COLUMNS (marks)")
    noted.unlink()
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


def test_replace_takes_the_rows_of_some_values_and_correct_some_columns_of_rows_that_are_there(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(tables, "LITERALS", 2)  # more values than one commit takes
    lake.append(variants(lake, "a", "b", "c", "d"), "variants")
    later = Lake(lake.spark, lake.root, "later-run", datetime(2024, 7, 1, tzinfo=UTC))
    later.replace(variants(lake, "a", "e", text="new words"), "variants", "variant_id", ["a", "b", "e"])
    texts = variants(lake, "c", "x", text="other words").select("variant_id", "canonical_text")
    later.correct(texts, "variants", "variant_id")
    rows = lake.read("variants").collect()
    assert {row["variant_id"]: (row["canonical_text"], row["run_id"]) for row in rows} == {
        "a": ("new words", "later-run"),
        "e": ("new words", "later-run"),
        "c": ("other words", "test-run"),
        "d": ("some words", "test-run"),
    }
    assert len(rows) == 4


def test_constraints_hold_in_the_table_itself(lake: Lake):
    row = ("f", "s", "p", 1, datetime(2024, 1, 1), 3, 1, 1, 0, 0, 0, "d")
    names = contract("files").ddl(with_run_columns=False).replace(" NOT NULL", "")
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


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every table that is not empty counts as a large one."""
    monkeypatch.setattr(lookup, "ARCHIVE_ROWS", 1)
    monkeypatch.setattr(lookup, "BROADCAST_KEYS", 0)


def hexes(prefix: str, count: int) -> list[str]:
    """Ids as the house makes them."""
    return [content_id(f"{prefix}{i}") for i in range(count)]


def keys_frame(lake: Lake, names: list[str], column: str = "variant_id") -> DataFrame:
    return lake.spark.createDataFrame([(name,) for name in names], f"{column} STRING")


def filters_of(lake: Lake) -> list[Path]:
    return sorted(Path(lake.path("variants"), "_keys").glob("*.bloom"))


def found(lake: Lake, names: list[str]) -> list[tuple[str, str]]:
    rows = lake.rows_of("variants", keys_frame(lake, names), ("canonical_text",)).collect()
    return sorted((row["variant_id"], row["canonical_text"]) for row in rows)


def test_a_look_up_finds_what_a_join_finds_whatever_becomes_of_the_filters(
    lake: Lake, large: None, monkeypatch: pytest.MonkeyPatch
):
    present = hexes("in", 60)
    for part in (present[:40], present[40:50], present[50:]):
        lake.append(variants(lake, *part).coalesce(1), "variants")
    wanted = present[::7] + hexes("out", 30) + ["no id at all", "it's"]
    expected = sorted((name, "some words") for name in present[::7])
    assert found(lake, wanted) == expected and found(lake, []) == []
    files = filters_of(lake)
    assert len(files) == 3
    whole = [file.read_bytes() for file in files]
    files[0].unlink()  # the run was killed after the commit
    files[1].write_bytes(whole[1][:100])
    files[2].write_bytes(bytes(4096) + whole[2][4096:])  # a page of the disk is lost
    assert found(lake, wanted) == expected
    assert [file.read_bytes() for file in files] == whole
    monkeypatch.setattr(lookup, "LITERALS", 2)  # some files by pages, some as a whole
    assert found(lake, wanted) == expected
    monkeypatch.setattr(lookup, "KEYS", 2)  # too many keys
    assert found(lake, wanted) == expected
    monkeypatch.setattr(lookup, "KEYS", 100)
    Path(lake.path("variants"), "_keys").rename(Path(lake.path("variants"), "_gone"))
    lake.rewrite("variants", 2)
    assert found(lake, wanted) == expected and len(filters_of(lake)) == 2


@property_settings(max_examples=3)
@given(st.data())
def test_only_new_keys_are_appended_to_a_large_table(spark: SparkSession, lake_template: Path, data: st.DataObject):
    names = st.lists(st.sampled_from([*hexes("k", 30), "a", "b"]), max_size=12)
    steps = data.draw(st.lists(names, min_size=2, max_size=2))
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(lookup, "ARCHIVE_ROWS", 1)
        patch.setattr(lookup, "BROADCAST_KEYS", 0)
        shutil.copytree(lake_template, folder, dirs_exist_ok=True)
        lake = Lake(spark, folder, "test-run", datetime(2024, 6, 1, tzinfo=UTC))
        for step in steps:
            lake.append_new(variants(lake, *step), "variants")
        assert ids(lake) == sorted(set().union(*steps))


def test_a_key_of_two_columns_is_compared_as_a_whole(lake: Lake, large: None):
    def vectors(*rows: tuple[str, str]) -> DataFrame:
        schema = "fingerprint STRING, text_hash STRING, vector ARRAY<FLOAT>, status STRING"
        return lake.spark.createDataFrame([(*row, [1.0], "ok") for row in rows], schema)

    lake.append_new(vectors(("m1", "t1"), ("m1", "t2")), "embeddings")
    lake.append_new(vectors(("m2", "t1"), ("m1", "t2"), ("m1", "t3")), "embeddings")
    rows = lake.read("embeddings").select("fingerprint", "text_hash").collect()
    assert sorted(map(tuple, rows)) == [("m1", "t1"), ("m1", "t2"), ("m1", "t3"), ("m2", "t1")]


def test_a_commit_after_the_filters_were_asked_is_seen(lake: Lake, large: None, monkeypatch: pytest.MonkeyPatch):
    old, new = hexes("old", 5), hexes("new", 5)
    lake.append(variants(lake, *old), "variants")
    append, times = Lake._append, []

    def append_late(self: Lake, df: DataFrame, table: str, txn: Transaction | None = None) -> None:
        times.append(1)
        if len(times) == 1:  # between the question and the transaction
            append(lake, variants(lake, new[0]), "variants", None)
        append(self, df, table, txn)

    monkeypatch.setattr(Lake, "_append", append_late)
    lake.append_new(variants(lake, old[0], *new), "variants")
    assert ids(lake) == sorted(old + new)
    assert len(times) == 2, "the first attempt had to fail"


def waiting(df: DataFrame, folder: Path) -> DataFrame:
    """The rows, handed on when somebody has answered that a task of the write began."""

    def wait(batches):
        (folder / "began").touch()
        while not (folder / "go").exists():
            time.sleep(0.05)
        yield from batches

    return df.coalesce(1).mapInArrow(wait, df.schema)


def while_writing(folder: Path, write, other) -> None:
    """Commit ``other`` while a transaction of ``write`` is open."""
    failures: list[BaseException] = []

    def caught() -> None:
        try:
            write()
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=caught)
    thread.start()
    while not (folder / "began").exists() and thread.is_alive():
        time.sleep(0.05)
    other()
    (folder / "go").touch()
    thread.join()
    assert not failures
    assert (folder / "began").exists()


def test_a_commit_during_a_write_by_filters_is_a_conflict_and_tried_again(
    lake: Lake, large: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    old, new = hexes("old", 5), hexes("new", 5)
    lake.append(variants(lake, *old), "variants")
    other = Lake(lake.spark, lake.root, "other-run", lake.started)
    stamped = Lake._stamped
    monkeypatch.setattr(
        Lake, "_stamped", lambda self, df: waiting(stamped(self, df), tmp_path) if self is lake else stamped(self, df)
    )
    while_writing(
        tmp_path,
        lambda: lake.append_new(variants(lake, old[0], *new), "variants"),
        lambda: other.append_new(variants(lake, new[0], old[1]), "variants"),
    )
    assert ids(lake) == sorted(old + new)


def test_two_runs_that_append_one_batch_at_once_write_it_once_and_neither_fails(
    lake: Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    other = Lake(lake.spark, lake.root, "other-run", lake.started)
    stamped = Lake._stamped
    monkeypatch.setattr(
        Lake, "_stamped", lambda self, df: waiting(stamped(self, df), tmp_path) if self is lake else stamped(self, df)
    )
    batch = Transaction("checkpoint-1", 0)
    while_writing(
        tmp_path,
        lambda: lake.append(variants(lake, "a", "b"), "variants", batch),
        lambda: other.append(variants(lake, "a", "b"), "variants", batch),
    )
    assert ids(lake) == ["a", "b"]


def test_an_address_without_a_file_system_is_told_as_such(lake: Lake):
    with pytest.raises(InputError, match="nowhere://bucket/lake: no file system for this address"):
        Lake(lake.spark, "nowhere://bucket/lake", "r", lake.started).exists("runs")


def test_a_rewrite_loses_no_append_and_is_passed_over_by_the_stream(
    lake: Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    seen: list[list[str]] = []

    def follow_variants() -> None:
        follow(lake, "variants", "c", 1 << 30, lambda rows, txn: seen.append(sorted(r[0] for r in rows.collect())))

    names = hexes("k", 12)
    for part in (names[:5], names[5:10]):
        lake.append(variants(lake, *part), "variants")
    follow_variants()
    before = digest(lake, "variants")
    lake.rewrite("variants", 1)
    files = lake.read("variants").inputFiles()
    stored = pq.read_table(files[0].removeprefix("file:"), columns=["variant_id"])["variant_id"].to_pylist()
    assert len(files) == 1 and stored == sorted(names[:10])
    assert digest(lake, "variants") == before
    detail = lake.spark.sql(f"DESCRIBE DETAIL delta.`{lake.path('variants')}`").first()
    assert (detail["minReaderVersion"], detail["clusteringColumns"]) == (1, ["variant_id"])
    monkeypatch.setattr(tables, "arranged", lambda df, table: waiting(arranged(df, table), tmp_path))
    while_writing(
        tmp_path,
        lambda: lake.rewrite("variants", 1),
        lambda: (
            lake._stamped(variants(lake, names[10])).write.format("delta").mode("append").save(lake.path("variants"))
        ),
    )
    monkeypatch.setattr(tables, "arranged", arranged)
    lake.append(variants(lake, names[11]), "variants")
    assert ids(lake) == sorted(names)
    follow_variants()
    assert sorted(chain.from_iterable(seen)) == sorted(names) and len(seen[0]) == 10


@pytest.mark.slow
def test_upkeep_joins_small_files_and_lets_go_of_filters_without_one(
    lake: Lake, large: None, monkeypatch: pytest.MonkeyPatch, run_job: Callable[..., Done]
):
    names = hexes("k", 24)
    for i in range(12):
        lake.append(variants(lake, *names[2 * i : 2 * i + 2]).coalesce(1), "variants")
    found(lake, names)
    assert len(filters_of(lake)) == 12
    job = Path(__file__).parents[2] / "jobs" / "maintain.py"
    said = run_job(job, "--lake", lake.root, "--dry-run")
    assert said.code == 0 and "variants             12 files" in said.out and len(filters_of(lake)) == 12
    assert run_job(job, "--lake", lake.root).code == 0
    assert filters_of(lake) == [] and len(lake.read("variants").inputFiles()) == 1
    found(lake, names)
    assert run_job(job, "--lake", lake.root).code == 0
    assert len(filters_of(lake)) == 1, "VACUUM and upkeep leave the filter of a file that is there"
    assert ids(lake) == sorted(names)


@pytest.mark.parametrize("literals", [512, 1])
def test_merge_reads_few_files_and_ends_as_a_merge_of_all(
    lake: Lake, large: None, monkeypatch: pytest.MonkeyPatch, literals: int
):
    monkeypatch.setattr(layout, "LITERALS", literals)
    names = hexes("k", 8)
    lake.merge(variants(lake, *names[:6]), "variants")
    version = lake.version("variants")
    lake.merge(variants(lake, *names[:3]), "variants")
    assert lake.version("variants") == version, "rows that are there as they are make no commit"
    changed = variants(lake, *names[4:], text="other words").union(variants(lake, names[0]))
    lake.merge(changed, "variants")
    rows = lake.read("variants").select("variant_id", "canonical_text").collect()
    assert dict(map(tuple, rows)) == dict.fromkeys(names[:4], "some words") | dict.fromkeys(names[4:], "other words")
    assert len(rows) == 8
