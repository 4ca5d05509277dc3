"""The lake: Delta tables under one directory, read and written nowhere else.

Three ways to write what is new: :meth:`Lake.append` (rows that no other run can produce, exactly once by transaction
id), :meth:`Lake.append_new` (rows whose key may be there already) and :meth:`Lake.merge` (rows replaced by key). Two
for a file that is read again: :meth:`Lake.replace` (all rows of it) and :meth:`Lake.correct` (columns of rows).
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pyarrow as pa
from delta.tables import DeltaTable
from py4j.protocol import Py4JJavaError
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from quotelake.arrow import all_nullable, arrow_schema
from quotelake.contracts import RUN_COLUMNS, contract, table_names
from quotelake.errors import ContractError, InputError
from quotelake.lake.checkpoint import FOLDER
from quotelake.lake.conflicts import retry
from quotelake.lake.frames import check as check
from quotelake.lake.frames import table_schema as table_schema
from quotelake.lake.layout import LITERALS, arranged, bound_of, clustered_by, lay_out
from quotelake.lake.lookup import bounded, is_small, known_keys, look_up, table_bytes
from quotelake.lake.storage import Storage
from quotelake.materialise import Materialised
from quotelake.reading.damage import CONTRACTS, commits_in, contracts_noted
from quotelake.reading.delta import rows_now
from quotelake.reading.errors import Unsupported
from quotelake.text import content_id
from quotelake.together import together


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
        # Delta takes a relative path in SQL for the name of a schema.
        root = self.root if urlsplit(self.root).scheme else str(Path(self.root).absolute())
        return f"{root.rstrip('/')}/{table}"

    def checkpoint(self, name: str) -> str:
        """Where a stream keeps what it has done."""
        return self.path(f"{FOLDER}/{name}")

    def exists(self, table: str) -> bool:
        """Whether the table was created."""
        return bool(self._commits(table))

    def create(self) -> None:
        """Create the tables that are not there yet, and add the columns that contracts gained since.

        What was done is noted in a file of the lake, so that a run on a lake that is up to date asks no table for its
        columns.

        Raises:
            ContractError: a column is missing that must not be NULL, so no row of the lake can have it.
        """
        made = {table: content_id(contract(table).statement) for table in table_names()}
        noted = contracts_noted(self.storage) or {}
        waiting = [table for table in made if noted.get(table) != made[table] or not self.exists(table)]
        if waiting:
            together(*(partial(self._create, table) for table in waiting))
            self.storage.write(CONTRACTS, json.dumps(made, indent=1))

    def _create(self, table: str) -> None:
        if self.exists(table):
            self._add_columns(table)
        else:
            head = f"CREATE TABLE IF NOT EXISTS delta.`{self.path(table)}`"
            self.spark.sql(contract(table).statement.replace(f"CREATE TABLE {table}", head, 1))

    def _add_columns(self, table: str) -> None:
        """Older rows are NULL there; rows of the version of the rules that fills it are written beside them."""
        there = self.read(table).columns
        missing = [column for column in contract(table).columns if column.name not in there]
        required = [column.name for column in missing if not column.nullable]
        if required:
            raise ContractError(
                f"{table} in {self.root} was made by an older contract, without [{', '.join(required)}]: "
                "score the corpus into a new lake"
            )
        if missing:
            added = ", ".join(f"{column.name} {column.type} COMMENT '{column.comment}'" for column in missing)
            self.spark.sql(f"ALTER TABLE delta.`{self.path(table)}` ADD COLUMNS ({added})")

    def unknown_columns(self) -> list[str]:
        """Columns of tables that no contract of this release knows: a newer release wrote them."""
        known = {(table, column.name) for table in table_names() for column in contract(table).columns}
        there = [(table, name) for table in table_names() if self.exists(table) for name in self.read(table).columns]
        return [f"{table}.{name}" for table, name in there if (table, name) not in known]

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
        if not urlsplit(self.root).scheme:
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
        return max(self._commits(table))

    def versions(self) -> dict[str, int]:
        """Delta version of every table now."""
        return {table: self.version(table) for table in table_names()}

    def _commits(self, table: str) -> list[int]:
        return commits_in(self.storage.names(f"{table}/_delta_log"))

    @cached_property
    def storage(self) -> Storage:
        """Small files beside the tables.

        Raises:
            InputError: nothing here knows the kind of address.
        """
        try:
            return Storage(self.spark, self.path("").rstrip("/"))
        except Py4JJavaError as error:
            why = str(error.java_exception).partition("\n")[0]
            raise InputError(f"{self.root}: no file system for this address: {why}; see docs/NIGHTLY.md") from None

    def within(self, spark: SparkSession) -> "Lake":
        """The same lake in another session of the same Spark."""
        return replace(self, spark=spark)

    def frame(self, rows: Sequence[Mapping[str, Any]], table: str) -> DataFrame:
        """Rows of the driver as a frame with the content columns of ``table``."""
        schema = table_schema(table)
        # By Arrow: rows given as Python objects would pass through a worker.
        arrow = pa.Table.from_pylist([dict(row) for row in rows], schema=arrow_schema(all_nullable(schema)))
        return self.spark.createDataFrame(arrow)

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
        [on] = keys.columns
        archive = self.read(table)
        found = look_up(archive, table, self.path(table), keys)
        rows = archive if found is None else found.rows
        wanted = rows.select(on, *columns) if columns else rows
        if found is not None:
            return wanted
        # Beside a small table the keys of one batch are few too, and counting them would cost a job.
        small = is_small(self.spark, self.path(table))
        return wanted.join(F.broadcast(keys) if small else bounded(keys), on, "left_semi")

    def append(self, df: DataFrame, table: str, txn: Transaction | None = None) -> None:
        """Append rows whose keys no other write can produce: the children of new documents, a run's own rows.

        With ``txn`` a batch that was killed and taken up again writes nothing twice. Of two runs that write the same
        batch at once one has a conflict; tried again, it finds the batch written.
        """
        retry(partial(self._append, df, table, txn))

    def _append(self, df: DataFrame, table: str, txn: Transaction | None) -> None:
        """Append once: rows chosen by what the table held must be chosen anew before another attempt."""
        writer = arranged(self._stamped(check(df, table)), table).write.format("delta").mode("append")
        if txn is not None:
            writer = writer.option("txnAppId", txn.of(table)).option("txnVersion", txn.version)
        writer.save(self.path(table))

    def append_new(self, df: DataFrame, table: str, txn: Transaction | None = None) -> None:
        """Append the rows whose key is not in the table yet; of rows with the same key one is kept.

        The anti-join stands inside the writing plan, so another run's append of the same keys is a conflict that
        Delta raises and this method tries again. What is read of a large archive:
        :func:`quotelake.lake.lookup.look_up`.
        """
        key = list(contract(table).key)
        rows = check(df, table).dropDuplicates(key)

        def write() -> None:
            known, unchanged = known_keys(self.read(table), table, self.path(table), rows, key)
            new = rows.join(known, key, "left_anti").where(unchanged)
            self._append(new.select(*df.columns), table, txn)

        retry(write)

    def merge(self, df: DataFrame, table: str) -> None:
        """Replace rows by key and insert the new ones; rows that are there as they are stay, with their stamps.

        Only files that may hold a row to replace are read.

        Args:
            df: materialised: it is read more than once.
            table: has its CLUSTER BY column in its key.
        """
        names = contract(table)
        by = clustered_by(table)
        assert by in names.key, f"{table} is not clustered by a column of its key"
        others = [column for column in names.content_columns if column not in names.key]
        same_key = " AND ".join(f"old.{column} = new.{column}" for column in names.key)
        same = " AND ".join(f"old.{column} <=> new.{column}" for column in others) or "true"
        new = check(df, table).alias("new")

        def write() -> None:
            old = self.rows_of(table, df.select(by)).alias("old")
            with Materialised() as materialise:
                changed = materialise(new.join(old, F.expr(f"{same_key} AND {same}"), "left_anti"))
                bound = bound_of(changed, by)
                if bound is None:
                    return
                table_now = DeltaTable.forPath(self.spark, self.path(table)).alias("old")
                merge = table_now.merge(self._stamped(changed).alias("new"), f"old.{by} {bound} AND {same_key}")
                merge.whenMatchedUpdateAll(f"NOT ({same})").whenNotMatchedInsertAll().execute()

        retry(write)

    def replace(self, df: DataFrame, table: str, on: str, values: Sequence[str]) -> None:
        """Replace all rows whose column ``on`` is among ``values`` by ``df``: for each value in one commit.

        Args:
            df: materialised, with no other values of ``on``.
            table: the same rows again leave the same rows.
            on: a column of ids.
            values: ids without quotation marks; those that ``df`` has no row of lose their rows.
        """
        for first in range(0, len(values), LITERALS):
            part = list(values[first : first + LITERALS])
            retry(partial(self._replace, df.where(F.col(on).isin(part)), table, on, part))

    def _replace(self, df: DataFrame, table: str, on: str, values: Sequence[str]) -> None:
        writer = arranged(self._stamped(check(df, table)), table).write.format("delta").mode("overwrite")
        listed = ", ".join(f"'{value}'" for value in values)
        writer.option("replaceWhere", f"{on} IN ({listed})").save(self.path(table))

    def correct(self, df: DataFrame, table: str, on: str) -> None:
        """Give rows that are there other values of some columns; they keep their stamps, and no row is added.

        Args:
            df: materialised; the columns to correct, beside ``on``, which is unique in it.
            table: a stream that follows it passes over the commit.
            on: names the rows to correct.
        """
        names = [name for name in df.columns if name != on]
        differ = " OR ".join(f"NOT (old.{name} <=> new.{name})" for name in names)

        def write() -> None:
            bound = bound_of(df, on)
            if bound is None:
                return
            merge = (
                DeltaTable.forPath(self.spark, self.path(table))
                .alias("old")
                .merge(df.alias("new"), f"old.{on} {bound} AND old.{on} = new.{on}")
            )
            merge.whenMatchedUpdate(differ, {name: f"new.{name}" for name in names}).execute()

        retry(write)

    def rewrite(self, table: str, files: int) -> None:
        """Write a table anew into a number of files, sorted by its clustering column; its rows stay what they are.

        Readers of the stream pass over it, since no data changes. Appends of others meanwhile are kept: they are in
        none of the files that this replaces.
        """
        by = clustered_by(table)

        def write() -> None:
            rows = self.read(table)
            placed = rows.repartition(files) if by is None else rows.repartitionByRange(files, by)
            writer = arranged(placed, table).write.format("delta").mode("overwrite").option("dataChange", "false")
            # Not a plain overwrite, which would make the table anew, without its clustering column.
            writer.option("replaceWhere", "true").save(self.path(table))

        retry(write)

    def vacuum(self, table: str) -> None:
        """Delete the files that no version within the table's retention needs."""
        self.spark.sql(f"VACUUM delta.`{self.path(table)}`")

    def _stamped(self, df: DataFrame) -> DataFrame:
        stamps = {"run_id": F.lit(self.run_id), "ingested_at": F.lit(self.started)}
        return df.select(*df.columns, *(stamps[name].alias(name) for name in RUN_COLUMNS))
