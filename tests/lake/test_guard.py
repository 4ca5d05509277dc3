"""No run and no job goes on with a damaged lake, and a first run that was killed is continued."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from delta.tables import DeltaTable
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from tests.conftest import TEST_TIME
from tests.lake.rows import remove
from tests.running import Done

from quotelake.lake.damage import DamageError
from quotelake.lake.runs import Run
from quotelake.lake.tables import Lake
from quotelake.query.engines import DuckEngine
from quotelake.sample import sample_inputs

pytestmark = pytest.mark.spark

JOBS = Path(__file__).parents[2] / "jobs"


@pytest.fixture
def copy(sample_lake: str, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sample_lake, tmp_path / "scored"))


def listed(root: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in root.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("gone", "told"),
    [
        ("quotes/**/*", r"the table quotes is missing \(at version 1 when run "),
        ("_checkpoints/**/*", "the folder _checkpoints/documents-.* lacks batch 0, which is in the table quotes"),
        ("_author_key", "the secret .*/scored/_author_key, by .* is missing; .* Put the file back from a backup"),
    ],
)
def test_a_run_on_a_damaged_lake_writes_nothing(score: Callable[..., Lake], copy: Path, gone: str, told: str):
    remove(copy, gone)
    before = listed(copy)
    with pytest.raises(DamageError, match=told):
        score(copy, sample_inputs())
    assert listed(copy) == before


def test_a_file_that_is_lost_while_a_run_works_is_told_and_other_errors_stay(spark: SparkSession, copy: Path):
    lake = Lake(spark, str(copy), "r", TEST_TIME)
    with pytest.raises(ZeroDivisionError), lake.reporting_damage():
        _ = 1 / 0
    with pytest.raises(DamageError, match="the table contexts lacks 1 of its data files"), lake.reporting_damage():
        rows = lake.read("contexts")
        remove(copy, "contexts/*.parquet")
        rows.collect()


@pytest.mark.parametrize(
    ("job", "gone"),
    [
        ("digest.py", "quotes/**/*"),
        ("maintain.py", "quotes/*.parquet"),
        ("query.py:--engine:spark:SELECT text FROM quotes", "quotes/*.parquet"),
    ],
)
def test_a_job_on_a_damaged_lake_says_one_line(run_job: Callable[..., Done], copy: Path, job: str, gone: str):
    remove(copy, gone)
    name, *arguments = job.split(":")
    done = run_job(JOBS / name, *arguments, "--lake", copy)
    said = [line for line in done.error.splitlines() if line.startswith("quotelake: ")]
    assert (done.code, len(said)) == (2, 1) and f"{copy}: the lake is damaged: the table quotes " in said[0]
    assert "Traceback" not in done.error


@pytest.mark.parametrize("upgraded", [pytest.param(False, marks=[pytest.mark.slow, pytest.mark.crash]), True])
def test_a_table_without_a_commit_was_never_made_and_is_made_by_the_next_run(
    new_lake: Callable[[str], Lake], upgraded: bool
):
    lake, begun = new_lake("lake"), ("documents", "stories")
    noted = Path(lake.root, "_contracts.json")
    made = json.loads(noted.read_text("utf-8"))
    if upgraded:  # by a release that has two tables more, and was killed while it made them
        lake.complete(Run("r", TEST_TIME, "f", None, print))
        noted.write_text(json.dumps({table: made[table] for table in made if table not in begun}), "utf-8")
        runs = DeltaTable.forPath(lake.spark, lake.path("runs"))
        runs.update(set={"table_versions": F.map_filter("table_versions", lambda name, _: ~name.isin(*begun))})
    else:
        noted.unlink()
    for table in begun:
        shutil.rmtree(Path(lake.root, table))
        Path(lake.root, table, "_delta_log").mkdir(parents=True)
        Path(lake.root, table, "_delta_log", "_staged_commits").mkdir()
    Path(lake.root, "stories", "_delta_log", f".{0:020}.json.4e1f.tmp").write_text("{", "utf-8")
    lake.check(thorough=True)
    if upgraded:
        with DuckEngine(lake.root) as engine:
            assert engine.answer("SELECT * FROM stories").rows == []
    lake.create()
    lake.check(thorough=True)
    assert json.loads(noted.read_text("utf-8")) == made and all(lake.read(table).isEmpty() for table in begun)
    log = Path(lake.root, "stories", "_delta_log")
    (log / f"{0:020}.json").rename(log / f"{1:020}.json")
    with pytest.raises(DamageError, match="the table stories has no commit"):
        lake.check()
