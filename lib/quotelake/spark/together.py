"""Writes that do not wait for one another: each waits for Spark's driver more than for the data."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

#: On two cores more would only queue: Spark plans one query per thread.
_AT_ONCE = 4


def together(*writes: Callable[[], object]) -> None:
    """Run writes side by side and wait for all of them; then the first failure, if there is one, is raised."""
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        running = [pool.submit(write) for write in writes]
    for each in running:
        each.result()
