"""Commands in processes of their own that are stopped or killed while they write a lake, for ``test_kills.py``.

A lake copied while every process of a command is stopped is what SIGKILL would leave at that moment.
"""

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from quotelake.lake.lease import LEASE, read
from quotelake.lake.place import Files

#: Seconds after which a process that hangs is given up; none takes so long, however busy the machine.
GUARD = 1800
JOBS = Path(__file__).parents[2] / "jobs"


class Point(NamedTuple):
    """A lake as it was at one moment of a command: when, and where the copy lies."""

    label: str
    copy: Path


def commits(root: Path) -> set[str]:
    """All that makes a step of a run durable: commits of tables, and batches noted by the stream."""
    logs, noted = root.glob("*/_delta_log/*.json"), root.glob("_checkpoints/*/[oc][fo]*s/[0-9]*")  # offsets, commits
    try:
        found = {f"{log.parents[1].name} {int(log.stem)}" for log in logs if re.fullmatch(r"\d{20}", log.stem)}
        return found | {f"stream {batch.parent.name} {batch.name}" for batch in noted}
    except FileNotFoundError:  # a folder goes at this moment
        return commits(root)


class Started(subprocess.Popen[str]):
    """A job of ``jobs/`` in a session of its own, with its own folder of temporary files.

    What it says goes to a file: a pipe that nobody reads meanwhile would stop it when it is full.
    """

    def __init__(self, command: list[str], temporary: Path) -> None:
        temporary.mkdir(exist_ok=True)
        job, *arguments = command
        self._said = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 - read after the job has ended
        super().__init__(
            [sys.executable, str(JOBS / job), *arguments], env=os.environ | {"TMPDIR": str(temporary)},
            stdout=self._said, stderr=subprocess.STDOUT, text=True, start_new_session=True,
        )  # fmt: skip

    def end(self, *statuses: int) -> str:
        """Wait until it has ended, by one of some statuses if these are given, and return what it said."""
        self.wait(GUARD)
        self._said.seek(0)
        said = self._said.read()
        assert not statuses or self.returncode in statuses, said
        return said


def members(session: int) -> dict[int, str]:
    """Processes of a session that live, with the command line of each."""
    found = {}
    for each in Path("/proc").glob("[0-9]*"):
        try:
            state, _, _, number = (each / "stat").read_text("utf-8").rpartition(")")[2].split()[:4]
            if int(number) == session and state != "Z":
                found[int(each.name)] = (each / "cmdline").read_text("utf-8").replace("\0", " ")
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


def signal_all(pids: Iterable[int], number: signal.Signals) -> None:
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            continue


def points_of(command: list[str], root: Path, folder: Path, moments: int, seed: str) -> list[Point]:
    """Run a command on a lake to its end, copying the lake at each commit and at random moments between them.

    Fails where its status is not 0.
    """
    process, chance, points = Started(command, folder / "temporary"), random.Random(seed), list[Point]()
    seen, due, left = commits(root), float("inf"), moments
    while process.poll() is None:
        now = commits(root)
        news, is_due = now - seen, time.monotonic() > due
        if news or is_due:
            stopped = list(members(process.pid))
            signal_all(stopped, signal.SIGSTOP)
            news = commits(root) - seen  # whoever wrote meanwhile has stopped by now
            label = "random moment" if is_due and not news else "; ".join(sorted(news))
            points.append(Point(label, Path(shutil.copytree(root, folder / f"at-{len(points)}"))))
            signal_all(stopped, signal.SIGCONT)
            seen |= news
            left -= is_due
            if is_due or due == float("inf"):
                due = time.monotonic() + chance.uniform(0.1, 1.5) if left else float("inf")
        time.sleep(0.003)
    process.end(0)
    return points


def until(done: Callable[[], object]) -> None:
    """Wait until something is so."""
    given_up = time.monotonic() + GUARD
    while not done():
        assert time.monotonic() < given_up
        time.sleep(0.02)


def wait_for(process: Started, table: str, root: Path, seen: set[str]) -> None:
    """Wait until a process has committed to a table, or ended."""
    while process.poll() is None and not any(each.startswith(f"{table} ") for each in commits(root) - seen):
        time.sleep(0.003)


def kill_at(table: str, victim: str, command: list[str], root: Path, temporary: Path) -> tuple[int, str]:
    """Run a command, and kill its processes with ``victim`` in their command line when it has committed to a table.

    Returns its status and what it said, when nothing of it is left.
    """
    seen, process = commits(root), Started(command, temporary)
    wait_for(process, table, root, seen)
    killed = [pid for pid, line in members(process.pid).items() if victim in line]
    signal_all(killed, signal.SIGKILL)
    said = process.end()
    assert killed, said
    until(lambda: not members(process.pid))
    return process.returncode, said


def side_by_side(command: list[str], root: Path, table: str, temporary: Path) -> list[tuple[int, str]]:
    """Run a command, stop it when it has committed to a table, and let it go on when another holds its lake too.

    The file of the lease is deleted meanwhile: a lock on a file that is gone keeps nobody out.

    Returns the status of both, and what they said.
    """
    seen, one = commits(root), Started(command, temporary)
    wait_for(one, table, root, seen)
    stopped = [*members(one.pid)]
    signal_all(stopped, signal.SIGSTOP)
    files = Files(root)
    holder = read(files)
    files.delete(LEASE)
    other = Started(command, temporary)
    until(lambda: other.poll() is not None or read(files) not in (None, holder))
    signal_all(stopped, signal.SIGCONT)
    said = [each.end() for each in (one, other)]
    return list(zip((one.returncode, other.returncode), said, strict=True))
