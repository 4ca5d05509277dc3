"""Uses of quotes that topic variation compares: those of eligible groups, counted, sampled and weighted."""

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from quotelake.topics.variation import ALL

#: Words from which a quote is compared, and distinct documents and masked contexts of its uses [ours].
MIN_WORDS = 4
MIN_DOCUMENTS = 2
MIN_DISTINCT_CONTEXTS = 2
#: Columns of counts, in ``topic_variation`` and in each kind of source of it.
COUNTS = ("n_documents", "n_stories", "n_contexts", "n_distinct_contexts", "n_outlets")


def usable(words: Column) -> Column:
    """Whether a use can be compared with others: a direct quote of enough words, whose context is ok."""
    return (F.col("status") == "ok") & F.col("direct") & (words >= MIN_WORDS)


def eligible_uses(contexts: DataFrame, members: DataFrame) -> DataFrame:
    """Keep the uses of groups that can be compared. Grain: a use; the columns of ``contexts`` and ``group_id``.

    ``contexts`` have ``story_id``; ``members`` are the variants that are long enough. The uses of a group must be in
    :data:`MIN_DOCUMENTS` articles or tweets of as many stories, with :data:`MIN_DISTINCT_CONTEXTS` masked contexts.
    """
    comparable = contexts.where((F.col("status") == "ok") & F.col("direct"))
    uses = comparable.join(members.select("variant_id", "group_id"), "variant_id", "inner")
    # Versions of an article whose text was rewritten are one document; copies of a text are one story.
    documents = F.least(F.countDistinct("native_key"), F.countDistinct("story_id"))
    several = (
        uses.groupBy("group_id")
        .agg(documents.alias("documents"), F.countDistinct("masked_hash").alias("distinct"))
        .where((F.col("documents") >= MIN_DOCUMENTS) & (F.col("distinct") >= MIN_DISTINCT_CONTEXTS))
    )
    return uses.join(several.select("group_id"), "group_id", "left_semi")


def count_uses(uses: DataFrame) -> DataFrame:
    """Count the uses of each group: documents, stories, contexts, distinct contexts, outlets.

    Grain: group × period × kind of source; each of the last two is ``all``, too.
    """
    kinds = F.array_compact(F.array(F.lit(ALL), "kind"))
    periods = F.array_compact(F.array(F.lit(ALL), "period"))
    each = uses.withColumn("period", F.explode(periods)).withColumn("kind", F.explode(kinds))
    return each.groupBy("group_id", "period", "kind").agg(
        F.countDistinct("native_key").alias("n_documents"),
        F.countDistinct("story_id").alias("n_stories"),
        F.count("*").alias("n_contexts"),
        F.countDistinct("masked_hash").alias("n_distinct_contexts"),
        F.countDistinct("outlet").alias("n_outlets"),
    )


def sample_uses(uses: DataFrame, counts: DataFrame, size: int) -> DataFrame:
    """Sample about ``size`` distinct contexts of each larger group by hash, and keep all of their uses.

    Grain: a use, with ``n_distinct_contexts`` of its group from ``counts`` (:func:`count_uses`).
    """
    wanted = counts.where((F.col("period") == ALL) & (F.col("kind") == ALL)).select("group_id", "n_distinct_contexts")
    share = F.lit(size) / F.col("n_distinct_contexts")
    # The first 32 bits of a hexadecimal hash as a number in [0, 1).
    position = F.conv(F.substring("masked_hash", 1, 8), 16, 10).cast("double") / F.lit(float(1 << 32))
    return uses.join(wanted, "group_id", "inner").where(position < share)


def weigh_contexts(sampled: DataFrame) -> DataFrame:
    """Gather the uses of each distinct context. Grain: group × masked_hash.

    ``raw_hash``: of several the least. ``use``: place of the first one by (doc_id, start). ``uses``: month, kind,
    outlet and story of its uses, with the number of ``copies``; of several stories the least, and of tweets by known
    authors the author in its place, since what one person writes depends on one another. An author is named by the
    least doc_id in the group: the order of keys depends on the secret of the lake.
    """
    by_author = (F.col("kind") == "tweet") & F.col("author_key").isNotNull()
    tweets = Window.partitionBy("group_id", F.when(by_author, F.col("author_key")).otherwise(F.col("doc_id")))
    story = F.when(by_author, F.min("doc_id").over(tweets)).otherwise(F.col("story_id"))
    where = F.struct("doc_id", "start", "context_start", "context_end")
    alike = (
        sampled.withColumn("story", story)
        .groupBy("group_id", "masked_hash", "period", "kind", "outlet")
        .agg(
            F.count("*").alias("copies"),
            F.min("story").alias("story"),
            F.min("raw_hash").alias("raw_hash"),
            F.min(where).alias("use"),
        )
    )
    use = F.struct("period", "kind", "outlet", "story", "copies")
    return alike.groupBy("group_id", "masked_hash").agg(
        F.min("raw_hash").alias("raw_hash"),
        F.min("use").alias("use"),
        F.sort_array(F.collect_list(use)).alias("uses"),
    )
