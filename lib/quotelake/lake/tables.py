"""The lake: Delta tables under one directory, which all other code reads and writes through :class:`Lake`.

Three ways to write what is new: :meth:`Lake.append` (rows that no other run can produce, exactly once by transaction
id), :meth:`Lake.append_new` (rows whose key may be there already) and :meth:`Lake.merge` (rows replaced by key). Two
for a file that is read again: :meth:`Lake.replace` (all rows of it) and :meth:`Lake.correct` (columns of rows). One for
what is no more: :meth:`Lake.delete`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from quotelake.errors import InputError
from quotelake.lake import writing
from quotelake.lake.contracts import contract, table_names
from quotelake.lake.creation import create_tables, unknown_columns
from quotelake.lake.damage import commits_of
from quotelake.lake.files import CHECKPOINTS, Files
from quotelake.lake.frames import check as check
from quotelake.lake.frames import frame_of, lay_out
from quotelake.lake.frames import table_schema as table_schema
from quotelake.lake.hadoop import files_of
from quotelake.lake.local import Unsupported, rows_now
from quotelake.lake.lookup import rows_among, table_bytes
from quotelake.lake.place import is_local, path_in
from quotelake.lake.writing import Target
from quotelake.lake.writing import Transaction as Transaction


@dataclass(frozen=True)
class Lake:
    """The tables of one lake, as one run sees and writes them.

    Args:
        spark: session with Delta.
        root: directory or address of the lake, such as ``./lake`` or ``s3a://bucket/lake``.
        run_id: stamped on every row this run writes.
        started: start of the run, UTC; stamped too.
    """

    spark: SparkSession
    root: str
    run_id: str
    started: datetime

    def __post_init__(self) -> None:
        lay_out(self.spark)

    def path(self, table: str) -> str:
        """Where a table lies."""
        return path_in(self.root, table)

    def checkpoint(self, name: str) -> str:
        """Where a stream keeps what it has done."""
        return self.path(f"{CHECKPOINTS}/{name}")

    def exists(self, table: str) -> bool:
        """Whether the table was created."""
        return bool(commits_of(self.storage, table))

    def create(self) -> None:
        """Create the tables that are not there yet, and add the columns that contracts gained since.

        What was done is noted in a file of the lake, so that a run on a lake that is up to date asks no table for its
        columns.

        Raises:
            ContractError: a column is missing that must not be NULL, so no row of the lake can have it.
        """
        create_tables(self.spark, self.root, self.storage)

    def unknown_columns(self) -> list[str]:
        """Columns of tables that no contract of this release knows: a newer release wrote them."""
        return unknown_columns(self.spark, self.root, self.storage)

    def read(self, table: str, version: int | None = None) -> DataFrame:
        """Read a table as it is now, or as it was at a Delta version."""
        reader = self.spark.read.format("delta")
        if version is not None:
            reader = reader.option("versionAsOf", version)
        return reader.load(self.path(table))

    def small_rows(self, table: str, columns: Sequence[str], where: str = "true") -> list[dict[str, Any]]:
        """Rows of a small table as it is now, on the driver; those of a local lake cost no Spark job.

        Args:
            table: its name; a column that an older lake has not yet is NULL.
            columns: what is read.
            where: condition on the rows, in SQL that DuckDB and Spark share.
        """
        if is_local(self.root):
            try:
                return rows_now(self.root, table, columns, where)
            except Unsupported:
                pass  # Spark reads every table it wrote
        rows = self.read(table)
        younger = [column for column in contract(table).columns if column.name not in rows.columns]
        rows = rows.withColumns({column.name: F.lit(None).cast(column.type) for column in younger})
        return [row.asDict() for row in rows.where(where).select(*columns).collect()]

    def version(self, table: str) -> int:
        """Delta version of a table now: the number of its last commit, read from the names in its log."""
        return max(commits_of(self.storage, table))

    def versions(self) -> dict[str, int]:
        """Delta version of every table now."""
        return {table: self.version(table) for table in table_names()}

    @cached_property
    def storage(self) -> Files:
        """Small files beside the tables.

        Raises:
            InputError: nothing here knows the kind of address.
        """
        try:
            return files_of(self.spark, self.root)
        except OSError as error:
            raise InputError(f"{self.root}: no file system for this address: {error}; see docs/NIGHTLY.md") from None

    def within(self, spark: SparkSession) -> "Lake":
        """The same lake in another session of the same Spark."""
        return replace(self, spark=spark)

    def frame(self, rows: Sequence[Mapping[str, Any]], table: str) -> DataFrame:
        """Rows of the driver as a frame with the content columns of ``table``."""
        return frame_of(self.spark, rows, table)

    def bytes_of(self, table: str) -> int:
        """Bytes of the data files of a table, from its log."""
        return table_bytes(self.spark, self.path(table))

    def rows_of(self, table: str, keys: DataFrame, columns: Sequence[str] = ()) -> DataFrame:
        """Rows of a table whose value in a column is among ``keys``, a frame of that one column.

        Args:
            table: as it is now.
            keys: repetitions do no harm.
            columns: what is read beside that column; all where none is named.
        """
        return rows_among(self.read(table), table, self.path(table), keys, columns)

    def append(self, df: DataFrame, table: str, txn: Transaction | None = None) -> None:
        """Append rows whose keys no other write can produce: the children of new documents, a run's own rows.

        With ``txn`` a batch that was killed and taken up again writes nothing twice. Of two runs that write the same
        batch at once one has a conflict; tried again, it finds the batch written.
        """
        writing.append(df, self._target(table), txn)

    def append_new(self, df: DataFrame, table: str, txn: Transaction | None = None) -> None:
        """Append the rows whose key is not in the table yet; of rows with the same key one is kept.

        Of two runs that append the same keys at once one has a conflict; tried again, it finds them.
        """
        writing.append_new(df, self._target(table), txn)

    def merge(self, df: DataFrame, table: str) -> None:
        """Replace rows by key and insert the new ones; rows that are there as they are stay, with their stamps.

        Only files that may hold a row to replace are read.

        Args:
            df: materialised: it is read more than once.
            table: has its CLUSTER BY column in its key.
        """
        writing.merge(df, self._target(table))

    def replace(self, df: DataFrame, table: str, on: str, values: Sequence[str]) -> None:
        """Replace all rows whose column ``on`` is among ``values`` by ``df``: for each value in one commit.

        Args:
            df: materialised, with no other values of ``on``.
            table: the same rows again leave the same rows.
            on: a column of ids.
            values: ids without quotation marks; those that ``df`` has no row of lose their rows.
        """
        writing.replace(df, self._target(table), on, values)

    def correct(self, df: DataFrame, table: str, on: str) -> None:
        """Give rows that are there other values of some columns; they keep their stamps, and no row is added.

        Args:
            df: materialised; the columns to correct, beside ``on``, which is unique in it.
            table: a stream that follows it passes over the commit.
            on: names the rows to correct.
        """
        writing.correct(df, self._target(table), on)

    def delete(self, table: str, on: str, values: Sequence[str], rule_version: str) -> None:
        """Delete the rows of some values of a column under one version of the rules, all in one commit.

        Args:
            table: has a column ``rule_version``.
            on: a column of ids.
            values: ids without quotation marks.
            rule_version: rows of other versions stay.
        """
        writing.delete(self._target(table), on, values, rule_version)

    def rewrite(self, table: str, files: int) -> None:
        """Write a table anew into a number of files, sorted by its clustering column; its rows stay what they are.

        Readers of the stream pass over it, since no data changes. Appends of others meanwhile are kept: they are in
        none of the files that this replaces.
        """
        writing.rewrite(self._target(table), files)

    def vacuum(self, table: str) -> None:
        """Delete the files that no version within the table's retention needs."""
        self.spark.sql(f"VACUUM delta.`{self.path(table)}`")

    def _target(self, table: str) -> Target:
        return Target(self.spark, table, self.path(table), self.run_id, self.started)
