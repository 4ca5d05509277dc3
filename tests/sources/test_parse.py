"""A record becomes the document it is, or a reject that says why; nothing of the text changes on the way."""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sources.reading import KEY, NOW

from quotelake.lake.contracts import columns
from quotelake.settings import Settings, load_settings
from quotelake.source_settings import SourceSettings
from quotelake.sources.keyed_hashes import hash_author
from quotelake.sources.parse import Parser
from quotelake.sources.rejects import FieldProblem, Problem, RawRecord
from quotelake.text.ids import content_id

INGEST = load_settings().ingest

NEWS = SourceSettings(
    kind="news",
    fields={
        "native_id": "id", "outlet": "paper", "url": "url", "headline": "title", "body": "text", "section": "section",
        "published_at": "date", "updated_at": "updated", "byline": "by", "language": "lang", "genre": "genre",
        "body_status": "status", "wire_credit": "agency", "author": "by",
    },
    outlets={"Harbour Times Online": "Harbour Times"},
    satire_outlets=("The Gull",),
    timezone="Europe/London",
)  # fmt: skip
TWEETS = SourceSettings(
    kind="tweet",
    fields={
        "native_id": "id", "body": "text", "author": "user.name", "published_at": "created_at",
        "is_repost": "retweeted", "conversation_id": "thread", "reply_to_id": "reply", "quoted_id": "quoted",
    },
)  # fmt: skip
ARTICLE = {
    "id": "a1",
    "paper": "Harbour Times Online",
    "url": "https://www.harbour.example/politics/bridge",
    "title": "Bridge 'opens'",
    "text": "The new bridge opened on Monday, and the mayor said that it was late.",
    "date": "2024-05-01",
}
TWEET = {"id": 7, "text": "The bridge is open, at last", "user": {"name": "@Some_One"}}


def parser(source: SourceSettings = NEWS, name: str = "harbour") -> Parser:
    return Parser(name, source, INGEST, author_key=KEY, now=NOW)


def parse(record: dict[str, Any], source: SourceSettings = NEWS, **over: Any) -> Any:
    """What a record with some fields changed becomes; None removes one."""
    changed = {name: value for name, value in {**record, **over}.items() if value is not ...}
    return parser(source).document(RawRecord(0, changed))


def test_an_article():
    unset = ("updated_at", "wire_credit", "author_key", "conversation_id", "reply_to_id", "quoted_id", "stated_speaker")
    assert parse(ARTICLE) == {
        **dict.fromkeys((*unset, "kept", "field_problems", "section", "byline")),
        "doc_id": content_id("harbour", "a1", ARTICLE["title"], ARTICLE["text"]),
        "native_key": content_id("harbour", "a1"),
        "source": "harbour",
        "native_id": "a1",
        "kind": "news",
        "outlet": "Harbour Times",
        "outlet_raw": "Harbour Times Online",
        "genre": "news",
        "language": "en",
        "published_at": datetime(2024, 5, 1, tzinfo=UTC),
        "published_on": date(2024, 5, 1),
        "date_only": True,
        "headline": "Bridge 'opens'",
        "body": ARTICLE["text"],
        "url": ARTICLE["url"],
        "body_status": "complete",
        "is_repost": False,
        "is_quote": False,
    }
    assert {*parse(ARTICLE), "file_id", "position"} == set(columns("documents"))


def test_a_tweet():
    found = parse(TWEET, TWEETS, thread=5, reply="6", quoted="", retweeted="false", created_at=1_714_557_600)
    assert found["author_key"] == hash_author("some_one", KEY), "the name stands in a field of a field"
    assert parse(TWEET, TWEETS, user=None)["author_key"] is None
    # A field whose name has dots comes before one inside another.
    assert parse(TWEET, TWEETS, **{"user.name": "other"})["author_key"] == hash_author("other", KEY)
    ids = [found[name] for name in ("native_id", "conversation_id", "reply_to_id", "quoted_id")]
    assert ids == ["7", "5", "6", None]
    assert (found["headline"], found["genre"], found["is_repost"]) == (None, "unknown", False)
    assert found["published_at"] == datetime(2024, 5, 1, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("over", "expected"),
    [
        ({"text": ...}, "missing_text"),
        ({"text": None}, "missing_text"),
        ({"text": ""}, "empty_text"),
        ({"text": " \n\u3000"}, "empty_text"),
        ({"text": 7}, "wrong_type"),
        ({"text": b"bytes"}, "wrong_type"),
        ({"title": 7}, "wrong_type"),
        ({"url": {"href": "x"}}, "wrong_type"),
        ({"id": 1.5}, "wrong_type"),
        ({"id": 1e16}, "wrong_type"),  # digits were lost: two ids could have become one
        ({"id": True}, "wrong_type"),
        ({"title": float("nan"), "text": float("nan")}, "missing_text"),
    ],
)
def test_records_that_cannot_be_used(over: dict[str, Any], expected: str):
    reason, detail = parse(ARTICLE, **over)
    assert (str(reason), detail != "") == (expected, True)


@pytest.mark.parametrize(
    ("over", "column", "expected"),
    [
        ({"date": "yesterday"}, "published_at", ("bad_date", "date", "'yesterday'")),
        ({"date": {}}, "published_at", ("bad_date", "date", "'{}'")),
        ({"updated": "9/5/18"}, "updated_at", ("bad_date", "updated", "'9/5/18'")),
        ({"date": "1689-12-30"}, "published_at", ("absurd_date", "date", "1690-01-01")),
        ({"date": "2024-06-05"}, "published_at", ("absurd_date", "date", "2024-06-03")),
        ({"date": 10**18}, "published_at", ("absurd_date", "date", "'1000000000000000000'")),
        ({"date": "x" * 9999}, "published_at", ("bad_date", "date", "'xxx")),
        ({"id": float("nan")}, "native_id", ("not_a_number", "id", "nan")),
        ({"updated": float("-inf")}, "updated_at", ("not_a_number", "updated", "-inf")),
    ],
)
def test_a_field_that_cannot_be_read_is_null_and_told_and_costs_nothing_else(
    over: dict[str, Any], column: str, expected: tuple[str, str, str]
):
    found = parse(ARTICLE, **over)
    [problem] = found["field_problems"]
    assert (problem["problem"], problem["field"]) == expected[:2]
    assert expected[2] in problem["found"] and len(problem["found"]) < 500
    with_it = {"native_id": {"doc_id", "native_key"}, "published_at": {"published_on", "date_only"}}.get(column, set())
    good = parse(ARTICLE)
    assert found[column] is None
    assert {name for name in found if found[name] != good[name]} <= {column, "field_problems"} | with_it


def test_what_the_reader_could_not_read_is_told_with_the_rest_and_once():
    for stated in ("1690-01-02", "2024-06-02", None, "", ...):
        assert parse(ARTICLE, date=stated)["field_problems"] is None
    nan = FieldProblem(Problem.NOT_A_NUMBER, "score", "NaN")
    record = RawRecord(0, {**ARTICLE, "date": "soon"}, problems=(nan, nan))
    found = parser().document(record)
    assert isinstance(found, dict)
    assert [problem["field"] for problem in found["field_problems"]] == ["score", "date"]


@given(
    body=st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip),
    headline=st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip),
)
def test_texts_are_kept_to_the_character(body: str, headline: str):
    found = parse(ARTICLE, text=body, title=headline)
    assert (found["body"], found["headline"]) == (body, headline)
    assert parse(ARTICLE, title=" ")["headline"] is None


def test_the_text_and_not_the_metadata_is_part_of_the_identity():
    first, second = parse(ARTICLE), parse(ARTICLE, text="The bridge did not open on Monday.")
    assert (first["native_key"] == second["native_key"], first["doc_id"] == second["doc_id"]) == (True, False)
    for field in ("paper", "date", "section", "by", "lang", "updated"):
        assert parse(ARTICLE, **{field: "de"})["doc_id"] == first["doc_id"]


def test_without_an_id_the_url_is_the_identity_and_without_both_the_text_is():
    as_number, as_float, as_text = (parse(ARTICLE, id=value)["doc_id"] for value in (12, 12.0, " 12 "))
    assert as_number == as_float == as_text, "a column of numbers with gaps"
    by_url = [parse(ARTICLE, id=None, text=text)["native_key"] for text in ("One.", "Two.")]
    assert by_url == [content_id("harbour", ARTICLE["url"])] * 2
    by_text = [parse(ARTICLE, id="", url=" ", text=text)["native_key"] for text in ("One.", "Two.", "One.")]
    assert (by_text[0] == by_text[2], by_text[0] == by_text[1]) == (True, False)


@pytest.mark.parametrize(
    ("column", "over", "expected"),
    [
        ("outlet", {"paper": "HARBOUR TIMES ONLINE"}, "Harbour Times"),
        ("outlet", {"paper": "harbour times"}, "Harbour Times"),
        ("outlet", {"paper": "Another"}, "Another"),
        ("outlet_raw", {"paper": "harbour times"}, "harbour times"),
        ("outlet", {"paper": ""}, "harbour.example"),
        ("outlet", {"paper": "", "url": "https://[a/x"}, None),
        ("outlet", {"paper": "", "url": None}, None),
        ("genre", {"genre": "Op-Ed"}, "opinion"),
        ("genre", {"genre": "live blog"}, "live"),
        ("genre", {"genre": "news", "section": "Opinion"}, "news"),  # what is stated outweighs every rule
        ("genre", {"genre": "long read", "section": "Opinion"}, "opinion"),  # not one of ours: the rules speak
        ("genre", {"paper": "The Gull", "section": "Opinion"}, "satire"),
        ("genre", {"section": "Opinion"}, "opinion"),
        ("body_status", {"status": "truncated"}, "truncated"),
        ("wire_credit", {"agency": "Gull Wire"}, "Gull Wire"),
        ("wire_credit", {"by": ["Union Wire"]}, "Union Wire"),
        ("section", {"section": ["World", "Ports"]}, "World, Ports"),
        ("byline", {"by": "Ada Osei"}, "Ada Osei"),
        ("author_key", {"by": ["Union Wire"]}, None),  # authors of news are not hashed
    ],
)
def test_what_a_record_states_outweighs_what_rules_find(column: str, over: dict[str, Any], expected: str | None):
    assert parse(ARTICLE, **over)[column] == expected


def test_a_byline_is_the_author_where_none_is_stated_and_never_that_of_a_tweet():
    """Protects: what is mapped can be asked for; and no handle of a tweet is stored."""
    by_author = NEWS.model_copy(update={"fields": {**NEWS.fields, "byline": "line", "author": "who"}})
    assert [parse(ARTICLE, by_author, **over)["byline"] for over in ({"who": "Mo Ito"}, {"who": "M", "line": "I"})] == [
        "Mo Ito", "I",
    ]  # fmt: skip
    tweets = TWEETS.model_copy(update={"fields": {**TWEETS.fields, "byline": "user.name", "section": "topic"}})
    made = parse(TWEET, tweets, topic="ports")
    assert (made["byline"], made["section"]) == (None, "ports") and "Some_One" not in str(made)


def test_defaults_stand_in_only_for_what_is_not_stated():
    source = NEWS.model_copy(update={"defaults": {"outlet": "BBC", "language": "cy"}})
    assert [parse(ARTICLE, source)[name] for name in ("outlet", "language")] == ["Harbour Times", "cy"]
    assert parse(ARTICLE, source, paper=None, lang="ga-IE")["outlet"] == "BBC"
    assert parse(ARTICLE, source, lang="ga-IE")["language"] == "ga"


def test_reposts():
    stated = [..., True, {"id": 1}, 0, "No", "1"]
    found = [parse(TWEET, TWEETS, retweeted=value)["is_repost"] for value in stated]
    assert found == [False, True, True, False, False, True]
    texts = ("RT @someone: the bridge", "He wrote RT @someone: the bridge")
    assert [parse(TWEET, TWEETS, text=text)["is_repost"] for text in texts] == [True, False]


def test_the_shipped_sources_can_all_be_parsed(settings: Settings):
    for name, source in settings.sources.items():
        if name not in {path.stem for path in (Path(__file__).parent / "formats").iterdir()}:  # these have files
            record = RawRecord(0, dict.fromkeys(source.fields.values(), "2024-05-01"))
            assert isinstance(parser(source, name).document(record), dict), name


def changed(source: SourceSettings, **over: Any) -> SourceSettings:
    return SourceSettings.model_validate(source.model_dump() | over)


def test_a_field_by_fallback_and_by_template():
    source = changed(TWEETS, fields={**TWEETS.fields, "body": ("full", "text"), "native_id": "{user.name}/{id}"})
    assert parse(TWEET, source)["body"] == TWEET["text"]
    found = parse(TWEET, source, full="All of it")
    assert (found["body"], found["native_id"]) == ("All of it", "@Some_One/7")
    assert parse(TWEET, source, id=None)["native_id"] is None, "an id without one of its parts is none"
    reason, detail = parse(TWEET, source, text=None)
    assert (str(reason), "'full or text'" in detail) == ("missing_text", True)
    pieces = changed(NEWS, fields={"body": "{before} “{words}” {after}"})
    assert parse({"before": "She said", "words": "No", "after": None}, pieces)["body"] == "She said “No”"


@pytest.mark.parametrize("first", ["not a date", "0001-01-01T00:00:00Z", "1970-01-01", "2999-01-01", 0, None, ""])
def test_of_several_dates_the_first_that_can_be_one_counts(first: object):
    fields = {**TWEETS.fields, "published_at": ("made", "sent", "stored")}
    source = changed(TWEETS, fields=fields)
    found = parse(TWEET, source, made=first, sent="no", stored=1_704_103_200_000_000)
    assert found["published_at"] == datetime(2024, 1, 1, 10, tzinfo=UTC) and found["field_problems"] is None
    none = parse(TWEET, source, made=first, sent="no", stored=None)
    assert none["published_at"] is None and len(none["field_problems"]) == 1


def test_paragraphs_and_html():
    source = changed(NEWS, html=True)
    found = parse(
        ARTICLE, source, text="<p>&ldquo;Open&rdquo;, she said.</p><p>At last.</p>", title="It&#8217;s <i>open</i>"
    )
    assert (found["headline"], found["body"]) == ("It’s open", "“Open”, she said.\n\nAt last.")
    assert str(parse(ARTICLE, source, text="<p> <br></p>")[0]) == "empty_text"
    reason, detail = parse(ARTICLE, source, text="<b>" * 30_000)
    assert (str(reason), "20,000" in detail) == ("oversized", True)
    assert parse(ARTICLE, text=["One.", "Two."])["body"] == "One.\n\nTwo."
    assert str(parse(ARTICLE, text=["One.", 2])[0]) == "wrong_type"


def test_what_is_kept_is_text_and_changes_no_id():
    source = changed(NEWS, keep=("likes", "by", "tags", "none", "user.id", "share"))
    found = parse(ARTICLE, source, likes=3, by="", tags=["a", {"b": True}], user={"id": 1.0}, share=float("nan"))
    assert found["kept"] == {"likes": "3", "tags": '["a", {"b": true}]', "user.id": "1"}
    assert found["doc_id"] == parse(ARTICLE)["doc_id"]


def test_what_the_source_leaves_out_is_filtered_and_comes_after_requests_to_forget():
    asks = {"where": {"op": "delete"}, "id": "target.id"}
    source = changed(TWEETS, where={"op": "create"}, deletion=asks)
    made = [parse(TWEET, source, op=op, target={"id": 5}) for op in ("create", "delete", "like")]
    assert [isinstance(each, dict) or str(each[0]) for each in made] == [True, "deletion", "filtered"]
    assert parser(source).deleted_id({"op": "delete", "target": {"id": 5}}) == "5"
    own = changed(TWEETS, deletion={"where": {"op": "delete"}})
    assert parser(own).deleted_id({"op": "delete", "id": 9}) == "9", "as the native id of a document"
    assert str(parse({"op": "delete"}, own)[0]) == "missing_text", "it names nothing to forget"


def test_a_record_that_asks_to_forget_is_no_document_and_says_nothing_of_what_it_names():
    source, asks = changed(TWEETS, deletion="delete.status.id"), {"delete": {"status": {"id": 77}}}
    reason, detail = parse(asks | {"text": "Its words stand here too."}, source)
    assert str(reason) == "deletion" and "77" not in detail
    assert parser(source).deleted_id(asks) == "77"
    assert parser(TWEETS).deleted_id(asks) is None, "the source has no such records"
    assert parse({"id": "1", "text": "Open.", "delete": None}, source)["body"] == "Open."
    assert str(parse({"delete": {"status": {"id": {"of": 1}}}}, source)[0]) == "wrong_type"


def test_a_record_that_is_a_quote_says_whose():
    source = changed(NEWS, quoted=True, fields={**NEWS.fields, "speaker": "who"})
    made = [parse(ARTICLE, source, who=who) for who in ("Ana Ruiz", "None", None)]
    assert [(each["is_quote"], each["stated_speaker"]) for each in made] == [
        (True, "Ana Ruiz"),
        (True, None),
        (True, None),
    ]
