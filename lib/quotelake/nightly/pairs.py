"""New variants of a batch → the pairs that they are in, by their words.

A night compares its new variants with each other and, through stored postings, with those of all nights before.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from quotelake.lake.contracts import columns
from quotelake.lake.frames import frame_of
from quotelake.nightly.night import Batch
from quotelake.reuse import stage

#: New variants whose words are dealt into one part: some 30 million bytes of postings.
_VARIANTS_PER_PART: Final = 50_000


class Pairs(NamedTuple):
    """New variants, and the pairs they are in.

    Attributes:
        new: ``variant_id``, ``canonical_text``, ``words`` of the new variants.
        postings: rows of ``variant_postings`` of the new variants.
        edges: rows of ``variant_edges``: the pairs that a new variant is in.
        counts: of these, by name.
    """

    new: DataFrame
    postings: DataFrame
    edges: DataFrame
    counts: Mapping[str, int]


def find_pairs(batch: Batch, variants: DataFrame) -> Pairs:
    """Find the pairs of those variants, rows of ``variants``, that have no group yet."""
    new = batch.keep(_new_variants(batch, variants))
    pairs = _pairs_by_words(batch, new) if batch.night.settings.reuse.compare else _no_pairs(batch, new)
    batch.stage.count(**pairs.counts)
    return pairs


def _new_variants(batch: Batch, variants: DataFrame) -> DataFrame:
    if not batch.lake.bytes_of("variant_groups"):
        return variants
    known = batch.rows_of("variant_groups", variants.select("variant_id"), ["rule_version"])
    return variants.join(known.select("variant_id"), "variant_id", "left_anti")


def _no_pairs(batch: Batch, new: DataFrame) -> Pairs:
    postings, edges = (batch.lake.frame([], table) for table in ("variant_postings", "variant_edges"))
    return Pairs(new, postings, edges, {"variants_compared": 0, "pairs": 0})


def _pairs_by_words(batch: Batch, new: DataFrame) -> Pairs:
    number = new.count()
    parts = parts_for(number)
    if parts == 1 and not batch.lake.bytes_of("variant_postings"):
        edges, counts = pairs_among(batch.lake.spark, new, batch.rule_version)
        listed = stage.postings(new)  # only to be written
    else:
        listed = batch.keep(stage.postings(new))
        edges = batch.keep(_edges(batch, new, listed, parts))
        counts = _count(listed, edges)
    postings = listed.withColumn("rule_version", F.lit(batch.rule_version)).select(*columns("variant_postings"))
    return Pairs(new, postings, edges, {"new_variants": number, **counts})


def parts_for(variants: int) -> int:
    """Parts that the words of so many new variants are dealt into."""
    return max(-(-variants // _VARIANTS_PER_PART), 1)


def pairs_among(spark: SparkSession, new: DataFrame, rule_version: str) -> tuple[DataFrame, dict[str, int]]:
    """Find the pairs of new variants with each other, on the driver, which then holds them: of one part's variants.

    Returns:
        Rows of ``variant_edges``, and their counts by name.
    """
    found = stage.compare_within(new.select("variant_id", "canonical_text").toArrow())
    edges = frame_of(spark, [edge | {"rule_version": rule_version} for edge in found.edges], "variant_edges")
    return edges, _counts(found.compared, found.sought, len(found.edges))


def _edges(batch: Batch, new: DataFrame, listed: DataFrame, parts: int) -> DataFrame:
    """Find the pairs of new variants with each other and with those of earlier nights, by Spark."""
    texts = new.select("variant_id", "canonical_text")
    if not batch.lake.bytes_of("variant_postings"):
        return stage.edges(stage.candidate_pairs(listed, None, parts), texts, batch.rule_version)
    asked = batch.keep(stage.probe_tokens(listed))
    stored = batch.rows_of("variant_postings", asked.select("token"))
    # A batch that was killed may have written postings of these very variants.
    archive = stage.useful_postings(stored.join(texts, "variant_id", "left_anti"), asked)
    pairs = batch.keep(stage.candidate_pairs(listed, archive, parts))
    ids = pairs.select(F.explode(F.array("a", "b")).alias("variant_id")).dropDuplicates()
    earlier = batch.lake.rows_of("variants", ids.join(texts, "variant_id", "left_anti"), ["canonical_text"])
    return stage.edges(pairs, texts.unionByName(earlier), batch.rule_version)


def _count(postings: DataFrame, edges: DataFrame) -> dict[str, int]:
    sought = F.countDistinct(F.when(F.col("probe"), F.col("variant_id")))
    found = postings.agg(F.countDistinct("variant_id"), sought).first()
    assert found is not None  # an aggregate without groups has one row
    return _counts(found[0], found[1], edges.count())


def _counts(compared: int, sought: int, pairs: int) -> dict[str, int]:
    """Variants that are compared, those also looked for in longer ones, and the pairs found."""
    return {"variants_compared": compared, "variants_sought_in_longer": sought, "pairs": pairs}
