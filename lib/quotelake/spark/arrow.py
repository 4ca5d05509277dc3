"""A pure kernel on rows as a Spark transform: Arrow in, Arrow out, in bounded batches."""

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, Final
from weakref import WeakKeyDictionary

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType

from quotelake.spark.session import LOCAL_BYTES

Row = dict[str, Any]

#: Rows of a frame that are brought to the driver at most, where a batch is small.
MOST_ON_DRIVER: Final = 50_000
#: The tables that frames were made of, while these exist.
_TABLES: WeakKeyDictionary[DataFrame, pa.Table] = WeakKeyDictionary()


def struct(ddl: str) -> StructType:
    """Columns of a DDL string such as ``text_hash STRING, text STRING``; needs a session."""
    parsed = StructType.fromDDL(ddl)
    assert isinstance(parsed, StructType)  # the signature says DataType
    return parsed


def frame_of_table(spark: SparkSession, table: pa.Table) -> DataFrame:
    """A table of the driver as a frame: in the plan and one partition if it is small, else in one for each slot."""
    # Outside of the plan Spark would make a task, and a file, for each 2,000 rows; in it, it would shuffle for a join
    # what it does not know to be one partition.
    table = table if table.num_rows else table.schema.empty_table()  # Spark fails on a column without a chunk
    parts = 1 if table.nbytes <= LOCAL_BYTES else spark.sparkContext.defaultParallelism
    frame = spark.createDataFrame(table).coalesce(parts)
    _TABLES[frame] = table
    return frame


def known_table(df: DataFrame) -> pa.Table | None:
    """The table that a frame was made of, None of any other frame."""
    return _TABLES.get(df)


def table_of(df: DataFrame) -> pa.Table:
    """All rows of a frame on the driver, by a job unless it was made of a table."""
    table = known_table(df)
    return df.toArrow() if table is None else table


def small_table(df: DataFrame) -> pa.Table | None:
    """Rows of a frame on the driver, by a job unless it was made of a table; None if they are too many."""
    if (table := known_table(df)) is None:
        table = df.limit(MOST_ON_DRIVER + 1).toArrow()
    return table if table.num_rows <= MOST_ON_DRIVER else None


def column_of(df: DataFrame, name: str, renamed: str | None = None) -> DataFrame:
    """One column of a frame, such as keys to be looked up; made of a table where the frame is."""
    if (table := known_table(df)) is not None:
        return frame_of_table(df.sparkSession, table.select([name]).rename_columns([renamed or name]))
    return df.select(F.col(name).alias(renamed or name))


def rows_in_arrays(df: DataFrame, name: str, columns: Sequence[str] = ()) -> DataFrame:
    """The rows of a column of arrays of structs, with all or some columns; made of a table where the frame is."""
    if (table := known_table(df)) is not None:
        rows = pa.Table.from_struct_array(pc.list_flatten(table.column(name)))
        return frame_of_table(df.sparkSession, rows.select(columns) if columns else rows)
    return df.select(F.explode(name).alias("row")).select("row.*").select(*(columns or "*"))


def count_rows(df: DataFrame) -> int:
    """Count the rows of a frame, without a job where it was made of a table."""
    table = known_table(df)
    return df.count() if table is None else table.num_rows


def larger_batches(batches: Iterable[pa.RecordBatch], rows: int) -> Iterator[pa.RecordBatch]:
    """The same rows in batches of at least so many ``rows``, but for the last."""
    waiting = list[pa.RecordBatch]()
    for batch in batches:
        waiting.append(batch)
        if sum(each.num_rows for each in waiting) >= rows:
            yield from pa.Table.from_batches(waiting).combine_chunks().to_batches()
            waiting.clear()
    yield from pa.Table.from_batches(waiting).combine_chunks().to_batches() if waiting else ()


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
