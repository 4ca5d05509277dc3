"""Headline quotes held against the body, in Spark: match by strings, embed what is left, decide.

The rules are in :mod:`quotelake.contextomy.rules` and :mod:`quotelake.contextomy.decide`; here they meet the data.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, fields
from functools import partial
from operator import itemgetter

import numpy as np
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

from quotelake.arrow import Row, map_rows, struct
from quotelake.contextomy.comparable import Languages
from quotelake.contextomy.containment import HeadlineQuote
from quotelake.contextomy.decide import Detector, decide, weigh
from quotelake.contextomy.rules import Match, settle
from quotelake.contextomy.same_speaker import Who
from quotelake.contextomy.utterances import Part, body_quotes
from quotelake.contracts import columns
from quotelake.lake.tables import table_schema
from quotelake.settings import ContextomySettings
from quotelake.text import content_id

_CANDIDATES = "text_hash STRING, text STRING, candidates ARRAY<STRUCT<text_hash: STRING, text: STRING>>"
_SPANS = ("matched", "matched_second", "unmatched", "omitted")


def matches_of_document(
    document: Row, quotes: Sequence[Row], settings: ContextomySettings, detector: Detector, languages: Languages
) -> Iterator[Row]:
    """Match every headline quote of an article by strings and rules, and weigh what these leave.

    Args:
        document: ``doc_id``, ``headline``, ``body``, ``body_status`` and ``language`` of a row of ``documents``.
        quotes: all its quotes, rows of ``quotes``.
        settings: thresholds.
        detector: weighs what strings do not settle.
        languages: those that can be compared.

    Yields:
        A row per headline quote, as :func:`match_schema` has it: the columns of ``contextomy`` without its versions,
        ``outcome`` NULL where the detector must decide; such rows carry the hash and text of the headline quote and
        its ``candidates``, the body quotes to compare it with.
    """
    # A colon claim is in nobody's marks, so there is nothing to hold against a body quote.
    judged = [q for q in quotes if q["field"] == "headline" and q["depth"] == 0 and q["kind"] != "colon_claim"]
    if not judged:
        return
    theirs = body_quotes(_part(quote) for quote in quotes if quote["field"] == "body")
    article = (document["body"], document["body_status"], theirs, settings, document["language"], languages)
    for quote in sorted(judged, key=itemgetter("start", "end")):
        headline = _headline_quote(quote, document["headline"])
        match = weigh(settle(headline, *article), quote["text"], [body.text for body in theirs], detector)
        candidates = [] if match.outcome is not None else [body.said for body in theirs]
        yield {
            "quote_id": quote["quote_id"],
            "doc_id": document["doc_id"],
            **_to_row(match),
            "language": document["language"],
            "text_hash": content_id(quote["text"]),
            "text": quote["text"],
            "candidates": [{"text_hash": content_id(text), "text": text} for text in candidates],
        }


def match_schema() -> StructType:
    """Columns of a match, as :func:`matches_of_document` yields them."""
    return StructType([*_row_schema().fields, *struct(f"language STRING, {_CANDIDATES}").fields])


def texts_to_embed(matches: DataFrame, languages: Sequence[str]) -> DataFrame:
    """Texts the detector needs vectors of: unsettled headline quotes and their candidates. ``text_hash``, ``text``."""
    open_ = matches.where(F.col("outcome").isNull() & F.col("language").isin(*languages))
    own = F.struct("text_hash", "text")
    texts = open_.select(F.explode(F.concat(F.array(own), "candidates")).alias("part")).select("part.*")
    return texts.dropDuplicates(["text_hash"])


def score_headlines(
    matches: DataFrame,
    vectors: DataFrame,
    settings: ContextomySettings,
    detector: Detector,
    *,
    languages: Sequence[str],
    rule_version: str,
    detector_version: str,
) -> DataFrame:
    """Decide what strings did not settle. Grain: a headline quote; rows of ``contextomy``.

    Args:
        matches: from :func:`matches_of_document`, as a frame.
        vectors: ``text_hash``, ``vector`` of the texts of :func:`texts_to_embed`, unit norm.
        settings: thresholds.
        detector: the one that weighed the matches.
        languages: those the model knows; elsewhere the score rests on strings alone.
        rule_version: version of the rules.
        detector_version: version of the detector.
    """
    stamps = {"rule_version": F.lit(rule_version), "detector_version": F.lit(detector_version)}
    settled = matches.where(F.col("outcome").isNotNull())
    unsettled = matches.where(F.col("outcome").isNull())
    known = vectors.where(F.col("vector").isNotNull())
    own = known.select("text_hash", F.col("vector").alias("own"))
    theirs = known.select(F.col("text_hash").alias("candidate"), "vector")
    pairs = (
        unsettled.where(F.col("language").isin(*languages))
        .select("quote_id", "text_hash", F.explode("candidates.text_hash").alias("candidate"))
        .join(own, "text_hash", "inner")
        .join(theirs, "candidate", "inner")
    )
    vectors_of = pairs.groupBy("quote_id").agg(F.first("own").alias("own"), F.collect_list("vector").alias("theirs"))
    joined = unsettled.drop("candidates", "text", "text_hash", "language").join(vectors_of, "quote_id", "left")
    decided = map_rows(joined, partial(_decide, settings=settings, detector=detector), _row_schema())
    rows = settled.select(*decided.columns).union(decided)
    return rows.withColumns(stamps).select(*columns("contextomy"))


def _row_schema() -> StructType:
    versions = ("rule_version", "detector_version")
    return StructType([field for field in table_schema("contextomy").fields if field.name not in versions])


def _headline_quote(quote: Row, headline: str) -> HeadlineQuote:
    return HeadlineQuote(
        text=quote["text"],
        match_key=quote["match_key"],
        kind=quote["kind"],
        reason=quote["reason"],
        marks=quote["marks"],
        speaker=_who(quote["speaker"]),
        around=f"{headline[: quote['start']]} {headline[quote['end'] :]}",
    )


def _part(quote: Row) -> Part:
    return Part(
        quote["quote_id"],
        quote["utterance_id"],
        quote["start"],
        quote["text"],
        quote["match_key"],
        _who(quote["speaker"]),
    )


def _who(speaker: Row | None) -> Who | None:
    return None if speaker is None else Who(*(speaker[name] for name in Who._fields))


def _decide(row: Row, settings: ContextomySettings, detector: Detector) -> Iterator[Row]:
    cosine = None
    if row["theirs"]:
        cosines = np.array(row["theirs"], dtype=np.float64) @ np.array(row["own"], dtype=np.float64)
        cosine = round(float(cosines.max()), 6)
    match = decide(_from_row(row), cosine, detector, settings)
    yield {"quote_id": row["quote_id"], "doc_id": row["doc_id"], **_to_row(match)}


def _to_row(match: Match) -> Row:
    row = asdict(match)
    for name in _SPANS:
        row[name] = [{"start": start, "end": end} for start, end in row[name]]
    return row


def _from_row(row: Row) -> Match:
    values = {field.name: row[field.name] for field in fields(Match)}
    for name in _SPANS:
        values[name] = tuple((span["start"], span["end"]) for span in row[name])
    return Match(**values)
