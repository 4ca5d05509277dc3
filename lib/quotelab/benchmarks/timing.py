"""Time of calls, the best of some rounds; what it measures needs no package of its own."""

import time
from collections.abc import Callable, Mapping
from typing import TypeVar

K = TypeVar("K")
R = TypeVar("R")


def best_of(
    calls: Mapping[K, Callable[[], R]], rounds: int, clock: Callable[[], float] = time.process_time
) -> dict[K, tuple[float, R]]:
    """Seconds and result of the best round of each call."""
    best: dict[K, tuple[float, R]] = {}
    for _ in range(rounds):
        for name, call in calls.items():
            start = clock()
            result = call()
            spent = clock() - start
            if name not in best or spent < best[name][0]:
                best[name] = spent, result
    return best
