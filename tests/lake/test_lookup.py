"""Keys looked up in a large table give what reading all of it gives, whatever becomes of the key filters."""

import re
import shutil
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as property_settings
from hypothesis import strategies as st
from pyspark.sql import DataFrame, SparkSession
from tests.lake.rows import hexes, ids, variants, wait_while_writing, while_writing
from tests.running import Done

from quotelake.lake import layout, lookup, writing
from quotelake.lake.tables import Lake, Transaction
from quotelake.lake.writing import Target

pytestmark = pytest.mark.spark


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every table that is not empty counts as a large one."""
    monkeypatch.setattr(lookup, "ARCHIVE_ROWS", 1)
    monkeypatch.setattr(lookup, "BROADCAST_KEYS", 0)


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
    append, times = writing.append_once, []

    def append_late(df: DataFrame, target: Target, txn: Transaction | None) -> None:
        times.append(1)
        if len(times) == 1:  # between the question and the transaction
            append(variants(lake, new[0]), target, None)
        append(df, target, txn)

    monkeypatch.setattr(writing, "append_once", append_late)
    lake.append_new(variants(lake, old[0], *new), "variants")
    assert ids(lake) == sorted(old + new)
    assert len(times) == 2, "the first attempt had to fail"


def test_a_commit_during_a_write_by_filters_is_a_conflict_and_tried_again(
    lake: Lake, large: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    old, new = hexes("old", 5), hexes("new", 5)
    lake.append(variants(lake, *old), "variants")
    other = Lake(lake.spark, lake.root, "other-run", lake.started)
    wait_while_writing(lake, tmp_path, monkeypatch)
    while_writing(
        tmp_path,
        lambda: lake.append_new(variants(lake, old[0], *new), "variants"),
        lambda: other.append_new(variants(lake, new[0], old[1]), "variants"),
    )
    assert ids(lake) == sorted(old + new)


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
    assert said.code == 0 and re.search(r"^variants +12 files", said.out, re.MULTILINE) and len(filters_of(lake)) == 12
    assert run_job(job, "--lake", lake.root).code == 0
    assert filters_of(lake) == [] and len(lake.read("variants").inputFiles()) == 1
    found(lake, names)
    assert run_job(job, "--lake", lake.root).code == 0
    assert len(filters_of(lake)) == 1, "VACUUM and upkeep leave the filter of a file that is there"
    assert ids(lake) == sorted(names)
