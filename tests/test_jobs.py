"""Jobs as a person starts them: bare ``spark-submit``; whatever is wrong is one clear message and an exit status."""

import csv
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest
from deltalake import DeltaTable as RustTable
from pyspark.sql import SparkSession
from tests.running import Done

from quotelake.answers.ranking import ranking_query
from quotelake.lake.local import complete_runs, rows_now
from quotelake.query.engines import DuckEngine
from quotelake.spark import session

pytestmark = [pytest.mark.spark, pytest.mark.slow]

ROOT = Path(__file__).parents[1]
TEXT = "The mayor said: “We will rebuild the bridge.” She left."
GOOD = {"id": "1", "title": "Mayor: 'We will rebuild'", "text": TEXT}


@pytest.fixture
def in_this_session(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """A job run in this process takes the session of the tests as it is, and leaves it."""
    monkeypatch.setattr(session, "get_session", lambda name, **settings: spark)
    monkeypatch.setattr(session, "end_session", lambda **_: None)


def rows(lake: Path, table: str) -> list[dict[str, Any]]:
    return RustTable(str(lake / table)).to_pyarrow_table().to_pylist()


def test_a_model_that_is_not_there_is_one_message(in_this_session: None, run_job: Callable[..., Done], tmp_path: Path):
    (tmp_path / "good.jsonl").write_text(json.dumps(GOOD) + "\n", "utf-8")
    given = ("--set", "model.name=/no/such/model", "--input", f"sample_news={tmp_path}/good.jsonl")
    done = run_job("score_corpus", "--lake", tmp_path / "lake", *given)
    assert (done.code, done.error.count("\n"), "/no/such/model" in done.error) == (2, 1, True), done.error
    assert not (tmp_path / "lake").exists(), "nothing is written before the arguments are right"


def test_a_wrong_date_format_ends_with_a_status_of_its_own_and_the_right_one_reads_the_files_again(
    in_this_session: None, run_job: Callable[..., Done], tmp_path: Path
):
    dated = [{**GOOD, "id": str(number), "published": f"{20 + number}/05/2024"} for number in range(3)]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(each) + "\n" for each in dated), "utf-8")
    given = ("--lake", str(tmp_path / "lake"), "--input", f"sample_news={tmp_path}/in.jsonl")
    given += ("--log-json", str(tmp_path / "log.jsonl"), "--night", "monday")
    given += ("--set", f"report.export_duckdb={tmp_path}/views.duckdb")
    wrong = run_job("score_corpus", *given)
    said = wrong.out + wrong.error
    assert wrong.code == 3, said
    for part in (
        "sample_news: 3 of 3 records state a date that could not be read (100%", "bad_date (3)", f"{tmp_path}/in.jsonl",
        "'20/05/2024'", "sources.sample_news.date_format", "Alert page:",
    ):  # fmt: skip
        assert part in said
    right = run_job(
        "score_corpus", *given, "--set", "sources.sample_news.date_format=%d/%m/%Y", "--set", "run.lookup=true"
    )
    assert right.code == 0, right.out + right.error
    assert "embedding 1 quote, once" in right.out and list((tmp_path / "lake/_lookup").glob("*.faiss"))
    assert "3 documents corrected" in right.out
    assert {row["published_at"].day for row in rows(tmp_path / "lake", "documents")} == {20, 21, 22}
    with duckdb.connect(f"{tmp_path}/views.duckdb", read_only=True) as views:
        days = views.execute("SELECT day(published_at) FROM document_versions ORDER BY ALL").fetchall()
    assert days == [(20,), (21,), (22,)] and f"Views for other tools: {tmp_path}/views.duckdb" in right.out
    assert len(rows_now(str(tmp_path / "lake"), "files", ["file_id"])) == 1
    first, second = (json.loads(line) for line in (tmp_path / "log.jsonl").read_text("utf-8").splitlines())
    assert (first["status"], second["status"]) == (3, 0) and "bad_date (3)" in first["message"]
    assert first["sources"]["sample_news"]["documents"] == 3 and first["night"] == "monday"
    for stage in (*first["stages"].values(), *second["stages"].values()):
        assert stage["seconds"] > 0 and stage["written_bytes"] > 0
    for run_id in (first["run_id"], second["run_id"]):
        past = run_job("query", *given[:2], "--as-of", run_id, "SELECT run_id FROM run_summary WHERE nth = 1")
        assert run_id in past.out


def test_a_run_that_finds_nothing_new_starts_no_session(
    sample_lake: str, run_job: Callable[..., Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Protects: a second timer costs under half of a plain session with ten appends, and the run counts as complete."""
    monkeypatch.setattr(session, "get_session", lambda name, **settings: pytest.fail("a session was started"))
    monkeypatch.setattr(session, "end_session", lambda **_: None)
    lake = Path(shutil.copytree(sample_lake, tmp_path / "lake"))
    before, tables = complete_runs(str(lake)), {table.parent.name for table in lake.glob("*/_delta_log")}
    done = run_job("score_corpus", "--lake", lake, "--night", "again")
    assert done.code == 0 and "3 files read before" in done.out, done.out + done.error
    *earlier, last = complete_runs(str(lake))
    assert earlier == before and last.night == "again" and last.versions.keys() == tables


def test_a_full_disk_is_one_message_and_the_next_run_goes_on(
    in_this_session: None, run_job: Callable[..., Done], tmp_path: Path
):
    (tmp_path / "in.jsonl").write_text("".join(json.dumps({**GOOD, "id": str(n)}) + "\n" for n in range(3)), "utf-8")
    given = [str(ROOT / "jobs/score_corpus.py"), "--lake", str(tmp_path / "lake")]
    given += ["--input", f"sample_news={tmp_path}/in.jsonl"]
    full = subprocess.run(  # a bound on the size of each file stands for a disk that takes no more
        ["bash", "-c", 'ulimit -f 12; exec "$@"', "bash", sys.executable, *given],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=1800, check=False,
    )  # fmt: skip
    said = [line for line in full.stdout.splitlines() if line.startswith("quotelake: ")]
    assert (full.returncode, len(said)) == (2, 1) and "a disk is full (File too large)" in said[0], full.stdout
    assert full.stdout.splitlines()[-1] == said[0], "behind what Spark logs of its tasks"
    done = run_job(Path(given[0]), *given[1:])
    assert done.code == 0, done.out + done.error
    assert len(rows(tmp_path / "lake", "documents")) == 3


def test_ranking_goes_to_screen_and_csv(run_job: Callable[..., Done], sample_lake: str, tmp_path: Path):
    done = run_job("rank_topics", "--lake", sample_lake, "--out", tmp_path / "rank.csv")
    assert done.code == 0, done.error
    ranked = list(csv.DictReader((tmp_path / "rank.csv").open(encoding="utf-8")))
    assert f"{len(ranked):,} rows written" in done.out
    bounds = [float(row["variation_low"]) for row in ranked]
    assert len(ranked) >= 9 and bounds == sorted(bounds, reverse=True)


def test_months_have_rankings_of_their_own(sample_lake: str):
    with DuckEngine(sample_lake) as engine:
        monthly = engine.answer(ranking_query("month", min_contexts=4)).rows
    assert {row["period"] for row in monthly} >= {"2024-03", "2024-04", "2024-05"}
    for period in {row["period"] for row in monthly}:
        positions = [row["position"] for row in monthly if row["period"] == period]
        assert positions == [*range(1, len(positions) + 1)]


def test_a_query_in_spark_s_sql_is_answered_by_the_bare_spark_submit_of_an_environment_that_is_not_activated(
    sample_lake: str, tmp_path: Path
):
    binaries = Path(sys.executable).parent
    clean = {name: os.environ[name] for name in ("HOME", "JAVA_HOME") if name in os.environ} | {"PATH": "/usr/bin:/bin"}
    statement = "SELECT source, n_records, size(embed_text(source)) AS dimension FROM corpus_coverage"
    job = [str(ROOT / "jobs/query.py"), "--lake", sample_lake, "--format", "csv", "--engine", "spark", statement]
    answer = subprocess.run(
        [str(binaries / "spark-submit"), *job], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env=clean, cwd=tmp_path, timeout=1800, check=False,
    )  # fmt: skip
    assert "sample_news,95,384" in answer.stdout and "sample_tweets,245,384" in answer.stdout, answer.stdout
    assert not [*tmp_path.iterdir()], "no spark-warehouse where it was started"
