"""One run at a time: a second says that it waits and stops in time; a dead holder never blocks the lake."""

import dataclasses
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from quotelake.errors import LakeBusyError
from quotelake.lease import Holder, LeaseFile, hold
from quotelake.settings import RunSettings, Settings

pytestmark = pytest.mark.spark


@pytest.fixture
def impatient(settings: Settings) -> RunSettings:
    """Settings of a run that does not wait."""
    return settings.run.model_copy(update={"lease_wait_seconds": 0})


@pytest.fixture
def dead_pid() -> int:
    """Number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def holder(**overrides: object) -> Holder:
    """A run of this very process that is alive now, unless stated otherwise."""
    alive = Holder("other", socket.gethostname(), os.getpid(), time.time())
    return dataclasses.replace(alive, **overrides)


def test_a_second_run_stops_and_names_the_first(spark: SparkSession, tmp_path: Path, impatient: RunSettings):
    with (
        hold(spark, str(tmp_path), "first", impatient, print),
        pytest.raises(LakeBusyError, match=f"run first \\(process {os.getpid()}"),
        hold(spark, str(tmp_path), "second", impatient, print),
    ):
        pass
    with hold(spark, str(tmp_path), "third", impatient, print):
        assert (tmp_path / "_lease.json").exists()
    assert not (tmp_path / "_lease.json").exists()


def test_a_waiting_run_says_so_and_goes_on_when_the_first_ends(spark: SparkSession, tmp_path: Path, settings: Settings):
    lease = LeaseFile(spark, str(tmp_path))
    lease.write(holder(), take_over=False)
    said: list[str] = []

    def hear(line: str) -> None:
        said.append(line)
        lease.delete()  # the first run ends as soon as the second is heard waiting

    with hold(spark, str(tmp_path), "second", settings.run, hear):
        assert said and "waiting for run other" in said[0]


@pytest.mark.parametrize("how", ["killed here", "silent elsewhere"])
def test_a_dead_holder_is_taken_over_at_once(
    spark: SparkSession, tmp_path: Path, impatient: RunSettings, dead_pid: int, how: str
):
    gone = holder(pid=dead_pid) if how == "killed here" else holder(host="elsewhere", beat=time.time() - 3600)
    LeaseFile(spark, str(tmp_path)).write(gone, take_over=False)
    said: list[str] = []
    with hold(spark, str(tmp_path), "next", impatient, said.append):
        assert "taking over" in said[0]


def test_a_half_written_lease_is_nobodys(spark: SparkSession, tmp_path: Path, impatient: RunSettings):
    (tmp_path / "_lease.json").write_text('{"run_id": "x"')
    with hold(spark, str(tmp_path), "next", impatient, print):
        assert '"next"' in (tmp_path / "_lease.json").read_text()
