"""Topic scores of any size, without texts: a lake of scored groups, and vectors of contexts. For benchmarks."""

from collections.abc import Iterator
from functools import partial

import numpy as np
import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from quotelake.lake.contracts import columns, contract
from quotelake.lake.runs import new_run
from quotelake.lake.tables import Lake
from quotelake.topics.variation import Floats

_STAMPS = {"rule_version": "bench", "fingerprint": "f" * 32, "representation": "masked"}
#: Contexts of a group on average; groups differ in size by a factor of ten.
CONTEXTS = 100


def write_scored_lake(spark: SparkSession, root: str, groups: int) -> None:
    """Write a lake with so many scored groups, of one variant each, that views take for one with a complete run.

    Args:
        spark: session with Delta.
        root: directory of the lake, which does not exist.
        groups: their number.
    """
    run = new_run("bench", None, lambda line: None)
    lake = Lake(spark, root, run.run_id, run.started)
    lake.create()
    with run.stage("bench"):
        ids = spark.range(groups).select("id", F.md5(F.col("id").cast("string")).alias("group_id"))
        for table, made in _tables(ids).items():
            lake.append(made, table)
        versions = {**_STAMPS, "detector_version": "bench", "model": "bench", "dtype": "float32"}
        lake.append(lake.frame([{**versions, "outcomes_number": 1}], "versions"), "versions")
    run.complete(lake)


def _tables(ids: DataFrame) -> dict[str, DataFrame]:
    def number(salt: int, most: int) -> Column:
        return F.pmod(F.xxhash64("id", F.lit(salt)), F.lit(most)) + 1

    mean = number(1, 1_000_000) / 1_000_000
    contexts = number(2, 200) + 2
    scored: dict[str, Column] = {
        **{name: F.lit(value) for name, value in _STAMPS.items()},
        **dict.fromkeys(("n_documents", "n_stories", "n_contexts", "n_distinct_contexts", "n_sampled"), contexts),
        "period": F.lit("all"),
        "mean_cosine": mean,
        "variation": 1 - mean,
        "variation_low": 1 - mean - 0.05,
        "variation_high": 1 - mean + 0.05,
        "mean_cosine_all": mean,
        "variation_all": 1 - mean,
    }
    text = F.concat(F.lit("what was said about number "), F.col("id").cast("string"))
    variant = {"variant_id": F.col("group_id"), "canonical_text": text, "words": F.lit(6)}
    group = {"variant_id": F.col("group_id"), "component_id": F.col("group_id"), "rule_version": F.lit("bench")}
    return {
        "topic_variation": _filled(ids, "topic_variation", scored),
        "variants": _filled(ids, "variants", variant),
        "variant_groups": _filled(ids, "variant_groups", group),
    }


def _filled(ids: DataFrame, table: str, values: dict[str, Column]) -> DataFrame:
    """Rows of a table; its other columns are NULL."""
    types = {column.name: column.type for column in contract(table).columns}
    given = values if "group_id" not in types else {"group_id": F.col("group_id"), **values}
    return ids.select(*(given.get(name, F.lit(None)).cast(types[name]).alias(name) for name in columns(table)))


def context_vectors(spark: SparkSession, contexts: int, dimension: int, tasks: int) -> tuple[DataFrame, DataFrame]:
    """Distinct contexts of groups as they are weighed, and the vectors of their texts.

    Args:
        spark: any session.
        contexts: how many, some :data:`CONTEXTS` a group.
        dimension: of the vectors, which are of unit norm around the direction of their group.
        tasks: that make them.
    """
    ids = spark.range(0, contexts, 1, tasks)
    group = F.md5((F.pmod(F.xxhash64("id"), F.lit(max(contexts // CONTEXTS, 1)))).cast("string"))
    story = F.md5((F.col("id") / 2).cast("bigint").cast("string"))
    use = F.struct(
        F.concat(F.lit("2024-0"), F.pmod("id", F.lit(4)) + 1).alias("period"),
        F.lit("news").alias("kind"),
        F.concat(F.lit("outlet "), F.pmod(F.xxhash64("id"), F.lit(50))).alias("outlet"),
        story.alias("story"),
        F.lit(1).cast("bigint").alias("copies"),
    )
    where = F.struct(
        F.lit("d").alias("doc_id"), *(F.lit(0).alias(name) for name in ("start", "context_start", "context_end"))
    )
    hashed = F.md5(F.concat(F.lit("text "), F.col("id").cast("string")))
    weighted = ids.select(
        group.alias("group_id"), hashed.alias("masked_hash"), hashed.alias("raw_hash"), where.alias("use"),
        F.array(use).alias("uses"),
    )  # fmt: skip
    made = ids.select("id", hashed.alias("text_hash")).mapInArrow(
        partial(_vectors, dimension=dimension), "text_hash STRING, vector ARRAY<FLOAT>"
    )
    return weighted, made


def counts_of(weighted: DataFrame) -> DataFrame:
    """Counts of groups as :func:`quotelake.topics.selection.count_uses` gives them, of one document per context."""
    each = weighted.select("group_id", "masked_hash", F.explode("uses").alias("use")).select("*", "use.*")
    periods, kinds = F.array(F.lit("all"), "period"), F.array(F.lit("all"), "kind")
    cells = each.withColumn("period", F.explode(periods)).withColumn("kind", F.explode(kinds))
    number = F.count("*")
    names = ("n_documents", "n_stories", "n_contexts", "n_distinct_contexts", "n_outlets")
    return cells.groupBy("group_id", "period", "kind").agg(*(number.alias(name) for name in names))


def score_made_contexts(contexts: int, dimension: int) -> None:
    """Score made contexts in a session of this process, and throw the scores away."""

    from quotelake.spark.session import fit, get_session
    from quotelake.topics.details import Explain, Thresholds
    from quotelake.topics.representation import Representation
    from quotelake.topics.score import Scoring, score_groups

    spark = get_session("bench_topics")
    fit(spark, contexts * dimension * 4)
    tasks = max(contexts // 100_000, 1)
    if tasks > 1:
        spark.conf.set("spark.sql.shuffle.partitions", str(tasks))
    weighted, vectors = context_vectors(spark, contexts, dimension, tasks)
    texts = spark.createDataFrame([], "text_hash STRING, text STRING")
    explain = Explain(contexts + 1, 0, Thresholds(0.5, 0.3), set().__contains__)
    scoring = Scoring("bench", "f" * 32, Representation(), explain)
    scored = score_groups(weighted, vectors, counts_of(weighted), texts, scoring)
    scored.write.format("noop").mode("overwrite").save()


def _vectors(batches: Iterator[pa.RecordBatch], dimension: int) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        ids = batch.column("id").to_numpy()
        made: Floats = np.random.default_rng(int(ids[0])).normal(size=(len(ids), dimension)) + 0.5
        made /= np.linalg.norm(made, axis=1, keepdims=True)
        flat = pa.array(made.astype(np.float32).reshape(-1))
        offsets = pa.array(np.arange(0, len(flat) + 1, dimension, dtype=np.int32))
        vectors = pa.ListArray.from_arrays(offsets, flat)
        yield pa.RecordBatch.from_arrays([batch.column("text_hash"), vectors], ["text_hash", "vector"])
