"""A script: run a command, wait for it and all its descendants, and report the kernel's counts of them.

It adopts processes that lose their parent, and does nothing else, so that nothing else is counted.
"""

import ctypes
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

_SET_CHILD_SUBREAPER = 36  # linux/prctl.h


def bytes_read() -> int:
    """Bytes that this process and the children it has waited for passed to ``read`` calls."""
    return int(Path("/proc/self/io").read_text("utf-8").partition("rchar:")[2].split()[0])


if __name__ == "__main__":
    report = int(sys.argv[1])  # the file descriptor; the command follows
    ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    os.set_inheritable(report, False)
    before, waited = bytes_read(), []
    try:
        status = subprocess.Popen(sys.argv[2:]).wait()
    except OSError as error:
        print(error, file=sys.stderr)
        status = 127
    while True:
        try:
            waited.append(os.wait()[0])
        except ChildProcessError:
            break
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    counts = {"status": status, "cpu": used.ru_utime + used.ru_stime, "read": bytes_read() - before, "waited": waited}
    with os.fdopen(report, "w") as file:
        json.dump(counts, file)
