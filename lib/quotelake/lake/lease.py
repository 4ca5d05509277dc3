"""One run at a time writes to a lake: a second one waits, and stops when that takes too long.

On a local lake a run locks a file (``flock``), on NFS for all machines, unless it is mounted with ``nolock`` or
``local_lock``. At an address it renews a file: one that stays as it is for ``lease_stale_seconds`` is of a dead run.

Correctness rests on Delta's transactions, except on S3, where Delta looks for a commit and then writes it. So there a
run that lost its lease begins no write; one under way is lost if the run was suspended between these two steps.
"""

import fcntl
import json
import os
import secrets
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from itertools import count
from pathlib import Path
from threading import Event, Thread
from typing import TextIO

from quotelake.errors import InputError, LakeBusyError
from quotelake.lake.place import Files, is_local
from quotelake.settings import RunSettings

#: The file that names the holder; missing if there is none.
LEASE = "_lease.json"
_PAUSE_SECONDS = 1.0

Report = Callable[[str], None]


@dataclass(frozen=True)
class Holder:
    """A run that holds a lake, as a process of a machine."""

    run_id: str
    host: str = field(default_factory=socket.gethostname)
    pid: int = field(default_factory=os.getpid)
    token: str = field(default_factory=lambda: secrets.token_hex(8))  # random: no other holder has it
    beat: int = field(default=0, compare=False)  # how often the lease was renewed

    def __str__(self) -> str:
        """Name the run and its process."""
        return f"run {self.run_id} (process {self.pid} on {self.host})"

    def text(self) -> str:
        """Content of the file."""
        return json.dumps(asdict(self))


def read(files: Files) -> Holder | None:
    """The last run that took the lake, unless it has released it; None too if the file is half written."""
    try:
        return Holder(**json.loads(files.read(LEASE) or ""))
    except (ValueError, TypeError):
        return None


@contextmanager
def take_lease(files: Files, run_id: str, settings: RunSettings, report: Report) -> Iterator[None]:
    """Hold the lake while the block runs, after waiting for another run, and report what happens to the lease.

    Raises:
        InputError: the lake cannot be written; nobody waits for that.
        LakeBusyError: the other run was still there after ``lease_wait_seconds``.
    """
    hold_by = _lock if is_local(files.root) else _heartbeat
    with hold_by(files, Holder(run_id), settings, report) as dead:
        if dead is not None:
            report(f"{dead} did not end by itself: taking over from it")
        yield


def check_lease(files: Files, run_id: str) -> None:
    """Refuse a commit of a run that lost its lease, by a LakeBusyError, on a lake where Delta would not."""
    if not files.commits_once and ((found := read(files)) is None or found.run_id != run_id):
        raise LakeBusyError(
            f"{found or 'another run'} took the lake over, as this run was silent for too long: nothing more is "
            "written by this one; start it again when the other has ended"
        )


@contextmanager
def _lock(files: Files, holder: Holder, settings: RunSettings, report: Report) -> Iterator[Holder | None]:
    """Lock the file; yield the dead run that left its name in it."""
    path = Path(files.root, LEASE)
    file: TextIO
    dead: Holder | None = None

    def take() -> bool:
        nonlocal file, dead
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("a", encoding="utf-8")  # a program that this process starts does not inherit it
        with suppress(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(file.fileno()).st_nlink:  # else its holder has deleted it meanwhile
                dead = read(files)
                file.truncate(0)
                file.write(holder.text())
                file.flush()
                return True
        file.close()
        return False

    _wait_for(take, files, settings.lease_wait_seconds, report)
    os.register_at_fork(after_in_child=file.close)
    with file:
        try:
            yield dead
        finally:
            if os.fstat(file.fileno()).st_nlink:
                path.unlink()


@contextmanager
def _heartbeat(files: Files, holder: Holder, settings: RunSettings, report: Report) -> Iterator[Holder | None]:
    """Write the file and renew it; yield the dead run whose file it was."""
    stale_seconds, ended, since = settings.lease_stale_seconds, Event(), time.monotonic()
    dead: Holder | None = None
    seen: str | None = None

    def take() -> bool:
        """Create the file or replace a stale one. Of several runs that do so at once the last to write has the lake."""
        nonlocal dead, seen, since
        text, now = files.read(LEASE), time.monotonic()
        if text != seen:
            seen, since = text, now
        if text is not None and now - since < stale_seconds:
            return False
        dead = read(files)
        if not files.write(LEASE, holder.text(), over=text is not None):
            return False
        time.sleep(_PAUSE_SECONDS)
        return read(files) == holder

    def renew() -> None:
        for beat in count(1):
            if ended.wait(stale_seconds / 4):
                return
            with suppress(OSError):  # a beat that fails stops no run; if it matters, a write of the run fails too
                if (other := read(files)) not in (None, holder):
                    then = "both go on side by side" if files.commits_once else "it writes nothing more"
                    return report(f"{other} took the lake over, as this run was silent for too long: {then}")
                files.write(LEASE, replace(holder, beat=beat).text())

    _wait_for(take, files, max(settings.lease_wait_seconds, stale_seconds), report)
    thread = Thread(target=renew, name="lease", daemon=True)
    thread.start()
    try:
        yield dead
    finally:
        ended.set()
        thread.join()
        if read(files) == holder:
            files.delete(LEASE)


def _wait_for(take: Callable[[], bool], files: Files, seconds: float, report: Report) -> None:
    deadline: float | None = None
    while True:
        is_last = not seconds or (deadline is not None and time.monotonic() >= deadline)
        try:
            if take():
                return
        except OSError as error:
            raise InputError(
                f"{files.root}/{LEASE}: the lake cannot be written: {error.strerror or error}; "
                "give --lake a directory or an address that this user may write to"
            ) from None
        other = read(files) or "a run"
        if is_last:
            raise LakeBusyError(
                f"{other} holds the lake and did not end within {seconds} s; try again later, or raise "
                "run.lease_wait_seconds"
            )
        if deadline is None:  # from the first look on, as its silence is measured
            deadline = time.monotonic() + seconds
            report(f"waiting for {other}, which holds the lake, for at most {seconds} s")
        time.sleep(_PAUSE_SECONDS)
