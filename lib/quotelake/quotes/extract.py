"""Documents → quotes: the kernels of spans, speakers and keys over every headline, body and tweet, by Arrow batch."""

from collections.abc import Iterator
from functools import partial

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import StringType, StructType

from quotelake.arrow import Row, map_rows
from quotelake.contracts import columns
from quotelake.quotes.keys import GAP, canonical_text, match_key
from quotelake.quotes.spans import Quote, find_quotes
from quotelake.quotes.speakers import Speaker, find_speakers
from quotelake.tables import table_schema
from quotelake.text import content_id, count_words


def extract(documents: DataFrame, rule_version: str) -> DataFrame:
    """Find the quotes of documents. Grain: a quoted span; the columns of ``quotes`` and ``canonical_text``.

    It is the expensive pass over the text: materialise it, then take :func:`quotes_of` and :func:`variants_of`.
    """
    schema = StructType([*table_schema("quotes").fields]).add("canonical_text", StringType())
    return map_rows(
        documents.select("doc_id", "kind", "language", "headline", "body"),
        partial(_quotes, rule_version=rule_version),
        schema,
    )


def quotes_of(extracted: DataFrame) -> DataFrame:
    """Rows of ``quotes``."""
    return extracted.select(*columns("quotes"))


def variants_of(extracted: DataFrame) -> DataFrame:
    """Rows of ``variants``: each canonical text once."""
    named = extracted.where("variant_id IS NOT NULL").groupBy("variant_id")
    return (
        named.agg(F.first("canonical_text").alias("canonical_text"))
        .withColumn("words", F.size(F.array_remove(F.split("canonical_text", " "), GAP)))
        .select(*columns("variants"))
    )


def quotes_by_document(quotes: DataFrame, where: Column, *more: str) -> DataFrame:
    """Gather the quotes of each document that meet ``where``, as an array ``quotes`` of structs in no set order.

    Args:
        quotes: rows of ``quotes``.
        where: which.
        more: columns that are wanted beside ids, offsets, text, kind and keys.
    """
    part = F.struct("quote_id", "field", "start", "end", "text", "kind", "depth", "match_key", "variant_id", *more)
    return quotes.where(where).groupBy("doc_id").agg(F.collect_list(part).alias("quotes"))


def _quotes(document: Row, rule_version: str) -> Iterator[Row]:
    fields = {"tweet": document["body"]} if document["kind"] == "tweet" else _fields(document)
    for field, text in fields.items():
        found = find_quotes(text, field)
        speakers = find_speakers(text or "", found, field, document["language"])
        ids = [content_id(document["doc_id"], field, quote.start, quote.end) for quote in found]
        for quote_id, quote, speaker in zip(ids, found, speakers, strict=True):
            yield {
                "quote_id": quote_id,
                "rule_version": rule_version,
                "doc_id": document["doc_id"],
                "field": field,
                **_position(quote, ids),
                **_content(quote),
                "speaker": _said_by(speaker),
            }


def _fields(document: Row) -> dict[str, str | None]:
    return {"headline": document["headline"], "body": document["body"]}


def _position(quote: Quote, ids: list[str]) -> Row:
    return {
        "start": quote.start,
        "end": quote.end,
        "segments": [{"start": start, "end": end} for start, end in quote.segments],
        "parent": None if quote.parent is None else ids[quote.parent],
        "depth": quote.depth,
        "utterance_id": ids[quote.utterance],
    }


def _content(quote: Quote) -> Row:
    canonical = canonical_text(quote.text)
    return {
        "text": quote.text,
        "marks": quote.marks,
        "kind": quote.kind,
        "reason": quote.reason,
        "flags": list(quote.flags),
        "words": count_words(quote.text),
        "match_key": match_key(quote.joined),
        "variant_id": None if canonical is None else content_id(canonical),
        "canonical_text": canonical,
    }


def _said_by(speaker: Speaker | None) -> Row | None:
    if speaker is None:
        return None
    return {
        "text": speaker.text,
        "start": speaker.start,
        "end": speaker.end,
        "head": speaker.text[: speaker.head_end - speaker.start],
        "how": speaker.how,
        "type": speaker.type,
        "cue": speaker.cue_lemma,
        "cue_start": speaker.cue_start,
        "cue_end": speaker.cue_end,
        "name": speaker.name,
        "name_start": speaker.name_start,
        "name_end": speaker.name_end,
    }
