"""Keys stay unique and no row is lost, under any repetition of a write and beside any other."""

import threading
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from tests.lake.rows import hexes, ids, variants, wait_while_writing, waiting, while_writing

from quotelake.lake import writing
from quotelake.lake.frames import arranged
from quotelake.lake.stream import follow
from quotelake.lake.tables import Lake
from quotelake.lake.upkeep import digest
from quotelake.lake.writing import Transaction

pytestmark = pytest.mark.spark


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
    monkeypatch.setattr(writing, "LITERALS", 2)  # more values than one commit takes
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


@pytest.mark.parametrize("literals", [512, 1])
def test_a_delete_is_one_commit_however_many_keys_it_has(lake: Lake, monkeypatch: pytest.MonkeyPatch, literals: int):
    monkeypatch.setattr(writing, "LITERALS", literals)
    schema = "variant_id STRING, rule_version STRING, group_id STRING, component_id STRING"
    rows = [(f"v{group}", rules, group, None) for group in "abcd" for rules in ("1", "2")]
    lake.append(lake.spark.createDataFrame(rows, schema), "variant_groups")
    version = lake.version("variant_groups")
    lake.delete("variant_groups", "group_id", ["a", "b", "c", "none"], "1")
    found = lake.read("variant_groups").select("group_id", "rule_version").collect()
    assert sorted(map(tuple, found)) == [("a", "2"), ("b", "2"), ("c", "2"), ("d", "1"), ("d", "2")]
    assert lake.version("variant_groups") == version + 1
    lake.delete("variant_groups", "group_id", [], "2")
    assert lake.version("variant_groups") == version + 1


def test_two_runs_that_append_one_batch_at_once_write_it_once_and_neither_fails(
    lake: Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    other = Lake(lake.spark, lake.root, "other-run", lake.started)
    wait_while_writing(lake, tmp_path, monkeypatch)
    batch = Transaction("checkpoint-1", 0)
    while_writing(
        tmp_path,
        lambda: lake.append(variants(lake, "a", "b"), "variants", batch),
        lambda: other.append(variants(lake, "a", "b"), "variants", batch),
    )
    assert ids(lake) == ["a", "b"]


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
    late = variants(lake, names[10])
    monkeypatch.setattr(writing, "arranged", lambda df, table: waiting(arranged(df, table), tmp_path))
    while_writing(
        tmp_path,
        lambda: lake.rewrite("variants", 1),
        lambda: lake.stamped(late).write.format("delta").mode("append").save(lake.path("variants")),
    )
    monkeypatch.setattr(writing, "arranged", arranged)
    lake.append(variants(lake, names[11]), "variants")
    assert ids(lake) == sorted(names)
    follow_variants()
    assert sorted(chain.from_iterable(seen)) == sorted(names) and len(seen[0]) == 10
