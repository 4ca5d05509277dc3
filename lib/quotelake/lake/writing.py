"""Writing to one table of a lake: what becomes of rows that are there, and of a write that meets another one."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TypeVar

import pyarrow as pa
from delta.tables import DeltaTable
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from quotelake.lake.contracts import RUN_COLUMNS, clustered_by, contract
from quotelake.lake.frames import LITERALS, arranged, bound_of, check
from quotelake.lake.lookup import known_keys, rows_among, table_bytes
from quotelake.spark.materialise import Materialised

#: Delta's exceptions and their error classes. A table whose columns or protocol changed meanwhile is a conflict too.
_CONFLICTS = (
    "DELTA_CONCURRENT", "ConcurrentAppend", "ConcurrentModification", "ConcurrentTransaction",
    "DELTA_METADATA_CHANGED", "MetadataChangedException", "DELTA_PROTOCOL_CHANGED", "ProtocolChangedException",
)  # fmt: skip
_ATTEMPTS = 8
_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Transaction:
    """Names one write, so that Delta takes it once however often it is tried.

    ``app`` must contain the id of the streaming checkpoint: a new checkpoint counts its batches from 0 again.
    """

    app: str
    version: int

    def of(self, table: str) -> str:
        """Name of the application in the log of a table."""
        return f"{table}:{self.app}"


@dataclass(frozen=True)
class Target:
    """A table that a run writes to.

    Args:
        spark: session with Delta.
        table: its name.
        path: where it lies.
        run_id: stamped on every row that is written.
        started: start of the run, UTC; stamped too.
    """

    spark: SparkSession
    table: str
    path: str
    run_id: str
    started: datetime

    def read(self) -> DataFrame:
        """The table as it is now."""
        return self.spark.read.format("delta").load(self.path)

    def delta(self) -> DeltaTable:
        """The table as Delta merges into it, under the name ``old``."""
        return DeltaTable.forPath(self.spark, self.path).alias("old")

    def stamped(self, df: DataFrame) -> DataFrame:
        """Rows with the columns that say which run wrote them."""
        stamps = {"run_id": F.lit(self.run_id), "ingested_at": F.lit(self.started)}
        return df.select(*df.columns, *(stamps[name].alias(name) for name in RUN_COLUMNS))


def retry(write: Callable[[], _Result]) -> _Result:
    """Call ``write`` again while it fails by a conflict with another writer; the last failure is raised."""
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            return write()
        except (PySparkException, Py4JJavaError) as error:
            if attempt == _ATTEMPTS or not any(name in str(error) for name in _CONFLICTS):
                raise
            time.sleep(0.2 * attempt)
    raise AssertionError("unreachable: the last attempt returns or raises")


def append(df: DataFrame, target: Target, txn: Transaction | None) -> None:
    """Append rows whose keys no other write can produce; see :meth:`quotelake.lake.tables.Lake.append`."""
    retry(partial(append_once, df, target, txn))


def append_once(df: DataFrame, target: Target, txn: Transaction | None) -> None:
    """Try once: rows chosen by what the table held must be chosen anew before another attempt."""
    writer = arranged(target.stamped(check(df, target.table)), target.table).write.format("delta").mode("append")
    if txn is not None:
        writer = writer.option("txnAppId", txn.of(target.table)).option("txnVersion", txn.version)
    writer.save(target.path)


def append_new(df: DataFrame, target: Target, txn: Transaction | None) -> None:
    """Append the rows whose key is not in the table; see :meth:`quotelake.lake.tables.Lake.append_new`.

    The anti-join stands inside the writing plan, so another run's append of the same keys is a conflict that Delta
    raises and that is tried again.
    """
    retry(partial(_append_new_once, df, target, txn))


def _append_new_once(df: DataFrame, target: Target, txn: Transaction | None) -> None:
    key = list(contract(target.table).key)
    rows = check(df, target.table).dropDuplicates(key)
    known = known_keys(target.read(), target.path, rows, key)
    append_once(rows.join(known, key, "left_anti").select(*df.columns), target, txn)


def merge(df: DataFrame, target: Target) -> None:
    """Replace rows by key and insert the new ones; see :meth:`quotelake.lake.tables.Lake.merge`."""
    names = contract(target.table)
    by = clustered_by(target.table)
    assert by in names.key, f"{target.table} is not clustered by a column of its key"
    others = [column for column in names.content_columns if column not in names.key]
    same_key = " AND ".join(f"old.{column} = new.{column}" for column in names.key)
    same = " AND ".join(f"old.{column} <=> new.{column}" for column in others) or "true"
    new = check(df, target.table).alias("new")

    def write() -> None:
        archive = target.read()
        if not table_bytes(target.spark, target.path):  # nothing to replace: Delta's MERGE costs several jobs more
            _append_new_once(df, target, None)
            return
        old = rows_among(archive, target.table, target.path, df.select(by)).alias("old")
        with Materialised() as materialise:
            changed = materialise(new.join(old, F.expr(f"{same_key} AND {same}"), "left_anti"))
            bound = bound_of(changed, by)
            if bound is None:
                return
            merge = target.delta().merge(target.stamped(changed).alias("new"), f"old.{by} {bound} AND {same_key}")
            merge.whenMatchedUpdateAll(f"NOT ({same})").whenNotMatchedInsertAll().execute()

    retry(write)


def replace(df: DataFrame, target: Target, on: str, values: Sequence[str]) -> None:
    """Replace all rows of some values of a column; see :meth:`quotelake.lake.tables.Lake.replace`."""
    for first in range(0, len(values), LITERALS):
        part = list(values[first : first + LITERALS])
        retry(partial(_replace, df.where(F.col(on).isin(part)), target, on, part))


def _replace(df: DataFrame, target: Target, on: str, values: Sequence[str]) -> None:
    writer = arranged(target.stamped(check(df, target.table)), target.table).write.format("delta").mode("overwrite")
    listed = ", ".join(f"'{value}'" for value in values)
    writer.option("replaceWhere", f"{on} IN ({listed})").save(target.path)


def correct(df: DataFrame, target: Target, on: str) -> None:
    """Give rows that are there other values of some columns; see :meth:`quotelake.lake.tables.Lake.correct`."""
    names = [name for name in df.columns if name != on]
    differ = " OR ".join(f"NOT (old.{name} <=> new.{name})" for name in names)

    def write() -> None:
        bound = bound_of(df, on)
        if bound is None:
            return
        merge = target.delta().merge(df.alias("new"), f"old.{on} {bound} AND old.{on} = new.{on}")
        merge.whenMatchedUpdate(differ, {name: f"new.{name}" for name in names}).execute()

    retry(write)


def delete(target: Target, on: str, values: Sequence[str], rule_version: str) -> None:
    """Delete the rows of some values of a column; see :meth:`quotelake.lake.tables.Lake.delete`."""
    of_these_rules = f"old.rule_version = '{rule_version}'"
    if len(values) > LITERALS:
        gone = target.spark.createDataFrame(pa.table({on: pa.array(sorted(set(values)), pa.string())})).alias("gone")
        merge = target.delta().merge(gone, f"old.{on} = gone.{on} AND {of_these_rules}")
        retry(merge.whenMatchedDelete().execute)
    elif values:  # a list of literals costs less than a join
        listed = ", ".join(f"'{value}'" for value in values)
        retry(partial(target.delta().delete, f"old.{on} IN ({listed}) AND {of_these_rules}"))


def rewrite(target: Target, files: int) -> None:
    """Write a table anew into a number of files; see :meth:`quotelake.lake.tables.Lake.rewrite`."""
    by = clustered_by(target.table)

    def write() -> None:
        rows = target.read()
        placed = rows.repartition(files) if by is None else rows.repartitionByRange(files, by)
        writer = arranged(placed, target.table).write.format("delta").mode("overwrite").option("dataChange", "false")
        # Not a plain overwrite, which would make the table anew, without its clustering column.
        writer.option("replaceWhere", "true").save(target.path)

    retry(write)
