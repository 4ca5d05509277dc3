"""What Linux says of a process and its descendants: CPU, bytes read, memory. Nothing here starts one."""

import os
import signal
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

PROC: Final = Path("/proc")
_TICK: Final = os.sysconf("SC_CLK_TCK")
_SIGCHLD_BIT: Final = 1 << (signal.SIGCHLD - 1)  # in the masks of /proc/PID/status


def tree(root: int) -> list[int]:
    """Ids of a process, first, and of all its descendants."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir(PROC):
        if entry.isdecimal() and (fields := stat(int(entry))):
            children.setdefault(int(fields[1]), []).append(int(entry))
    found = [root]
    for pid in found:
        found += children.get(pid, ())
    return found


def kill(pids: Sequence[int]) -> None:
    """Kill processes; one that is gone already is no error."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def stat(pid: int) -> list[str]:
    """Fields of /proc/PID/stat from the third on; empty if the process is gone."""
    # The second field is the command in brackets and may hold any character.
    return _text(pid, "stat").rpartition(")")[2].split()


def cpu_of(fields: Sequence[str]) -> float:
    """CPU seconds of a process and of the children it has waited for."""
    return sum(int(field) for field in fields[11:15]) / _TICK


def ignores_children(pid: int) -> bool:
    """Whether a process ignores that its children end."""
    line = next((line for line in _text(pid, "status").splitlines() if line.startswith("SigIgn:")), "SigIgn: 0")
    return bool(int(line.split()[1], 16) & _SIGCHLD_BIT)


def read_of(pid: int) -> int:
    """Bytes that a process passed to ``read`` calls."""
    return _number(_text(pid, "io"), "rchar:")


def memory_of(pid: int) -> int:
    """Bytes of memory of a process, proportional set size."""
    return _number(_text(pid, "smaps_rollup"), "Pss:") * 1024


def _number(text: str, name: str) -> int:
    return next((int(line.split()[1]) for line in text.splitlines() if line.startswith(name)), 0)


def _text(pid: int, name: str) -> str:
    try:
        return (PROC / str(pid) / name).read_text("utf-8", "replace")
    except OSError:  # the process ended, or is another user's
        return ""
