"""Cost of a command: CPU seconds, wall time, peak memory and bytes read by its whole process tree. Linux, no Spark.

A script (:mod:`quotelab.benchmarks.counted`) starts the command and waits for all its processes; the kernel's counts
for these are the cost. Where a parent ignores that its children end, as PySpark's daemon of workers does, the kernel
adds their CPU time to nobody's: what such a child had used when it was last seen is added here.
"""

import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from quotelab.benchmarks import counted
from quotelake.errors import InputError, QuotelakeError

_PROC: Final = Path("/proc")
_TICK: Final = os.sysconf("SC_CLK_TCK")
_SIGCHLD_BIT: Final = 1 << (signal.SIGCHLD - 1)  # in the masks of /proc/PID/status
_SAMPLE_SECONDS: Final = 0.1
_MEMORY_EVERY: Final = 5  # samples; seldom, because the kernel visits all pages for it
_SHOWN: Final = 3_000  # characters of standard error


class CommandError(QuotelakeError):
    """A measured command failed, so its cost is meaningless."""


class CommandStoppedError(CommandError):
    """A measured command was killed because it took longer than its limit."""


@dataclass(frozen=True)
class Cost:
    """Cost of a command: wall seconds; seconds of CPU of all processes, the kernel's included.

    ``read`` are bytes passed to ``read`` calls, from disk, cache and sockets alike, ``peak`` bytes of memory of all
    processes together (proportional set size), ``lines`` of standard output, each with its time in seconds since 1970.
    """

    seconds: float
    cpu: float
    read: float = 0.0
    peak: int = 0
    lines: tuple[tuple[float, str], ...] = ()


def measure(
    command: Sequence[str], *, stdin: str = "", env: Mapping[str, str] | None = None, limit_s: float = math.inf
) -> Cost:
    """Run a command and count the cost of it and of all processes that it starts.

    After ``limit_s`` wall seconds all are killed: a CommandStoppedError. A CommandError has the end of what a failed
    command wrote.
    """
    for name in ("io", "smaps_rollup"):
        if not (_PROC / "self" / name).exists():
            raise InputError(f"/proc/self/{name} is not there: costs are measured on Linux 4.14 or newer")
    with tempfile.TemporaryFile("w+") as given, tempfile.TemporaryFile("w+", errors="replace") as errors:
        given.write(stdin)
        given.seek(0)
        source, sink = os.pipe()
        begin = time.time()
        process = subprocess.Popen(
            # -P: files beside this one must not shadow modules of the standard library.
            [sys.executable, "-P", counted.__file__, str(sink), *command],
            stdin=given, stdout=subprocess.PIPE, stderr=errors, text=True, errors="replace", env=env, pass_fds=(sink,),
        )  # fmt: skip
        os.close(sink)
        watch = _Watch(process.pid, limit_s)
        watch.start()
        assert process.stdout is not None
        lines = [(time.time(), line.rstrip("\n")) for line in process.stdout]
        with os.fdopen(source) as report:
            written = report.read()
        process.wait()
        seconds = time.time() - begin
        watch.ended.set()
        watch.join()
        if watch.stopped:
            raise CommandStoppedError(f"stopped after {limit_s:g} s: {' '.join(command)}")
        found: dict[str, Any] = json.loads(written) if written else {"status": process.returncode}
        if found["status"]:
            errors.seek(0)
            shown = errors.read() or "\n".join(line for _, line in lines)
            raise CommandError(f"exit status {found['status']} of {' '.join(command)}\n{shown[-_SHOWN:]}")
    # A child whose parent ended first was adopted and waited for by the script, so the kernel counted it.
    uncounted = sum(cpu for (pid, _), cpu in watch.ignored.items() if pid not in found["waited"])
    return Cost(seconds, found["cpu"] + uncounted, found["read"], watch.peak, tuple(lines))


class _Watch(threading.Thread):
    """Looks at the processes below one, which is not counted itself, until ``ended``; kills them after a limit."""

    def __init__(self, root: int, limit_s: float) -> None:
        super().__init__(name="cost", daemon=True)
        self.stopped = False
        self.peak = 0
        #: CPU seconds of children whose parent ignores their end, by id and time of start, as last seen.
        self.ignored: dict[tuple[int, str], float] = {}
        self.ended = threading.Event()
        self._root, self._last = root, time.monotonic() + limit_s

    def run(self) -> None:
        """Watch."""
        turn = 0
        while not self.ended.wait(_SAMPLE_SECONDS):
            live = _below(self._root)
            for pid, fields in live.items():
                self.ignored.pop((pid, fields[19]), None)
                if int(_field(int(fields[1]), "status", "SigIgn:"), 16) & _SIGCHLD_BIT:
                    self.ignored[pid, fields[19]] = sum(int(field) for field in fields[11:15]) / _TICK
            if time.monotonic() > self._last:
                self.stopped = True
                for pid in live:  # again in the next turn, if one of them had just started another
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
            if turn % _MEMORY_EVERY == 0:
                self.peak = max(self.peak, sum(int(_field(pid, "smaps_rollup", "Pss:")) for pid in live) * 1024)
            turn += 1


def cpu_below(root: int) -> float:
    """CPU seconds of a process and all below it that live, and of their children that ended."""
    own = _text(root, "stat").rpartition(")")[2].split()
    return sum(int(field) for fields in (own, *_below(root).values()) for field in fields[11:15]) / _TICK


def _below(root: int) -> dict[int, list[str]]:
    """All descendants of a process, with their fields of /proc/PID/stat from the third on."""
    # The second field is the command in brackets and may hold any character.
    stats = {int(pid): _text(pid, "stat").rpartition(")")[2].split() for pid in os.listdir(_PROC) if pid.isdecimal()}
    children: dict[int, list[int]] = {}
    for pid, fields in stats.items():
        if fields:
            children.setdefault(int(fields[1]), []).append(pid)
    found = [root]
    for pid in found:
        found += children.get(pid, ())
    return {pid: stats[pid] for pid in found[1:]}


def _field(pid: int, file: str, name: str) -> str:
    return next((line.split()[1] for line in _text(pid, file).splitlines() if line.startswith(name)), "0")


def _text(pid: int | str, name: str) -> str:
    try:
        return (_PROC / str(pid) / name).read_text("utf-8", "replace")
    except OSError:  # the process ended, or is another user's
        return ""
