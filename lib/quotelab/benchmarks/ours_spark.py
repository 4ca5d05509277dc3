"""Quotelake's groups by its transforms on local Spark with all cores, without the tables of a lake."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from quotelake.nightly.groups import pairs_among, parts_for
from quotelake.nightly.places import VARIANTS, places_of
from quotelake.quotes.keys import canonical_text, variant_id
from quotelake.reuse import stage
from quotelake.spark.arrow import Row, count_rows, map_rows, struct
from quotelake.spark.session import end_session, set_parallelism, start_workers


def group(spark: SparkSession, texts: Path) -> Iterator[str]:
    """Group of each text of a file, by a session that ends with it, started and fitted as that of a run."""
    start_workers(spark)
    spark.sparkContext.setLogLevel("ERROR")
    set_parallelism(spark, texts.stat().st_size)
    yield from group_file(spark, texts)
    end_session()


def group_file(spark: SparkSession, texts: Path) -> Iterator[str]:
    """Group of each text of a file, in order; empty where it is in none. Executors sort and write them in parts."""

    def keys(row: Row) -> Iterator[Row]:  # in here, so that workers need not import this module and all of its imports
        text = row["text"]
        yield {"id": row["id"], "variant_id": variant_id(text), "canonical_text": canonical_text(text)}

    rows = spark.read.schema("id BIGINT, text STRING").json(str(texts))
    # The variants are read twice: for the grouping and for the rows of the answer.
    keyed = map_rows(rows, keys, struct("id BIGINT, variant_id STRING, canonical_text STRING")).cache()
    grouped = keyed.join(groups_of_variants(keyed), "variant_id", "left").orderBy("id")
    with tempfile.TemporaryDirectory() as folder:
        grouped.select(F.coalesce("group_id", F.lit(""))).write.mode("overwrite").text(folder)
        keyed.unpersist()
        for part in sorted(Path(folder).glob("part-*")):
            with part.open(encoding="utf-8") as lines:
                yield from (line.rstrip("\n") for line in lines)


def groups_of_variants(keyed: DataFrame) -> DataFrame:
    """Group of each variant: ``variant_id``, ``group_id``; ``keyed`` has NULL for a text without words."""
    named = keyed.where("variant_id IS NOT NULL").select("variant_id", "canonical_text")
    variants = named.dropDuplicates(["variant_id"]).cache()
    parts = parts_for(variants.count())
    if parts == 1:
        edges, _ = pairs_among(keyed.sparkSession, variants, "bench")
    else:
        postings = stage.listed(stage.postings(variants))
        edges = stage.edges(stage.candidates_among(postings, parts), variants, "bench").cache()
    placed = places_of(edges, VARIANTS, count_rows(edges)).withColumnRenamed("member", "variant_id")
    group = F.coalesce("group_id", "variant_id").alias("group_id")
    return variants.select("variant_id").join(placed, "variant_id", "left").select("variant_id", group)
