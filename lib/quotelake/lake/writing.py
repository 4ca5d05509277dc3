"""Reads and writes of a run: the ways in which rows meet those that are stored, and a write another one."""

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property, partial

import pyarrow as pa
from delta.tables import DeltaTable
from deltalake.exceptions import CommitFailedError
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from quotelake.errors import InputError, LakeBusyError
from quotelake.lake.contracts import RUN_COLUMNS, contract
from quotelake.lake.damage import commit_versions
from quotelake.lake.frames import (
    LITERALS,
    check,
    few_ids,
    gone_rows,
    in_list_condition,
    key_condition,
    newest,
    sorted_for_writing,
    table_bytes,
    table_schema,
)
from quotelake.lake.hadoop import files_of
from quotelake.lake.lease import check_lease
from quotelake.lake.local import Unsupported, data_files_of
from quotelake.lake.local_writes import CONFLICTS, append_rows, delete_rows, rows_by_keys
from quotelake.lake.place import Files, is_local, path_in
from quotelake.program import shipped
from quotelake.spark.arrow import arrow_schema, frame_of_table, known_table, small_table

#: Delta's exceptions and their error classes. A table whose columns or protocol changed meanwhile is a conflict too.
_CONFLICTS = (
    "DELTA_CONCURRENT", "ConcurrentAppend", "ConcurrentModification", "ConcurrentTransaction",
    "DELTA_METADATA_CHANGED", "MetadataChangedException", "DELTA_PROTOCOL_CHANGED", "ProtocolChangedException",
    *CONFLICTS,
)  # fmt: skip
_ATTEMPTS = 8
SIDE_BY_SIDE = "another run writes to this lake at the same moment: start this one again when that has ended"

#: Keys that are sent to every task at most, some 20 MB; Spark chooses how to join more.
BROADCAST_KEYS = 200_000
#: From this size on, a few keys are looked up as literals, which skips pages of the files but costs one more job.
LARGE_BYTES = 64 << 20
#: Rows that are looked up as literals, at most: more would be in most pages anyway.
_MOST_LITERALS = 8192
#: Bytes of an id, which no compression makes smaller: they bound the rows of a table by its bytes.
_BYTES_PER_ROW = 16


@dataclass(frozen=True)
class Transaction:
    """Name of a write, which Delta makes once however often it is tried."""

    app: str  # with the id of the streaming checkpoint: a new one counts its batches from 0 again
    version: int

    def of(self, table: str) -> str:
        """Name of the application in Delta's log of a table."""
        return f"{table}:{self.app}"


@dataclass(frozen=True)
class Writer:
    """A run that writes to the tables of a lake, with at most one commit per call.

    :meth:`append` is for rows that no other run can produce, :meth:`append_new` for rows whose key may be stored
    already, :meth:`replace` for rows that replace others, :meth:`correct` for values that a file read again corrects.
    """

    spark: SparkSession
    root: str  # directory or address, such as ``./lake`` or ``s3a://bucket/lake``
    run_id: str  # stamped on every row that the run writes, and so is its start
    started: datetime  # UTC
    #: Whether the rows of each write and look-up are few: on a local lake the driver writes and finds them by itself.
    small: bool = False

    def path(self, table: str) -> str:
        """Path or address of a table."""
        return path_in(self.root, table)

    @cached_property
    def storage(self) -> Files:
        """Small files beside the tables; an InputError says that nothing here knows the kind of address."""
        try:
            return files_of(self.spark, self.root)
        except OSError as error:
            see = shipped("docs/NIGHTLY.md")
            raise InputError(f"{self.root}: no file system for this address: {error}; see {see}") from None

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
                if not any(name in str(error) for name in _CONFLICTS):
                    raise
                if attempt == _ATTEMPTS:
                    raise LakeBusyError(SIDE_BY_SIDE) from error
                time.sleep(0.2 * attempt)

    def read(self, table: str, version: int | None = None) -> DataFrame:
        """Read the rows that hold of a table as it is now, or as it was at a Delta version."""
        return newest(self.every_row(table, version), table)

    def every_row(self, table: str, version: int | None = None) -> DataFrame:
        """Read all rows of a table, also those that newer ones replaced."""
        reader = self.spark.read.format("delta")
        if version is not None:
            reader = reader.option("versionAsOf", version)
        return reader.load(self.path(table))

    def stored(self, table: str) -> DataFrame:
        """The rows that hold of a table, to look up what earlier writes left; not to be read within a write."""
        return newest(self.every_stored(table), table)

    def every_stored(self, table: str) -> DataFrame:
        """The same, and the rows that newer ones replaced.

        The plan of an empty table says that it has no rows, so Spark skips all joins with it, many on a first load.
        """
        files, schema = self._local_files(table), table_schema(table, stamped=True)
        if not self.bytes_of(table):
            return frame_of_table(self.spark, arrow_schema(schema).empty_table())
        if files is None or sum(files.values()) >= LARGE_BYTES:
            return self.every_row(table)
        # Delta would find the state of the table, and then choose among its files, by a job each.
        paths = (self.path(f"{table}/{name}") for name in files)
        return self.spark.read.schema(schema).option("__globPaths__", "false").parquet(*paths)

    def _local_files(self, table: str) -> dict[str, int] | None:
        """Data files of a table now and the bytes of each; None where only Spark can tell them."""
        if is_local(self.root):
            with suppress(Unsupported):
                return data_files_of(self.root, table)
        return None

    def ids(self, name: str, ids: Iterable[str]) -> DataFrame:
        """A frame of one column of ids, each once, such as the keys of :meth:`rows_of`."""
        return frame_of_table(self.spark, pa.table({name: pa.array(sorted(set(ids)), pa.string())}))

    def bytes_of(self, table: str) -> int:
        """Bytes of the data files of a table; at an address as last opened, and by a job without a checksum."""
        files = self._local_files(table)
        return table_bytes(self.spark, self.path(table)) if files is None else sum(files.values())

    def rows_of(self, table: str, keys: DataFrame, columns: Sequence[str] = (), where: str = "true") -> DataFrame:
        """Rows of a table as it is now, with all or some columns, by ``keys``: a frame of one column, which may repeat.

        ``where`` is SQL that DuckDB and Spark share. Of a large table that is sorted by the column, only the pages with
        these keys are read, if these are few.
        """
        if (found := self._found_by_driver(table, keys, columns, where)) is not None:
            return found
        rows = self._found(table, keys).where(where)
        return rows.select(*dict.fromkeys((*keys.columns, *columns))) if columns else rows

    def _found_by_driver(self, table: str, keys: DataFrame, columns: Sequence[str], where: str) -> DataFrame | None:
        """The same, where driver finds few rows in a table that is not large; else None."""
        if not self.small or not is_local(self.root) or (size := self.bytes_of(table)) >= LARGE_BYTES:
            return None
        schema = arrow_schema(table_schema(table, stamped=True))
        if columns:
            schema = pa.schema([schema.field(name) for name in dict.fromkeys((*keys.columns, *columns))])
        if not size:
            return frame_of_table(self.spark, schema.empty_table())
        if (wanted := small_table(keys)) is None:
            return None
        try:
            rows = rows_by_keys(self.root, table, wanted, schema.names, where)
        except Unsupported:
            return None
        return frame_of_table(self.spark, rows.cast(schema))

    def _found(self, table: str, keys: DataFrame) -> DataFrame:
        [on], unit = keys.columns, contract(table).newest_by
        if not unit or on in unit:
            return newest(self._rows_of(table, keys), table)
        # Rows with other keys may have replaced those with these.
        members = self._rows_of(table, keys).select(unit[0])
        return newest(self._rows_of(table, members), table).join(self._few(table, keys), on, "left_semi")

    def _rows_of(self, table: str, keys: DataFrame) -> DataFrame:
        [on] = keys.columns
        archive = self.every_stored(table)
        if on != contract(table).sorted_by or self.bytes_of(table) < LARGE_BYTES:
            return archive.join(self._few(table, keys), on, "left_semi")
        of_keys, of_this_run = _filter_by_keys(keys, on), F.col("run_id") == self.run_id
        # This run's rows lie in separate files. No page of other files is read for their keys, nor for new keys.
        stored = few_ids(of_keys(archive.where(~of_this_run)), on, _MOST_LITERALS)
        if stored is None:
            return of_keys(archive)
        earlier = archive.where(~of_this_run).where(in_list_condition(on, stored))
        return earlier.unionByName(of_keys(archive.where(of_this_run)))

    def append(self, df: DataFrame, table: str, txn: Transaction | None = None) -> None:
        """Append rows whose keys no other write can produce; with ``txn`` once, however often and by whom."""
        self._write(check(df, table), table, txn)

    def append_new(self, df: DataFrame, table: str, txn: Transaction | None = None) -> None:
        """Append the rows whose key is not in the table yet, also if two runs do; of equal keys one row is kept."""
        self._write(check(df, table), table, txn, new=True)

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
        rows = check(df, table)
        if emptied and self.bytes_of(table):
            stored = self.rows_of(table, self.ids(units[0], emptied))
            stored = stored if rule_version is None else stored.where(F.col("rule_version") == rule_version)
            stale = stored.select(*units).dropDuplicates().join(df.select(*units), units, "left_anti")
            stale = gone_rows(stale, table).withColumn("gone", F.lit(True))
            rows = rows.withColumn("gone", F.lit(None).cast("boolean")).unionByName(stale)
        return self._write(rows, table, txn, numbered=True)

    def correct(self, df: DataFrame, table: str, on: str) -> None:
        """Change columns of stored rows, which keep their stamps; a stream that follows the table skips the commit.

        ``df``, materialised, has these columns and ``on``, which is unique in it.
        """
        names = [name for name in df.columns if name != on]
        differ = " OR ".join(f"NOT (old.{name} <=> new.{name})" for name in names)

        def write() -> None:
            bound = key_condition(df, on)
            if bound is not None:
                merge = self._delta(table).merge(df.alias("new"), f"old.{on} {bound} AND old.{on} = new.{on}")
                merge.whenMatchedUpdate(differ, {name: f"new.{name}" for name in names}).execute()

        self.commit(write)

    def delete(
        self, table: str, on: str, values: Sequence[str], rule_version: str | None = None, before: int | None = None
    ) -> None:
        """Delete the rows with some values of a column of ids, of one version of the rules or of all, in one commit.

        ``before``: only rows that others of a higher number replaced.
        """
        of_rules = "true" if rule_version is None else f"rule_version = '{rule_version}'"
        of_rules += "" if before is None else f" AND coalesce(written, 0) < {before}"
        if len(values) > LITERALS:
            asked = self.ids("asked", values)
            merge = self._delta(table).merge(asked, f"{on} = asked AND {of_rules}")
            self.commit(merge.whenMatchedDelete().execute)
        elif values:  # a list of literals costs less than a join
            self.commit(partial(self._delete, table, f"{in_list_condition(on, values)} AND {of_rules}"))

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

    def _delta(self, table: str) -> DeltaTable:
        return DeltaTable.forPath(self.spark, self.path(table)).alias("old")

    def _delete(self, table: str, where: str) -> None:
        if self.small and is_local(self.root):
            with suppress(Unsupported):
                return delete_rows(self.root, table, where)
        self._delta(table).delete(where)

    def _write(
        self, df: DataFrame, table: str, txn: Transaction | None, *, new: bool = False, numbered: bool = False
    ) -> int:
        """Append rows, of their keys only ``new`` ones, with the columns of their writer; the number of the commit."""
        rows, number = self._on_driver(df, table), 0
        named = None if txn is None else (txn.of(table), txn.version)

        def write() -> None:
            nonlocal number
            if rows is not None:
                with suppress(Unsupported):
                    number = append_rows(self.root, table, rows, named, new=new, numbered=numbered)
                    return
            number = max(commit_versions(self.storage, table)) + 1
            frame = self._unknown_of(df, table, txn) if new else df
            if numbered:
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
        schema = arrow_schema(table_schema(table, stamped=True))
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
        if self._is_small(table):
            known = F.broadcast(archive)
        else:
            known = archive.join(broadcast_if_few(rows.select(*key)), key, "left_semi")
        return rows.join(known, key, "left_anti").select(*df.columns)

    def _few(self, table: str, keys: DataFrame) -> DataFrame:
        """Keys of a batch, marked for a broadcast join unless they are too many."""
        # Where a table is small the keys are few too, and counting them would cost a job.
        return F.broadcast(keys) if self._is_small(table) else broadcast_if_few(keys)

    def _is_small(self, table: str) -> bool:
        """Whether a table has some :data:`BROADCAST_KEYS` rows at most, judged by its bytes."""
        return self.bytes_of(table) < BROADCAST_KEYS * _BYTES_PER_ROW

    def _save(self, df: DataFrame, table: str, mode: str, **options: str) -> None:
        sorted_for_writing(df, table).write.format("delta").mode(mode).options(**options).save(self.path(table))


def broadcast_if_few(keys: DataFrame) -> DataFrame:
    """Mark keys for a broadcast join, unless they are too many."""
    few = keys.limit(BROADCAST_KEYS + 1).count() <= BROADCAST_KEYS
    return F.broadcast(keys) if few else keys


def _filter_by_keys(keys: DataFrame, on: str) -> Callable[[DataFrame], DataFrame]:
    """A filter of rows by a column: few keys as literals, which skip pages of files, more by a join."""
    few = few_ids(keys, on, LITERALS)
    if few is not None:
        return lambda rows: rows.where(in_list_condition(on, few))
    asked = broadcast_if_few(keys)
    return lambda rows: rows.join(asked, on, "left_semi")
