"""Steps that do not wait for one another: each waits for Spark's driver more than for the data."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

#: On two cores more would only queue: Spark plans one query per thread.
_AT_ONCE = 4


def together(*steps: Callable[[], object]) -> list[Any]:
    """Run steps side by side and wait for all of them; then the first failure, if there is one, is raised.

    Returns:
        What each step returned, in their order.
    """
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        running = [pool.submit(step) for step in steps]
    return [each.result() for each in running]
