"""Restrict writes of child processes to given folders, by Landlock of Linux."""

import ctypes
import os
import struct
import sys
from collections.abc import Iterable
from typing import Final

#: Calls of the kernel, by their numbers, which are the same on all processors.
_CREATE, _ADD, _RESTRICT, _NO_NEW_PRIVILEGES = 444, 445, 446, 38
#: Rights that write files, remove or make what a folder holds, move it elsewhere, or cut files.
_WRITING: Final = sum(1 << bit for bit in (1, *range(4, 15)))


def forbid_writes(but: Iterable[str]) -> bool:
    """Take from this thread, and from what it starts from now on, the right to write outside some folders.

    Returns whether the kernel holds to it: from Linux 6.2 on, where Landlock is switched on.
    """
    kernel = ctypes.CDLL(None, use_errno=True)
    if sys.platform != "linux" or kernel.syscall(_CREATE, None, 0, 1) < 3:
        return False
    rules = kernel.syscall(_CREATE, struct.pack("Q", _WRITING), 8, 0)
    for folder in but:
        opened = os.open(folder, os.O_PATH)
        kernel.syscall(_ADD, rules, 1, struct.pack("=Qi", _WRITING, opened), 0)
        os.close(opened)
    kernel.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    held = kernel.syscall(_RESTRICT, rules, 0) == 0
    os.close(rules)
    return bool(held)
