"""A pure kernel on rows as a Spark transform: Arrow in, Arrow out, in bounded batches."""

import gc
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType

from quotelake.spark.session import LOCAL_BYTES

Row = dict[str, Any]


def struct(ddl: str) -> StructType:
    """Columns of a DDL string such as ``text_hash STRING, text STRING``; needs a session."""
    parsed = StructType.fromDDL(ddl)
    assert isinstance(parsed, StructType)  # the signature says DataType
    return parsed


def frame_of_table(spark: SparkSession, table: pa.Table) -> DataFrame:
    """A table of the driver as a frame: in the plan if it is small, else in a partition for each slot."""
    frame = spark.createDataFrame(table)
    # Outside of the plan Spark would make a task, and a file, for each 2,000 rows.
    return frame if table.nbytes <= LOCAL_BYTES else frame.coalesce(spark.sparkContext.defaultParallelism)


def arrow_schema(schema: StructType) -> pa.Schema:
    """Arrow types of Spark's; times are UTC, as in every session of ours."""
    return to_arrow_schema(schema, timezone="UTC")


#: Excludes all present objects of a worker from garbage collection, which gathered rows trigger again and again; once.
_freeze_gc = cache(gc.freeze)


def record_batches(
    rows: Iterable[Row], declared: pa.Schema, at_once: int, weight: Callable[[Row], int] = lambda row: 1
) -> Iterator[pa.RecordBatch]:
    """Gather rows into batches of ``at_once`` rows, or of about that sum of ``weight``, of the declared types."""
    _freeze_gc()
    gathered, weighs = list[Row](), 0
    for row in rows:
        gathered.append(row)
        weighs += weight(row)
        if weighs >= at_once:
            yield pa.RecordBatch.from_pylist(gathered, schema=declared)
            gathered, weighs = [], 0
    if gathered:
        yield pa.RecordBatch.from_pylist(gathered, schema=declared)


def map_rows(
    df: DataFrame,
    kernel: Callable[[Row], Iterable[Row]],
    schema: StructType,
    at_once: int = 4096,
    weight: Callable[[Row], int] = lambda row: 1,
) -> DataFrame:
    """Apply a kernel, pickled to the workers, to every row; each yields rows of ``schema``, gathered within bounds."""
    nullable = schema.toNullable()
    declared = arrow_schema(nullable)

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        made = (row for batch in batches for given in batch.to_pylist() for row in kernel(given))
        return record_batches(made, declared, at_once, weight)

    return df.mapInArrow(run, nullable)
