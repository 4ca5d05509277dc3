"""One run at a time on a lake, as a courtesy: correctness rests on Delta's transactions, never on this file.

The lease only lets a second run say that it waits, and stop when that takes too long. A holder that was killed is
taken over at once if it ran on the same machine, else when it has been silent for ``lease_stale_seconds``.
"""

import json
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass

from py4j.protocol import Py4JJavaError
from pyspark.sql import SparkSession

from quotelake.errors import InputError, LakeBusyError
from quotelake.settings import RunSettings

_SETTLE_SECONDS = 1.0
#: How file systems say that a file is there, or is being made by another at this moment (HDFS).
_TAKEN = ("FileAlreadyExistsException", "AlreadyBeingCreatedException")


@dataclass(frozen=True)
class Holder:
    """Who holds a lake and when they last said so (seconds since the epoch)."""

    run_id: str
    host: str
    pid: int
    beat: float

    def is_gone(self, now: float, stale_seconds: float) -> bool:
        """Whether the holder can be taken for dead."""
        if self.host == socket.gethostname() and not _is_alive(self.pid):
            return True
        return now - self.beat > stale_seconds


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


class LeaseFile:
    """The file that names the holder, through Hadoop's file systems."""

    def __init__(self, spark: SparkSession, root: str) -> None:
        """Name the file; nothing is written yet."""
        jvm = spark._jvm
        assert jvm is not None
        self._path = jvm.org.apache.hadoop.fs.Path(f"{root.rstrip('/')}/_lease.json")
        try:
            self._fs = self._path.getFileSystem(spark._jsc.hadoopConfiguration())
        except Py4JJavaError as error:
            raise self._unusable(error) from None
        self._io = jvm.org.apache.commons.io.IOUtils

    def read(self) -> Holder | None:
        """Whoever holds the lake, or None; a half-written file is nobody's."""
        try:
            stream = self._fs.open(self._path)
            try:
                return Holder(**json.loads(self._io.toString(stream, "UTF-8")))
            finally:
                stream.close()
        except (Py4JJavaError, ValueError, TypeError):
            return None

    def write(self, holder: Holder, *, take_over: bool) -> bool:
        """Write the holder; without ``take_over`` only if nobody holds the lake. Returns whether it was written.

        Raises:
            InputError: the lake is no place this run may write to.
        """
        try:
            stream = self._fs.create(self._path, take_over)
            try:
                stream.write(bytearray(json.dumps(asdict(holder)).encode()))
            finally:
                stream.close()
        except Py4JJavaError as error:
            if self._is_taken(error):
                return False
            raise self._unusable(error) from None
        return True

    def _is_taken(self, error: Py4JJavaError) -> bool:
        """Whether the file is there. A lake that is itself a file fails by the same exception as a file that is."""
        name = str(error.java_exception.getClass().getName())
        if not name.endswith(_TAKEN):
            return False
        root = self._path.getParent()
        return not self._fs.exists(root) or bool(self._fs.getFileStatus(root).isDirectory())

    def _unusable(self, error: Py4JJavaError) -> InputError:
        cause = error.java_exception
        why = f"{cause.getClass().getSimpleName()}: {cause.getMessage()}".partition("\n")[0]
        return InputError(
            f"{self._path}: the lake cannot be written: {why}; give --lake a directory or an address that this user "
            "may write to"
        )

    def delete(self) -> None:
        """Give the lake back."""
        self._fs.delete(self._path, False)


@contextmanager
def hold(
    spark: SparkSession, root: str, run_id: str, settings: RunSettings, say: Callable[[str], None]
) -> Iterator[None]:
    """Hold the lake while the block runs, waiting for another run if there is one.

    Args:
        spark: session that reaches the lake.
        root: the lake.
        run_id: who holds it.
        settings: how long to wait, and when a silent holder is dead.
        say: told once that this run waits, and once that it takes over.

    Raises:
        InputError: the lake cannot be written; nobody waits for that.
        LakeBusyError: the other run was still there after ``lease_wait_seconds``.
    """
    lease = LeaseFile(spark, root)
    _acquire(lease, run_id, settings, say)
    stop = threading.Event()

    def beat() -> None:
        while not stop.wait(settings.lease_stale_seconds / 4):
            with suppress(InputError):  # a beat that fails stops no run; if it matters, a write of the run fails too
                lease.write(_holder(run_id), take_over=True)

    heart = threading.Thread(target=beat, name="lease", daemon=True)
    heart.start()
    try:
        yield
    finally:
        stop.set()
        heart.join()
        holder = lease.read()
        if holder is not None and holder.run_id == run_id:
            lease.delete()


def _acquire(lease: LeaseFile, run_id: str, settings: RunSettings, say: Callable[[str], None]) -> None:
    deadline = time.time() + settings.lease_wait_seconds
    told = False
    while not lease.write(_holder(run_id), take_over=False):
        holder = lease.read() or _look_again(lease)
        if holder is None or holder.is_gone(time.time(), settings.lease_stale_seconds):
            if _take_over(lease, run_id):
                if holder is not None:
                    say(f"run {holder.run_id} did not end (process {holder.pid} on {holder.host}): taking over from it")
                return
            holder = lease.read()  # another run was faster
        who = "a run" if holder is None else f"run {holder.run_id} (process {holder.pid} on {holder.host})"
        if time.time() >= deadline:
            raise LakeBusyError(
                f"{who} holds the lake and did not end within {settings.lease_wait_seconds} s; try again later, or "
                "raise run.lease_wait_seconds"
            )
        if not told:
            say(f"waiting for {who}, which holds the lake, for at most {settings.lease_wait_seconds} s")
            told = True
        time.sleep(_SETTLE_SECONDS)


def _look_again(lease: LeaseFile) -> Holder | None:
    """Read once more: a file without a holder in it may be one that another run is writing at this moment."""
    time.sleep(_SETTLE_SECONDS)
    return lease.read()


def _take_over(lease: LeaseFile, run_id: str) -> bool:
    """Write over a dead holder; of several runs that do so at once the last one to write has the lake."""
    lease.write(_holder(run_id), take_over=True)
    now = _look_again(lease)
    return now is not None and now.run_id == run_id


def _holder(run_id: str) -> Holder:
    return Holder(run_id, socket.gethostname(), os.getpid(), time.time())
