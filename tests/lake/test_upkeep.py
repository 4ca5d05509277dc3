"""Upkeep deletes nothing that is still needed, and writes few copies."""

from datetime import timedelta

import pytest
from tests.conftest import TEST_TIME

from quotelake.errors import InputError
from quotelake.lake.contracts import contract, table_names
from quotelake.lake.runs import LastRun
from quotelake.lake.upkeep import FILE_BYTES, RETENTION, TableSize, check_clock


def test_nothing_is_deleted_by_a_clock_for_which_the_last_run_is_long_ago():
    last = LastRun("r1", TEST_TIME.replace(tzinfo=None), {})
    for age in (-RETENTION, timedelta(0), RETENTION):
        check_clock("/lake", last, TEST_TIME + age)
    check_clock("/lake", None, TEST_TIME + 2 * RETENTION)
    with pytest.raises(InputError, match=r"by the clock it is 2024-08-30, .* r1, started at 2024-06-01"):
        check_clock("/lake", last, TEST_TIME + RETENTION + timedelta(seconds=1))
    kept = f"'delta.deletedFileRetentionDuration' = 'interval {RETENTION.days} days'"
    assert all(kept in contract(table).statement for table in table_names())


@pytest.mark.parametrize(("files", "night_bytes"), [(1, 14_000), (2, 14_000), (3, 50_000_000), (16, 2_000_000_000)])
def test_files_of_a_year_of_nights_stay_few_by_weekly_upkeep_that_writes_few_copies(files: int, night_bytes: int):
    """Of a table that only grows: the files in use, and what the copies take that upkeep wrote and that are kept."""
    size, copies = TableSize(0, 0), dict[int, int]()
    for night in range(1, 366):
        size = TableSize(size.bytes + night_bytes, size.files + files)
        if night % 7 == 0 and size.is_scattered:
            size, copies[night] = TableSize(size.bytes, size.wanted_files), size.bytes
        assert size.files <= 2 * size.wanted_files + 8 + 7 * files
        kept = sum(size for at, size in copies.items() if at > night - RETENTION.days)
        assert kept <= 13 * FILE_BYTES + 4 * size.bytes, "small tables are written anew every week or two"
