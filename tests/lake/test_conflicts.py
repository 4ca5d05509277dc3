"""Writes that lost against another are tried again, and no others: a fault must not be hidden by eight attempts."""

from pathlib import Path

import pytest
from pyspark.errors import PySparkException
from tests.conftest import TEST_TIME

from quotelake.errors import LakeBusyError
from quotelake.lake import writing
from quotelake.lake.writing import Writer


@pytest.mark.parametrize(("losses", "times"), [(0, 1), (1, 2), (7, 8), (8, 8), (12, 8)])
@pytest.mark.parametrize(
    "error",
    [
        "[DELTA_CONCURRENT_APPEND.WITHOUT_HINT] …",
        "io.delta.exceptions.ConcurrentTransactionException: …",
        "[DELTA_METADATA_CHANGED] the metadata of the table was changed by a concurrent update",
        "java.io.FileNotFoundException: File file:/lake/contextomy/_delta_log does not exist",
        "File file:/lake/quotes/_delta_log/..00000000000000000000.json.d11bfcd6-8911-4a0d.tmp.crc does not exist",
        "chmod: cannot access '/lake/runs/_delta_log/.00000000000000000000.json.faa.tmp': No such file or directory",
        "[PATH_NOT_FOUND] Path does not exist: /lake",
        "File file:/lake/quotes/_delta_log/00000000000000000000.json does not exist",
    ],
)
def test_a_write_that_lost_is_tried_until_it_wins_eight_times_at_most(
    error: str, losses: int, times: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    tried: list[int] = []

    def write() -> None:
        tried.append(1)
        if len(tried) <= losses:
            raise PySparkException(error)

    monkeypatch.setattr(writing.time, "sleep", lambda seconds: None)
    lake = Writer(None, str(tmp_path), "r", TEST_TIME)  # type: ignore[arg-type]  # it starts no session
    is_conflict = "PATH_NOT_FOUND" not in error and "/0" not in error  # a commit that is gone is damage
    try:
        lake.commit(write)
        won = True
    except (PySparkException, LakeBusyError) as lost:
        won = False
        assert isinstance(lost, LakeBusyError) == is_conflict
    assert won == (losses < (8 if is_conflict else 1)) and len(tried) == (times if is_conflict else 1)
