"""The judge of all tests of growth: it passes what is linear, and fails what is not."""

from collections.abc import Callable

import pytest
from tests.growth import assert_linear


def test_linear_work_passes():
    assert_linear(lambda size: lambda: sum(range(size)), 50)


@pytest.mark.parametrize("size", [30, 200])
def test_quadratic_work_fails_however_short_it_is(size: int):
    def work(size: int) -> Callable[[], object]:
        return lambda: [sum(range(size)) for _ in range(size)]

    with pytest.raises(AssertionError, match="10 times the input"):
        assert_linear(work, size)
