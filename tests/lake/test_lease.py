"""One run at a time: a second says that it waits and stops in time; a dead holder never blocks the lake."""

import dataclasses
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from pyspark.sql import SparkSession

from quotelake.errors import InputError, LakeBusyError
from quotelake.lake import lease
from quotelake.lake.lease import Holder, LeaseFile, hold
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
    other = LeaseFile(spark, str(tmp_path))
    other.write(holder(), take_over=False)
    said: list[str] = []

    def hear(line: str) -> None:
        said.append(line)
        other.delete()  # the first run ends as soon as the second is heard waiting

    with hold(spark, str(tmp_path), "second", settings.run, hear):
        assert said and "waiting for run other" in said[0]


def test_an_interrupted_wait_has_said_one_line_and_leaves_the_lake_to_its_holder(
    spark: SparkSession, tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
):
    def sleep(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 3:
            raise KeyboardInterrupt

    waits: list[float] = []
    said: list[str] = []
    monkeypatch.setattr(lease, "time", SimpleNamespace(time=time.time, sleep=sleep))
    LeaseFile(spark, str(tmp_path)).write(holder(), take_over=False)
    with pytest.raises(KeyboardInterrupt), hold(spark, str(tmp_path), "second", settings.run, said.append):
        pytest.fail("the lake is held by another run")
    assert len(said) == 1 and "for at most 3600 s" in said[0]
    kept = LeaseFile(spark, str(tmp_path)).read()
    assert kept is not None and kept.run_id == "other"


@pytest.mark.parametrize("how", ["killed here", "silent elsewhere"])
def test_a_dead_holder_is_taken_over_at_once(
    spark: SparkSession, tmp_path: Path, impatient: RunSettings, dead_pid: int, how: str
):
    gone = holder(pid=dead_pid) if how == "killed here" else holder(host="elsewhere", beat=time.time() - 3600)
    LeaseFile(spark, str(tmp_path)).write(gone, take_over=False)
    said: list[str] = []
    with hold(spark, str(tmp_path), "next", impatient, said.append):
        assert "taking over" in said[0]


@pytest.mark.parametrize("root", ["plain", "plain/lake", "nowhere://bucket/lake"])
def test_a_lake_that_cannot_be_written_is_said_at_once_and_not_waited_for(
    spark: SparkSession, tmp_path: Path, settings: Settings, root: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(lease, "time", SimpleNamespace(time=time.time, sleep=lambda seconds: pytest.fail("waits")))
    (tmp_path / "plain").write_text("a file, no directory")
    place = root if "://" in root else str(tmp_path / root)
    patient = settings.run.model_copy(update={"lease_wait_seconds": 3600})
    with (
        pytest.raises(InputError, match="the lake cannot be written") as caught,
        hold(spark, place, "r", patient, print),
    ):
        pass
    assert f"{place}/_lease.json" in str(caught.value) and "give --lake" in str(caught.value)


def test_a_lease_that_can_neither_be_read_nor_taken_over_ends_the_wait(
    spark: SparkSession, tmp_path: Path, impatient: RunSettings, monkeypatch: pytest.MonkeyPatch
):
    LeaseFile(spark, str(tmp_path)).write(holder(), take_over=False)
    monkeypatch.setattr(LeaseFile, "read", lambda self: None)
    monkeypatch.setattr(lease, "_SETTLE_SECONDS", 0.01)
    with pytest.raises(LakeBusyError, match="a run holds the lake"), hold(spark, str(tmp_path), "r", impatient, print):
        pass


def test_a_beat_that_fails_ends_no_run(
    spark: SparkSession, tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
):
    quick = settings.run.model_copy(update={"lease_stale_seconds": 0.04})
    beats: list[int] = []
    with hold(spark, str(tmp_path), "r", quick, print):

        def fails(self: LeaseFile, holder: Holder, *, take_over: bool) -> bool:
            beats.append(1)
            raise InputError("the disk is full")

        monkeypatch.setattr(LeaseFile, "write", fails)
        end = time.monotonic() + 30
        while len(beats) < 3 and time.monotonic() < end:
            time.sleep(0.01)
    assert len(beats) >= 3, "the first failure ended the beats"


def test_a_half_written_lease_is_nobodys(spark: SparkSession, tmp_path: Path, impatient: RunSettings):
    (tmp_path / "_lease.json").write_text('{"run_id": "x"')
    with hold(spark, str(tmp_path), "next", impatient, print):
        assert '"next"' in (tmp_path / "_lease.json").read_text()
