"""Cost of a command: CPU seconds, wall time, peak memory and bytes read by its whole process tree. Linux, no Spark.

A script (:mod:`quotelab.benchmarks.counted`) starts the command and waits for all its processes. The kernel's counts
for these are the cost.

A parent may ignore that its children end, as PySpark's daemon of workers does. The kernel then adds their CPU time to
nobody's. What such a child had used when it was last seen is added here.
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
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quotelab.benchmarks import counted
from quotelake.errors import InputError, QuotelakeError

_PROC = Path("/proc")
_TICK = os.sysconf("SC_CLK_TCK")
_SIGCHLD_BIT = 1 << (signal.SIGCHLD - 1)  # in the masks of /proc/PID/status

_SAMPLE_SECONDS = 0.1
_MEMORY_EVERY = 5  # samples; seldom, because the kernel visits all pages for it
_SHOWN = 3_000  # characters of standard error


class CommandError(QuotelakeError):
    """A measured command failed, so its cost is meaningless."""


class CommandStoppedError(CommandError):
    """A measured command was killed because it took longer than its limit."""


@dataclass(frozen=True)
class Sample:
    """Cost of the command up to a moment.

    Args:
        at: seconds since 1970.
        cpu: seconds of CPU of all processes, the kernel's included.
        read: bytes passed to ``read`` calls, from disk, cache and sockets alike.
    """

    at: float
    cpu: float
    read: float


@dataclass(frozen=True)
class Cost:
    """Cost of a command.

    Args:
        samples: in order of time; the first at its start, the last at the end of all its processes.
        peak: bytes of memory of all processes together, each shared page counted once (proportional set size).
        lines: of standard output, each with its time in seconds since 1970.
    """

    samples: tuple[Sample, ...]
    peak: int
    lines: tuple[tuple[float, str], ...]

    @property
    def seconds(self) -> float:
        """Wall time."""
        return self.samples[-1].at - self.samples[0].at

    @property
    def cpu(self) -> float:
        """Seconds of CPU of all processes, the kernel's included."""
        return self.samples[-1].cpu

    @property
    def read(self) -> float:
        """Bytes passed to ``read`` calls, from disk, cache and sockets alike."""
        return self.samples[-1].read

    def between(self, begin: float, end: float) -> Sample:
        """Cost between two moments, interpolated linearly between samples; ``at`` is the wall time.

        >>> cost = Cost((Sample(0, 0, 0), Sample(10, 4, 100)), 0, ())
        >>> cost.between(5, 10)
        Sample(at=5, cpu=2.0, read=50.0)
        """
        first, last = self._until(begin), self._until(end)
        return Sample(end - begin, last.cpu - first.cpu, last.read - first.read)

    def _until(self, at: float) -> Sample:
        place = bisect_left(self.samples, at, 1, len(self.samples) - 1, key=lambda sample: sample.at)
        before, after = self.samples[place - 1], self.samples[place]
        share = min(1.0, max(0.0, (at - before.at) / max(after.at - before.at, 1e-9)))
        return Sample(
            at, before.cpu + share * (after.cpu - before.cpu), before.read + share * (after.read - before.read)
        )


def check_machine() -> None:
    """Check that the kernel provides the counts.

    Raises:
        InputError: it does not.
    """
    for name in ("io", "smaps_rollup"):
        if not (_PROC / "self" / name).exists():
            raise InputError(f"/proc/self/{name} is not there: costs are measured on Linux 4.14 or newer")


def measure(
    command: Sequence[str],
    *,
    stdin: str = "",
    env: Mapping[str, str] | None = None,
    cwd: str | Path | None = None,
    limit_s: float | None = None,
) -> Cost:
    """Run a command and count the cost of it and of all processes that it starts.

    Args:
        command: what to run, with its arguments.
        stdin: standard input of the command.
        env: environment; None: that of this process.
        cwd: working directory; None: that of this process.
        limit_s: wall seconds after which the command and all its processes are killed; None: never.

    Raises:
        CommandError: the command failed; the end of what it wrote is in the message.
        CommandStoppedError: it was killed because of the limit.
        InputError: the kernel does not provide the counts.
    """
    check_machine()
    with tempfile.TemporaryFile("w+") as given, tempfile.TemporaryFile("w+", errors="replace") as told:
        given.write(stdin)
        given.seek(0)
        source, sink = os.pipe()
        begin = time.time()
        process = subprocess.Popen(
            # -P: files beside this one must not shadow modules of the standard library.
            [sys.executable, "-P", counted.__file__, str(sink), *command],
            stdin=given, stdout=subprocess.PIPE, stderr=told, text=True, errors="replace",
            env=env, cwd=cwd, pass_fds=(sink,),
        )  # fmt: skip
        os.close(sink)
        with _Watch(process.pid, limit_s) as watch:
            assert process.stdout is not None
            lines = []
            for line in process.stdout:
                lines.append((watch.sample(), line.rstrip("\n")))
            with os.fdopen(source) as report:
                written = report.read()
            process.wait()
        end = time.time()
        if watch.stopped:
            raise CommandStoppedError(f"stopped after {limit_s:g} s: {' '.join(command)}")
        found: dict[str, Any] = json.loads(written) if written else {"status": process.returncode}
        if found["status"]:
            told.seek(0)
            shown = told.read() or "\n".join(line for _, line in lines)
            raise CommandError(f"exit status {found['status']} of {' '.join(command)}\n{shown[-_SHOWN:]}")
    last = Sample(end, found["cpu"] + watch.unreported(found["waited"]), found["read"])
    # Processes are sampled one after the other, so a sample may count one twice, or miss one that ends meanwhile.
    seen = [sample for sample in watch.samples if sample.cpu <= last.cpu and sample.read <= last.read]
    samples = (Sample(begin, 0, 0), *_rising(seen), last)
    return Cost(samples, watch.peak, tuple(lines))


def _rising(samples: Sequence[Sample]) -> list[Sample]:
    """Samples without those that miss a process."""
    kept = list[Sample]()
    for sample in sorted(samples, key=lambda sample: sample.at):
        if not kept or (sample.cpu >= kept[-1].cpu and sample.read >= kept[-1].read):
            kept.append(sample)
    return kept


class _Watch:
    """Samples the cost of a process tree while its block runs.

    Args:
        root: process that started the command; it is not counted itself.
        limit_s: wall seconds after which all processes but the root are killed; None: never.
    """

    def __init__(self, root: int, limit_s: float | None = None) -> None:
        self.samples: list[Sample] = []
        self.stopped = False
        self._last = math.inf if limit_s is None else time.monotonic() + limit_s
        self.peak = 0
        self._root = root
        #: CPU seconds of children whose parent ignores their end, by id and time of start, as last seen.
        self._ignored: dict[tuple[int, str], float] = {}
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="cost", daemon=True)

    def sample(self) -> float:
        """Record the cost of the live processes and of the children they have waited for; return the time."""
        with self._lock:
            pids, at = _tree(self._root)[1:], time.time()
            live = {(pid, fields[19]): fields for pid in pids if (fields := _stat(pid))}
            ignoring = {parent: _ignores_children(parent) for parent in {int(fields[1]) for fields in live.values()}}
            gone = sum(cpu for key, cpu in self._ignored.items() if key not in live)
            for key, fields in live.items():
                self._ignored.pop(key, None)
                if ignoring[int(fields[1])]:
                    self._ignored[key] = _cpu_of(fields)
            self.samples.append(Sample(at, gone + sum(map(_cpu_of, live.values())), sum(map(_read_of, pids))))
        return at

    def unreported(self, waited: Sequence[int]) -> float:
        """CPU seconds that the kernel told nobody, at the end; ``waited``: ids of the processes the script waited for.

        A child whose parent ended first was adopted and waited for by the script, so it is among the kernel's counts.
        """
        return sum(cpu for (pid, _), cpu in self._ignored.items() if pid not in waited)

    def _watch(self) -> None:
        turn = 0
        while not self._stop.wait(_SAMPLE_SECONDS):
            self.sample()
            if time.monotonic() > self._last:
                self.stopped = True
                _kill(_tree(self._root)[1:])  # again in the next turn, if one of them had just started another
            if turn % _MEMORY_EVERY == 0:
                self.peak = max(self.peak, sum(map(_memory_of, _tree(self._root)[1:])))
            turn += 1

    def __enter__(self) -> "_Watch":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()


def _tree(root: int) -> list[int]:
    """Ids of a process, first, and of all its descendants."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir(_PROC):
        if entry.isdecimal() and (fields := _stat(int(entry))):
            children.setdefault(int(fields[1]), []).append(int(entry))
    found = [root]
    for pid in found:
        found += children.get(pid, ())
    return found


def _kill(pids: Sequence[int]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _stat(pid: int) -> list[str]:
    """Fields of /proc/PID/stat from the third on; empty if the process is gone."""
    # The second field is the command in brackets and may hold any character.
    return _text(pid, "stat").rpartition(")")[2].split()


def _cpu_of(fields: Sequence[str]) -> float:
    """CPU seconds of a process and of the children it has waited for."""
    return sum(int(field) for field in fields[11:15]) / _TICK


def _ignores_children(pid: int) -> bool:
    """Whether a process ignores that its children end."""
    return bool(int(_field(pid, "status", "SigIgn:"), 16) & _SIGCHLD_BIT)


def _read_of(pid: int) -> int:
    return int(_field(pid, "io", "rchar:"))


def _memory_of(pid: int) -> int:
    """Bytes of memory of a process, proportional set size."""
    return int(_field(pid, "smaps_rollup", "Pss:")) * 1024


def _field(pid: int, file: str, name: str) -> str:
    return next((line.split()[1] for line in _text(pid, file).splitlines() if line.startswith(name)), "0")


def _text(pid: int, name: str) -> str:
    try:
        return (_PROC / str(pid) / name).read_text("utf-8", "replace")
    except OSError:  # the process ended, or is another user's
        return ""
