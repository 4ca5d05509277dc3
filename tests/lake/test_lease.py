"""One run at a time: a second says that it waits and stops in time; only a dead holder loses the lake."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from quotelake.errors import InputError, LakeBusyError
from quotelake.lake import lease
from quotelake.lake.hadoop import files_of
from quotelake.lake.lease import LEASE, Holder, check_held, here, hold, read
from quotelake.lake.place import Files
from quotelake.settings import RunSettings, Settings

Pauses = Callable[[Callable[[int], None]], None]


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> Pauses:
    """No test waits for a second; something may be done at each pause of the waiting run, by its number."""
    monkeypatch.setattr(lease, "_SETTLE_SECONDS", 0.01)
    sleep, waits = time.sleep, list[float]()

    def at_each(do: Callable[[int], None]) -> None:
        def pause(seconds: float) -> None:
            waits.append(seconds)
            do(len(waits))
            sleep(seconds)

        monkeypatch.setattr(lease.time, "sleep", pause)

    return at_each


@pytest.fixture
def impatient(settings: Settings) -> RunSettings:
    """Settings of a run that does not wait, and that counts a holder as dead after half a second."""
    return settings.run.model_copy(update={"lease_wait_seconds": 0, "lease_stale_seconds": 0.5})


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """A directory that is to be a lake."""
    return Files(tmp_path / "lake")


def dead_pid() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def put(files: Files, beat: int = 0, **overrides: object) -> None:
    """Write the lease of a run of this very process, unless stated otherwise."""
    alive = Holder("other", socket.gethostname(), os.getpid(), "t", here(), beat)
    files.write(LEASE, json.dumps(asdict(replace(alive, **overrides))))


def is_held_by(files: Files, run_id: str) -> bool:
    found = read(files)
    return found is not None and found.run_id == run_id


def refused(files: Files, settings: RunSettings, said: str, error: type[BaseException] = LakeBusyError) -> str:
    """Expect that another run does not get the lake; returns why."""
    with pytest.raises(error, match=said) as caught, hold(files, "next", settings, print):
        pytest.fail("the lake is held by another run")
    return str(caught.value)


def until(done: Callable[[], object]) -> None:
    end = time.monotonic() + 30
    while not done() and time.monotonic() < end:
        time.sleep(0.01)


def test_a_second_run_stops_at_once_and_names_the_first(files: Files, impatient: RunSettings):
    with hold(files, "first", impatient, print):
        refused(files, impatient, f"run first \\(process {os.getpid()}")
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


def test_an_interrupted_wait_has_said_one_line_and_leaves_the_lake(files: Files, settings: Settings, pauses: Pauses):
    def interrupt(wait: int) -> None:
        if wait == 3:
            raise KeyboardInterrupt

    pauses(interrupt)
    said: list[str] = []
    put(files)
    with pytest.raises(KeyboardInterrupt), hold(files, "second", settings.run, said.append):
        pytest.fail("the lake is held by another run")
    assert len(said) == 1 and "for at most 3600 s" in said[0] and is_held_by(files, "other")


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
    files: Files, impatient: RunSettings, place: str, pauses: Pauses
):
    """Two containers share the name of their host, and neither sees the processes of the other."""
    pauses(lambda wait: put(files, beat=wait, pid=dead_pid(), place=place))
    put(files, pid=dead_pid(), place=place)
    refused(files, impatient, "run other")
    assert is_held_by(files, "other")


def test_a_run_that_lost_the_lake_says_so_and_leaves_it_to_the_other(files: Files, impatient: RunSettings):
    said: list[str] = []
    with hold(files, "slow", impatient, said.append):
        put(files)
        until(lambda: said)
    assert "run other" in said[0] and "took the lake over" in said[0] and len(said) == 1
    assert is_held_by(files, "other")


def test_where_delta_keeps_no_two_commits_apart_a_run_that_lost_the_lake_begins_none(
    files: Files, impatient: RunSettings, monkeypatch: pytest.MonkeyPatch
):
    check_held(files, "r")  # elsewhere nobody asks
    monkeypatch.setattr(Files, "commits_once", False)
    with hold(files, "r", impatient.model_copy(update={"lease_stale_seconds": 60}), print):
        check_held(files, "r")
        put(files)
        with pytest.raises(LakeBusyError, match=r"run other .* took the lake over"):
            check_held(files, "r")
    files.delete(LEASE)
    with pytest.raises(LakeBusyError, match="another run took"):
        check_held(files, "r")


def test_of_two_that_create_the_lease_at_once_on_an_object_store_one_has_it(
    files: Files, impatient: RunSettings, monkeypatch: pytest.MonkeyPatch, pauses: Pauses
):
    monkeypatch.setattr(Files, "creates_once", False)
    pauses(lambda wait: put(files, beat=wait) if wait == 1 else None)  # the other run wrote last
    refused(files, impatient, "run other")


@pytest.mark.parametrize("root", ["plain", "plain/lake"])
def test_a_lake_that_cannot_be_written_is_said_at_once(tmp_path: Path, settings: Settings, root: str, pauses: Pauses):
    pauses(lambda wait: pytest.fail("waits"))
    (tmp_path / "plain").write_text("a file, no directory")
    said = refused(Files(tmp_path / root), settings.run, "the lake cannot be written", InputError)
    assert f"{tmp_path / root}/_lease.json" in said and "give --lake" in said


def test_a_lease_that_can_neither_be_read_nor_taken_over_ends_the_wait_and_half_a_lease_is_nobodys(
    files: Files, impatient: RunSettings, monkeypatch: pytest.MonkeyPatch
):
    files.write(LEASE, '{"run_id": "x"')
    with hold(files, "next", impatient, print):
        assert is_held_by(files, "next")
    put(files)
    monkeypatch.setattr(lease, "read", lambda files: None)
    refused(files, impatient, "a run holds the lake")


def test_a_beat_that_fails_ends_no_run(files: Files, impatient: RunSettings, monkeypatch: pytest.MonkeyPatch):
    beats: list[int] = []

    def fails(self: Files, name: str, text: str) -> None:
        beats.append(1)
        raise OSError("the disk is full")

    with hold(files, "r", impatient.model_copy(update={"lease_stale_seconds": 0.04}), print):
        monkeypatch.setattr(Files, "write", fails)
        until(lambda: len(beats) >= 3)
    assert len(beats) >= 3, "the first failure ended the beats"


@pytest.mark.spark
def test_the_files_of_an_address_are_those_of_this_machine(spark: SparkSession, tmp_path: Path, impatient: RunSettings):
    here, there = Files(tmp_path), files_of(spark, f"file://{tmp_path}")
    for files in (here, there):
        assert (
            files.write("a/b", "text", over=False)
            and not files.write("a/b", "other", over=False)
            and files.read("a/b") == "text"
        )
        files.write("a/b", "é")
        assert (here.read("a/b"), there.read("a/b")) == ("é", "é") and "b" in files.names("a")
        for _ in range(2):  # also over what is there
            files.copy("a/b", "c/d/b")
        assert files.read("c/d/b") == "é"
        files.delete("a/b")
        assert (files.read("a/b"), files.names("none")) == (None, [])
    with hold(there, "r", impatient, print):
        assert there.read(LEASE)
    (tmp_path / "plain").write_text("x")
    with pytest.raises(OSError, match="plain"):
        files_of(spark, f"file://{tmp_path}/plain").write(LEASE, "x")
    with pytest.raises(OSError, match="nowhere"):
        files_of(spark, "nowhere://bucket/lake")
