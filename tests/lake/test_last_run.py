"""The last run is the one that was committed last, whatever the clocks of its machine say."""

from dataclasses import asdict, replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import TEST_TIME
from tests.lake.rows import variants

from quotelake.lake.runs import COLUMNS, Run, in_commit_order
from quotelake.lake.tables import Lake
from quotelake.nightly.versions import Versions, active
from quotelake.query.engines import DuckEngine
from quotelake.query.spark import SparkEngine


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(0, 3)), max_size=6), st.data())
def test_runs_are_in_the_order_of_their_commits(runs: list[tuple[int, int]], data: st.DataObject):
    """Each run starts at any hour, and commits to other tables any number of times before it completes."""
    rows, written = [], 0
    for number, (hour, commits) in enumerate(runs):
        written += commits
        stated = {"runs": number, "quotes": written}
        run_id = data.draw(st.text("abc", min_size=1)) + str(number)
        rows.append(dict(zip(COLUMNS, (run_id, TEST_TIME + timedelta(hours=hour), stated, None), strict=True)))
    found = in_commit_order(data.draw(st.permutations(rows)))
    assert [run.run_id for run in found] == [row["run_id"] for row in rows]


def test_of_two_that_completed_at_once_the_one_that_saw_more_is_the_later():
    rows = [("b", TEST_TIME, {"runs": 1, "quotes": 3}, None), ("a", TEST_TIME, {"runs": 1, "quotes": 4}, None)]
    found = in_commit_order(dict(zip(COLUMNS, row, strict=True)) for row in rows)
    assert [run.run_id for run in found] == ["b", "a"]


@pytest.mark.spark
def test_views_and_versions_are_those_of_a_run_that_waited_or_whose_clock_is_behind(lake: Lake):
    for days, rules in ((0, "1-a"), (2, "2-b"), (1, "3-c")):
        run = Run(f"run-{days}", TEST_TIME + timedelta(days=days), "f", None, print)
        now = replace(lake, run_id=run.run_id, started=run.started)
        now.append(variants(now, rules), "variants")
        versions = Versions(rules, "d", "f", "model", "float32", 1, "masked")
        now.append(now.frame([asdict(versions)], "versions"), "versions")
        if rules != "1-a":
            now.complete(run)
        else:  # killed at its end: its versions count until others do
            assert active(lake).rule_version == rules
    found, versions = lake.last_run(), active(lake)
    assert found is not None and found.run_id == "run-1" and versions is not None and versions.rule_version == "3-c"
    spark = SparkEngine(lake)
    with DuckEngine(lake.root) as duck:
        for engine in (spark, duck):
            assert engine.answer("SELECT count(*) AS n FROM variants").rows == [{"n": 3}]
            assert engine.answer("SELECT rule_version FROM active_version").rows == [{"rule_version": "3-c"}]
