"""Quotes → contexts → the uses that are compared: eligible groups, their sample, the texts that need a vector."""

from collections.abc import Iterator, Sequence
from operator import itemgetter

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from quotelake.arrow import Row, map_rows, struct
from quotelake.settings import ContextSettings, TopicSettings
from quotelake.text import content_id, count_words
from quotelake.topics.contexts import Context, cut_contexts, mask

#: Period that holds every context, dated or not.
ALL = "all"


def contexts_of_document(
    document: Row, quotes: Sequence[Row], settings: ContextSettings, rule_version: str
) -> Iterator[Row]:
    """Cut the context of every outermost quote of a body or tweet.

    A repost is no new use, nor is what stands in a quoted tweet: both say that a tweet was read, not that somebody
    quoted.

    Args:
        document: ``doc_id``, ``kind``, ``body``, ``native_key``, ``is_repost`` and ``period``, its month.
        quotes: all its quotes (:func:`quotelake.quotes.extract.quotes_of_document`).
        settings: how long a context is.
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
    own = quote["field"] != "headline" and quote["depth"] == 0 and "quote_tweet" not in quote["flags"]
    return own and quote["variant_id"] is not None


def usable(words: Column, settings: TopicSettings) -> Column:
    """Whether a use can be compared with others: a direct quote, long enough, in a context that is long enough."""
    return (F.col("status") == "ok") & F.col("direct") & (words >= settings.min_words)


def eligible_uses(contexts: DataFrame, members: DataFrame, settings: TopicSettings) -> DataFrame:
    """Keep the uses of groups that can be compared. Grain: a use; the columns of ``contexts`` and ``group_id``.

    A use counts if it is a direct quote whose masked context is long enough; a group, if its uses stand in
    ``min_documents`` articles or tweets with ``min_distinct_contexts`` distinct masked contexts.

    Args:
        contexts: rows of ``contexts``.
        members: ``variant_id`` and ``group_id`` of the variants that are long enough.
        settings: what eligible means.
    """
    comparable = contexts.where((F.col("status") == "ok") & F.col("direct"))
    uses = comparable.join(members.select("variant_id", "group_id"), "variant_id", "inner")
    several = (
        uses.groupBy("group_id")
        .agg(F.countDistinct("native_key").alias("documents"), F.countDistinct("masked_hash").alias("distinct"))
        .where((F.col("documents") >= settings.min_documents) & (F.col("distinct") >= settings.min_distinct_contexts))
    )
    return uses.join(several.select("group_id"), "group_id", "left_semi")


def count_uses(uses: DataFrame) -> DataFrame:
    """Count the uses of each group, in all and per month. Grain: group × period."""
    return (
        _by_period(uses)
        .groupBy("group_id", "period")
        .agg(
            F.countDistinct("native_key").alias("n_documents"),
            F.count("*").alias("n_contexts"),
            F.countDistinct("masked_hash").alias("n_distinct_contexts"),
        )
    )


def sample_uses(uses: DataFrame, counts: DataFrame, size: int) -> DataFrame:
    """Choose about ``size`` distinct contexts of each larger group, by their hash: the same in any order of arrival."""
    wanted = counts.where(F.col("period") == ALL).select(
        "group_id", (F.lit(size) / F.col("n_distinct_contexts")).alias("share")
    )
    return uses.join(wanted, "group_id", "inner").where(_position(F.col("masked_hash")) < F.col("share")).drop("share")


def weigh_contexts(sampled: DataFrame) -> DataFrame:
    """Count the copies of each distinct context. Grain: group × period × masked_hash, with ``n``."""
    return _by_period(sampled).groupBy("group_id", "period", "masked_hash").agg(F.count("*").alias("n"))


def masked_texts(sampled: DataFrame, documents: DataFrame) -> DataFrame:
    """Cut the masked texts of uses. Grain: a distinct text; ``text_hash``, ``text``.

    Args:
        sampled: uses, as :func:`sample_uses` gives them.
        documents: ``doc_id`` and ``body``, at least of their documents.
    """
    bodies = documents.select("doc_id", "body").join(_first_uses(sampled), "doc_id", "inner")
    return map_rows(bodies, _masked, struct("text_hash STRING, text STRING"))


def _first_uses(sampled: DataFrame) -> DataFrame:
    """Where each masked text can be cut from. Grain: ``masked_hash``; of copies the first by (doc_id, start)."""
    where = F.struct("doc_id", "start", "end", "context_start", "context_end")
    return sampled.groupBy("masked_hash").agg(F.min(where).alias("use")).select("masked_hash", "use.*")


def _masked(use: Row) -> Iterator[Row]:
    text = mask(use["body"], use["start"], use["end"], use["context_start"], use["context_end"])
    yield {"text_hash": use["masked_hash"], "text": text}


def _by_period(uses: DataFrame) -> DataFrame:
    periods = F.array_compact(F.array(F.lit(ALL), "period"))
    return uses.withColumn("period", F.explode(periods))


def _position(hashed: Column) -> Column:
    """Where a hash of hex characters lies between 0 and 1, by its first 32 bits."""
    return F.conv(F.substring(hashed, 1, 8), 16, 10).cast("double") / F.lit(float(1 << 32))
