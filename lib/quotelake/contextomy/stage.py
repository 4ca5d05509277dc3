"""Headline quotes compared with the body, in Spark: rows of judgements, the texts to embed, and the decision."""

from collections.abc import Iterator, Sequence
from functools import partial

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

from quotelake.contextomy.comparison import Languages
from quotelake.contextomy.decide import Detector, decide, highest_cosine, judge_headline
from quotelake.contextomy.judgement import RankedDifference
from quotelake.lake.contracts import columns
from quotelake.lake.frames import table_schema
from quotelake.settings import ContextomySettings
from quotelake.spark.arrow import Row, map_rows, struct
from quotelake.text.ids import content_id

#: Characters of the body that a passage has on each side of what decided.
AROUND = 400
_CANDIDATES = "text_hash STRING, text STRING, candidates ARRAY<STRUCT<text_hash: STRING, text: STRING>>"


def matches_of_document(
    document: Row, quotes: Sequence[Row], settings: ContextomySettings, detector: Detector, languages: Languages
) -> Iterator[Row]:
    """Judge every headline quote of a document by :func:`~quotelake.contextomy.decide.judge_headline`, as rows.

    They are as :func:`match_schema` has it: the columns of ``contextomy`` without its versions, ``outcome`` NULL where
    the detector must decide, the text of the headline quote, and its ``candidates``, the body quotes to embed.
    """
    by_id = {quote["quote_id"]: quote for quote in quotes}
    for judgement in judge_headline(document, quotes, settings=settings, detector=detector, languages=languages):
        row = judgement.to_row()
        ids = {"headline": judgement.headline.quote_id, "best": row["best_quote_id"], "second": row["second_quote_id"]}
        yield {
            "quote_id": judgement.headline.quote_id,
            "doc_id": document["doc_id"],
            **row,
            "headline_start": judgement.headline.start,
            "headline_end": judgement.headline.end,
            **{f"{which}_speaker": _speaker_of(by_id.get(id_)) for which, id_ in ids.items()},
            **_texts_of(row, document["body"]),
            "language": document["language"],
            "text_hash": content_id(judgement.headline.text),
            "text": judgement.headline.text,
            "candidates": [{"text_hash": content_id(text), "text": text} for text in judgement.candidates],
        }


def _texts_of(row: Row, body: str) -> Row:
    """What is shown of a body beside a headline quote: so no later night reads it again."""
    best, words, second = ((row[f"{name}_start"], row[f"{name}_end"]) for name in ("best", "body", "second"))
    start, end = words if best[0] is None else best
    passage = None if start is None else body[max(start - AROUND, 0) : end + AROUND]
    return {"passage": passage, "second_quote": None if second[0] is None else body[slice(*second)]}


def _speaker_of(quote: Row | None) -> str | None:
    """Who said a quote, as the text names them, with the full name in brackets if it is elsewhere."""
    speaker = None if quote is None else quote["speaker"]
    if speaker is None or speaker["name"] is None:
        return speaker and speaker["text"]
    return speaker["head"] if speaker["name"] in speaker["head"] else f"{speaker['head']} ({speaker['name']})"


def match_schema() -> StructType:
    """Columns of a match, as :func:`matches_of_document` yields them."""
    return StructType([*_row_schema().fields, *struct(f"language STRING, {_CANDIDATES}").fields])


def texts_to_embed(matches: DataFrame, languages: Sequence[str]) -> DataFrame:
    """Texts the detector needs vectors of: unsettled headline quotes and their candidates. ``text_hash``, ``text``."""
    unsettled = matches.where(F.col("outcome").isNull() & F.col("language").isin(*languages))
    headline_quote = F.struct("text_hash", "text")
    texts = unsettled.select(F.explode(F.concat(F.array(headline_quote), "candidates")).alias("part")).select("part.*")
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

    ``matches`` are rows of :func:`matches_of_document`, ``vectors`` the ``text_hash`` and ``vector`` (unit norm) of the
    texts of :func:`texts_to_embed`. In other languages than those the model knows the score rests on strings alone. The
    versions are stamped on each row.
    """
    settled = matches.where(F.col("outcome").isNotNull())
    unsettled = matches.where(F.col("outcome").isNull())
    known = vectors.where(F.col("vector").isNotNull())
    headline_quotes = known.select("text_hash", F.col("vector").alias("headline_vector"))
    body_quotes = known.select(F.col("text_hash").alias("candidate"), "vector")
    pairs = (
        unsettled.where(F.col("language").isin(*languages))
        .select("quote_id", "text_hash", F.explode("candidates.text_hash").alias("candidate"))
        .join(headline_quotes, "text_hash", "inner")
        .join(body_quotes, "candidate", "inner")
    )
    vectors_of = pairs.groupBy("quote_id").agg(
        F.first("headline_vector").alias("headline_vector"), F.collect_list("vector").alias("body_vectors")
    )
    joined = unsettled.drop("candidates", "text", "text_hash", "language").join(vectors_of, "quote_id", "left")
    decided = map_rows(joined, partial(_decide, settings=settings, detector=detector), _row_schema())
    stamps = {"rule_version": F.lit(rule_version), "detector_version": F.lit(detector_version)}
    rows = settled.select(*decided.columns).union(decided).withColumns(stamps)
    return rows.select(*columns("contextomy"))


def _row_schema() -> StructType:
    versions = ("rule_version", "detector_version")
    return StructType([field for field in table_schema("contextomy").fields if field.name not in versions])


def _decide(row: Row, settings: ContextomySettings, detector: Detector) -> Iterator[Row]:
    """Decide over a row, without its vectors: they are no columns of the table."""
    columns_of_row = {name: value for name, value in row.items() if name not in ("headline_vector", "body_vectors")}
    cosine = highest_cosine(row["headline_vector"], row["body_vectors"]) if row["body_vectors"] else None
    notes = [RankedDifference(**each) for each in row["differences"]]
    decided = decide(row | {"differences": notes}, cosine, detector, settings)
    yield columns_of_row | decided | {"differences": [each._asdict() for each in decided["differences"]]}
