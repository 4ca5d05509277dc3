"""Stories in Spark: the kernels of this room on frames of texts. The only file of the room that knows Spark."""

from collections.abc import Iterator

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quotelake.lake.contracts import columns
from quotelake.reuse.stories.pairs import COLUMNS, CONTAINMENT, JACCARD, MIN_SHARED, shared_hashes

_SAMPLED = ("text_id", "words", "level", "sizes", "sample")
_PAIR = ("a", "b", "words_a", "words_b", "size_a", "size_b")


def compared_texts(texts: DataFrame) -> DataFrame:
    """Keep the texts that are compared with others, equal ones once. Grain: ``text_id``.

    Args:
        texts: rows of ``story_texts``.
    """
    return texts.where(F.size("sample") > 0).select(*_SAMPLED).dropDuplicates(["text_id"])


def hashes(texts: DataFrame) -> DataFrame:
    """Hashes of the samples of texts. Grain: text × hash, as often as the text is there; ``token`` is the hash."""
    return texts.select(*_SAMPLED[:-1], F.explode("sample").alias("token"))


def edges(new: DataFrame, archive: DataFrame | None, partitions: int, rule_version: str) -> DataFrame:
    """Find the pairs of texts that are copies, at least one of each new. Grain: a pair; rows of ``story_edges``.

    Args:
        new: hashes of new texts (:func:`hashes`), each once.
        archive: those of earlier texts, of which some may be repeated; None where there are none.
        partitions: into so many parts the hashes are dealt; each is held in memory at once.
        rule_version: version of the rules.
    """
    every = new.withColumn("new", F.lit(True))
    if archive is not None:
        asked = archive.join(F.broadcast(new.select("token").dropDuplicates()), "token", "left_semi")
        every = every.unionByName(asked.dropDuplicates(["text_id", "token"]).withColumn("new", F.lit(False)))
    dealt = every.repartition(partitions, "token")
    counted = dealt.mapInArrow(_count, COLUMNS).groupBy(*_PAIR).agg(F.sum("shared").cast("int").alias("shared"))
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


def _count(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    held = list(batches)
    if held:
        yield shared_hashes(pa.Table.from_batches(held))


def with_story(uses: DataFrame, placed: DataFrame) -> DataFrame:
    """Add ``story_id`` to rows with a ``text_id``: that of a text that has copies, else the text itself.

    Args:
        uses: rows with ``text_id``.
        placed: ``text_id`` and ``story_id`` of texts that are in pairs, each once.
    """
    joined = uses.join(placed.select("text_id", "story_id"), "text_id", "left")
    return joined.withColumn("story_id", F.coalesce("story_id", "text_id"))
