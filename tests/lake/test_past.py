"""An exported night is a lake with the tables of that night, whole or not taken for one, even when history is gone."""

import os
import time
from dataclasses import replace
from pathlib import Path

import pytest
from tests.conftest import TEST_TIME
from tests.lake.rows import variants

from quotelake.errors import InputError
from quotelake.lake.place import Files
from quotelake.lake.runs import SNAPSHOTS, Run, snapshots
from quotelake.lake.tables import Lake
from quotelake.lake.upkeep import export
from quotelake.query.engines import DuckEngine
from quotelake.query.spark import SparkEngine

COUNTS = "SELECT (SELECT count(*) FROM variants) AS variants, (SELECT count(DISTINCT run_id) FROM runs) AS runs"


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
