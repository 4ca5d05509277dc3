"""One run at a time on a lake, as a courtesy: correctness rests on Delta's transactions, not on this file.

On S3 it does rest on it. There Delta looks whether a commit is there and then writes it: where two processes do so at
the same moment, one commit is lost. So a run that has lost its lease begins no write. The one it was at may still be
lost, or lose another's, if the run stood still exactly between Delta's look and its writing, for as long as a silent
holder is waited for.

The lease lets a second run say that it waits, and stop when that takes too long. Its holder renews it; a holder whose
lease stayed as it is for ``lease_stale_seconds``, on the clock of the run that waits, is dead. Where the number of its
process means something to the waiting run, a holder that was killed is known to be dead at once.
"""

import json
import os
import secrets
import socket
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from itertools import count
from pathlib import Path

from quotelake.errors import InputError, LakeBusyError
from quotelake.lake.place import Files
from quotelake.settings import RunSettings

#: The file that names the holder.
LEASE = "_lease.json"
_SETTLE_SECONDS = 1.0


def here() -> str:
    """Where the number of a process names the same process: one start of a machine, and in it one container.

    Two containers may share a host name, and a machine that was started again its process numbers.
    """
    if sys.platform != "linux":
        return f"{socket.gethostname()} {uuid.getnode():x}"
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("utf-8").strip()
        return f"{boot} {os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return ""


@dataclass(frozen=True)
class Holder:
    """Who holds a lake: a run, as a process of a machine."""

    run_id: str
    host: str
    pid: int
    #: Random, so that no other holder has it; empty in a lease of an earlier release.
    token: str = ""
    #: Where the number of the process counts (:func:`here`); empty where that is not known.
    place: str = ""
    #: Changes each time the lease is renewed.
    beat: float = 0

    def __str__(self) -> str:
        """Name the run and its process."""
        return f"run {self.run_id} (process {self.pid} on {self.host})"

    def lives(self) -> bool | None:
        """Whether the process lives; None where this process cannot know."""
        if not self.place or self.place != here():
            return None
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            pass
        return True


@contextmanager
def hold(files: Files, run_id: str, settings: RunSettings, say: Callable[[str], None]) -> Iterator[None]:
    """Hold the lake while the block runs, waiting for another run if there is one.

    ``say`` is told once that this run waits, once that it takes over, and once that another took over from it.

    Raises:
        InputError: the lake cannot be written; nobody waits for that.
        LakeBusyError: the other run was still there after ``lease_wait_seconds``.
    """
    holder = Holder(run_id, socket.gethostname(), os.getpid(), secrets.token_hex(8), here())
    try:
        _acquire(files, holder, settings, say)
    except OSError as error:
        raise InputError(
            f"{files.root}/{LEASE}: the lake cannot be written: {error.strerror or error}; "
            "give --lake a directory or an address that this user may write to"
        ) from None
    ended = threading.Event()

    def renew() -> None:
        """Renew the lease until the run has ended, or another run has taken it."""
        for beat in count(1):
            if ended.wait(settings.lease_stale_seconds / 4):
                return
            with suppress(OSError):  # a beat that fails stops no run; if it matters, a write of the run fails too
                found = read(files)
                if found is not None and found.token != holder.token:
                    then = "both go on side by side" if files.commits_once else "it writes nothing more"
                    say(f"{found} took the lake over, as this run was silent for too long: {then}")
                    return
                files.write(LEASE, _text(replace(holder, beat=beat)))

    heart = threading.Thread(target=renew, name="lease", daemon=True)
    heart.start()
    try:
        yield
    finally:
        ended.set()
        heart.join()
        if _is_of(files, holder):
            files.delete(LEASE)


def check_held(files: Files, run_id: str) -> None:
    """Refuse a commit of a run whose lease is not its own any more, on a lake where Delta would not.

    Raises:
        LakeBusyError: another run has taken the lake over.
    """
    if not files.commits_once and ((found := read(files)) is None or found.run_id != run_id):
        raise LakeBusyError(
            f"{found or 'another run'} took the lake over, as this run was silent for too long: nothing more is "
            "written by this one; start it again when the other has ended"
        )


def _acquire(files: Files, holder: Holder, settings: RunSettings, say: Callable[[str], None]) -> None:
    deadline = time.monotonic() + settings.lease_wait_seconds
    said = False
    seen: Holder | None = None
    since, moved = time.monotonic(), False
    while not _create(files, holder):
        other = read(files)
        if other is None:  # a file without a holder in it may be one that another run is writing at this moment
            time.sleep(_SETTLE_SECONDS)
            other = read(files)
        now = time.monotonic()
        if other != seen:
            moved = moved or (seen is not None and other is not None and other.token == seen.token)
            seen, since = other, now
        lives = None if other is None else other.lives()
        is_dead = other is None or lives is False or now - since > settings.lease_stale_seconds
        if is_dead and _take_over(files, holder, other):
            if other is not None:
                say(f"{other} did not end by itself: taking over from it")
            return
        who = "a run" if other is None else str(other)
        if now >= deadline and (other is None or lives or moved):  # else look on until it is known to live or not
            raise LakeBusyError(
                f"{who} holds the lake and did not end within {settings.lease_wait_seconds} s; try again later, or "
                "raise run.lease_wait_seconds"
            )
        if not said:
            say(f"waiting for {who}, which holds the lake, for at most {settings.lease_wait_seconds} s")
            said = True
        time.sleep(_SETTLE_SECONDS)


def _create(files: Files, holder: Holder) -> bool:
    """Take a lake that nobody holds; where several can create a file at once, the last one to write has the lake."""
    if not files.write(LEASE, _text(holder), over=False):
        return False
    if files.creates_once:
        return True
    time.sleep(_SETTLE_SECONDS)
    return _is_of(files, holder)


def _take_over(files: Files, holder: Holder, dead: Holder | None) -> bool:
    """Write over a dead holder; of several runs that do so at once the last one to write has the lake."""
    if read(files) != dead:
        return False
    files.write(LEASE, _text(holder))
    time.sleep(_SETTLE_SECONDS)
    return _is_of(files, holder)


def read(files: Files) -> Holder | None:
    """Whoever holds the lake, or None; a half-written file is nobody's."""
    try:
        return Holder(**json.loads(files.read(LEASE) or ""))
    except (ValueError, TypeError):
        return None


def _is_of(files: Files, holder: Holder) -> bool:
    found = read(files)
    return found is not None and found.token == holder.token


def _text(holder: Holder) -> str:
    return json.dumps(asdict(holder))
