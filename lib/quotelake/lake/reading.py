"""Reads of a run: tables as they are now or were, and their rows by keys, by Spark or on the driver."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, partial
from typing import TypeVar

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from quotelake.errors import InputError
from quotelake.lake.contracts import contract
from quotelake.lake.frames import few_ids, in_list_condition, laid_out, newest, table_bytes, table_schema
from quotelake.lake.hadoop import files_of
from quotelake.lake.local import Unsupported, data_files_of, rows_by_keys
from quotelake.lake.place import Files, is_local, path_in
from quotelake.program import shipped
from quotelake.spark.arrow import arrow_schema, count_rows, frame_of_table, known_table, small_table

T = TypeVar("T")
#: Keys that are sent to every task at most, some 40 MB: all of a usual batch, as Spark would shuffle a table for more.
BROADCAST_KEYS = 400_000
#: From this size on, a few keys are looked up as literals, which skips pages of the files but costs one more job.
LARGE_BYTES = 64 << 20
#: Most keys that are literals, and bytes of the table for each: a page of 50 bodies has half, one of 200 rows a sixth.
_MOST_LITERALS = 8192
_BYTES_OF_LITERAL = 128 << 10


@dataclass(frozen=True)
class Reader:
    """A run that reads the tables of a lake."""

    session: SparkSession | Callable[[], SparkSession]  # or what starts it
    root: str  # directory or address, such as ``./lake`` or ``s3a://bucket/lake``
    run_id: str  # stamped on every row that the run writes, and so is its start
    started: datetime  # UTC
    #: Whether the rows of each write and look-up are few: on a local lake the driver writes and finds them by itself.
    small: bool = False

    def path(self, table: str) -> str:
        """Path or address of a table."""
        return path_in(self.root, table)

    @cached_property
    def spark(self) -> SparkSession:
        """The session, which is started where it is needed first."""
        return laid_out(self.session() if callable(self.session) else self.session)

    @cached_property
    def storage(self) -> Files:
        """Small files beside the tables; an InputError says that nothing here knows the kind of address."""
        try:
            return files_of(lambda: self.spark, self.root)
        except OSError as error:
            see = shipped("docs/NIGHTLY.md")
            raise InputError(f"{self.root}: no file system for this address: {error}; see {see}") from None

    def read(self, table: str, version: int | None = None, *, every: bool = False) -> DataFrame:
        """Rows of a table as it is now, or was at a Delta version: those that hold, or ``every`` one."""
        reader = self.spark.read.format("delta")
        if version is not None:
            reader = reader.option("versionAsOf", version)
        rows = reader.load(self.path(table))
        return rows if every else newest(rows, table)

    def stored(self, table: str, *, every: bool = False) -> DataFrame:
        """The same, now, to look up what earlier writes left; not to be read within a write.

        The plan of an empty table says that it has no rows, so Spark skips all joins with it, many on a first load.
        """
        files = self._local_files(table)
        if not self.bytes_of(table):
            return frame_of_table(self.spark, arrow_schema(table_schema(table, stamped=True)).empty_table())
        # Of a small table Delta would find the state, and then choose among its files, by a job each.
        is_large = files is None or sum(files.values()) >= LARGE_BYTES
        rows = self.read(table, every=True) if is_large else self.rows_in(table, files or ())
        return rows if every else newest(rows, table)

    def rows_in(self, table: str, files: Iterable[str]) -> DataFrame:
        """All rows in some data files of a table, by their names."""
        reader = self.spark.read.schema(table_schema(table, stamped=True)).option("__globPaths__", "false")
        return reader.parquet(*(self.path(f"{table}/{name}") for name in files))

    def locally(self, do: Callable[[], T]) -> T | None:
        """What the driver does by itself with the tables of a local lake; None where only Spark can."""
        if is_local(self.root):
            with suppress(Unsupported):
                return do()
        return None

    def _local_files(self, table: str) -> dict[str, int] | None:
        return self.locally(partial(data_files_of, self.root, table))

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
        rows = self.locally(partial(rows_by_keys, self.root, table, wanted, schema.names, where))
        return None if rows is None else frame_of_table(self.spark, rows.cast(schema))

    def _found(self, table: str, keys: DataFrame) -> DataFrame:
        [on], unit = keys.columns, contract(table).newest_by
        if not unit or on in unit:
            return newest(self._rows_of(table, keys), table)
        # Rows with other keys may have replaced those with these.
        members = self._rows_of(table, keys).select(unit[0])
        return newest(self._rows_of(table, members), table).join(broadcast_if_few(keys), on, "left_semi")

    def _rows_of(self, table: str, keys: DataFrame) -> DataFrame:
        [on] = keys.columns
        archive = self.stored(table, every=True)
        if on != contract(table).sorted_by or (size := self.bytes_of(table)) < LARGE_BYTES:
            return archive.join(broadcast_if_few(keys), on, "left_semi")
        most = min(size // _BYTES_OF_LITERAL * contract(table).page_rows // 50, _MOST_LITERALS)
        if (ids := few_ids(keys, on, most)) is None:  # most keys may be new
            found = archive.join(broadcast_if_few(keys), on, "left_semi")
            ids = few_ids(found, on, most)
        return found if ids is None else archive.where(in_list_condition(on, ids))


def broadcast_if_few(keys: DataFrame) -> DataFrame:
    """Mark keys for a broadcast join, unless they are too many."""
    few = count_rows(keys.limit(BROADCAST_KEYS + 1) if known_table(keys) is None else keys) <= BROADCAST_KEYS
    return F.broadcast(keys) if few else keys
