"""Upkeep deletes nothing that is still needed, and writes few copies; an exported night is whole or not taken for one;
after a purge no file of a table tells of rows that are gone."""

import os
import re
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from pyspark.errors import PySparkException
from tests.conftest import TEST_TIME
from tests.lake.rows import contents, hexes, ids, variants
from tests.running import Done

from quotelake.errors import InputError
from quotelake.lake.contracts import contract, table_names
from quotelake.lake.place import Files
from quotelake.lake.runs import SNAPSHOTS, LastRun, Run, snapshots
from quotelake.lake.stream import follow
from quotelake.lake.tables import Lake
from quotelake.lake.upkeep import (
    FILE_BYTES,
    RETENTION,
    TableSize,
    check_clock,
    export,
    may_have_unneeded,
    purge,
    seal,
)
from quotelake.query.engines import DuckEngine
from quotelake.query.spark import SparkEngine

COUNTS = "SELECT (SELECT count(*) FROM variants) AS variants, (SELECT count(DISTINCT run_id) FROM runs) AS runs"


def test_nothing_is_deleted_by_a_clock_for_which_the_last_run_is_long_ago():
    last = LastRun("r1", TEST_TIME.replace(tzinfo=None), {})
    for age in (-RETENTION, timedelta(0), RETENTION):
        check_clock("/lake", last, TEST_TIME + age)
    check_clock("/lake", None, TEST_TIME + 2 * RETENTION)
    with pytest.raises(InputError, match=r"by the clock it is 2024-08-30, .* r1, started at 2024-06-01"):
        check_clock("/lake", last, TEST_TIME + RETENTION + timedelta(seconds=1))
    kept = f"'delta.deletedFileRetentionDuration' = 'interval {RETENTION.days} days'"
    assert all(kept in contract(table).statement for table in table_names())


def test_spark_looks_for_files_to_delete_where_one_is_old_enough_or_it_cannot_be_known(tmp_path: Path):
    """Protects: upkeep of a small lake is seconds, and no file past its retention stays."""
    for name in ("a.parquet", "_delta_log"):
        (tmp_path / "variants" / name).mkdir(parents=True)
    now = TEST_TIME + timedelta(days=1000)
    for days, is_old in ((1, False), (89, False), (91, True)):
        os.utime(tmp_path / "variants" / "_delta_log", (0, 0))
        os.utime(tmp_path / "variants" / "a.parquet", ((now - timedelta(days=days)).timestamp(),) * 2)
        assert may_have_unneeded(str(tmp_path), "variants", now) is is_old
    assert may_have_unneeded("s3a://bucket/lake", "variants", now)


@pytest.mark.parametrize(("files", "night_bytes"), [(1, 14_000), (3, 50_000_000), (16, 2_000_000_000)])
def test_files_of_a_year_of_nights_stay_few_by_weekly_upkeep_that_writes_few_copies(files: int, night_bytes: int):
    """Of a table that only grows: the files in use, and what the copies take that upkeep wrote and that are kept."""
    assert [TableSize(2 * FILE_BYTES, count).is_scattered for count in (12, 13)] == [False, True]
    size, copies = TableSize(0, 0), dict[int, int]()
    for night in range(1, 366):
        size = TableSize(size.bytes + night_bytes, size.files + files)
        if night % 7 == 0 and size.is_scattered:
            size, copies[night] = TableSize(size.bytes, size.wanted_files), size.bytes
        assert size.files <= 2 * size.wanted_files + 8 + 7 * files
        kept = sum(size for at, size in copies.items() if at > night - RETENTION.days)
        assert kept <= 13 * FILE_BYTES + 4 * size.bytes, "small tables are written anew every week or two"


@pytest.mark.spark
def test_upkeep_joins_small_files_and_with_nothing_to_do_leaves_every_file_as_it_is(
    lake: Lake, run_job: Callable[..., Done], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("quotelake.lake.contracts.table_names", lambda: ("variants",))  # all take two minutes
    names = hexes("k", 24)
    lake.append(variants(lake, *names).repartition(12), "variants")

    def files() -> dict[Path, int]:
        return {path: path.stat().st_mtime_ns for path in Path(lake.path("variants")).rglob("*") if path.is_file()}

    said: list[str] = []

    def files_before(*arguments: str) -> int:
        done = run_job(Path(__file__).parents[2] / "jobs" / "maintain.py", "--lake", lake.root, *arguments)
        said.append(done.out)
        found = re.search(r"^variants +(\d+) files", done.out, re.MULTILINE)
        assert done.code == 0 and found
        return int(found[1])

    scattered = files()
    assert files_before("--dry-run") == 12 and files() == scattered
    assert (
        files_before() == 12
        and "stay for 90 days" in said[-1]
        and len(lake.read("variants").inputFiles()) == 1
        and ids(lake) == sorted(names)
    )
    joined = files()
    assert files_before() == 1 and files() == joined and "stay" not in said[-1]


@pytest.mark.spark
def test_an_exported_night_is_a_lake_and_is_found_when_its_history_is_gone(lake: Lake, monkeypatch: pytest.MonkeyPatch):
    for number, night in enumerate(("one", "two", "three")):
        now = replace(lake, run_id=f"run-{night}")
        now.append(variants(now, f"{number}-a"), "variants")
        now.complete(Run(now.run_id, TEST_TIME, "f", night, print))
    each = lake.read("variants").count() // 3
    copies = iter(range(20))

    def copy_or_die(files: Files, name: str, to: str) -> None:
        if next(copies, None) is None:
            raise RuntimeError("killed here")
        copy(files, name, to)

    copy = Files.copy
    with monkeypatch.context() as patch, pytest.raises(RuntimeError, match="killed here"):
        patch.setattr(Files, "copy", copy_or_die)
        export(lake, "one")
    assert snapshots(lake.storage) == {} and (Path(lake.root) / SNAPSHOTS / "one").is_dir()
    assert [export(lake, night) for night in ("one", "run-one", "two")] == ["one", "one", "two"]
    assert snapshots(lake.storage) == {"run-one": "one", "run-two": "two"}

    # What a table was before it was written anew is gone after the retention, by Delta's own clock, the files' times.
    lake.rewrite("variants", 1)
    for path in Path(lake.root, "variants", "_delta_log").iterdir():
        os.utime(path, (time.time() - 100 * 86_400,) * 2)
    lake.spark._jvm.org.apache.spark.sql.delta.DeltaLog.clearCache()
    with pytest.raises(
        InputError, match=r"table variants as run run-three \(night three\) .* nights: one, two; a night"
    ):
        SparkEngine(lake, as_of="three").sql(COUNTS)
    for name in lake.storage.names("variants"):
        if name.endswith(".parquet") and f"{name}" not in str(lake.read("variants").inputFiles()):
            lake.storage.delete(f"variants/{name}")
    for number, night in enumerate(("one", "two"), 1):
        found, place = [{"variants": number * each, "runs": number}], f"{lake.root}/{SNAPSHOTS}/{night}"
        with DuckEngine(lake.root, as_of=night) as duck, DuckEngine(place) as opened:
            assert duck.sql(COUNTS) == opened.sql(COUNTS) == found
    assert SparkEngine(lake, as_of="two").sql(COUNTS) == found
    assert SparkEngine(replace(lake, root=place)).sql(COUNTS) == found, "also when its last commit is that old"


@pytest.mark.spark
def test_no_file_tells_of_what_is_gone_and_streams_and_readers_go_on(lake: Lake):
    root, seen = Path(lake.root), list[list[str]]()

    def follow_on() -> None:
        follow(lake, "variants", "v", 1 << 30, lambda rows, *_: seen.append(sorted(r[0] for r in rows.collect())))

    def telling() -> list[str]:
        traces = [text.encode() for text in (*gone, "purple umbrellas")]
        return [path.name for path, data in contents(root) if any(trace in data for trace in traces)]

    gone, kept, later = (hexes(name, 1) for name in ("gone", "kept", "later"))
    lake.append(variants(lake, *gone, text="purple umbrellas"), "variants")
    lake.append(variants(lake, *kept, text="green kettles"), "variants")
    follow_on()
    lake.delete("variants", "variant_id", gone)
    stray = root / "variants" / "part-stray.parquet"
    stray.write_bytes(b"purple umbrellas")
    os.utime(stray, (4e9, 4e9))  # by a clock that was ahead
    names = telling()
    assert {name[-8:] for name in names} >= {".parquet", "001.json", "003.json"}, "a file, what it held, and the delete"
    before = lake.version("variants")
    seal(lake, "variants")
    follow_on()
    lake.complete(Run("purged", TEST_TIME, "f", None, print))
    purge(lake, "variants")
    assert telling() == []
    assert ids(lake) == kept
    with pytest.raises(PySparkException):
        lake.read("variants", before).collect()
    lake.check(thorough=True)
    with DuckEngine(lake.root) as duck:
        assert duck.answer("SELECT variant_id FROM variants").rows == [{"variant_id": kept[0]}]
    lake.append(variants(lake, *later), "variants")
    follow_on()
    assert [rows for rows in seen if rows] == [sorted(gone + kept), later]
