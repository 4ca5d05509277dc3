"""One run at a time: a second says that it waits and stops in time; only a dead holder loses the lake."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from tests.nightly.killing import until

from quotelake.errors import InputError, LakeBusyError
from quotelake.lake import lease
from quotelake.lake.hadoop import files_of
from quotelake.lake.lease import LEASE, Holder, check_lease, read, take_lease
from quotelake.lake.place import Files
from quotelake.settings import RunSettings, Settings

Pauses = Callable[[Callable[[int], None]], None]


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> Pauses:
    """No test waits for a second; something may be done at each pause of the waiting run, by its number."""
    monkeypatch.setattr(lease, "_PAUSE_SECONDS", 0.01)

    def at_each(do: Callable[[int], None]) -> None:
        number = count(1)
        monkeypatch.setattr(lease.time, "sleep", lambda seconds: do(next(number)))

    return at_each


@pytest.fixture
def impatient(settings: Settings) -> RunSettings:
    """Settings of a run that does not wait, and that counts a silent holder as dead after half a second."""
    return settings.run.model_copy(update={"lease_wait_seconds": 0, "lease_stale_seconds": 0.5})


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """A directory that is to be a lake."""
    return Files(tmp_path / "lake")


@pytest.fixture
def address(files: Files, monkeypatch: pytest.MonkeyPatch) -> Files:
    """The same, taken for an address, where no file is locked."""
    monkeypatch.setattr(lease, "is_local", lambda root: False)
    return files


def put(files: Files, beat: int = 0) -> None:
    """Write the lease of another run."""
    files.write(LEASE, Holder("other", "elsewhere", 7, "t", beat).text())


def holder(files: Files) -> str | None:
    found = read(files)
    return found and found.run_id


def refused(files: Files, settings: RunSettings, said: str, error: type[BaseException] = LakeBusyError) -> None:
    """Expect that another run does not get the lake."""
    with pytest.raises(error, match=said), take_lease(files, "next", settings, print):
        pytest.fail("the lake is held by another run")


def test_a_second_run_stops_and_names_the_first(files: Files, impatient: RunSettings):
    with take_lease(files, "first", impatient, print):
        refused(files, impatient, f"run first \\(process {os.getpid()}")
    assert files.names("") == []


def test_a_lock_on_a_file_that_its_holder_has_deleted_is_none(files: Files, impatient: RunSettings):
    """A run that opened the file just before the end of the first one tries again, on the new file of a third."""
    first = take_lease(files, "first", impatient, print)
    first.__enter__()
    opened = Path.open

    def open_late(path: Path, *arguments: object, **named: object) -> object:
        file = opened(path, *arguments, **named)
        first.__exit__(None, None, None)
        return file

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "open", open_late)
        refused(files, impatient, "a run holds the lake")
    with take_lease(files, "third", impatient, pytest.fail):
        assert holder(files) == "third"


def test_a_waiting_run_says_so_once_and_goes_on_when_the_first_ends_or_is_interrupted(
    files: Files, settings: Settings, pauses: Pauses
):
    first, said = take_lease(files, "first", settings.run, print), list[str]()
    first.__enter__()

    def pause(wait: int) -> None:
        if wait == 1:
            raise KeyboardInterrupt("by hand")
        if wait == 3:
            first.__exit__(None, None, None)

    pauses(pause)
    refused(files, settings.run, "by hand", KeyboardInterrupt)
    assert holder(files) == "first"
    with take_lease(files, "second", settings.run, said.append):
        assert holder(files) == "second"
    [line] = said
    assert "waiting for run first" in line and "for at most 3600 s" in line


KILLED = """
import os, subprocess, sys, time
from quotelake.lake.lease import take_lease
from quotelake.lake.place import Files
from quotelake.settings import load_settings

with take_lease(Files(sys.argv[1]), "killed", load_settings().run, print):
    forked = os.fork() or time.sleep(600)
    started = subprocess.Popen(["sleep", "600"])
    print(forked, started.pid, flush=True)
    time.sleep(600)
"""


@pytest.mark.process
def test_a_killed_run_loses_a_local_lake_at_once_though_its_children_live(
    files: Files, settings: Settings, pauses: Pauses
):
    pauses(lambda wait: pytest.fail("waits for a dead run"))
    with subprocess.Popen([sys.executable, "-c", KILLED, files.root], stdout=subprocess.PIPE, text=True) as run:
        children = [int(pid) for pid in run.stdout.readline().split()]
        assert holder(files) == "killed"
        run.kill()
        run.wait()
        try:
            said: list[str] = []
            with take_lease(files, "next", settings.run, said.append):
                assert f"run killed (process {run.pid} on " in said[0] and "taking over" in said[0] and len(said) == 1
            [os.kill(child, 0) for child in children]
        finally:
            [os.kill(child, signal.SIGKILL) for child in children]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (Holder("other", "elsewhere", 7).text(), ["waiting for run other", "run other (process 7 on elsewhere) did"]),
        ('{"run_id": "x"', ["waiting for a run"]),
    ],
    ids=["whole", "cut"],
)
def test_at_an_address_a_silent_holder_is_taken_over(
    address: Files, impatient: RunSettings, monkeypatch: pytest.MonkeyPatch, text: str, said: list[str]
):
    """Also by a run that waits no longer than a holder may be silent, however slow its first look was."""
    tenths = count()
    monkeypatch.setattr(lease.time, "monotonic", lambda: next(tenths) / 10)
    address.write(LEASE, text)
    heard: list[str] = []
    with take_lease(address, "next", impatient, heard.append):
        assert holder(address) == "next"
    assert [line[: len(start)] for line, start in zip(heard, said, strict=True)] == said
    assert address.read(LEASE) is None


@pytest.mark.parametrize("is_there", [True, False], ids=["that renews its lease", "the last of two that create it"])
def test_at_an_address_a_holder_keeps_the_lake(address: Files, impatient: RunSettings, pauses: Pauses, is_there: bool):
    pauses(lambda wait: put(address, beat=wait))
    if is_there:
        put(address)
    refused(address, impatient, "run other")
    assert holder(address) == "other"


def test_a_run_that_lost_the_lake_says_so_and_leaves_it_to_the_other_and_a_beat_that_fails_ends_none(
    address: Files, impatient: RunSettings, monkeypatch: pytest.MonkeyPatch
):
    said, beats = list[str](), list[str]()

    def fails(self: Files, name: str, text: str) -> None:
        beats.append(text)
        raise OSError("the disk is full")

    with take_lease(address, "slow", impatient.model_copy(update={"lease_stale_seconds": 0.04}), said.append):
        with monkeypatch.context() as patch:
            patch.setattr(Files, "write", fails)
            until(lambda: len(beats) >= 3)
        assert not said
        until(lambda: put(address) or said)  # a beat that has looked already writes over it once
    assert "run other" in said[0] and "took the lake over" in said[0] and len(said) == 1
    assert holder(address) == "other"


def test_where_delta_keeps_no_two_commits_apart_a_run_that_lost_the_lake_begins_none(
    address: Files, impatient: RunSettings, monkeypatch: pytest.MonkeyPatch
):
    check_lease(address, "r")  # elsewhere nobody asks
    monkeypatch.setattr(Files, "commits_once", False)
    with take_lease(address, "r", impatient.model_copy(update={"lease_stale_seconds": 60}), print):
        check_lease(address, "r")
        put(address)
        with pytest.raises(LakeBusyError, match=r"run other .* took the lake over"):
            check_lease(address, "r")
    address.delete(LEASE)
    with pytest.raises(LakeBusyError, match="another run took"):
        check_lease(address, "r")


@pytest.mark.parametrize("root", ["plain", "plain/lake"])
def test_a_lake_that_cannot_be_written_is_said_at_once(tmp_path: Path, settings: Settings, root: str, pauses: Pauses):
    pauses(lambda wait: pytest.fail("waits"))
    (tmp_path / "plain").write_text("a file, no directory")
    refused(Files(tmp_path / root), settings.run, f"{root}/_lease.json: the lake cannot .*; give --lake", InputError)


@pytest.mark.spark
def test_the_files_of_an_address_are_those_of_this_machine(spark: SparkSession, tmp_path: Path, impatient: RunSettings):
    here, there = Files(tmp_path), files_of(lambda: spark, f"file://{tmp_path}")
    for files in (here, there):
        assert [files.write("a/b", text, over=False) for text in ("text", "other")] == [True, False]
        assert files.read("a/b") == "text"
        files.write("a/b", "é")
        assert (here.read("a/b"), there.read("a/b")) == ("é", "é") and "b" in files.names("a")
        for _ in range(2):  # also over what is there
            files.copy("a/b", "c/d/b")
        assert files.read("c/d/b") == "é"
        files.delete("a/b")
        assert (files.read("a/b"), files.names("none")) == (None, [])
    with take_lease(there, "r", impatient, print):
        assert there.read(LEASE)
    (tmp_path / "plain").write_text("x")
    with pytest.raises(OSError, match="plain"):
        files_of(lambda: spark, f"file://{tmp_path}/plain").write(LEASE, "x")
    with pytest.raises(OSError, match="nowhere"):
        files_of(lambda: spark, "nowhere://bucket/lake")
