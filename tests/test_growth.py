"""The judge of all tests of growth: it passes what is linear, and fails what is not."""

from collections.abc import Callable

import pytest
from tests import growth
from tests.growth import assert_linear


def work(monkeypatch: pytest.MonkeyPatch, power: int) -> Callable[[int], Callable[[], object]]:
    """Work that takes a power of its size, by a clock of its own: no other load of the machine shows in it."""
    clock = [0.0]
    monkeypatch.setattr(growth.time, "process_time", lambda: clock[0])

    def take(size: int) -> None:
        clock[0] += size**power * 1e-6

    return lambda size: lambda: take(size)


@pytest.mark.parametrize("size", [30, 200])
def test_linear_work_passes_and_quadratic_work_fails_however_short_it_is(monkeypatch: pytest.MonkeyPatch, size: int):
    assert_linear(work(monkeypatch, 1), size)
    with pytest.raises(AssertionError, match="10 times the input took 100 times as long"):
        assert_linear(work(monkeypatch, 2), size)


def test_real_linear_work_passes():
    assert_linear(lambda size: lambda: sum(range(size)), 50)
