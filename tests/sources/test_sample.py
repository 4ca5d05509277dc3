"""The sample corpus, whose truth is known: every document of it is described as its authors described it."""

from typing import Any

from tests.sources.reading import parser_of

from quotelake.sample import sample_path, truth
from quotelake.settings import Settings
from quotelake.sources.records import read_file
from quotelake.sources.rejects import RawRecord


def parsed(settings: Settings, source: str, name: str) -> list[tuple[RawRecord, Any]]:
    """Each record of a file, with the document or the reject it becomes."""
    records = read_file(sample_path(name), "jsonl", settings.sources[source], settings.ingest)
    parser = parser_of(source, settings)
    return [(each, parser.document(each)) for each in records]


def test_rules_find_what_was_planted_and_nothing_else(settings: Settings):
    planted = truth("documents_news")
    news = [found for _, found in parsed(settings, "sample_news", "news.jsonl")]
    assert len(news) == planted["records"]
    assert {document["outlet_raw"]: document["outlet"] for document in news} == planted["outlets"]
    usual = {"genre": "news", "body_status": "complete", "wire_credit": None, "language": "en"}
    for column, otherwise in usual.items():
        found = {each["native_id"]: each[column] for each in news if each[column] != otherwise}
        assert found == planted["languages" if column == "language" else column], column


def test_broken_records_are_refused_each_for_its_reason_and_an_unread_date_costs_no_record(settings: Settings):
    planted = truth("documents_news")
    made = [found for _, found in parsed(settings, "sample_news", "news_broken.jsonl")]
    refused = [[number, str(found[0])] for number, found in enumerate(made, 1) if isinstance(found, tuple)]
    assert refused == planted["broken"]
    undated = [each for each in made if isinstance(each, dict) and each["field_problems"]]
    assert {each["native_id"]: each["field_problems"][0]["problem"] for each in undated} == planted["undated"]
    assert {each["published_at"] for each in undated} == {None}


def test_threads_reposts_and_languages_of_the_sample_tweets(settings: Settings):
    planted = truth("documents_tweets")
    made = parsed(settings, "sample_tweets", "tweets.jsonl")
    tweets = {each["native_id"]: each for _, each in made if isinstance(each, dict)}
    refused = [[record.value["id"], str(each[0])] for record, each in made if isinstance(each, tuple) and record.value]
    assert (len(made), refused) == (planted["records"], planted["rejects"])
    assert sorted(name for name, tweet in tweets.items() if tweet["is_repost"]) == planted["reposts"]
    for column, key in (("reply_to_id", "replies"), ("quoted_id", "quote_tweets")):
        assert {name: tweet[column] for name, tweet in tweets.items() if tweet[column]} == planted[key]
    other = {name: tweet["language"] for name, tweet in tweets.items() if tweet["language"] not in ("en", "und")}
    assert other == planted["languages"]
