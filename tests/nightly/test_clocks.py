"""What a run reads is found by the order of commits: a clock that is behind or ahead hides nothing, and it is said."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.conftest import TEST_TIME
from tests.nightly.test_rereading import article, read

from quotelake.lake.runs import RECOVERED, LastRun, Run
from quotelake.lake.tables import Lake
from quotelake.nightly.plan import latest_start
from quotelake.query.engines import DuckEngine


@pytest.mark.parametrize("waited", [0, 3])
@pytest.mark.parametrize("days", [-2, 2])
def test_a_clock_that_went_back_is_said_and_dates_are_held_against_the_later_one(days: int, waited: int):
    lines: list[str] = []
    run = Run("r2", datetime.now(UTC) - timedelta(days=waited), "f", None, lines.append)
    assert latest_start(run, None) == run.started and not lines
    before = datetime.now(UTC) - timedelta(days=days)  # positive: the clock goes on
    last = LastRun("r1", before.replace(tzinfo=None), {})  # as both engines give times
    assert latest_start(run, last) == max(run.started, before)
    assert ["the last run, r1, started at" in line for line in lines] == [True] * (days < 0)


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.crash
def test_documents_of_killed_runs_are_new_once_whatever_their_clocks_said(lake: Lake, tmp_path: Path):
    def night(name: str, clock: int, *numbers: int) -> Lake:
        """Read articles, and leave it at that."""
        file = tmp_path / f"{name}.jsonl"
        file.write_text("".join(article(number, "2024-05-15") for number in numbers), "utf-8")
        now = replace(lake, run_id=name, started=TEST_TIME + timedelta(days=clock))
        read(now, str(file))
        return now

    def complete(now: Lake, killed: dict[str, int]) -> None:
        run = Run(now.run_id, now.started, "f", None, print)
        with run.stage(RECOVERED) as stage:
            stage.count(**killed)
        now.complete(run)

    def new() -> set[str]:
        with DuckEngine(lake.root) as engine:
            rows = engine.answer("SELECT run_id FROM documents JOIN run_summary s USING (run_id) WHERE s.nth = 1").rows
        return {row["run_id"] for row in rows}

    assert lake.unfinished(None) == {}, "a new lake"
    first = night("first", 0, 1)
    complete(first, {})
    assert lake.unfinished(lake.last_run()) == {} and new() == {"first"}
    night("behind", -3, 2, 3)
    night("ahead", 3, 6)
    assert lake.unfinished(lake.last_run()) == {"behind": 2, "ahead": 1} and new() == {"first"}
    complete(night("second", 1, 4), lake.unfinished(lake.last_run()))
    assert new() == {"behind", "ahead", "second"}
    last = lake.last_run()
    assert last is not None and last.run_id == "second"
    earlier = replace(last, versions={**last.versions, "documents": 0})
    assert lake.unfinished(earlier) == {}, "it was taken up"
    complete(night("third", -9, 5), {})
    assert new() == {"third"}
