"""How the work of a function grows with its input, in CPU time, which other programs on the machine do not enter."""

import time
from collections.abc import Callable

#: Times below this are noise.
_SHORTEST = 0.005


def assert_linear(work: Callable[[int], Callable[[], object]], size: int, times: int = 10) -> None:
    """Fail unless so many times the input take about so many times the time.

    Four times as much is allowed: caches and memory, not the algorithm, make large inputs dearer. The square of ten
    is 100, far above 40. The best of three measurements counts.

    Args:
        work: makes the input of a size, outside the measurement, and returns what is to be measured.
        size: of the smaller input.
        times: how much larger the other one is.
    """
    small, large = work(size), work(size * times)
    limit = 4 * times * max(min(_seconds(small) for _ in range(3)), _SHORTEST)
    took = _seconds(large)
    for _ in range(2):
        if took <= limit:
            break
        took = min(took, _seconds(large))
    assert took <= limit, f"{times} times the input took {took:.3f} s, more than {limit:.3f}"


def _seconds(run: Callable[[], object]) -> float:
    begin = time.process_time()
    run()
    return time.process_time() - begin
