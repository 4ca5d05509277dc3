"""Quotes → contexts: a row for each use of a quote, and the texts of those that need a vector or are explained."""

from collections.abc import Iterator, Sequence
from operator import itemgetter

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quotelake.settings import ContextSettings
from quotelake.spark.arrow import Row, map_rows, struct
from quotelake.text.ids import content_id
from quotelake.text.words import count_words
from quotelake.topics.contexts import Context, cut_contexts, mask


def contexts_of_document(
    document: Row, quotes: Sequence[Row], settings: ContextSettings, rule_version: str
) -> Iterator[Row]:
    """Cut the context of every outermost quote of a body or tweet.

    A repost has no contexts, and quotes inside a quoted tweet have none: both repeat a tweet and are no new use.

    Args:
        document: ``doc_id``, ``kind``, ``outlet``, ``author_key``, ``body``, ``native_key``, ``is_repost``, ``period``,
            its month (YYYY-MM), and ``text_id``, its folded text.
        quotes: all its quotes (:func:`quotelake.quotes.extract.quotes_of_document`).
        settings: longest context, and words that must be left in a masked one.
        rule_version: version of the rules.

    Yields:
        The content columns of ``contexts``, and ``canonical_words`` of the variant.
    """
    if document["is_repost"]:
        return
    body = document["body"]
    uses = sorted((quote for quote in quotes if _is_use(quote)), key=itemgetter("start"))
    spans = [(quote["start"], quote["end"]) for quote in uses]
    if document["kind"] == "tweet":
        cut = [Context(0, len(body), count_words(mask(body, *span, 0, len(body)))) for span in spans]
    else:
        cut = cut_contexts(body, spans, settings.max_words)
    for quote, (start, end, words_left) in zip(uses, cut, strict=True):
        masked = mask(body, quote["start"], quote["end"], start, end)
        yield {
            "variant_id": quote["variant_id"],
            "doc_id": document["doc_id"],
            "start": quote["start"],
            "end": quote["end"],
            "rule_version": rule_version,
            "quote_id": quote["quote_id"],
            "native_key": document["native_key"],
            "text_id": document["text_id"],
            "kind": document["kind"],
            "outlet": document["outlet"],
            "author_key": document["author_key"],
            "context_start": start,
            "context_end": end,
            "raw_hash": content_id(body[start:end]),
            "masked_hash": content_id(masked),
            "period": document["period"],
            "words_left": words_left,
            "direct": quote["kind"] == "direct",
            "status": "ok" if words_left >= settings.min_words_left else "too_short",
            "canonical_words": quote["canonical_words"],
        }


def _is_use(quote: Row) -> bool:
    """Whether a quote is a use of a variant by the document's author: in the text, outermost, not in a quoted tweet."""
    used = quote["field"] != "headline" and quote["depth"] == 0 and "quote_tweet" not in quote["flags"]
    return used and quote["variant_id"] is not None


def texts_of_uses(masked: DataFrame, raw: DataFrame, documents: DataFrame) -> DataFrame:
    """Cut the texts of contexts. Grain: a distinct text; ``text_hash``, ``text``, ``is_masked``.

    Args:
        masked: uses whose masked contexts are wanted, as :func:`~quotelake.topics.selection.sample_uses` gives them.
        raw: uses whose contexts are wanted as written.
        documents: ``doc_id`` and ``body``, at least of their documents.
    """
    uses = _first_uses(masked, "masked_hash").unionByName(_first_uses(raw, "raw_hash"))
    bodies = documents.select("doc_id", "body").join(uses, "doc_id", "inner")
    return map_rows(bodies, _text, struct("text_hash STRING, text STRING, is_masked BOOLEAN"))


def _first_uses(uses: DataFrame, hashed: str) -> DataFrame:
    """A use from which each text can be cut. Grain: ``text_hash``; of equal texts the first by (doc_id, start)."""
    where = F.struct("doc_id", "start", "end", "context_start", "context_end")
    first = uses.groupBy(F.col(hashed).alias("text_hash")).agg(F.min(where).alias("use"))
    return first.select("text_hash", "use.*", F.lit(hashed == "masked_hash").alias("is_masked"))


def _text(use: Row) -> Iterator[Row]:
    body, start, end = use["body"], use["context_start"], use["context_end"]
    text = mask(body, use["start"], use["end"], start, end) if use["is_masked"] else body[start:end]
    yield {"text_hash": use["text_hash"], "text": text, "is_masked": use["is_masked"]}
