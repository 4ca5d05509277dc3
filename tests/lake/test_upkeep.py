"""Upkeep takes out of a lake what earlier releases should not have stored, and nothing else."""

from datetime import timedelta
from pathlib import Path

import pytest
from tests.conftest import TEST_TIME

from quotelake.errors import InputError
from quotelake.lake.contracts import contract, table_names
from quotelake.lake.runs import LastRun, Run
from quotelake.lake.tables import Lake
from quotelake.lake.upkeep import FILE_BYTES, RETENTION, Need, check_clock, hide_tweets
from quotelake.query.ask import DuckEngine
from quotelake.settings import load_settings
from quotelake.sources.parse import to_document
from quotelake.sources.rejects import RawRecord

PLACE = {"file_id": "f", "path": "file:/in/x", "reason": "malformed", "detail": "no JSON"}


def reject(source: str, raw: str | None, position: int) -> dict[str, object]:
    return {**PLACE, "source": source, "raw": raw, "position": position}


@pytest.mark.spark
def test_texts_of_rejected_tweets_go_and_are_shown_no_more(lake: Lake):
    """The settings at hand declare two of the sources; documents tell a third, and of the fourth nothing is known."""
    settings = load_settings()
    document = to_document(
        RawRecord(0, {"text": "It opened.", "title": "Bridge"}), "desk", settings.sources["sample_news"],
        settings.ingest, author_key=b"k", now=TEST_TIME,
    )  # fmt: skip
    assert isinstance(document, dict)
    lake.append(lake.frame([{**document, "file_id": "f", "position": 9}], "documents"), "documents")
    sources = ("sample_news", "desk", "sample_tweets", "feed")
    rows = [reject(source, f"by {source}", number) for number, source in enumerate(sources)]
    lake.append(lake.frame([*rows, reject("feed", None, 7)], "rejects"), "rejects")
    lake.complete(Run("before", TEST_TIME, "f", None, print))
    declared = [(name, source.kind) for name, source in settings.sources.items()]
    version = lake.version("rejects")
    assert hide_tweets(lake, declared, dry_run=True) == 2 and lake.version("rejects") == version
    assert hide_tweets(lake, declared, dry_run=False) == 2
    with DuckEngine(lake.root) as duck:  # shows most tables as the run left them
        found = duck.answer("SELECT source, raw FROM rejects WHERE raw IS NOT NULL ORDER BY position").rows
        assert duck.answer("SELECT count(*) AS n FROM rejects").rows == [{"n": 5}]
    assert [(row["source"], row["raw"]) for row in found] == [(source, f"by {source}") for source in sources[:2]]
    held = b"".join(path.read_bytes() for path in Path(lake.root, "rejects").rglob("*") if path.is_file())
    assert b"by desk" in held and b"by feed" not in held, "a past night would show them"
    version = lake.version("rejects")
    assert hide_tweets(lake, declared, dry_run=False) == 0 and lake.version("rejects") == version


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
    need, copies = Need(0, 0), dict[int, int]()
    for night in range(1, 366):
        need = Need(need.bytes + night_bytes, need.files + files)
        if night % 7 == 0 and need.is_scattered:
            need, copies[night] = Need(need.bytes, need.wanted), need.bytes
        assert need.files <= 2 * need.wanted + 8 + 7 * files
        kept = sum(size for at, size in copies.items() if at > night - RETENTION.days)
        assert kept <= 13 * FILE_BYTES + 4 * need.bytes, "small tables are written anew every week or two"
