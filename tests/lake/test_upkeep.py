"""Upkeep takes out of a lake what earlier releases should not have stored, and nothing else."""

import pytest
from tests.conftest import TEST_TIME

from quotelake.lake.runs import Run
from quotelake.lake.tables import Lake
from quotelake.lake.upkeep import hide_tweets
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
    version = lake.version("rejects")
    assert hide_tweets(lake, declared, dry_run=False) == 0 and lake.version("rejects") == version
