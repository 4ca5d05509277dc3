"""Writes of a run: the ways in which rows meet those that are stored, and a write another one."""

import re
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import UTC
from functools import partial

import pyarrow as pa
from delta.tables import DeltaTable
from deltalake.exceptions import CommitFailedError
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quotelake.errors import LakeBusyError
from quotelake.lake import frames
from quotelake.lake.contracts import RUN_COLUMNS, contract
from quotelake.lake.damage import commit_versions
from quotelake.lake.lease import check_lease
from quotelake.lake.local import CONFLICTS, append_rows, delete_rows
from quotelake.lake.place import is_local
from quotelake.lake.reading import Reader, broadcast_if_few
from quotelake.spark.arrow import arrow_schema, known_table, small_table

#: Delta's exceptions and their error classes. A table whose columns or protocol changed meanwhile is a conflict too.
_CONFLICT = re.compile("|".join((
    "DELTA_CONCURRENT", "ConcurrentAppend", "ConcurrentModification", "ConcurrentTransaction",
    "DELTA_METADATA_CHANGED", "MetadataChangedException", "DELTA_PROTOCOL_CHANGED", "ProtocolChangedException",
    r"_delta_log(?:/\.[^\s'/]+)?'?:? (?:does not exist|No such file)", *CONFLICTS,  # both make it, and one clears up
)))  # fmt: skip
_ATTEMPTS = 8
SIDE_BY_SIDE = "another run writes to this lake at the same moment: start this one again when that has ended"


@dataclass(frozen=True)
class Transaction:
    """Name of a write, which Delta makes once however often it is tried."""

    app: str  # with the id of the streaming checkpoint: a new one counts its batches from 0 again
    version: int

    def of(self, table: str) -> str:
        """Name of the application in Delta's log of a table."""
        return f"{table}:{self.app}"


@dataclass(frozen=True)
class Writer(Reader):
    """A run that writes to the tables of a lake, with at most one commit per call.

    :meth:`append` is for rows that no other run can produce, :meth:`append_new` for rows whose key may be stored
    already, :meth:`replace` for rows that replace others, :meth:`correct` for values that a file read again corrects.
    """

    def commit(self, write: Callable[[], object]) -> None:
        """Make a commit by calling ``write``, and again while it fails by a conflict with another writer.

        A LakeBusyError: it fails so for too long, or the run may not write any more (:func:`.lease.check_lease`).
        """
        for attempt in range(1, _ATTEMPTS + 1):
            check_lease(self.storage, self.run_id)
            try:
                write()
                return
            except (PySparkException, Py4JJavaError, CommitFailedError) as error:
                if not _CONFLICT.search(str(error)):
                    raise
                if attempt == _ATTEMPTS:
                    raise LakeBusyError(SIDE_BY_SIDE) from error
                time.sleep(0.2 * attempt)

    def append(self, df: DataFrame, table: str, txn: Transaction | None = None) -> None:
        """Append rows whose keys no other write can produce; with ``txn`` once, however often and by whom."""
        self._write(frames.check(df, table), table, txn)

    def append_new(self, df: DataFrame, table: str, txn: Transaction | None = None) -> None:
        """Append the rows whose key is not in the table yet, also if two runs do; of equal keys one row is kept."""
        self._write(frames.check(df, table), table, txn, new=True)

    def replace(
        self,
        df: DataFrame,
        table: str,
        emptied: Collection[str] = (),
        rule_version: str | None = None,
        txn: Transaction | None = None,
    ) -> int:
        """Append rows to a table of which the newest hold: all rows of each group, by the columns it is newest by.

        Other groups with values ``emptied`` of the first of these columns, under a rule version or all, have none then.
        Returns the number by which the rows are the newest.
        """
        units = list(contract(table).newest_by)
        rows = frames.check(df, table)
        if emptied and self.bytes_of(table):
            stored = self.rows_of(table, self.ids(units[0], emptied))
            stored = stored if rule_version is None else stored.where(F.col("rule_version") == rule_version)
            stale = stored.join(df.select(*units), units, "left_anti").dropDuplicates(units).select(*rows.columns)
            stale = stale.withColumn("gone", F.lit(True))
            rows = rows.withColumn("gone", F.lit(None).cast("boolean")).unionByName(stale)
        return self._write(rows, table, txn)

    def correct(self, df: DataFrame, table: str, on: str) -> None:
        """Change columns of stored rows, which keep their stamps; a stream that follows the table skips the commit.

        ``df``, materialised, has these columns and ``on``, which is unique in it.
        """
        names = [name for name in df.columns if name != on]
        differ = " OR ".join(f"NOT (old.{name} <=> new.{name})" for name in names)
        ids = frames.few_ids(df, on, frames.LITERALS)
        among = "true" if ids is None else frames.in_list_condition(f"old.{on}", ids)  # by which Delta skips files

        def write() -> None:
            merge = self.delta(table).merge(df.alias("new"), f"{among} AND old.{on} = new.{on}")
            merge.whenMatchedUpdate(differ, {name: f"new.{name}" for name in names}).execute()

        if self.bytes_of(table):
            self.commit(write)

    def delete(
        self, table: str, on: str, values: Sequence[str], rule_version: str | None = None, before: int | None = None
    ) -> None:
        """Delete the rows with some values of a column of ids, of one version of the rules or of all, in one commit.

        ``before``: only rows that others of a higher number replaced.
        """
        of_rules = "true" if rule_version is None else f"rule_version = '{rule_version}'"
        of_rules += "" if before is None else f" AND coalesce(written, 0) < {before}"
        if values:  # a list of literals costs less than a join
            where = f"{frames.in_list_condition(on, sorted(values))} AND {of_rules}"
            by_driver = partial(self.locally, partial(delete_rows, self.root, table, where))
            self.commit(lambda: (self.small and by_driver()) or self.delta(table).delete(where))

    def rewrite(self, table: str, files: int) -> None:
        """Write a table anew into a number of files, sorted; streams skip the commit."""
        by = contract(table).sorted_by

        def write() -> None:
            rows = self.read(table)
            placed = rows.repartition(files) if by is None else rows.repartitionByRange(files, by)
            # Not a plain overwrite, which would make the table anew.
            self._save(placed, table, "overwrite", dataChange="false", replaceWhere="true")

        self.commit(write)

    def stamped(self, df: DataFrame) -> DataFrame:
        """The rows with :data:`~quotelake.lake.contracts.RUN_COLUMNS`."""
        stamps = {"run_id": F.lit(self.run_id), "ingested_at": F.lit(self.started)}
        return df.select(*df.columns, *(stamps[name].alias(name) for name in RUN_COLUMNS))

    def delta(self, table: str) -> DeltaTable:
        """A table as Delta's own interface has it, with its rows as ``old``."""
        return DeltaTable.forPath(self.spark, self.path(table)).alias("old")

    def _write(self, df: DataFrame, table: str, txn: Transaction | None, *, new: bool = False) -> int:
        """Append rows, of their keys only ``new`` ones, with their writer's columns; the number of the commit."""
        rows, number = self._on_driver(df, table), 0
        named = None if txn is None else (txn.of(table), txn.version)

        def write() -> None:
            nonlocal number
            if rows is not None:
                append = partial(append_rows, self.root, table, rows, named, new=new)
                if number := self.locally(append) or 0:
                    return
            frame = self._unknown_of(df, table, txn) if new else df
            if contract(table).newest_by:
                number = max(commit_versions(self.storage, table)) + 1
                gone = F.col("gone") if "gone" in frame.columns else F.lit(None).cast("boolean")
                frame = frame.withColumns({"written": F.lit(number).cast("bigint"), "gone": gone})
            options = {} if named is None else {"txnAppId": named[0], "txnVersion": str(named[1])}
            self._save(self.stamped(frame), table, "append", **options)

        self.commit(write)
        return number

    def _on_driver(self, df: DataFrame, table: str) -> pa.Table | None:
        """Rows to be appended as a table with all columns, which the driver writes by itself; None of many rows."""
        if not is_local(self.root):
            return None
        rows = small_table(df) if self.small else known_table(df)
        if rows is None:
            return None
        stamps = {"run_id": self.run_id, "ingested_at": self.started.replace(tzinfo=UTC)}
        schema = arrow_schema(frames.table_schema(table, stamped=True))
        made = [
            rows.column(field.name).cast(field.type)
            if field.name in rows.column_names
            else pa.repeat(pa.scalar(stamps.get(field.name), field.type), rows.num_rows)
            for field in schema
        ]
        return pa.table(made, schema)

    def _unknown_of(self, df: DataFrame, table: str, txn: Transaction | None) -> DataFrame:
        """The rows whose key is not in a table, each once."""
        key = list(contract(table).key)
        # The anti-join is part of the plan that writes, so that Delta sees a conflict with another append.
        # A batch's transaction keeps two writers apart, so that its rows can be read without Delta.
        rows, archive = df.dropDuplicates(key), self.read(table) if txn is None else self.stored(table)
        archive = archive.select(*key)
        known = archive.join(broadcast_if_few(rows.select(*key)), key, "left_semi")
        return rows.join(known, key, "left_anti").select(*df.columns)

    def _save(self, df: DataFrame, table: str, mode: str, **options: str) -> None:
        frames.sorted_for_writing(df, table).write.format("delta").mode(mode).options(**options).save(self.path(table))
