"""A file is read once; again where its source is read otherwise and something of it could not be read, or by name."""

from datetime import UTC, datetime
from typing import Any

import pytest

from quotelake.settings import Settings, load_settings
from quotelake.sources.files import InputFile
from quotelake.sources.rereading import UNFINISHED, due_files, reading_digest

SOURCE = "sample_news"
FILE = InputFile("f", SOURCE, "file:/f", 9, datetime(2024, 1, 1, tzinfo=UTC))
ROW = {"file_id": "f", "source": SOURCE, "records": 3, "documents": 3, "duplicates": 0, "rejects": 0, "unread_dates": 0}


def again(settings: Settings, *names: str, **over: Any) -> bool:
    """Whether a file that was read is read again."""
    row = {**ROW, "settings_digest": reading_digest(SOURCE, load_settings()), **over}
    due = due_files([FILE], {"f"}, [row], settings, names)
    assert due.new == [] and due.files == due.again and list(due.before) == [file.file_id for file in due.again]
    return bool(due.again)


OTHER = load_settings(overrides=[f"sources.{SOURCE}.date_format=%d/%m/%Y"])


@pytest.mark.parametrize(
    ("over", "same", "other"),
    [
        ({}, False, False),
        ({"rejects": 1}, False, True),
        ({"unread_dates": 1}, False, True),
        ({"rejects": 1, "settings_digest": None}, False, False),  # an older release: only by name
        ({"settings_digest": UNFINISHED}, True, True),  # a run was killed while it read the file again
    ],
)
def test_what_could_not_be_read_is_read_again_under_other_settings(over: dict[str, Any], same: bool, other: bool):
    assert (again(load_settings(), **over), again(OTHER, **over)) == (same, other)
    assert again(load_settings(), SOURCE, **over), "by name whatever was read"
    assert again(load_settings(), "bbc", **over) == same


def test_a_new_file_is_read_and_not_again():
    due = due_files([FILE], set(), [], load_settings(), [SOURCE])
    assert (due.new, due.again) == ([FILE], [])


@pytest.mark.parametrize(
    ("override", "changes"),
    [
        (f"sources.{SOURCE}.encoding=cp1252", True),
        (f"sources.{SOURCE}.delimiter=;", True),
        (f"sources.{SOURCE}.timezone=Asia/Seoul", True),
        (f"sources.{SOURCE}.fields.body=txt", True),
        (f"sources.{SOURCE}.defaults.body=none", True),
        ("ingest.max_record_bytes=5", True),
        ("ingest.earliest_date=1900-01-01", True),
        (f"sources.{SOURCE}.outlets.X=Y", False),
        (f"sources.{SOURCE}.reject_share=0.5", False),
        ("sources.bbc.encoding=cp1252", False),
        ("ingest.raw_cap=10", False),
        ("topics.sample=64", False),
    ],
)
def test_only_settings_that_decide_what_is_rejected_or_undated_change_the_digest(override: str, changes: bool):
    csv = f"sources.{SOURCE}.format=csv"  # the delimiter of another format cannot be set
    before, after = (reading_digest(SOURCE, load_settings(overrides=each)) for each in ([csv], [csv, override]))
    assert (before != after) == changes
