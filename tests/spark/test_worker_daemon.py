"""The process that workers are forked from: what it adds to Spark's own."""

import ctypes
from pathlib import Path

import pytest

from quotelake.spark.worker_daemon import giving_back


def resident() -> int:
    """Bytes of memory that this process takes."""
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS:"))


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="only glibc is asked for its memory")
def test_what_a_task_no_longer_uses_is_given_back():
    kept = []

    def task(size: int) -> int:
        blocks = [b"x" * size for _ in range(1_000)]
        kept.append(blocks[-1])  # the end of what was taken is in use: alone, glibc would keep the whole
        return len(blocks)

    before = resident()
    assert giving_back(task)(100_000) == 1_000
    assert resident() - before < 50_000_000


def test_an_error_of_a_task_is_its_own():
    with pytest.raises(ZeroDivisionError):
        giving_back(lambda: 1 // 0)()
