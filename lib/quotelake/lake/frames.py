"""Frames for a table: checked against its contract, and sorted by a column in files of small pages.

Each page states its least and greatest key: a list of literal keys excludes all pages without one of them.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final
from urllib.parse import unquote

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

from quotelake.errors import ContractError
from quotelake.lake.contracts import DICTIONARY_BYTES, FALSE_POSITIVES, columns, contract, table_names
from quotelake.spark.arrow import arrow_schema, frame_of_table, struct

#: Keys in one literal list. Of a longer one Spark gives the Parquet reader the range only, and the tree of comparisons
#: that it builds overflows the stack at 3,000.
LITERALS: Final = 512
_SETTINGS: Final = {
    # Writing. Spark's own snappy leaves the hexadecimal digits of ids as they are: 34 bytes where zstd takes 20, and of
    # a body 222 for 151 (sample).
    "spark.sql.parquet.compression.codec": "zstd",
    "parquet.block.size": str(32 << 20),
    "parquet.columnindex.truncate.length": "16",  # a look-up reads this index of all columns
    "parquet.dictionary.page.size": str(DICTIONARY_BYTES),
    # Reading: hand whole lists down.
    "spark.sql.parquet.pushdown.inFilterThreshold": str(LITERALS),
    # Files of a table that the driver looks at, not a job.
    "spark.sql.sources.parallelPartitionDiscovery.threshold": "10000",
    # Tasks that list the files of a table for VACUUM: Spark's 10,000 take minutes, and longer than the listing.
    "spark.sql.sources.parallelPartitionDiscovery.parallelism": "32",
}


def laid_out(spark: SparkSession) -> SparkSession:
    """A session, set up to write and read this layout."""
    for name, value in _SETTINGS.items():
        spark.conf.set(name, value)
    return spark


@cache
def table_schema(table: str, *, stamped: bool = False) -> StructType:
    """Spark types of the content columns of a table, or of all; all nullable as Spark's own transforms leave them."""
    chosen = (each for each in contract(table).columns if stamped or each.name in columns(table))
    return struct(", ".join(f"{each.name} {each.type}" for each in chosen))


def newest(rows: DataFrame, table: str) -> DataFrame:
    """The rows that hold, of all rows of a table, or of all with some values of a column that it is newest by.

    The same as :func:`.contracts.newest_rows`.
    """
    if not (by := contract(table).newest_by):
        return rows
    order = F.coalesce("written", F.lit(0))
    placed = rows.withColumn("latest", F.max(order).over(Window.partitionBy(*by)))
    return placed.where((order == F.col("latest")) & ~F.coalesce("gone", F.lit(False))).drop("latest")


def frame_of(spark: SparkSession, rows: Sequence[Mapping[str, Any]], table: str) -> DataFrame:
    """Rows of the driver as a frame with the content columns of a table."""
    # By Arrow: rows given as Python objects would pass through a worker.
    schema = arrow_schema(table_schema(table))
    return frame_of_table(spark, pa.Table.from_pylist([dict(row) for row in rows], schema=schema))


def check(df: DataFrame, table: str) -> DataFrame:
    """Return ``df`` if its columns are the content columns of ``table``.

    Raises:
        ContractError: every column that is missing, unexpected or of another type, at once.
    """
    found, expected = (
        {field.name: field.dataType.simpleString() for field in schema.fields}
        for schema in (df.schema, table_schema(table))
    )
    both = [name for name in expected if name in found]
    faults = {
        "missing": [name for name in expected if name not in found],
        "unexpected": [name for name in found if name not in expected],
        "wrong type": [f"{n}: {found[n]}, expected {expected[n]}" for n in both if found[n] != expected[n]],
    }
    if any(faults.values()):
        listed = "; ".join(f"{fault} [{', '.join(names)}]" for fault, names in faults.items() if names)
        raise ContractError(f"{table}: {listed}")
    return df


def sorted_for_writing(df: DataFrame, table: str) -> DataFrame:
    """Rows sorted within each file to be written next, which is laid out as their contract says."""
    column, conf = contract(table).sorted_by, df.sparkSession.conf
    conf.set("parquet.page.row.count.limit", str(contract(table).page_rows))
    conf.set("parquet.block.row.count.limit", str(contract(table).group_rows))
    conf.set("parquet.column.statistics.enabled", column is None)  # a look-up reads the index of pages of all columns
    for each in {contract(name).sorted_by for name in table_names()} - {None}:
        conf.set(f"parquet.column.statistics.enabled#{each}", each == column)
        conf.set(f"parquet.bloom.filter.enabled#{each}", each == column)
        conf.set(f"parquet.bloom.filter.expected.ndv#{each}", contract(table).group_rows)
        conf.set(f"parquet.bloom.filter.fpp#{each}", str(FALSE_POSITIVES))
    return df if column is None else df.sortWithinPartitions(column)


def few_ids(rows: DataFrame, column: str, most: int) -> list[str] | None:
    """The distinct ids of a column, in order, without NULL; None if there are more than ``most``."""
    ids = sorted(row[0] for row in rows.select(column).dropna().distinct().limit(most + 1).collect())
    return ids if len(ids) <= most else None


def in_list_condition(column: str, ids: Sequence[str]) -> str:
    """Condition that a column is one of some ids, in order, in lists short enough for the Parquet reader.

    >>> in_list_condition("a", ["x", "y"])
    "a IN ('x', 'y')"
    """
    # As text: a column of literals costs a call of Java for each, of 8,000 five seconds.
    if len(ids) <= LITERALS:
        return f"{column} IN ({', '.join(map(_literal, ids))})" if ids else "false"
    # By halves: a row is looked for in one list, not in each of sixteen.
    half, middle = len(ids) // 2, _literal(ids[len(ids) // 2])
    below, above = (in_list_condition(column, part) for part in (ids[:half], ids[half:]))
    return f"({column} < {middle} AND {below} OR {column} >= {middle} AND {above})"


def table_bytes(spark: SparkSession, path: str) -> int:
    """Bytes of the data files of a table, as last opened; a job counts them if no checksum beside the log has them."""
    snapshot = _snapshot(spark, path)
    written = snapshot.checksumOpt()
    return int(written.get().tableSizeBytes() if written.isDefined() else snapshot.sizeInBytes())


def data_files(spark: SparkSession, path: str) -> dict[str, int]:
    """Names of the data files of a table now, and the bytes of each, by its log."""
    spark.read.format("delta").load(path)  # opens it as it is now
    files = DataFrame(_snapshot(spark, path).allFiles().toDF(), spark)
    return {unquote(row["path"]): row["size"] for row in files.select("path", "size").collect()}


def last_transaction(spark: SparkSession, path: str, app: str) -> int | None:
    """Version of an application's last write to a table, as last opened; None if there is none."""
    found = _snapshot(spark, path).transactions().get(app)
    return int(found.get()) if found.isDefined() else None


def write_checkpoint(spark: SparkSession, path: str) -> None:
    """Write a checkpoint of a table's log at its current version."""
    _log(spark, path).checkpoint()


def _snapshot(spark: SparkSession, path: str) -> Any:
    return _log(spark, path).unsafeVolatileSnapshot()


def _log(spark: SparkSession, path: str) -> Any:
    # Named at once: each part of a name asked for alone would be looked for as a class in every jar.
    log = getattr(spark._jvm, "org.apache.spark.sql.delta.DeltaLog")
    return log.forTable(spark._jsparkSession, path)


def _literal(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
