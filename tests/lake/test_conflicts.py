"""Writes that lost against another are tried again, and no others: a fault must not be hidden by eight attempts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyspark.errors import PySparkException

from quotelake.lake import writing
from quotelake.lake.writing import retry

CONFLICTS = [
    "[DELTA_CONCURRENT_APPEND.WITHOUT_HINT] …",
    "io.delta.exceptions.ConcurrentTransactionException: …",
    "[DELTA_METADATA_CHANGED] the metadata of the table was changed by a concurrent update",
]


@given(conflict=st.sampled_from(CONFLICTS), losses=st.integers(0, 12))
def test_a_write_is_tried_until_it_wins_eight_times_at_most(conflict: str, losses: int):
    times: list[int] = []

    def write() -> None:
        times.append(1)
        if len(times) <= losses:
            raise PySparkException(conflict)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writing.time, "sleep", lambda seconds: None)
        if losses < 8:
            retry(write)
            assert len(times) == losses + 1
        else:
            with pytest.raises(PySparkException):
                retry(write)
            assert len(times) == 8


def test_any_other_failure_is_raised_at_once():
    times: list[int] = []

    def write() -> None:
        times.append(1)
        raise PySparkException("[PATH_NOT_FOUND] Path does not exist: /lake")

    with pytest.raises(PySparkException):
        retry(write)
    assert len(times) == 1
