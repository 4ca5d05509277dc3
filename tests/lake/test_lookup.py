"""Keys looked up in a large table give what reading all of it gives."""

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

from quotelake.lake import frames, writing
from quotelake.lake.tables import Lake

pytestmark = pytest.mark.spark


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every table counts as a large one."""
    monkeypatch.setattr(writing, "LARGE_BYTES", 0)
    monkeypatch.setattr(writing, "BROADCAST_KEYS", 0)


@pytest.mark.parametrize("literals", [512, 2])
def test_rows_of_some_keys_are_found_by_literals_and_by_a_join(
    lake: Lake, large: None, monkeypatch: pytest.MonkeyPatch, literals: int
):
    monkeypatch.setattr(writing, "LITERALS", literals)
    present = hexes("in", 30)
    for part in (present[:20], present[20:]):
        lake.append(variants(lake, *part).coalesce(1), "variants")
    for wanted in ([], present[::7] + hexes("out", 30) + ["no id at all", "it's", present[0]]):
        keys = lake.spark.createDataFrame([(name,) for name in wanted], "variant_id STRING")
        rows = lake.rows_of("variants", keys, ("canonical_text",)).collect()
        assert sorted(map(tuple, rows)) == sorted((name, "some words") for name in set(wanted) & set(present))


@property_settings(max_examples=3)
@given(st.data())
def test_only_new_keys_are_appended_to_a_large_table(spark: SparkSession, lake_template: Path, data: st.DataObject):
    names = st.lists(st.sampled_from([*hexes("k", 30), "a", "b"]), max_size=12)
    steps = data.draw(st.lists(names, min_size=2, max_size=2))
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(writing, "BROADCAST_KEYS", 0)
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


def test_a_commit_during_a_write_is_a_conflict_and_tried_again(
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
    monkeypatch.setattr(frames, "LITERALS", literals)
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
def test_upkeep_joins_small_files_and_lets_go_of_what_earlier_releases_kept(lake: Lake, run_job: Callable[..., Done]):
    names = hexes("k", 24)
    for i in range(12):
        lake.append(variants(lake, *names[2 * i : 2 * i + 2]).coalesce(1), "variants")
    lake.storage.write("variants/_keys/part-0.parquet.bloom", "x")
    job = Path(__file__).parents[2] / "jobs" / "maintain.py"
    said = run_job(job, "--lake", lake.root, "--dry-run")
    assert said.code == 0 and re.search(r"^variants +12 files", said.out, re.MULTILINE)
    assert lake.storage.names("variants/_keys") and len(lake.read("variants").inputFiles()) == 12
    assert run_job(job, "--lake", lake.root).code == 0
    assert lake.storage.names("variants/_keys") == [] and len(lake.read("variants").inputFiles()) == 1
    assert ids(lake) == sorted(names)
