"""Quotes → contexts → the uses that are compared: eligible groups, their sample, the texts that need a vector."""

from collections.abc import Iterator
from functools import partial

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from quotelake.arrow import Row, map_rows, struct
from quotelake.contracts import columns
from quotelake.quotes.extract import quotes_by_document
from quotelake.settings import ContextSettings, TopicSettings
from quotelake.tables import table_schema
from quotelake.text import content_id, count_words
from quotelake.topics.contexts import article_contexts, mask

#: Period that holds every context, dated or not.
ALL = "all"


def contexts_of(documents: DataFrame, quotes: DataFrame, settings: ContextSettings, rule_version: str) -> DataFrame:
    """Cut the context of every outermost quote of a body or tweet. Grain: a use of a variant in a document.

    A repost is no new use, nor is what stands in a quoted tweet: both say that a tweet was read, not that somebody
    quoted.
    """
    own = (F.col("field") != "headline") & (F.col("depth") == 0) & ~F.array_contains("flags", "quote_tweet")
    uses = own & F.col("variant_id").isNotNull()
    texts = documents.where(~F.col("is_repost")).select(
        "doc_id", "kind", "body", "native_key", F.date_format("published_at", "yyyy-MM").alias("period")
    )
    kernel = partial(_contexts, settings=settings, rule_version=rule_version)
    joined = texts.join(quotes_by_document(quotes, uses), "doc_id", "inner")
    return map_rows(joined, kernel, table_schema("contexts")).select(*columns("contexts"))


def _contexts(document: Row, settings: ContextSettings, rule_version: str) -> Iterator[Row]:
    body = document["body"]
    quotes = sorted(document["quotes"], key=lambda quote: quote["start"])
    if document["kind"] == "tweet":
        bounds = [(0, len(body))] * len(quotes)
    else:
        bounds = article_contexts(body, [(quote["start"], quote["end"]) for quote in quotes], settings.max_words)
    for quote, (start, end) in zip(quotes, bounds, strict=True):
        masked = mask(body, quote["start"], quote["end"], start, end)
        left = count_words(masked)
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
            "words_left": left,
            "direct": quote["kind"] == "direct",
            "status": "ok" if left >= settings.min_words_left else "too_short",
        }


def eligible_uses(contexts: DataFrame, groups: DataFrame, variants: DataFrame, settings: TopicSettings) -> DataFrame:
    """Keep the uses of groups that can be compared. Grain: a use; the columns of ``contexts`` and ``group_id``.

    A use counts if it is a direct quote of at least ``min_words`` words whose masked context is long enough; a group,
    if its uses stand in ``min_documents`` articles or tweets with ``min_distinct_contexts`` distinct masked contexts.
    """
    long_enough = variants.where(F.col("words") >= settings.min_words).select("variant_id")
    usable = contexts.where((F.col("status") == "ok") & F.col("direct"))
    uses = usable.join(groups.select("variant_id", "group_id"), "variant_id", "inner").join(
        long_enough, "variant_id", "left_semi"
    )
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
    """Cut the masked texts that need a vector. Grain: a distinct text; ``text_hash``, ``text``."""
    where = F.struct("doc_id", "start", "end", "context_start", "context_end")
    one = sampled.groupBy("masked_hash").agg(F.min(where).alias("use")).select("masked_hash", "use.*")
    bodies = documents.select("doc_id", "body").join(one, "doc_id", "inner")
    return map_rows(bodies, _masked, struct("text_hash STRING, text STRING"))


def _masked(use: Row) -> Iterator[Row]:
    text = mask(use["body"], use["start"], use["end"], use["context_start"], use["context_end"])
    yield {"text_hash": use["masked_hash"], "text": text}


def _by_period(uses: DataFrame) -> DataFrame:
    periods = F.array_compact(F.array(F.lit(ALL), "period"))
    return uses.withColumn("period", F.explode(periods))


def _position(hashed: Column) -> Column:
    """Where a hash of hex characters lies between 0 and 1, by its first 32 bits."""
    return F.conv(F.substring(hashed, 1, 8), 16, 10).cast("double") / F.lit(float(1 << 32))
