"""One pass over documents gives what the kernels of the domains give, and every part of it is a table's rows."""

from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from quotelake.contextomy.comparison import languages_of
from quotelake.contextomy.decide import load_detector
from quotelake.lake.frames import check
from quotelake.nightly.annotate import (
    Rules,
    annotate,
    annotate_document,
    count_annotations,
    reused_variants_of,
    rows_in,
    variants_of,
)
from quotelake.quotes.extract import quotes_of_document
from quotelake.quotes.keys import match_key
from quotelake.quotes.spans import find_quotes
from quotelake.quotes.speakers import find_speakers
from quotelake.settings import Settings, load_settings
from quotelake.topics.selection import MIN_WORDS

WELSH = '"We lost," Ana Ruiz said, "but we learned."\n\n“Never,” she said in Welsh.'
#: Columns that :data:`DOCUMENTS` have not.
SAME = {"body_status": "complete", "native_key": "n", "is_repost": False, "outlet": "o"} | dict.fromkeys(
    ("period", "published")
)
DOCUMENTS = [
    ("d1", "news", "en", "Mayor: 'We won't go'", WELSH),
    ("d2", "news", "en", "Union: We will strike", ""),
    ("d3", "news", "ko", "시장 “끝났다”", "김 시장은 “끝났다”고 말했다."),
    ("d4", "tweet", "en", None, 'RT @x: "We won" &#8220;again&#8221;'),
    ("d5", "news", "und", None, "“We lost,” Ana Ruiz said."),
]


@pytest.fixture(scope="module")
def annotated(spark: SparkSession, settings: Settings) -> DataFrame:
    """The documents, annotated on three partitions; a repost and an undated one among them."""
    schema = (
        "doc_id STRING, kind STRING, language STRING, headline STRING, body STRING, body_status STRING, "
        "native_key STRING, is_repost BOOLEAN, published_at TIMESTAMP, outlet STRING, author_key STRING, "
        "published_on DATE, is_quote BOOLEAN, stated_speaker STRING"
    )
    march = datetime(2024, 3, 1)
    dated = (False, march, "o", None, march.date(), None, None)
    rows = [(*document, "complete", f"n-{document[0]}", *dated) for document in DOCUMENTS]
    repost = 'RT @y: "We lost the long game"'
    rows.append(("d6", "tweet", "en", None, repost, "complete", "n-d6", True, None, None, "a", *[None] * 3))
    rules = Rules(settings, load_detector(settings.contextomy), languages_of(settings, ("en",)), "rules")
    return annotate(spark.createDataFrame(rows, schema).repartition(3), rules).localCheckpoint()


@given(most=st.integers(1, 9), headline=st.integers(0, 3), body=st.integers(0, 9))
def test_of_a_document_with_too_many_quotes_the_first_are_kept_and_the_others_counted(
    most: int, headline: int, body: int
):
    settings = load_settings(overrides=[f"quotes.per_document={most}"])
    rules = Rules(settings, load_detector(settings.contextomy), languages_of(settings, ()), "rules")
    texts = ["“We won ‘at last’ ” again", *(f"“The {n} lanterns burn “ on ” pier {n},” she said." for n in range(9))]
    document = {"doc_id": "d", "kind": "news", "language": "en", "author_key": None, **SAME}
    document |= {"headline": " and ".join(texts[:headline]), "body": "\n\n".join(texts[1 : 1 + body])}
    whole = list(quotes_of_document(document, "rules"))
    [row] = annotate_document(document, rules)
    assert row["quotes"] == whole[:most] and row["left_out"] == len(whole[most:])
    ids = {quote["quote_id"] for quote in row["quotes"]}
    assert {quote["parent"] for quote in row["quotes"]} <= {*ids, None}
    assert {each["quote_id"] for part in ("contexts", "matches") for each in row[part]} <= ids
    assert row["story_texts"] == annotate_document(document, replace(rules, settings=load_settings()))[0]["story_texts"]


@given(before=st.integers(0, 900), between=st.integers(0, 900), other=st.booleans())
def test_beside_a_headline_quote_stand_its_passage_the_second_quote_and_who_said_them(
    before: int, between: int, other: bool
):
    """Protects: pages show these without reading bodies or quotes, and mark words in them by offsets of the body."""
    rules = Rules(
        load_settings(), load_detector(load_settings().contextomy), languages_of(load_settings(), ()), "rules"
    )
    said = "“We will sail again at dawn,” said Ana Ruiz.\n\n" + "y" * between
    said += "\n\n“The ferry sank twice,” she said." if other else "\n\nShe left."
    body = f"{'x' * before}\n\n{said}" + " It rained." * 50
    document = {"doc_id": "d", "kind": "news", "language": "en", "author_key": None, **SAME, "body": body}
    document |= {"headline": "Ruiz: “We will sail again at dawn and the ferry sank twice”"}
    [row] = annotate_document(document, rules)
    [match] = row["matches"]
    start, end = match["best_start"], match["best_end"]
    assert match["passage"] == body[max(start - 400, 0) : end + 400]
    assert match["passage"][min(start, 400) :].startswith(body[start:end])
    second = match["second_start"]
    assert match["second_quote"] == (None if second is None else body[second : match["second_end"]])
    assert (second is not None) == other
    assert document["headline"][match["headline_start"] : match["headline_end"]] == match["text"]
    assert (match["headline_speaker"], match["best_speaker"]) == ("Ruiz", "Ana Ruiz")
    assert match["second_speaker"] in (("she (Ana Ruiz)", "she") if other else (None,))  # far from her name nobody is
    [alone] = annotate_document(document | {"body": "It rained."}, rules)[0]["matches"]
    assert alone["passage"] is alone["second_quote"] is alone["best_speaker"] is alone["second_speaker"] is None


@pytest.mark.spark
def test_quotes_left_out_are_counted_where_there_are_any(annotated: DataFrame):
    assert "quotes_left_out" not in count_annotations(annotated)
    cut = annotated.withColumn("left_out", F.when(F.col("doc_id") == "d1", 7).otherwise(0))
    assert count_annotations(cut) == {**count_annotations(annotated), "quotes_left_out": 7}


@pytest.mark.spark
def test_quotes_are_those_that_programs_get(annotated: DataFrame):
    rows = {row["quote_id"]: row for row in rows_in(annotated, "quotes").collect()}
    found = {(row["doc_id"], row["field"], row["start"]): row for row in rows.values()}
    expected = 0
    for doc_id, kind, language, headline, body in DOCUMENTS:
        for field, text in {"tweet": body}.items() if kind == "tweet" else {"headline": headline, "body": body}.items():
            quotes = find_quotes(text, field)
            for quote, speaker in zip(quotes, find_speakers(text or "", quotes, field, language), strict=True):
                expected += 1
                row = found[doc_id, field, quote.start]
                assert (row["text"], row["kind"], row["match_key"]) == (quote.text, quote.kind, match_key(quote.joined))
                assert rows[row["utterance_id"]]["start"] == quotes[quote.utterance].start
                assert (row["speaker"] and row["speaker"]["text"]) == (speaker and speaker.text)
    assert len(rows) == expected + 1 > 8, "and the one of the repost"
    assert {row["speaker"]["how"] for row in rows.values() if row["speaker"]} >= {"inside", "colon", "before"}
    assert found["d5", "body", 1]["speaker"] is None, "no rules for a language that is not known"


@pytest.mark.spark
def test_each_part_is_rows_of_its_table_and_counted(annotated: DataFrame):
    counts = count_annotations(annotated)
    assert check(rows_in(annotated, "quotes"), "quotes").count() == counts["quotes"]
    contexts = check(rows_in(annotated, "contexts"), "contexts").collect()
    assert len(contexts) == counts["contexts"]
    assert "d6" not in {row["doc_id"] for row in contexts}, "a repost is no new use"
    assert {row["period"] for row in contexts} == {"2024-03"}
    variants = {row["variant_id"]: row["words"] for row in check(variants_of(annotated), "variants").collect()}
    assert len(variants) == variants_of(annotated).count(), "each once"
    direct = {row["variant_id"] for row in contexts if row["status"] == "ok" and row["direct"]}
    long = {variant for variant in direct if variants[variant] >= MIN_WORDS}
    assert {row["variant_id"] for row in reused_variants_of(annotated).collect()} == long
