"""A lake on S3: the tables of one machine, one run at a time, and nothing lost by two; `make test-cluster`."""

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow.fs as pafs
import pytest
from tests.nightly.killing import Started, members, signal_all, until
from tests.nightly.object_store import BUCKET, object_store

from quotelab.benchmarks.standalone import standalone
from quotelake.lake.lease import LEASE
from quotelake.sample import sample_path

pytestmark = [pytest.mark.spark, pytest.mark.slow]

ROUNDS = 50
SAMPLE = Path(sample_path("news.jsonl")).parent


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[pafs.FileSystem]:
    """The store, whose bucket has the sample corpus, and which every process started from here knows."""
    folder = tmp_path_factory.mktemp("store")
    with object_store(folder) as environment, pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        system, _ = pafs.FileSystem.from_uri(f"s3://{BUCKET}")
        for path in SAMPLE.glob("*.jsonl"):
            pafs.copy_files(str(path), f"{BUCKET}/in/{path.name}", destination_filesystem=system)
        yield system


Run = Callable[..., str]


@pytest.fixture
def run(store: pafs.FileSystem, tmp_path: Path) -> Run:
    """Run a job, which ends as it should; returns what it said."""

    def to_its_end(job: str, *arguments: str, status: int = 0) -> str:
        return Started([f"{job}.py", *arguments], tmp_path / "temporary").end(status)

    return to_its_end


def inputs(place: str, *sources: str) -> list[str]:
    return [part for source in sources for part in ("--input", f"sample_{source}={place}/{source}.jsonl")]


def digests(run: Run, root: str) -> dict[str, list[str]]:
    """Rows and digest of every table; of ``rejects``, which names where its files lie, the rows alone."""
    lines = [line.split() for line in run("digest", "--lake", root).splitlines()]
    return {line[0]: line[1 : 2 if line[0] == "rejects" else 3] for line in lines if len(line) == 3}


def test_nights_upkeep_and_forgetting_leave_on_s3_the_tables_of_one_machine(
    run: Run, store: pafs.FileSystem, tmp_path: Path
):
    first = json.loads(SAMPLE.joinpath("news.jsonl").read_text("utf-8").partition("\n")[0])
    (tmp_path / "ids.txt").write_text(f"{first['id']}\n")
    question = "SELECT outlet, headline_quote, reason FROM headline_alerts"
    found = []
    for root, place in ((str(tmp_path / "lake"), str(SAMPLE)), (f"s3a://{BUCKET}/lake", f"s3a://{BUCKET}/in")):
        run("score_corpus", "--lake", root, *inputs(place, "news"))
        run("score_corpus", "--lake", root, *inputs(place, "news", "tweets"))
        scored = digests(run, root)
        run("maintain", "--lake", root)
        assert digests(run, root) == scored
        run("forget", "--lake", root, "--ids", str(tmp_path / "ids.txt"))
        answer = run("query", "--lake", root, "--format", "csv", question)
        found.append((scored, digests(run, root), sorted(answer.splitlines())))
    assert found[0] == found[1]
    assert len(found[0][0]) > 15 and found[0][0] != found[0][1], "the tables are shown, and one article was forgotten"
    [gone, *_] = [
        info.path for info in store.get_file_info(pafs.FileSelector(f"{BUCKET}/lake/quotes", recursive=True))
        if info.path.endswith(".parquet")
    ]  # fmt: skip
    store.delete_file(gone)
    assert "quotes" in run("digest", "--lake", f"s3a://{BUCKET}/lake", status=3)


def is_there(store: pafs.FileSystem, path: str) -> bool:
    return bool(store.get_file_info(f"{BUCKET}/{path}").type == pafs.FileType.File)


def holder(store: pafs.FileSystem, lake: str) -> str:
    """The run that holds a lake of the bucket; empty if none does."""
    if not is_there(store, f"{lake}/{LEASE}"):
        return ""
    with store.open_input_stream(f"{BUCKET}/{lake}/{LEASE}") as file:
        return str(json.loads(file.read())["run_id"])


def test_a_second_run_ends_or_waits_and_one_that_was_silent_writes_nothing_more(
    run: Run, store: pafs.FileSystem, tmp_path: Path
):
    root, stale = f"s3a://{BUCKET}/two", ("--set", "run.lease_stale_seconds=4")
    command = ["--lake", root, *inputs(f"s3a://{BUCKET}/in", "news"), *stale]
    silent = Started(["score_corpus.py", *command], tmp_path / "silent")
    until(lambda: silent.poll() is not None or is_there(store, f"two/{LEASE}"))
    said = run("score_corpus", *command, "--set", "run.lease_wait_seconds=0", status=75)
    assert "holds the lake" in said
    until(lambda: silent.poll() is not None or is_there(store, f"two/documents/_delta_log/{1:020}.json"))
    first = holder(store, "two")
    signal_all(members(silent.pid), signal.SIGSTOP)
    other = Started(["score_corpus.py", *command], tmp_path / "other")
    until(lambda: other.poll() is not None or holder(store, "two") not in ("", first))
    signal_all(members(other.pid), signal.SIGSTOP)  # both are there while the first one goes on
    signal_all(members(silent.pid), signal.SIGCONT)
    said = silent.end(75)
    assert "nothing more is written" in said, said
    signal_all(members(other.pid), signal.SIGCONT)
    said = other.end(0)
    assert "waiting for run" in said and "taking over" in said, said
    run("score_corpus", "--lake", str(tmp_path / "lake"), *inputs(str(SAMPLE), "news"))
    assert digests(run, root) == digests(run, str(tmp_path / "lake"))


def test_executors_that_are_not_told_of_the_store_learn_of_it_from_the_run(
    run: Run, store: pafs.FileSystem, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    hidden = [part for name in os.environ if name.startswith("AWS_") for part in ("-u", name)]
    root, submit = f"s3a://{BUCKET}/cluster", os.environ["PYSPARK_SUBMIT_ARGS"]
    with standalone(tmp_path, under=("env", *hidden)) as cluster:
        monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", f"{shlex.join(cluster.job())} {submit}")
        run("score_corpus", "--lake", root, *inputs(f"s3a://{BUCKET}/in", "news"))
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", submit)
    run("score_corpus", "--lake", str(tmp_path / "lake"), *inputs(str(SAMPLE), "news"))
    assert digests(run, root) == digests(run, str(tmp_path / "lake"))


WRITES = """
import sys
from datetime import UTC, datetime
from quotelake.lake.lease import take_lease
from quotelake.lake.tables import Lake
from quotelake.settings import load_settings
from quotelake.spark.session import get_session

root, name, rounds = sys.argv[1:]
spark, settings = get_session(name), load_settings().run
for number in range(int(rounds)):
    lake = Lake(spark, root, f"{name}-{number}", datetime.now(UTC))
    row = {"mark": lake.run_id, "kind": "url"}
    with take_lease(lake.storage, lake.run_id, settings, print):
        lake.create()
        lake.append(lake.frame([row], "forgotten"), "forgotten")
print(*(row["run_id"] for row in Lake(spark, root, name, datetime.now(UTC)).read("forgotten").collect()))
"""


def test_of_two_runs_at_once_nothing_is_lost_in_fifty_rounds(store: pafs.FileSystem):
    root = f"s3a://{BUCKET}/rounds"
    command, names = [sys.executable, "-c", WRITES, root], ("one", "two")
    writers = [subprocess.Popen([*command, name, str(ROUNDS)]) for name in names]
    assert [writer.wait() for writer in writers] == [0, 0]
    read = subprocess.run([*command, "reader", "0"], stdout=subprocess.PIPE, text=True, check=True)
    assert sorted(read.stdout.split()) == sorted(f"{name}-{number}" for name in names for number in range(ROUNDS))


def test_a_listing_that_this_delta_cannot_make_on_s3_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch):
    setting = "--conf spark.hadoop.delta.enableFastS3AListFrom=true"
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", f"{setting} {os.environ['PYSPARK_SUBMIT_ARGS']}")
    assert "leave the setting out" in run("digest", "--lake", f"s3a://{BUCKET}/lake", status=2)
