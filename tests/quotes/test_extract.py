"""The Spark stage gives what the kernels give: every column of every quote, by any partitioning."""

import pytest
from pyspark.sql import SparkSession

from quotelake.quotes.extract import extract, quotes_of
from quotelake.quotes.keys import match_key
from quotelake.quotes.spans import find_quotes
from quotelake.quotes.speakers import find_speakers

pytestmark = pytest.mark.spark

DOCUMENTS = [
    (
        "d1",
        "news",
        "en",
        "Mayor: 'We won't go'",
        '"We lost," Ana Ruiz said, "but we learned."\n\n“Never,” she said in Welsh.',
    ),
    ("d2", "news", "en", "Union: We will strike", ""),
    ("d3", "news", "ko", "시장 “끝났다”", "김 시장은 “끝났다”고 말했다."),
    ("d4", "tweet", "en", None, 'RT @x: "We won" &#8220;again&#8221;'),
    ("d5", "news", "und", None, "“We lost,” Ana Ruiz said."),
]


def test_the_stage_gives_what_the_kernels_give(spark: SparkSession):
    schema = "doc_id STRING, kind STRING, language STRING, headline STRING, body STRING"
    documents = spark.createDataFrame(DOCUMENTS, schema).repartition(3)
    rows = {row["quote_id"]: row for row in quotes_of(extract(documents, "rules")).collect()}
    found = {(row["doc_id"], row["field"], row["start"]): row for row in rows.values()}
    expected = 0
    for doc_id, kind, language, headline, body in DOCUMENTS:
        for field, text in {"tweet": body}.items() if kind == "tweet" else {"headline": headline, "body": body}.items():
            quotes = find_quotes(text, field)
            for quote, speaker in zip(quotes, find_speakers(text or "", quotes, field, language), strict=True):
                expected += 1
                row = found[doc_id, field, quote.start]
                assert (row["text"], row["kind"], row["reason"], tuple(row["flags"])) == (
                    quote.text, quote.kind, quote.reason, quote.flags)  # fmt: skip
                assert row["match_key"] == match_key(quote.joined)
                assert rows[row["utterance_id"]]["start"] == quotes[quote.utterance].start
                who = row["speaker"]
                assert (who and (who["text"], who["how"], who["cue"], who["name"])) == (
                    speaker and (speaker.text, speaker.how, speaker.cue_lemma, speaker.name)
                )
    assert len(rows) == expected > 8
    assert {row["speaker"]["how"] for row in rows.values() if row["speaker"]} >= {"inside", "colon", "before"}
    assert found["d5", "body", 1]["speaker"] is None, "no rules for a language that is not known"
