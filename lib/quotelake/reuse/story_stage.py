"""Stories in Spark: the kernels of :mod:`quotelake.reuse.stories` on frames of texts."""

from collections.abc import Iterator, Sequence
from datetime import date
from functools import reduce
from operator import or_

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quotelake.lake.contracts import columns
from quotelake.reuse.stories import COLUMNS, CONTAINMENT, JACCARD, MIN_SHARED, day_ranges, shared_hashes

_SAMPLED = ("text_id", "words", "level", "sizes", "sample")
_PAIR = ("a", "b", "words_a", "words_b", "size_a", "size_b")


def compared_texts(texts: DataFrame) -> DataFrame:
    """Keep the rows of ``story_texts`` that are compared with others. Grain: ``text_id``, ``published``."""
    return texts.where(F.size("sample") > 0).select(*_SAMPLED, "published").dropDuplicates(["text_id", "published"])


def near_days(texts: DataFrame, days: Sequence[date | None], window: int) -> DataFrame:
    """Keep the rows of ``story_texts`` published within ``window`` days of one of ``days``; None is near any day."""
    if None in days:
        return texts
    on = F.col("published")
    near = [on.between(first, last) for first, last in day_ranges(filter(None, days), window)]
    return texts.where(reduce(or_, near, on.isNull()))


def near_pairs(edges: DataFrame, texts: DataFrame, window: int) -> DataFrame:
    """Keep the pairs whose texts were published within ``window`` days of one another, one of them undated included.

    ``texts`` are ``text_id``, ``published`` of the texts in the pairs, each once.
    """
    on_a, on_b = (texts.select(F.col("text_id").alias(side), F.col("published").alias(f"on_{side}")) for side in "ab")
    near = F.coalesce(F.abs(F.datediff("on_a", "on_b")) <= window, F.lit(True))
    dated = edges.join(on_a, "a", "inner").join(on_b, "b", "inner").where(near)
    return dated.select(*edges.columns).dropDuplicates(["a", "b"])


def story_hashes(texts: DataFrame) -> DataFrame:
    """Hashes of the samples of texts. Grain: text × hash; ``token`` is the hash."""
    return texts.select(*_SAMPLED[:-1], F.explode("sample").alias("token"))


def story_edges(new: DataFrame, archive: DataFrame | None, partitions: int, rule_version: str) -> DataFrame:
    """Find the pairs of texts that are copies, at least one of each new. Grain: a pair; rows of ``story_edges``.

    Args:
        new: hashes of new texts (:func:`story_hashes`), each once.
        archive: those of earlier texts, possibly repeated; None where there are none.
        partitions: parts that the hashes are divided into, each in memory at once.
        rule_version: version of the rules.
    """
    every = new.withColumn("new", F.lit(True))
    if archive is not None:
        common = archive.join(F.broadcast(new.select("token").dropDuplicates()), "token", "left_semi")
        every = every.unionByName(common.dropDuplicates(["text_id", "token"]).withColumn("new", F.lit(False)))
    dealt = every.repartition(partitions, "token")

    def count(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        if gathered := list(batches):
            yield shared_hashes(pa.Table.from_batches(gathered))

    counted = dealt.mapInArrow(count, COLUMNS).groupBy(*_PAIR).agg(F.sum("shared").cast("int").alias("shared"))
    smaller = F.least("size_a", "size_b")
    measured = counted.withColumns({
        "jaccard": F.col("shared") / (F.col("size_a") + F.col("size_b") - F.col("shared")),
        "containment": F.col("shared") / smaller,
    })  # fmt: skip
    copies = measured.where((F.col("shared") >= MIN_SHARED) & (F.col("containment") >= CONTAINMENT))
    near = F.col("jaccard") > JACCARD
    part = F.when(F.struct("size_a", "words_a", "a") < F.struct("size_b", "words_b", "b"), F.col("a"))
    stamped = copies.withColumns({
        "rule_version": F.lit(rule_version),
        "measure": F.when(near, "wording").otherwise("containment"),
        "contained": F.when(~near, F.coalesce(part, F.col("b"))),
    })  # fmt: skip
    return stamped.select(*columns("story_edges"))


def with_story(uses: DataFrame, placed: DataFrame) -> DataFrame:
    """Add ``story_id`` to rows with a ``text_id``: that of a text in pairs (``placed``), else the text itself."""
    joined = uses.join(placed.select("text_id", "story_id"), "text_id", "left")
    return joined.withColumn("story_id", F.coalesce("story_id", "text_id"))
