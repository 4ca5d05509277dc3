"""One run at a time: a second says that it waits and stops in time; only a dead holder loses the lake."""

import dataclasses
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from quotelake.errors import InputError, LakeBusyError
from quotelake.lake import lease
from quotelake.lake.hadoop import files_of
from quotelake.lake.lease import LEASE, Holder, here, hold, read
from quotelake.lake.place import Files
from quotelake.settings import RunSettings, Settings

Waits = Callable[[Callable[[int], None]], None]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test waits for a second."""
    monkeypatch.setattr(lease, "_SETTLE_SECONDS", 0.01)


@pytest.fixture
def impatient(settings: Settings) -> RunSettings:
    """Settings of a run that does not wait, and that counts a holder as dead after half a second."""
    return settings.run.model_copy(update={"lease_wait_seconds": 0, "lease_stale_seconds": 0.5})


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """A directory that is to be a lake."""
    return Files(tmp_path / "lake")


def dead_pid() -> int:
    """Number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def put(files: Files, beat: int = 0, **overrides: object) -> None:
    """Write the lease of a run of this very process, unless stated otherwise."""
    alive = Holder("other", socket.gethostname(), os.getpid(), "t", here(), beat)
    files.write(LEASE, json.dumps(dataclasses.asdict(dataclasses.replace(alive, **overrides))))


@pytest.fixture
def waits_then(monkeypatch: pytest.MonkeyPatch) -> Waits:
    """Do something at each pause of the waiting run, by its number."""
    sleep, waits = time.sleep, count(1)

    def pause(seconds: float, do: Callable[[int], None]) -> None:
        do(next(waits))
        sleep(seconds)

    return lambda do: monkeypatch.setattr(lease.time, "sleep", partial(pause, do=do))


def until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not done() and time.monotonic() < end:
        time.sleep(0.01)


def holder_of(files: Files) -> str | None:
    found = read(files)
    return found and found.run_id


def test_a_second_run_stops_at_once_and_names_the_first(files: Files, impatient: RunSettings):
    with (
        hold(files, "first", impatient, print),
        pytest.raises(LakeBusyError, match=f"run first \\(process {os.getpid()}"),
        hold(files, "second", impatient, print),
    ):
        pass
    with hold(files, "third", impatient, print):
        assert files.read(LEASE)
    assert files.read(LEASE) is None


def test_a_waiting_run_says_so_and_goes_on_when_the_first_ends(files: Files, settings: Settings):
    put(files)
    said: list[str] = []

    def hear(line: str) -> None:
        said.append(line)
        files.delete(LEASE)

    with hold(files, "second", settings.run, hear):
        assert said and "waiting for run other" in said[0]


def test_an_interrupted_wait_has_said_one_line_and_leaves_the_lake_to_its_holder(
    files: Files, settings: Settings, waits_then: Waits
):
    def interrupt(wait: int) -> None:
        if wait == 3:
            raise KeyboardInterrupt

    waits_then(interrupt)
    said: list[str] = []
    put(files)
    with pytest.raises(KeyboardInterrupt), hold(files, "second", settings.run, said.append):
        pytest.fail("the lake is held by another run")
    assert len(said) == 1 and "for at most 3600 s" in said[0]
    assert holder_of(files) == "other"


@pytest.mark.parametrize(
    "gone",
    [
        {"pid": "dead"},
        {"host": "elsewhere", "place": "another machine"},
        {"place": "the same machine, another container"},
        {"token": "", "place": "", "beat": 1e9},
    ],
    ids=["killed here", "silent elsewhere", "silent in another container", "of an earlier release"],
)
def test_a_dead_holder_is_taken_over(files: Files, impatient: RunSettings, gone: dict[str, object]):
    at_once = gone.get("pid") == "dead"
    put(files, **({"pid": dead_pid()} if at_once else gone))
    said: list[str] = []
    began = time.monotonic()
    with hold(files, "next", impatient, said.append):
        assert "taking over" in said[-1] and (time.monotonic() - began < 0.4) == at_once


@pytest.mark.parametrize("place", ["the same machine, another container", ""])
def test_a_living_holder_whose_process_is_not_seen_here_keeps_the_lake(
    files: Files, impatient: RunSettings, place: str, waits_then: Waits
):
    """Two containers share the name of their host, and neither sees the processes of the other."""
    waits_then(lambda wait: put(files, beat=wait, pid=dead_pid(), place=place))
    put(files, pid=dead_pid(), place=place)
    with pytest.raises(LakeBusyError, match="run other"), hold(files, "next", impatient, print):
        pass
    assert holder_of(files) == "other"


def test_a_run_that_lost_the_lake_says_so_and_leaves_it_to_the_other(files: Files, impatient: RunSettings):
    said: list[str] = []
    with hold(files, "slow", impatient, said.append):
        put(files)
        until(lambda: bool(said))
    assert "run other" in said[0] and "took the lake over" in said[0] and len(said) == 1
    assert holder_of(files) == "other"


def test_of_two_that_create_the_lease_at_once_on_an_object_store_one_has_it(
    files: Files, impatient: RunSettings, monkeypatch: pytest.MonkeyPatch, waits_then: Waits
):
    monkeypatch.setattr(Files, "creates_once", False)
    waits_then(lambda wait: put(files, beat=wait) if wait == 1 else None)
    with pytest.raises(LakeBusyError, match="run other"), hold(files, "next", impatient, print):
        pytest.fail("the other run wrote last")


@pytest.mark.parametrize("root", ["plain", "plain/lake"])
def test_a_lake_that_cannot_be_written_is_said_at_once_and_not_waited_for(
    tmp_path: Path, settings: Settings, root: str, waits_then: Waits
):
    waits_then(lambda wait: pytest.fail("waits"))
    (tmp_path / "plain").write_text("a file, no directory")
    with (
        pytest.raises(InputError, match="the lake cannot be written") as caught,
        hold(Files(tmp_path / root), "r", settings.run, print),
    ):
        pass
    assert f"{tmp_path / root}/_lease.json" in str(caught.value) and "give --lake" in str(caught.value)


def test_a_lease_that_can_neither_be_read_nor_taken_over_ends_the_wait(
    files: Files, impatient: RunSettings, monkeypatch: pytest.MonkeyPatch
):
    put(files)
    monkeypatch.setattr(lease, "read", lambda files: None)
    with pytest.raises(LakeBusyError, match="a run holds the lake"), hold(files, "r", impatient, print):
        pass


def test_a_beat_that_fails_ends_no_run(files: Files, impatient: RunSettings, monkeypatch: pytest.MonkeyPatch):
    beats: list[int] = []

    def fails(self: Files, name: str, text: str) -> None:
        beats.append(1)
        raise OSError("the disk is full")

    with hold(files, "r", impatient.model_copy(update={"lease_stale_seconds": 0.04}), print):
        monkeypatch.setattr(Files, "write", fails)
        until(lambda: len(beats) >= 3)
    assert len(beats) >= 3, "the first failure ended the beats"


def test_a_half_written_lease_is_nobodys(files: Files, impatient: RunSettings):
    files.write(LEASE, '{"run_id": "x"')
    with hold(files, "next", impatient, print):
        assert '"next"' in str(files.read(LEASE))


@pytest.mark.spark
def test_the_files_of_an_address_are_those_of_this_machine(spark: SparkSession, tmp_path: Path, impatient: RunSettings):
    here, there = Files(tmp_path), files_of(spark, f"file://{tmp_path}")
    for files in (here, there):
        assert files.create("a/b", "text") and not files.create("a/b", "other") and files.read("a/b") == "text"
        files.write("a/b", "é")
        assert (here.read("a/b"), there.read("a/b"), files.names("a")) == ("é", "é", ["b"]) or files.names("a")
        files.delete("a/b")
        assert (files.read("a/b"), files.names("none")) == (None, [])
    with hold(there, "r", impatient, print):
        assert there.read(LEASE)
    (tmp_path / "plain").write_text("x")
    with pytest.raises(OSError, match="plain"):
        files_of(spark, f"file://{tmp_path}/plain").write(LEASE, "x")
    with pytest.raises(OSError, match="nowhere"):
        files_of(spark, "nowhere://bucket/lake")
