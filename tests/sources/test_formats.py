"""Each declared source reads a file of its documented format: counts add up, and no run ends with status 3."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.sources.reading import KEY, parser_of

from quotelake.lake.tables import Lake
from quotelake.query.engines import AutoEngine
from quotelake.quotes.extract import quotes_of_document
from quotelake.quotes.spans import find_quotes
from quotelake.settings import Settings
from quotelake.sources.check import check_mapping, check_source
from quotelake.sources.files import list_files
from quotelake.sources.keyed_hashes import hash_author
from quotelake.sources.records import format_of, read_file
from quotelake.sources.rejects import exceeded

FORMATS = Path(__file__).parent / "formats"
NOW = datetime(2024, 12, 1, tzinfo=UTC)
#: Of each format: records, documents, filtered, quotes; those left are requests to forget.
EXPECTED = {
    "x_v1": (6, 4, 1, 2),
    "x_v2": (4, 3, 1, 1),
    "bluesky": (8, 3, 4, 2),
    "mastodon": (4, 3, 1, 1),
    "quotebank_quotes": (2, 2, 0, 2),
    "quotebank_articles": (3, 2, 1, 2),
    "gdelt_gqg": (3, 2, 1, 2),
    "all_the_news": (2, 2, 0, 2),
    "cc_news": (2, 2, 0, 2),
    "fundus": (2, 2, 0, 2),
}


def path_of(name: str) -> str:
    [path] = FORMATS.glob(f"{name}.*")
    return str(path)


def documents(name: str, settings: Settings) -> list[dict[str, Any]]:
    """Documents of the file of a format, with their quotes."""
    source, path = settings.sources[name], path_of(name)
    records = list(read_file(path, format_of(path, source.format), source, settings.ingest))
    assert len({record.position for record in records}) == len(records), "the place of each record is its own"
    made = map(parser_of(name, settings, NOW).document, records)
    return [each | {"quotes": list(quotes_of_document(each, "1"))} for each in made if isinstance(each, dict)]


@pytest.mark.parametrize("name", EXPECTED)
def test_the_counts_of_each_format_add_up_and_nothing_ends_a_run(name: str, settings: Settings):
    files = list_files(name, path_of(name))
    checked = check_source(name, files, settings, NOW, find_quotes)
    counts, (records, kept, filtered, quotes) = checked.counts, EXPECTED[name]
    assert (counts["records"], counts["documents"], counts["filtered"]) == (records, kept, filtered)
    assert counts["rejects"] == counts["rejects_asked_for"] == records - kept - filtered
    assert (exceeded(name, counts, settings), checked.faults, counts["unread_dates"]) == ([], [], 0)
    found = documents(name, settings)
    assert len(found) == kept and len({document["doc_id"] for document in found}) == kept
    assert len({document["native_key"] for document in found}) == kept, "no two are versions of one article"
    assert counts["quotes"] == sum(len(document["quotes"]) for document in found) == quotes
    assert check_mapping(files, settings, find_quotes) == []


def test_tweets_of_both_apis(settings: Settings):
    cut, reply, repost, quoting = documents("x_v1", settings)
    assert cut["body"].endswith("to nobody in particular.") and cut["author_key"] == hash_author("811", KEY)
    assert cut["kept"] == {"favorite_count": "3", "retweet_count": "1"}
    assert (reply["reply_to_id"], quoting["quoted_id"]) == (cut["native_id"],) * 2
    assert [each["is_repost"] for each in (cut, reply, repost, quoting)] == [False, False, True, False]
    assert cut["published_at"] == datetime(2018, 10, 10, 20, 19, 24, tzinfo=UTC)
    long, answer, shared = documents("x_v2", settings)
    assert long["quotes"][0]["text"] == "We kept our word, and we kept to the budget."
    assert (answer["reply_to_id"], answer["quoted_id"]) == (long["native_id"], "1690000000000000009")
    assert (answer["conversation_id"], answer["is_repost"], shared["is_repost"]) == (long["native_id"], False, True)


def test_posts_of_bluesky_and_of_mastodon(settings: Settings):
    first, reply, quoting = documents("bluesky", settings)
    assert first["native_id"] == "at://did:plc:abcdefghijklmnopqrstuvwx/app.bsky.feed.post/3l3qo2vuowo2b"
    assert (first["conversation_id"], reply["reply_to_id"]) == (first["native_id"],) * 2
    assert (reply["language"], quoting["quoted_id"]) == ("de", "at://did:plc:other/app.bsky.feed.post/3kaaa")
    source = settings.sources["bluesky"]
    records = read_file(path_of("bluesky"), "jsonl", source, settings.ingest)
    asked = [parser_of("bluesky", settings).deleted_id(record.value) for record in records if record.value]
    assert [each for each in asked if each] == [quoting["native_id"]], "of posts alone, not of likes"
    html, answer, shared = documents("mastodon", settings)
    assert html["body"] == "The minister said: “We will not raise the tax”.\n\nIn 2023 she said\nsomething else."
    [quote] = html["quotes"]
    assert html["body"][quote["start"] : quote["end"]] == "We will not raise the tax"
    assert (answer["body"], answer["reply_to_id"]) == ("@ana <sigh> & again", html["native_id"])
    assert (shared["is_repost"], shared["body"]) == (True, "What she said at the time")


def test_quotations_that_are_records(settings: Settings):
    known, unknown = documents("quotebank_quotes", settings)
    [quote] = known["quotes"]
    assert (quote["text"], quote["kind"], quote["reason"]) == (known["body"], "direct", "stated")
    assert (quote["speaker"]["name"], unknown["quotes"][0]["speaker"]) == ("Ines Halloran", None)
    assert (known["outlet"], known["kept"]["numOccurrences"]) == ("ledger.example", "2")
    first, _ = documents("quotebank_articles", settings)
    assert first["body"].startswith("Mayor Ines Halloran told the council: “We will build the harbour wall")
    assert first["quotes"][0]["speaker"]["name"] == "Ines Halloran", "found in the context by the rules"
    assert (first["headline"], first["body_status"], first["kept"]["title"]) == (
        None, "truncated", "Harbour wall promised",
    )  # fmt: skip
    one, two = documents("gdelt_gqg", settings)
    assert [each["native_id"][-2:] for each in (one, two)] == ["/0", "/1"]
    assert (one["url"], two["quotes"][0]["text"]) == (two["url"], "Ask the ministry about that")


def test_articles(settings: Settings):
    dated, _ = documents("all_the_news", settings)
    assert (dated["published_on"], dated["date_only"]) == (date(2016, 12, 31), True)
    assert [each["field"] for each in dated["quotes"]] == ["headline", "body"]
    timed, undated = documents("cc_news", settings)
    assert (timed["outlet"], undated["published_at"]) == ("www.ledger.example", None)
    german, english = documents("fundus", settings)
    assert (german["language"], german["url"], german["outlet"]) == ("de", "https://elbe.example/rat", "Elbe Kurier")
    assert english["body"].count("\n\n") == 2 and english["body"].endswith("It left at noon.")


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.crash
def test_a_night_of_several_formats(score: Callable[..., Lake], tmp_path: Path):
    names = ("bluesky", "x_v2", "quotebank_quotes", "mastodon", "all_the_news")
    lake = score(tmp_path / "lake", [(name, path_of(name)) for name in names])
    for row in lake.read("files").collect():
        assert row["records"] == row["documents"] + row["duplicates"] + row["rejects"] + row["filtered"]
        assert (row["records"], row["documents"], row["filtered"]) == EXPECTED[row["source"]][:3]
    assert {row["reason"] for row in lake.read("rejects").collect()} == {"deletion"}
    ids = {row["native_id"] for row in lake.read("documents").where("source = 'bluesky'").collect()}
    assert {each[-1] for each in ids} == {"b", "c"}, "the deleted post was forgotten at the end of the night"
    run_sql = AutoEngine(lake.root, lambda: pytest.fail("DuckDB can read the lake")).sql
    assert run_sql("SELECT source, n_filtered FROM corpus_coverage WHERE n_filtered > 0 ORDER BY source") == [
        {"source": "bluesky", "n_filtered": 4}, {"source": "mastodon", "n_filtered": 1},
        {"source": "x_v2", "n_filtered": 1},
    ]  # fmt: skip
    assert run_sql(
        "SELECT kept['numOccurrences'] AS n, is_quote FROM documents WHERE kept['phase'] = 'E' ORDER BY n"
    ) == [
        {"n": "1", "is_quote": True}, {"n": "2", "is_quote": True},
    ]  # fmt: skip
    assert run_sql("SELECT speaker.name AS who, marks FROM quotes WHERE speaker.how = 'stated'") == [
        {"who": "Ines Halloran", "marks": ""}
    ]
    assert run_sql("SELECT month FROM outcome_months") == [{"month": "2016-12"}], (
        "the last day of the year, in New York"
    )
