"""A script: run a command, wait for it and all its descendants, and report the kernel's counts of them.

It adopts processes that lose their parent, and does nothing else, so that nothing else is counted.
"""

import ctypes
import json
import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from typing import Final

from quotelab.benchmarks.process_tree import read_of

_SET_CHILD_SUBREAPER: Final = 36  # linux/prctl.h


def run_and_count(report: int, command: Sequence[str]) -> None:
    """Run a command, wait for it and all its descendants, and write the kernel's counts to a file descriptor."""
    ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    os.set_inheritable(report, False)
    before = read_of(os.getpid())
    try:
        status = subprocess.Popen(command).wait()
    except OSError as error:
        print(error, file=sys.stderr)
        status = 127
    waited = []
    while True:
        try:
            waited.append(os.wait()[0])
        except ChildProcessError:
            break
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu, read = used.ru_utime + used.ru_stime, read_of(os.getpid()) - before
    counts = {"status": status, "cpu": cpu, "read": read, "waited": waited}
    with os.fdopen(report, "w") as file:
        json.dump(counts, file)


if __name__ == "__main__":
    run_and_count(int(sys.argv[1]), sys.argv[2:])
