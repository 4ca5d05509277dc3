"""Measure topic variation at scale, on groups and vectors that are made for it.

`ranking` writes a lake of scored groups and ranks all of them by `rank_topics.py --out`, as CSV and as Parquet.
`contexts` scores vectors by the step of the chain that scores groups, over all time, a month and a kind of source; the
cost of a thousand contexts, which is starting Spark, is subtracted. CPU and memory are of all processes, memory as
proportional set size.
"""

import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from quotelab.benchmarks.corpora import parse_numbers
from quotelab.benchmarks.cost import Cost, measure
from quotelab.benchmarks.load import environment, job
from quotelab.report import positive, show
from quotelake.lake.contracts import columns, contract
from quotelake.lake.runs import new_run
from quotelake.lake.tables import Lake
from quotelake.settings import load_settings
from quotelake.spark.session import end_session, get_session, set_parallelism
from quotelake.topics.head import Representation
from quotelake.topics.score import Scoring, score_groups
from quotelake.topics.variation import Floats

_SIZES: Final = (1_000_000, 10_000_000)
_START: Final = 1_000  # contexts that the cost of starting is measured by
#: Contexts of a group on average; groups differ in size by a factor of ten.
_CONTEXTS: Final = 100
_STAMPS: Final = {"rule_version": "bench", "fingerprint": "f" * 32, "representation": "masked"}


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add("what", choices=("ranking", "contexts", "score"), help="score: one size, in this process")
    add("--groups", type=positive, default=1_000_000, metavar="N", help="groups (default: 1000000)")
    add("--contexts", type=parse_numbers, default=_SIZES, metavar="N,N", help="sizes (1000000,10000000)")
    add("--dimension", type=positive, default=64, metavar="D", help="numbers of a vector (default: 64)")
    add("--work", type=Path, metavar="DIR", help="folder for temporary files")


def run(options: Any) -> None:
    """Measure, print."""
    if options.what == "score":
        score_made_contexts(options.contexts[0], options.dimension)
        return
    with tempfile.TemporaryDirectory(prefix="bench_topics_", dir=options.work) as folder:
        rows = []
        if options.what == "ranking":
            lake = Path(folder) / "lake"
            spark = get_session("bench_topics")
            write_scored_lake(spark, str(lake), options.groups)
            end_session()
            for ending in ("csv", "parquet"):
                ranked = ("--min-contexts", "3", "--top", "3", "--out", f"{folder}/ranking.{ending}")
                cost = job("rank_topics.py", lake, *ranked)
                rows.append((ending, f"{cost.seconds:,.1f}", f"{cost.cpu:,.1f}", f"{cost.peak / 2**30:.2f}"))
            show(f"Ranking of {options.groups:,} groups", ("file", "wall s", "CPU s", "peak GiB"), rows)
            return
        start = _scored(Path(folder), _START, options.dimension)
        for contexts in options.contexts:
            cost = _scored(Path(folder), contexts, options.dimension)
            spent = cost.cpu - start.cpu
            rows.append((f"{contexts:,}", f"{spent:,.0f}", f"{contexts / spent:,.0f}", f"{cost.peak / 2**30:.2f}"))
        title = f"Scoring contexts, {options.dimension} numbers a vector; {start.cpu:,.0f} CPU s of start subtracted"
        show(title, ("contexts", "CPU s", "contexts per CPU s", "peak GiB"), rows, names=0)


def _scored(folder: Path, contexts: int, dimension: int) -> Cost:
    arguments = ["bench", "topics", "score", "--contexts", str(contexts), "--dimension", str(dimension)]
    program = folder / "score.py"
    program.write_text(f"from quotelab.cli import run\nrun({arguments!r})\n", "utf-8")
    return measure(["spark-submit", "--conf", f"spark.local.dir={folder}/local", str(program)], env=environment())


def write_scored_lake(spark: SparkSession, root: str, groups: int) -> None:
    """Write a lake with so many scored groups, of one variant each, that views take for one with a complete run."""
    run = new_run("bench", None, lambda line: None)
    lake = Lake(spark, root, run.run_id, run.started)
    lake.create()
    with run.stage("bench"):
        ids = spark.range(groups).select("id", F.md5(F.col("id").cast("string")).alias("group_id"))
        for table, made in _tables(ids).items():
            lake.append(made, table)
        versions = {**_STAMPS, "detector_version": "bench", "model": "bench", "dtype": "float32"}
        lake.append(lake.frame([{**versions, "outcomes_number": 1}], "versions"), "versions")
    lake.complete(run)


def _tables(ids: DataFrame) -> dict[str, DataFrame]:
    """Rows of the tables that a ranking reads; columns that are not given are NULL."""

    def number(salt: int, most: int) -> Column:
        return F.pmod(F.xxhash64("id", F.lit(salt)), F.lit(most)) + 1

    mean = number(1, 1_000_000) / 1_000_000
    contexts = number(2, 200) + 2
    scored: dict[str, Column] = {
        **{name: F.lit(value) for name, value in _STAMPS.items()},
        **dict.fromkeys(("n_documents", "n_stories", "n_contexts", "n_distinct_contexts", "n_sampled"), contexts),
        **dict.fromkeys(("mean_cosine", "mean_cosine_all"), mean),
        **dict.fromkeys(("variation", "variation_all"), 1 - mean),
        "period": F.lit("all"),
        "variation_low": 1 - mean - 0.05,
        "variation_high": 1 - mean + 0.05,
    }
    text = F.concat(F.lit("what was said about number "), F.col("id").cast("string"))
    group, same = F.col("group_id"), dict.fromkeys(("variant_id", "component_id", "group_id"), F.col("group_id"))
    given = {
        "topic_variation": {"group_id": group, **scored},
        "variants": {"variant_id": group, "canonical_text": text, "words": F.lit(6)},
        "variant_groups": {**same, "rule_version": F.lit("bench")},
    }
    types = {column.name: column.type for table in given for column in contract(table).columns}
    made = {}
    for table, values in given.items():
        cells = {name: values.get(name, F.lit(None)) for name in columns(table)}
        made[table] = ids.select(*(cell.cast(types[name]).alias(name) for name, cell in cells.items()))
    return made


def context_vectors(spark: SparkSession, contexts: int, dimension: int, tasks: int) -> tuple[DataFrame, DataFrame]:
    """Distinct contexts of groups as they are weighed, and the vectors of their texts, of unit norm."""
    ids = spark.range(0, contexts, 1, tasks)
    group = F.md5((F.pmod(F.xxhash64("id"), F.lit(max(contexts // _CONTEXTS, 1)))).cast("string"))
    use = F.struct(
        F.concat(F.lit("2024-0"), F.pmod("id", F.lit(4)) + 1).alias("period"),
        F.lit("news").alias("kind"),
        F.concat(F.lit("outlet "), F.pmod(F.xxhash64("id"), F.lit(50))).alias("outlet"),
        F.md5((F.col("id") / 2).cast("bigint").cast("string")).alias("story"),
        F.lit(1).cast("bigint").alias("copies"),
    )
    offsets = (F.lit(0).alias(name) for name in ("start", "context_start", "context_end"))
    where = F.struct(F.lit("d").alias("doc_id"), *offsets)
    hashed = F.md5(F.concat(F.lit("text "), F.col("id").cast("string")))
    weighted = ids.select(
        group.alias("group_id"), hashed.alias("masked_hash"), hashed.alias("raw_hash"), where.alias("use"),
        F.array(use).alias("uses"),
    )  # fmt: skip
    vectors = partial(_vectors, dimension=dimension)
    made = ids.select("id", hashed.alias("text_hash")).mapInArrow(vectors, "text_hash STRING, vector ARRAY<FLOAT>")
    return weighted, made


def counts_of(weighted: DataFrame) -> DataFrame:
    """Counts of groups as :func:`quotelake.topics.selection.count_uses` gives them, of one document per context."""
    each = weighted.select("group_id", "masked_hash", F.explode("uses").alias("use")).select("*", "use.*")
    periods, kinds = F.array(F.lit("all"), "period"), F.array(F.lit("all"), "kind")
    cells = each.withColumn("period", F.explode(periods)).withColumn("kind", F.explode(kinds))
    names = ("n_documents", "n_stories", "n_contexts", "n_distinct_contexts", "n_outlets")
    return cells.groupBy("group_id", "period", "kind").agg(*(F.count("*").alias(name) for name in names))


def score_made_contexts(contexts: int, dimension: int) -> None:
    """Score made contexts in a session of this process, and throw the scores away."""
    spark = get_session("bench_topics")
    set_parallelism(spark, contexts * dimension * 4)
    tasks = max(contexts // 100_000, 1)
    if tasks > 1:
        spark.conf.set("spark.sql.shuffle.partitions", str(tasks))
    weighted, vectors = context_vectors(spark, contexts, dimension, tasks)
    texts = spark.createDataFrame([], "text_hash STRING, text STRING")
    settings = load_settings(overrides=[f"topics.explained={contexts + 1}"]).topics
    scoring = Scoring("bench", "f" * 32, Representation(), settings, set().__contains__)
    scored = score_groups(weighted, vectors, counts_of(weighted), texts, scoring)
    scored.write.format("noop").mode("overwrite").save()


def _vectors(batches: Iterator[pa.RecordBatch], dimension: int) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        ids = batch.column("id").to_numpy()
        made: Floats = np.random.default_rng(int(ids[0])).normal(size=(len(ids), dimension)) + 0.5
        made /= np.linalg.norm(made, axis=1, keepdims=True)
        flat = pa.array(made.astype(np.float32).reshape(-1))
        vectors = pa.FixedSizeListArray.from_arrays(flat, dimension).cast(pa.list_(pa.float32()))
        yield pa.RecordBatch.from_arrays([batch.column("text_hash"), vectors], ["text_hash", "vector"])
