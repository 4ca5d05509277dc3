"""The lake: Delta tables under one directory, which other code reads and writes through :class:`Lake`."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import unquote

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quotelake.errors import ContractError, unwrap
from quotelake.lake.contracts import contract, table_names
from quotelake.lake.damage import CONTRACTS, check_tables, commit_versions, noted_contracts
from quotelake.lake.frames import data_files, frame_of, last_transaction
from quotelake.lake.local import append_rows, rows_now, transaction_of
from quotelake.lake.runs import COLUMNS, COMPLETE, RECOVERED, LastRun, Run, in_commit_order, run_of
from quotelake.lake.writing import Transaction, Writer
from quotelake.spark.session import run_in_parallel
from quotelake.text.ids import content_id

_CONSTRAINT = re.compile(r"'delta\.constraints\.(\w+)' = '((?:[^']|'')*)'")
_CHECK = "delta.constraints."  # key of a property that states a constraint


@dataclass(frozen=True)
class Lake(Writer):
    """The tables of one lake, as one run reads and writes them; arguments as for :class:`Writer`."""

    def exists(self, table: str) -> bool:
        """Whether the table was created."""
        return bool(commit_versions(self.storage, table))

    def version(self, table: str) -> int:
        """Delta version of a table now: the number of its last commit."""
        return max(commit_versions(self.storage, table))

    def versions(self) -> dict[str, int]:
        """Delta version of every table now."""
        return {table: self.version(table) for table in table_names()}

    def frame(self, rows: Sequence[Mapping[str, Any]], table: str) -> DataFrame:
        """Rows of the driver as a frame with the content columns of ``table``."""
        return frame_of(self.spark, rows, table)

    def small_rows(self, table: str, columns: Sequence[str], where: str = "true") -> list[dict[str, Any]]:
        """Rows of a small table as it is now, on the driver; on a local lake without a Spark job.

        A column that an older lake lacks is NULL; ``where`` is SQL that DuckDB and Spark share.
        """
        if (found := self.locally(partial(rows_now, self.root, table, columns, where))) is not None:
            return found
        rows = self.read(table)
        younger = {each.name: each.type for each in contract(table).columns if each.name not in rows.columns}
        rows = rows.withColumns({name: F.lit(None).cast(type_) for name, type_ in younger.items()})
        return [row.asDict() for row in rows.where(where).select(*columns).collect()]

    def files_at(self, table: str, version: int) -> dict[str, int]:
        """Names of the data files of a table at a version, and the bytes of each."""
        names = (unquote(address.rpartition("/")[2]) for address in self.read(table, version, every=True).inputFiles())
        sizes = self.storage.sizes(table)
        return {name: sizes.get(name, 0) for name in names}  # one that is gone is told by who looks for it

    def data_files(self, table: str) -> dict[str, int]:
        """Names of the data files of a table now, and the bytes of each; on a local lake without a Spark job."""
        files = self._local_files(table)
        if files is None:
            files = data_files(self.spark, self.path(table)) if self.exists(table) else {}
        return files

    def last_transaction(self, table: str, app: Transaction) -> int | None:
        """Version of the last write of an application to a table; None if there is none. Locally without a job."""
        found = self.locally(lambda: [transaction_of(self.root, table, app.of(table))])
        return found[0] if found else last_transaction(self.spark, self.path(table), app.of(table))

    def complete(self, run: Run) -> None:
        """Write the rows of a run to ``runs``, in the last commit of the run; on a local lake without Spark."""
        rows = run.rows(self.versions())
        append = partial(append_rows, self.root, "runs", rows)
        self.commit(lambda: self.locally(append) or self._write(self.frame(rows, "runs"), "runs", None))

    def complete_runs(self) -> list[LastRun]:
        """Completed runs, in the order of their commits."""
        return in_commit_order(self.small_rows("runs", COLUMNS, f"stage = '{COMPLETE}'"))

    def last_run(self, as_of: str | None = None) -> LastRun | None:
        """The last completed run, or that of a past night; None before the first."""
        return run_of(self.complete_runs(), as_of)

    def unfinished(self, last: LastRun | None) -> dict[str, int]:
        """Number of documents of each killed run that no run since then has recovered; ``last`` is complete."""
        if self.version("documents") <= (last.versions.get("documents", 0) if last else 0):
            return {}
        rows = self.small_rows("runs", ("run_id", "stage", "counts"))
        known = {row["run_id"] for row in rows}.union(*(row["counts"] for row in rows if row["stage"] == RECOVERED))
        found = self.read("documents").groupBy("run_id").agg(F.count("*").alias("n")).collect()
        return {row["run_id"]: row["n"] for row in found if row["run_id"] not in known}

    def check(self, *, thorough: bool = False) -> LastRun | None:
        """Refuse a damaged lake by a DamageError, and return its last complete run (:func:`check_tables`)."""
        return check_tables(self.root, self.storage, self.last_run, self.data_files, thorough=thorough)

    @contextmanager
    def reporting_damage(self) -> Iterator[None]:
        """Raise a DamageError in place of an error that no person can correct, if the lake is damaged."""
        try:
            yield
        except Exception as error:
            if unwrap(error) is None:
                self.check(thorough=True)
            raise

    def create(self) -> None:
        """Create missing tables, and add the columns that contracts gained since they were noted in a file of the lake.

        A ContractError: a column is missing that must not be NULL, so no row of the lake can have it.
        """
        made = {table: content_id(contract(table).statement) for table in table_names()}
        noted = noted_contracts(self.storage) or {}
        there = {table for table in table_names() if self.exists(table)}
        waiting = [table for table in made if noted.get(table) != made[table] or table not in there]
        if waiting:
            ways = [partial(self._renew if table in there else self._create, table) for table in waiting]
            run_in_parallel(*(partial(self.commit, way) for way in ways))  # another run may be making them too
            self.storage.write(CONTRACTS, json.dumps(made, indent=1))

    def _create(self, table: str) -> None:
        """Make a table, in place of what a run left that was killed before the first commit of its log."""
        log = f"{table}/_delta_log"
        with suppress(OSError):  # not empty: another run has made the table at this moment
            for name in () if self.exists(table) else self.storage.names(log):
                if name.startswith(".") or name == "_staged_commits":  # a folder that Delta makes first of all
                    self.storage.delete(f"{log}/{name}")
            self.storage.delete(log)
        head = f"CREATE TABLE IF NOT EXISTS delta.`{self.path(table)}`"
        self.spark.sql(contract(table).statement.replace(f"CREATE TABLE {table}", head, 1))

    def _renew(self, table: str) -> None:
        """Add columns, which are NULL in older rows, and replace constraints; a column that is no more stays, NULL."""
        place, there = f"delta.`{self.path(table)}`", self.read(table, every=True).columns
        for name in {*there} - {column.name for column in contract(table).columns}:
            self.spark.sql(f"ALTER TABLE {place} ALTER COLUMN {name} DROP NOT NULL")
        missing = [column for column in contract(table).columns if column.name not in there]
        required = [column.name for column in missing if not column.nullable]
        if required:
            raise ContractError(
                f"{table} in {self.root} was made by an older contract, without [{', '.join(required)}]: "
                "score the corpus into a new lake"
            )
        if missing:
            added = ", ".join(f"{column.name} {column.type} COMMENT '{column.comment}'" for column in missing)
            self.spark.sql(f"ALTER TABLE {place} ADD COLUMNS ({added})")
        stated = {row["key"]: row["value"] for row in self.spark.sql(f"SHOW TBLPROPERTIES {place}").collect()}
        stated = {key.removeprefix(_CHECK): check for key, check in stated.items() if key.startswith(_CHECK)}
        wanted = {name: check.replace("''", "'") for name, check in _CONSTRAINT.findall(contract(table).statement)}
        for name in stated:
            if wanted.get(name) != stated[name]:
                self.spark.sql(f"ALTER TABLE {place} DROP CONSTRAINT {name}")
        for name in wanted:
            if wanted[name] != stated.get(name):
                self.spark.sql(f"ALTER TABLE {place} ADD CONSTRAINT {name} CHECK ({wanted[name]})")
