"""The lake: Delta tables under one directory, read and written nowhere else.

Three ways to write, and no other: :meth:`Lake.append` (rows that no other run can produce, exactly once by transaction
id), :meth:`Lake.append_new` (rows whose key may be there already) and :meth:`Lake.merge` (rows replaced by key).
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from delta.tables import DeltaTable
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import DataType, StructType

from quotelake.arrow import struct
from quotelake.contracts import RUN_COLUMNS, contract, table_names
from quotelake.errors import ContractError

_CONFLICTS = ("ConcurrentAppend", "DELTA_CONCURRENT", "ConcurrentModification", "ConcurrentTransaction")
_ATTEMPTS = 8
_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Transaction:
    """Names one write, so that Delta takes it once however often it is tried.

    ``app`` must contain the id of the streaming checkpoint: a new checkpoint counts its batches from 0 again.
    """

    app: str
    version: int


def table_schema(table: str) -> StructType:
    """Spark types of the content columns of a table, all nullable as Spark's own transforms leave them."""
    return struct(contract(table).ddl(with_run_columns=False))


def check(df: DataFrame, table: str) -> DataFrame:
    """Return ``df`` if its columns are the content columns of ``table``.

    Raises:
        ContractError: every column that is missing, unexpected or of another type, at once.
    """
    found = {field.name: _plain(field.dataType) for field in df.schema.fields}
    expected = {field.name: _plain(field.dataType) for field in table_schema(table).fields}
    faults = {
        "missing": [name for name in expected if name not in found],
        "unexpected": [name for name in found if name not in expected],
        "wrong type": [
            f"{name}: {found[name]}, expected {kind}"
            for name, kind in expected.items()
            if name in found and found[name] != kind
        ],
    }
    if any(faults.values()):
        listed = "; ".join(f"{fault} [{', '.join(names)}]" for fault, names in faults.items() if names)
        raise ContractError(f"{table}: {listed}")
    return df


def _plain(kind: DataType) -> str:
    return kind.simpleString()


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

    def path(self, table: str) -> str:
        """Where a table lies."""
        # Delta takes a relative path in SQL for the name of a schema.
        root = self.root if urlsplit(self.root).scheme else str(Path(self.root).absolute())
        return f"{root.rstrip('/')}/{table}"

    def checkpoint(self, name: str) -> str:
        """Where a stream keeps what it has done."""
        return self.path(f"_checkpoints/{name}")

    def exists(self, table: str) -> bool:
        """Whether the table was created."""
        return DeltaTable.isDeltaTable(self.spark, self.path(table))

    def create(self) -> None:
        """Create the tables that are not there yet, and add the columns that contracts gained since.

        Raises:
            ContractError: a column is missing that must not be NULL, so no row of the lake can have it.
        """
        for table in table_names():
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

    def read(self, table: str, version: int | None = None) -> DataFrame:
        """Read a table as it is now, or as it was at a Delta version."""
        reader = self.spark.read.format("delta")
        if version is not None:
            reader = reader.option("versionAsOf", version)
        return reader.load(self.path(table))

    def version(self, table: str) -> int:
        """Delta version of a table now."""
        row = DeltaTable.forPath(self.spark, self.path(table)).history(1).select("version").first()
        assert row is not None  # a Delta table has at least the commit that created it
        return int(row["version"])

    def versions(self) -> dict[str, int]:
        """Delta version of every table now."""
        return {table: self.version(table) for table in table_names()}

    def append(self, df: DataFrame, table: str, txn: Transaction | None = None) -> None:
        """Append rows whose keys no other write can produce: the children of new documents, a run's own rows.

        With ``txn`` a batch that was killed and taken up again writes nothing twice.
        """
        writer = self._stamped(check(df, table)).write.format("delta").mode("append")
        if txn is not None:
            writer = writer.option("txnAppId", f"{table}:{txn.app}").option("txnVersion", txn.version)
        writer.save(self.path(table))

    def append_new(self, df: DataFrame, table: str, txn: Transaction | None = None) -> None:
        """Append the rows whose key is not in the table yet; of rows with the same key one is kept.

        The anti-join stands inside the writing plan, so another run's append of the same keys is a conflict that
        Delta raises and this method tries again. The archive is scanned by its key columns only: those of the new
        rows are broadcast to it, and what they meet is all that is joined.
        """
        key = list(contract(table).key)
        rows = check(df, table).dropDuplicates(key)

        def write() -> None:
            archive = self.read(table).select(*key)
            seen = archive.join(F.broadcast(rows.select(*key)), key, "left_semi")
            self.append(rows.join(seen, key, "left_anti").select(*df.columns), table, txn)

        _retry(write)

    def merge(self, df: DataFrame, table: str) -> None:
        """Replace rows by key and insert the new ones. ``df`` is materialised before: no heavy plan inside a MERGE."""
        names = contract(table)
        on = " AND ".join(f"old.{column} = new.{column}" for column in names.key)
        changed = " OR ".join(
            f"NOT (old.{column} <=> new.{column})" for column in names.content_columns if column not in names.key
        )
        stamped = self._stamped(check(df, table))

        def write() -> None:
            table_now = DeltaTable.forPath(self.spark, self.path(table)).alias("old")
            merge = table_now.merge(stamped.alias("new"), on).whenMatchedUpdateAll(changed).whenNotMatchedInsertAll()
            merge.execute()

        _retry(write)

    def _stamped(self, df: DataFrame) -> DataFrame:
        stamps = {"run_id": F.lit(self.run_id), "ingested_at": F.lit(self.started)}
        return df.select(*df.columns, *(stamps[name].alias(name) for name in RUN_COLUMNS))


def _retry(write: Callable[[], _Result]) -> _Result:
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            return write()
        except (PySparkException, Py4JJavaError) as error:
            if attempt == _ATTEMPTS or not any(name in str(error) for name in _CONFLICTS):
                raise
            time.sleep(0.2 * attempt)
    raise AssertionError("unreachable: the last attempt returns or raises")
