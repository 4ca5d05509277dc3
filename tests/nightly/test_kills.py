"""Killed anywhere and started again, a command leaves the tables of an undisturbed lake; `make test-kill`.

Each command runs once to its end, and its lake is copied at every commit and at random moments between them. The same
command on each copy must then end with the tables of the lake that nothing disturbed. Some runs are killed indeed.

``FROM=LABEL`` leaves out the points before that one; ``SEED`` chooses the moments.
"""

import os
import shutil
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from tests.conftest import TEST_TIME
from tests.nightly.killing import JOBS, Started, commits, kill_at, points_of, side_by_side
from tests.nightly.test_plan import PART, two_nights
from tests.running import run_here

from quotelake.commands import chain
from quotelake.lake.tables import Lake
from quotelake.lake.upkeep import digests
from quotelake.spark import session

pytestmark = [pytest.mark.spark, pytest.mark.slow]

SEED, FROM = os.environ.get("SEED") or "1", os.environ.get("FROM", "")
#: Random moments of each command at most.
MOMENTS = 8

#: Command → the one whose lake it begins with, and its arguments beside those of all.
CASES = {
    "first": ("", ["score_corpus.py", "--input", "sample_news={0}/news_1.jsonl", "--input",
        "sample_tweets={0}/tweets_1.jsonl"]),
    "night": ("first", ["score_corpus.py", "--input", "sample_news={0}/news_*", "--input", "sample_tweets={0}/tweets_*",
        "--watch", "{0}/watch.csv"]),
    "activate": ("night", ["score_corpus.py", "--activate", "--set", "topics.explained=12", "--input",
        "sample_news={0}/news_*"]),
    "maintain": ("night", ["maintain.py"]),
    "forget": ("night", ["forget.py", "--ids", "{0}/ids.txt", "--author", "u1"]),
}  # fmt: skip

#: What each of them commits to at least.
SCORED = {"quotes", "contextomy", "runs"}
WRITTEN = {
    "first": SCORED | {"documents", "stream"}, "night": SCORED | {"documents", "stream"}, "activate": SCORED,
    "maintain": {"documents", "quotes"}, "forget": {"documents", "quotes", "forgotten"},
}  # fmt: skip

#: What is killed, one after the other: (table that was just written, processes). Each kill but the last is of a run
#: that takes up what the one before left.
DRIVER, JVM, WORKER = "score_corpus.py", "org.apache.spark.deploy.SparkSubmit", "pyspark.worker"
CHAINS = {
    "driver": [("quotes", DRIVER)],
    "jvm": [("quotes", JVM)],
    "worker": [("documents", WORKER)],
    "chain": [("documents", ""), ("quotes", ""), ("contextomy", ""), ("variant_groups", ""), ("runs", "")],
}

#: Where a run falls silent for so long that another takes its lake over, and then goes on.
OVERLAPS = [("first", "contexts"), ("night", "documents"), ("night", "quotes"), ("night", "contextomy")]


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two nights of some forty records each, a watched text, and documents to be forgotten."""
    folder = tmp_path_factory.mktemp("in")
    two_nights(folder)
    (folder / "watch.csv").write_text(f'id,text\nlanterns,"{PART}"\n', "utf-8")
    (folder / "ids.txt").write_text("copy-1\nreuse-2-0\n", "utf-8")
    return folder


@pytest.fixture(scope="module")
def nights(spark: SparkSession, inputs: Path, tmp_path_factory: pytest.TempPathFactory) -> "Nights":
    return Nights(spark, inputs, tmp_path_factory.mktemp("base"))


class Nights:
    """The commands of all cases, and the lakes that they begin with, each made once."""

    def __init__(self, spark: SparkSession, inputs: Path, folder: Path) -> None:
        self.spark, self.inputs, self.folder = spark, inputs, folder

    def command(self, case: str, root: Path) -> list[str]:
        job, *given = [argument.format(self.inputs) for argument in CASES[case][1]]
        return [job, "--lake", str(root), "--set", f"ingest.author_key_file={self.inputs / 'key'}", *given]

    def again(self, case: str, root: Path) -> None:
        """Run a command in the session of the tests, which ends as it should."""
        job, *arguments = self.command(case, root)
        said = StringIO()
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(said), redirect_stderr(said):
            patch.setattr(sys, "argv", [job, *arguments])
            patch.setattr(session, "get_session", lambda name, **settings: self.spark)
            patch.setattr(session, "end_session", lambda **_: None)
            patch.setattr(chain, "show_summary", lambda *_: None)  # no table is written after this
            patch.setattr(chain, "default_page", lambda root: None)
            code = run_here(JOBS / job)
        # Delta keeps what it knows of the tables of every lake: those of forty copies fill the heap.
        self.spark._jvm.org.apache.spark.sql.delta.DeltaLog.clearCache()
        assert code == 0, said.getvalue()

    def before(self, case: str, root: Path) -> Path:
        """Put the lake that a case begins with at a place."""
        earlier = CASES[case][0]
        if not earlier:
            root.mkdir()
            return root
        made = self.folder / earlier
        if not made.exists():
            self.again(earlier, self.before(earlier, made))
        shutil.copytree(made, root)
        if case == "maintain":  # many files in a table of each kind, and one that no version needs
            for table in ("documents", "quotes", "contexts", "embeddings", "rejects"):
                Lake(self.spark, str(root), "scatter", TEST_TIME).rewrite(table, 24)
            stray = root / "quotes" / "part-00000-stray.c000.snappy.parquet"
            stray.write_bytes(b"left behind")
            os.utime(stray, (0, 0))
        return root

    def digests(self, root: Path) -> dict[str, tuple[int, str]]:
        return digests(Lake(self.spark, str(root), "reader", TEST_TIME))


@pytest.mark.parametrize("case", CASES)
def test_killed_at_any_commit_or_moment_and_started_again(case: str, nights: Nights, tmp_path: Path):
    root = nights.before(case, tmp_path / "lake")
    before = commits(root)
    points = points_of(nights.command(case, root), root, tmp_path, MOMENTS, f"{SEED} {case}")
    whole, differ = nights.digests(root), list[str]()
    made = {commit.split()[0] for commit in commits(root) - before}
    print(f"\n{case}: {len(points)} points, seed {SEED}, commits to {', '.join(sorted(made))}")
    for label, copy in sorted(points):
        if label < FROM:
            continue
        begun = time.monotonic()
        try:
            nights.again(case, copy)
            found = nights.digests(copy)
            faults = ", ".join(table for table in whole if found[table] != whole[table])
        except AssertionError as failure:  # the other points are worth knowing too; this one's lake is left
            faults = str(failure)
        print(f"  {label:<60} {time.monotonic() - begun:5.0f} s  {faults or 'equal'}", flush=True)
        if faults:
            differ.append(f"{label}, {copy}: {faults}")
        else:
            shutil.rmtree(copy)
    assert not differ
    assert made >= WRITTEN[case]


@pytest.mark.parametrize("chain", CHAINS)
def test_processes_killed_one_by_one_or_all_and_started_again(chain: str, nights: Nights, tmp_path: Path):
    root, temporary = nights.before("night", tmp_path / "lake"), tmp_path / "temporary"
    command = nights.command("night", root)
    for table, victim in CHAINS[chain]:
        status, said = kill_at(table, victim, command, root, temporary)
        print(f"\n{chain}: {victim or 'all processes'} killed after a commit to {table}: status {status}")
        assert (status == 0) == (victim == WORKER), said
    Started(command, temporary).end(0)
    nights.again("night", nights.before("night", tmp_path / "whole"))
    assert nights.digests(root) == nights.digests(tmp_path / "whole")
    left = [path for path in temporary.glob("*/*") if path.name != "lock"] + [*temporary.glob("*[!0-9]")]
    assert len(left) <= 1, f"the last run's own folder, locked while it lives, and nothing of the killed ones: {left}"


@pytest.mark.parametrize(("case", "table"), OVERLAPS)
def test_of_two_runs_side_by_side_each_ends_or_says_that_the_other_is_there(
    case: str, table: str, nights: Nights, tmp_path: Path
):
    root, temporary = nights.before(case, tmp_path / "lake"), tmp_path / "temporary"
    ends = side_by_side(nights.command(case, root), root, table, temporary)
    print(f"\n{case}: silent after a commit to {table}, then side by side: {[status for status, _ in ends]}")
    for status, said in ends:
        assert status in (0, 75) and "Traceback" not in said, said
    nights.again(case, root)
    nights.again(case, nights.before(case, tmp_path / "whole"))
    assert nights.digests(root) == nights.digests(tmp_path / "whole")
