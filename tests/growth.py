"""How the time of a function grows with its input: a ratio of two times of one process, never a time by itself."""

import gc
import time
from collections.abc import Callable

#: Seconds below this are noise: what is shorter is repeated and divided.
_SHORTEST = 0.005
#: Whatever else the machine does can only make one of two times longer, so one fair round in six is proof enough.
_ROUNDS = 6


def assert_linear(work: Callable[[int], Callable[[], object]], size: int, times: int = 10) -> None:
    """Fail unless so many times the input take about so many times the CPU time, in the best of six rounds.

    Four times as much is allowed, as caches make large inputs dearer: the square of ten is 100, far above 40. ``work``
    makes the input of a size, outside the measurement, and returns what is to be measured.
    """
    small, large = work(size), work(size * times)
    small()  # what is loaded and remembered at the first call is no part of the growth
    seen = []
    for _ in range(_ROUNDS):
        seen.append(_seconds(large) / _seconds(small))
        if seen[-1] <= 4 * times:
            return
    raise AssertionError(f"{times} times the input took {min(seen):.0f} times as long; {4 * times} are allowed")


def _seconds(run: Callable[[], object]) -> float:
    gc.disable()  # a collection visits every object of the test run, and comes more often in the longer one
    try:
        begin, times, took = time.process_time(), 0, 0.0
        while took < _SHORTEST:
            run()
            times, took = times + 1, time.process_time() - begin
        return took / times
    finally:
        gc.enable()
