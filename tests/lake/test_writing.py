"""Keys stay unique and no row is lost, under any repetition of a write and beside any other, in tables of any size."""

import shutil
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from itertools import chain, product
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable, write_deltalake
from pyspark.sql import DataFrame
from tests.conftest import TEST_TIME
from tests.lake.rows import by_spark, hexes, ids, variants

from quotelake.lake import frames, local, reading, writing
from quotelake.lake.frames import sorted_for_writing
from quotelake.lake.local import rows_now
from quotelake.lake.stream import follow
from quotelake.lake.tables import Lake
from quotelake.lake.upkeep import digest
from quotelake.lake.writing import Transaction, Writer
from quotelake.spark.arrow import frame_of_table, known_table

pytestmark = pytest.mark.spark


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every table counts as a large one."""
    monkeypatch.setattr(reading, "LARGE_BYTES", 0)
    monkeypatch.setattr(reading, "_BYTES_OF_LITERAL", 1)
    monkeypatch.setattr(reading, "BROADCAST_KEYS", 0)


def placements(lake: Lake, *rows: tuple[str, str, str]) -> DataFrame:
    names = ("variant_id", "rule_version", "group_id")
    return lake.frame([dict(zip(names, row, strict=True)) for row in rows], "variant_groups")


def waiting(df: DataFrame, folder: Path) -> DataFrame:
    """The rows, handed on when somebody has answered that a task of the write began."""

    def wait(batches):
        (folder / "began").touch()
        while not (folder / "go").exists():
            time.sleep(0.05)
        yield from batches

    return df.coalesce(1).mapInArrow(wait, df.schema)


def wait_while_writing(lake: Lake, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have each write of one run wait in its transaction; writes of other runs go on."""
    stamped = Writer.stamped

    def wait(run: Writer, df: DataFrame) -> DataFrame:
        rows = stamped(run, df)
        return waiting(rows, folder) if run.run_id == lake.run_id else rows

    monkeypatch.setattr(Writer, "stamped", wait)


def while_writing(folder: Path, write, other) -> None:
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


def test_the_same_rows_or_batch_again_change_nothing_not_even_the_version(lake: Lake):
    lake.append_new(variants(lake, "a", "b"), "variants")
    version = lake.version("variants")
    lake.append_new(variants(lake, "b", "a", "a"), "variants")
    assert (ids(lake), lake.version("variants")) == (["a", "b"], version)
    lake.append_new(variants(lake, "b", "c"), "variants")
    for name, checkpoint in (("d", 1), ("d", 1), ("e", 2)):  # the other one counts its batches from 0 again
        lake.append(variants(lake, name), "variants", Transaction(f"checkpoint-{checkpoint}", 0))
    assert ids(lake) == ["a", "b", "c", "d", "e"]


def compared(lake: Lake, *uses: tuple[str, str, str]) -> DataFrame:
    """Rows of ``quote_comparisons``: group, quote, rule version."""
    row = {"doc_id": "d", "reference_quote_id": "q", "reference_doc_id": "d", "differences": [], "trimmed": False}
    names = ("group_id", "quote_id", "rule_version")
    return lake.frame([row | dict(zip(names, use, strict=True)) for use in uses], "quote_comparisons")


def held(lake: Lake) -> list[str]:
    """Uses that hold, as Spark and DuckDB read them."""
    names = ("group_id", "quote_id", "rule_version")
    rows = rows_now(lake.root, "quote_comparisons", names)
    by_spark = lake.read("quote_comparisons").select(*names).collect()
    found = sorted(" ".join(row[name] for name in names) for row in rows)
    assert found == sorted(" ".join(row) for row in by_spark)
    return found


@pytest.mark.parametrize(("literals", "small"), [(512, False), (1, False), (512, True)])
def test_newer_rows_of_a_group_replace_all_its_rows_without_a_merge_also_where_none_are_left(
    lake: Lake, monkeypatch: pytest.MonkeyPatch, literals: int, small: bool
):
    monkeypatch.setattr(frames, "LITERALS", literals)
    if not small:
        monkeypatch.setattr(writing, "known_table", lambda df: None)  # all is read and written by Spark
    lake, table = replace(lake, small=small), "quote_comparisons"
    lake.append(compared(lake, ("old", "1", "r"), ("old", "2", "r"), ("left", "1", "r")), table)  # of an older lake
    txn = [Transaction("batches", number) for number in range(3)]
    lake.replace(compared(lake, ("a", "1", "r"), ("a", "2", "r"), ("b", "1", "r"), ("b", "1", "s")), table, txn=txn[0])
    before = held(lake)
    assert before == ["a 1 r", "a 2 r", "b 1 r", "b 1 s", "left 1 r", "old 1 r", "old 2 r"]
    lake.replace(compared(lake, ("a", "3", "r"), ("old", "2", "r")), table, ["b", "none"], "r", txn[1])
    assert held(lake) == ["a 3 r", "b 1 s", "left 1 r", "old 2 r"]
    lake.replace(compared(lake, ("a", "9", "r")), table, txn=txn[0])
    assert held(lake) == ["a 3 r", "b 1 s", "left 1 r", "old 2 r"], "a run that was overtaken writes nothing"
    lake.replace(compared(lake, ("b", "5", "r")), table, ["a"], "r", txn[2])
    assert held(lake) == ["b 1 s", "b 5 r", "left 1 r", "old 2 r"]
    history = lake.spark.sql(f"DESCRIBE HISTORY delta.`{lake.path(table)}`").select("operation").collect()
    assert {row[0] for row in history} == {"CREATE TABLE", "WRITE"}
    sums = digest(lake, table)
    lake.rewrite(table, 1)
    assert lake.read(table, every=True).count() == 4 and digest(lake, table) == sums
    assert held(lake) == ["b 1 s", "b 5 r", "left 1 r", "old 2 r"]


def test_few_rows_are_found_and_deleted_by_the_driver_as_by_spark(lake: Lake):
    """Also those of a table whose newest rows hold, by a column that newer rows may have another value of."""
    lake.replace(placements(lake, ("a", "1", "g"), ("b", "1", "g"), ("c", "1", "h"), ("a", "2", "g")), "variant_groups")
    lake.replace(placements(lake, ("b", "1", "h")), "variant_groups")
    lake.append_new(variants(lake, "a", "b", "c"), "variants")
    small, rules = replace(lake, small=True), "rule_version = '1'"
    for table, column, keys in (("variant_groups", "group_id", "gh"), ("variant_groups", "variant_id", "abx")):
        for chosen, names, where in product(((keys[0],), tuple(keys), ()), ((), ("component_id",)), ("true", rules)):
            found = [each.rows_of(table, each.ids(column, chosen), names, where) for each in (lake, small)]
            assert known_table(found[1]) is not None and {*found[0].columns} == {*found[1].columns}
            one, other = (sorted(map(str, rows.select(*found[0].columns).collect())) for rows in found)
            assert one == other and bool(one) == bool(chosen)
    small.delete("variants", "variant_id", ["a", "none"])
    lake.delete("variants", "variant_id", ["b"])
    assert ids(lake) == ["c"]


def test_a_table_is_plain_enough_for_others_to_write(lake: Lake):
    lake.append(variants(lake, "a"), "variants")
    there = DeltaTable(lake.path("variants"))
    [row] = there.to_pyarrow_table().to_pylist()
    write_deltalake(there, pa.Table.from_pylist([row | {"variant_id": "b"}]), mode="append")
    assert ids(lake) == ["a", "b"]
    lake.append(variants(lake, "c"), "variants")
    assert ids(lake) == ["a", "b", "c"]


def test_bytes_of_a_table_need_no_job_but_at_an_address_where_a_log_does_not_say_them(
    lake: Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    lake.append(by_spark(variants(lake, "a", "b")), "variants")
    copy = tmp_path / "copy"
    shutil.copytree(lake.root, copy)
    for checksums in copy.rglob("*.crc"):
        checksums.unlink()
    context = lake.spark.sparkContext
    for root, is_at_home, jobs in ((Path(lake.root), False, False), (copy, True, False), (copy, False, True)):
        monkeypatch.setattr(reading, "is_local", lambda root, at_home=is_at_home: at_home)
        opened = Lake(lake.spark, str(root), "test-run", lake.started)
        opened.read("variants")
        context.setJobGroup(f"{root.name} {is_at_home}", "asks for bytes")
        assert opened.bytes_of("variants") == sum(file.stat().st_size for file in (root / "variants").glob("*.parquet"))
        context.setLocalProperty("spark.jobGroup.id", "")
        assert bool(context.statusTracker().getJobIdsForGroup(f"{root.name} {is_at_home}")) == jobs


def test_of_an_empty_table_the_plan_says_that_it_has_no_rows(lake: Lake):
    def asked() -> DataFrame:
        return lake.stored("variants").join(variants(lake, "a").select("variant_id"), "variant_id")

    assert "LocalRelation" in asked()._jdf.queryExecution().optimizedPlan().toString().splitlines()[0]
    lake.append(variants(lake, "a", "b"), "variants")
    assert [row.variant_id for row in asked().collect()] == ids(lake)[:1], "and not once it has some"


def test_a_small_table_on_this_machine_is_read_by_one_job(lake: Lake):
    lake.append(variants(lake, "a", "b"), "variants")
    context = lake.spark.sparkContext
    context.setJobGroup("reads a small table", "neither the state of the table nor its files cost a job")
    rows = lake.stored("variants").collect()
    context.setLocalProperty("spark.jobGroup.id", "")
    assert len(context.statusTracker().getJobIdsForGroup("reads a small table")) == 1
    assert sorted(row.variant_id for row in rows) == ids(lake)


def test_correct_gives_rows_that_are_there_other_values_and_leaves_their_stamps(lake: Lake):
    lake.append(variants(lake, "c", "d"), "variants")
    later = Lake(lake.spark, lake.root, "later-run", datetime(2024, 7, 1, tzinfo=UTC))
    texts = variants(lake, "c", "x", text="other words").select("variant_id", "canonical_text")
    later.correct(texts, "variants", "variant_id")
    rows = lake.read("variants").select("variant_id", "canonical_text", "run_id").collect()
    assert sorted(map(tuple, rows)) == [("c", "other words", "test-run"), ("d", "some words", "test-run")]


@pytest.mark.parametrize("literals", [512, 1])
def test_a_delete_is_one_commit_however_many_keys_it_has(lake: Lake, monkeypatch: pytest.MonkeyPatch, literals: int):
    monkeypatch.setattr(frames, "LITERALS", literals)
    lake.append(
        placements(lake, *((f"v{group}", rules, group) for group in "abcd" for rules in "12")), "variant_groups"
    )
    version = lake.version("variant_groups")
    lake.delete("variant_groups", "group_id", ["a", "b", "c", "none"], "1")
    found = lake.read("variant_groups").select("group_id", "rule_version").collect()
    assert sorted(map(tuple, found)) == [("a", "2"), ("b", "2"), ("c", "2"), ("d", "1"), ("d", "2")]
    assert lake.version("variant_groups") == version + 1
    lake.delete("variant_groups", "group_id", [], "2")
    assert lake.version("variant_groups") == version + 1


def test_two_runs_that_append_the_same_at_once_write_it_once_and_neither_fails(
    lake: Lake, large: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """By the transaction of a batch, or by the keys; the run that lost tries again."""
    other = Lake(lake.spark, lake.root, "other-run", lake.started)
    wait_while_writing(lake, tmp_path, monkeypatch)
    batch = Transaction("checkpoint-1", 0)
    while_writing(
        tmp_path,
        lambda: lake.append(by_spark(variants(lake, "a", "b")), "variants", batch),
        lambda: other.append(variants(lake, "a", "b"), "variants", batch),
    )
    assert ids(lake) == ["a", "b"]
    for name in ("began", "go"):
        (tmp_path / name).unlink()
    while_writing(
        tmp_path,
        lambda: lake.append_new(by_spark(variants(lake, "a", "c", "d")), "variants"),
        lambda: other.append_new(variants(lake, "c", "b", "e"), "variants"),
    )
    assert ids(lake) == ["a", "b", "c", "d", "e"]


@pytest.mark.parametrize("of_other", [lambda df: df, by_spark], ids=["by the driver", "by Spark"])
def test_a_write_of_the_driver_that_another_overtakes_is_tried_again_and_writes_nothing_twice(
    lake: Lake, monkeypatch: pytest.MonkeyPatch, of_other: Callable[[DataFrame], DataFrame]
):
    other, write, batch = Lake(lake.spark, lake.root, "other-run", lake.started), write_deltalake, Transaction("c", 0)
    overtaking = [lambda: other.append(of_other(variants(lake, "a", "b")), "variants", batch)]

    def after_the_other(*given: Any, **named: Any) -> None:
        if overtaking:
            overtaking.pop()()
        write(*given, **named)

    monkeypatch.setattr(local, "write_deltalake", after_the_other)
    lake.append(variants(lake, "a", "b"), "variants", batch)
    assert ids(lake) == ["a", "b"], "by the transaction of a batch"
    overtaking.append(lambda: other.append_new(of_other(variants(lake, "b", "c")), "variants"))
    lake.append_new(variants(lake, "c", "d", "d"), "variants")
    assert ids(lake) == ["a", "b", "c", "d"] and not overtaking, "by the keys"


def test_a_rewrite_loses_no_append_and_is_passed_over_by_the_stream(
    lake: Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    seen: list[list[str]] = []

    def follow_variants() -> None:
        follow(lake, "variants", "c", 1 << 30, lambda rows, *_: seen.append(sorted(r[0] for r in rows.collect())))

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
    assert (detail["minReaderVersion"], detail["clusteringColumns"]) == (1, [])
    late = variants(lake, names[10])
    monkeypatch.setattr(
        frames, "sorted_for_writing", lambda df, table: waiting(sorted_for_writing(df, table), tmp_path)
    )
    while_writing(
        tmp_path,
        lambda: lake.rewrite("variants", 1),
        lambda: lake.stamped(late).write.format("delta").mode("append").save(lake.path("variants")),
    )
    monkeypatch.setattr(frames, "sorted_for_writing", sorted_for_writing)
    lake.append(variants(lake, names[11]), "variants")
    assert ids(lake) == sorted(names)
    follow_variants()
    assert sorted(chain.from_iterable(seen)) == sorted(names) and len(seen[0]) == 10


def test_rows_of_some_keys_are_found_by_literals_and_by_a_join(
    lake: Lake, large: None, monkeypatch: pytest.MonkeyPatch
):
    present = hexes("in", 30)
    earlier = Lake(lake.spark, lake.root, "earlier-run", lake.started)
    for run, part in ((earlier, present[:20]), (lake, present[15:])):
        run.append_new(variants(run, *part).coalesce(1), "variants")
    asked = present[::7] + hexes("out", 30) + ["no id at all", "it's", present[0], None]
    # No keys are asked for; few, or more, of which few or many are in the table.
    for literals, most, wanted, columns in (
        (512, 99, [], ()), (512, 99, asked, ()), (2, 20, asked, ("canonical_text",)), (2, 1, asked, ()),
    ):  # fmt: skip
        monkeypatch.setattr(frames, "LITERALS", literals)
        monkeypatch.setattr(reading, "_MOST_LITERALS", most)
        keys = frame_of_table(lake.spark, pa.table({"variant_id": pa.array(wanted, pa.string())}))
        rows = lake.rows_of("variants", keys, columns)
        assert set(rows.columns) >= {"variant_id", *(columns or ("words", "run_id"))}
        rows = rows.select("variant_id", "canonical_text").collect()
        assert sorted(map(tuple, rows)) == sorted((name, "some words") for name in set(wanted) & set(present))


def test_a_key_of_two_columns_is_compared_as_a_whole(lake: Lake, large: None):
    def vectors(*rows: tuple[str, str]) -> DataFrame:
        others = {"vector": [1.0], "status": "ok"}
        return lake.frame([{"fingerprint": model, "text_hash": text, **others} for model, text in rows], "embeddings")

    lake.append_new(vectors(("m1", "t1"), ("m1", "t2")), "embeddings")
    lake.append_new(vectors(("m2", "t1"), ("m1", "t2"), ("m1", "t3")), "embeddings")
    rows = lake.read("embeddings").select("fingerprint", "text_hash").collect()
    assert sorted(map(tuple, rows)) == [("m1", "t1"), ("m1", "t2"), ("m1", "t3"), ("m2", "t1")]


def test_a_table_with_a_constraint_that_others_cannot_check_is_written_by_spark(lake: Lake):
    named = {"name": "A. Name", "canonical": "A Name", "wikidata_id": None, "imported_at": TEST_TIME}
    lake.append(lake.frame([named], "speaker_aliases"), "speaker_aliases")
    assert [row["name"] for row in lake.read("speaker_aliases").collect()] == ["A. Name"]
