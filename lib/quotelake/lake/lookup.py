"""Rows of a table whose key is among some keys: by a join of the key column, which reads nothing else of other rows."""

from collections.abc import Sequence
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from quotelake.lake.contracts import clustered_by
from quotelake.lake.frames import LITERALS

#: Keys that are sent to every task at most, some 20 MB; Spark chooses how to join more.
BROADCAST_KEYS = 200_000
#: Bytes of a table from which a few keys are looked up as literals, by which pages of its files are left out.
LARGE_BYTES = 64 << 20
#: What no compression makes smaller: the random bytes of an id. So a table of fewer bytes has fewer rows.
_BYTES_PER_ROW = 16


def rows_among(archive: DataFrame, table: str, path: str, keys: DataFrame, columns: Sequence[str] = ()) -> DataFrame:
    """Rows of a table whose value in a column is among ``keys``.

    Args:
        archive: the table, as just opened.
        table: its name.
        path: where it lies.
        keys: a frame of that one column; repetitions do no harm.
        columns: what is read beside that column; all where none is named.
    """
    [on] = keys.columns
    spark = archive.sparkSession
    wanted = archive.select(on, *columns) if columns else archive
    if _is_small(spark, path):  # the keys of one batch are few too, and counting them would cost a job
        return wanted.join(F.broadcast(keys), on, "left_semi")
    if on == clustered_by(table) and table_bytes(spark, path) >= LARGE_BYTES:
        few = [row[0] for row in keys.distinct().limit(LITERALS + 1).collect()]
        if len(few) <= LITERALS:
            return wanted.where(F.col(on).isin(few))
    return wanted.join(_bounded(keys), on, "left_semi")


def known_keys(archive: DataFrame, path: str, rows: DataFrame, key: Sequence[str]) -> DataFrame:
    """Keys of a table, at least those among ``rows``, for an anti-join inside the plan that writes the others."""
    keys = archive.select(*key)
    if _is_small(archive.sparkSession, path):
        return F.broadcast(keys)
    return keys.join(_bounded(rows.select(*key)), list(key), "left_semi")


def table_bytes(spark: SparkSession, path: str) -> int:
    """Bytes of the data files of a table, as last opened: known without any job."""
    return int(_snapshot(spark, path).sizeInBytes())


def last_transaction(spark: SparkSession, path: str, app: str) -> int | None:
    """Version of the last write to a table, as last opened, that an application named; None where it named none."""
    found = _snapshot(spark, path).transactions().get(app)
    return int(found.get()) if found.isDefined() else None


def _bounded(keys: DataFrame) -> DataFrame:
    """Have keys sent to every task, unless they are too many."""
    few = keys.limit(BROADCAST_KEYS + 1).count() <= BROADCAST_KEYS
    return F.broadcast(keys) if few else keys


def _is_small(spark: SparkSession, path: str) -> bool:
    """Whether a table, as last opened, surely has at most :data:`BROADCAST_KEYS` rows: known without any job."""
    return table_bytes(spark, path) < BROADCAST_KEYS * _BYTES_PER_ROW


def _snapshot(spark: SparkSession, path: str) -> Any:
    jvm: Any = spark._jvm
    return jvm.org.apache.spark.sql.delta.DeltaLog.forTable(spark._jsparkSession, path).unsafeVolatileSnapshot()
