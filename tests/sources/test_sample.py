"""The sample corpus, whose truth is known: every document of it is described as its authors described it."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from quotelake.sample import sample_path, truth
from quotelake.settings import Settings
from quotelake.sources.parse import to_document
from quotelake.sources.records import read_records
from quotelake.sources.rejects import RawRecord
from quotelake.sources.streams import open_stream

NOW = datetime(2024, 6, 1, tzinfo=UTC)


def parsed(settings: Settings, source: str, path: str) -> Iterator[tuple[RawRecord, Any]]:
    """Each record of a file, with the document or the reject it becomes."""
    with open_stream(path) as stream:
        for record in read_records(stream, "jsonl", max_record_bytes=settings.ingest.max_record_bytes):
            if record.value is None:
                yield record, (record.reason, record.detail)
            else:
                mapping = settings.sources[source]
                found = to_document(record.value, source, mapping, settings.ingest, author_key=b"k" * 32, now=NOW)
                yield record, found


@pytest.fixture
def news(settings: Settings) -> list[dict[str, Any]]:
    """Documents of the sample news."""
    return [found for _, found in parsed(settings, "sample_news", sample_path("news.jsonl"))]


@pytest.mark.parametrize(
    ("column", "otherwise"), [("genre", "news"), ("body_status", "complete"), ("wire_credit", None)]
)
def test_rules_find_what_was_planted_and_nothing_else(news: list[dict[str, Any]], column: str, otherwise: str | None):
    planted = truth("documents_news")[column]
    found = {document["native_id"]: document[column] for document in news}
    assert {name: value for name, value in found.items() if value != otherwise} == planted


def test_outlets_and_languages_of_the_sample_news(news: list[dict[str, Any]]):
    planted = truth("documents_news")
    assert len(news) == planted["records"]
    assert {document["outlet_raw"]: document["outlet"] for document in news} == planted["outlets"]
    assert {d["native_id"]: d["language"] for d in news if d["language"] != "en"} == planted["languages"]


def test_each_broken_record_is_refused_for_its_own_reason(settings: Settings):
    path = sample_path("news_broken.jsonl")
    found = [
        [number, str(made[0])]
        for number, (_, made) in enumerate(parsed(settings, "sample_news", path), 1)
        if isinstance(made, tuple)
    ]
    assert found == truth("documents_news")["broken"]


def test_a_date_that_cannot_be_read_costs_no_record(settings: Settings):
    made = [document for _, document in parsed(settings, "sample_news", sample_path("news_broken.jsonl"))]
    undated = {d["native_id"]: d for d in made if isinstance(d, dict) and d["field_problems"]}
    told = {name: problem["problem"] for name, d in undated.items() for problem in d["field_problems"]}
    assert told == truth("documents_news")["undated"]
    assert {document["published_at"] for document in undated.values()} == {None}


def test_threads_reposts_and_languages_of_the_sample_tweets(settings: Settings):
    planted = truth("documents_tweets")
    made = list(parsed(settings, "sample_tweets", sample_path("tweets.jsonl")))
    tweets = [document for _, document in made if isinstance(document, dict)]
    refused = [
        [record.value["id"], str(found[0])] for record, found in made if isinstance(found, tuple) and record.value
    ]
    assert (len(made), refused) == (planted["records"], planted["rejects"])
    assert sorted({tweet["native_id"] for tweet in tweets if tweet["is_repost"]}) == planted["reposts"]
    for column, key in (("reply_to_id", "replies"), ("quoted_id", "quote_tweets")):
        assert {tweet["native_id"]: tweet[column] for tweet in tweets if tweet[column]} == planted[key]
    other = {tweet["native_id"]: tweet["language"] for tweet in tweets if tweet["language"] not in ("en", "und")}
    assert other == planted["languages"]
