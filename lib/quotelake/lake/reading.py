"""Reads of a run: tables as they are now or were, and their rows by keys, by Spark or on the driver."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from quotelake.errors import InputError
from quotelake.lake.contracts import contract
from quotelake.lake.frames import LITERALS, few_ids, in_list_condition, newest, table_bytes, table_schema
from quotelake.lake.hadoop import files_of
from quotelake.lake.local import Unsupported, data_files_of
from quotelake.lake.local_writes import rows_by_keys
from quotelake.lake.place import Files, is_local, path_in
from quotelake.program import shipped
from quotelake.spark.arrow import arrow_schema, frame_of_table, small_table

#: Keys that are sent to every task at most, some 20 MB; Spark chooses how to join more.
BROADCAST_KEYS = 200_000
#: From this size on, a few keys are looked up as literals, which skips pages of the files but costs one more job.
LARGE_BYTES = 64 << 20
#: Rows that are looked up as literals, at most: more would be in most pages anyway.
_MOST_LITERALS = 8192
#: Bytes of an id, which no compression makes smaller: they bound the rows of a table by its bytes.
_BYTES_PER_ROW = 16


@dataclass(frozen=True)
class Reader:
    """A run that reads the tables of a lake."""

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
        """The same, where the driver finds few rows in a table that is not large; else None."""
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
        return newest(self._rows_of(table, members), table).join(self._few_keys(table, keys), on, "left_semi")

    def _rows_of(self, table: str, keys: DataFrame) -> DataFrame:
        [on] = keys.columns
        archive = self.every_stored(table)
        if on != contract(table).sorted_by or self.bytes_of(table) < LARGE_BYTES:
            return archive.join(self._few_keys(table, keys), on, "left_semi")
        of_keys, of_this_run = _filter_by_keys(keys, on), F.col("run_id") == self.run_id
        # This run's rows lie in separate files. No page of other files is read for their keys, nor for new keys.
        stored = few_ids(of_keys(archive.where(~of_this_run)), on, _MOST_LITERALS)
        if stored is None:
            return of_keys(archive)
        earlier = archive.where(~of_this_run).where(in_list_condition(on, stored))
        return earlier.unionByName(of_keys(archive.where(of_this_run)))

    def _few_keys(self, table: str, keys: DataFrame) -> DataFrame:
        """Keys of a batch, marked for a broadcast join unless they are too many."""
        # Where a table is small the keys are few too, and counting them would cost a job.
        return F.broadcast(keys) if self._is_small(table) else broadcast_if_few(keys)

    def _is_small(self, table: str) -> bool:
        """Whether a table has some :data:`BROADCAST_KEYS` rows at most, judged by its bytes."""
        return self.bytes_of(table) < BROADCAST_KEYS * _BYTES_PER_ROW


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
