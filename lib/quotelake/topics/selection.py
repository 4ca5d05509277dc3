"""The uses of quotes that topic variation compares: those of eligible groups, counted, sampled and weighted."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from quotelake.settings import TopicSettings

#: The period of all contexts, dated or not.
ALL = "all"


def usable(words: Column, settings: TopicSettings) -> Column:
    """Whether a use can be compared with others: a direct quote of at least ``min_words``, whose context is ok.

    Args:
        words: number of words of the canonical text.
        settings: ``min_words``.
    """
    return (F.col("status") == "ok") & F.col("direct") & (words >= settings.min_words)


def eligible_uses(contexts: DataFrame, members: DataFrame, settings: TopicSettings) -> DataFrame:
    """Keep the uses of groups that can be compared. Grain: a use; the columns of ``contexts`` and ``group_id``.

    A use counts if it is a direct quote whose masked context is long enough; a group, if its uses are in
    ``min_documents`` articles or tweets that tell as many stories, with ``min_distinct_contexts`` distinct masked
    contexts.

    Args:
        contexts: rows of ``contexts`` with ``story_id``.
        members: ``variant_id`` and ``group_id`` of the variants that are long enough.
        settings: ``min_documents`` and ``min_distinct_contexts``.
    """
    comparable = contexts.where((F.col("status") == "ok") & F.col("direct"))
    uses = comparable.join(members.select("variant_id", "group_id"), "variant_id", "inner")
    # Versions of an article whose text was rewritten are one document; copies of a text are one story.
    documents = F.least(F.countDistinct("native_key"), F.countDistinct("story_id"))
    several = (
        uses.groupBy("group_id")
        .agg(documents.alias("documents"), F.countDistinct("masked_hash").alias("distinct"))
        .where((F.col("documents") >= settings.min_documents) & (F.col("distinct") >= settings.min_distinct_contexts))
    )
    return uses.join(several.select("group_id"), "group_id", "left_semi")


def count_uses(uses: DataFrame) -> DataFrame:
    """Count the uses of each group, in total and per month: documents, stories, contexts, distinct contexts.

    Grain: group × period.
    """
    return (
        _by_period(uses)
        .groupBy("group_id", "period")
        .agg(
            F.countDistinct("native_key").alias("n_documents"),
            F.countDistinct("story_id").alias("n_stories"),
            F.count("*").alias("n_contexts"),
            F.countDistinct("masked_hash").alias("n_distinct_contexts"),
        )
    )


def sample_uses(uses: DataFrame, counts: DataFrame, size: int) -> DataFrame:
    """Sample about ``size`` distinct contexts of each larger group by hash: the same sample in any order of arrival.

    Grain: a use. All uses of a sampled context are kept.

    Args:
        uses: from :func:`eligible_uses`.
        counts: from :func:`count_uses`.
        size: distinct contexts wanted per group.
    """
    wanted = counts.where(F.col("period") == ALL).select(
        "group_id", (F.lit(size) / F.col("n_distinct_contexts")).alias("share")
    )
    return uses.join(wanted, "group_id", "inner").where(_position(F.col("masked_hash")) < F.col("share")).drop("share")


def weigh_contexts(sampled: DataFrame) -> DataFrame:
    """Count the copies of each distinct context. Grain: group × period × masked_hash, with ``n``.

    Of a context that several stories have, ``story_id`` is the least of theirs.
    """
    of_one = _by_period(sampled).groupBy("group_id", "period", "masked_hash")
    return of_one.agg(F.count("*").alias("n"), F.min("story_id").alias("story_id"))


def _by_period(uses: DataFrame) -> DataFrame:
    periods = F.array_compact(F.array(F.lit(ALL), "period"))
    return uses.withColumn("period", F.explode(periods))


def _position(hashed: Column) -> Column:
    """The first 32 bits of a hexadecimal hash as a number in [0, 1)."""
    return F.conv(F.substring(hashed, 1, 8), 16, 10).cast("double") / F.lit(float(1 << 32))
