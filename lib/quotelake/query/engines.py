"""Queries: from a statement to rows. DuckDB answers on a local disk, in its own SQL; elsewhere Spark does."""

import json
import os
import re
import sys
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, ExitStack, suppress
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeVar

import duckdb
from deltalake.exceptions import DeltaError

from quotelake.errors import InputError
from quotelake.lake import local
from quotelake.lake.contracts import table_names
from quotelake.lake.damage import check_table
from quotelake.lake.local import Unsupported
from quotelake.lake.page_state import new_runs
from quotelake.lake.place import Files, is_local
from quotelake.lake.runs import past_root
from quotelake.query.catalog import NEW_NIGHTS, duckdb_text, nearest_names, prepare, read_by, view_names

if TYPE_CHECKING:  # imported where it is used: that takes longer than most answers
    import pyarrow as pa

#: Rows of a page of a long answer.
PAGE = 10_000
#: The statements ``bodies`` and ``wordings``: texts by ids, for which DuckDB would read most of a column.
_LOOK_UP: Final = re.compile(
    r"SELECT (doc_id|variant_id), (body|canonical_text) FROM (documents|variants) WHERE \1 IN \(((?:'\w+'(?:, )?)+)\)"
)
Fetched = TypeVar("Fetched")
Choice = Literal["auto", "duckdb", "spark"]

Rows = list[dict[str, Any]]
#: Runs a statement on one lake: rows as mappings, nested values as lists and dicts, times as UTC.
RunSql = Callable[[str], Rows]


class Answer(NamedTuple):
    """Rows of an answer, and the names of its columns, which an answer without rows has too."""

    names: tuple[str, ...]
    rows: Rows


class Engine(ABC):
    """Answers statements on one lake.

    Raises:
        InputError: a statement fails, or would do more than read; the message is one line with place and reason.
        DamageError: a table that the statement reads is damaged.
    """

    def sql(self, statement: str) -> Rows:
        """Rows of the answer to one statement."""
        return self.answer(statement).rows

    @abstractmethod
    def answer(self, statement: str) -> Answer:
        """Answer one statement."""

    def pages(self, statement: str) -> Iterator[Rows]:
        """Answer one statement in pages of at most :data:`PAGE` rows, so that no answer is too large for memory."""
        return (batch.to_pylist(maps_as_pydicts="strict") for batch in self.batches(statement))

    @abstractmethod
    def batches(self, statement: str) -> "pa.RecordBatchReader":
        """Answer one statement as Arrow batches; the next statement ends them. Times are UTC without zone."""

    def arrow(self, statement: str) -> "pa.Table":
        """Answer one statement as an Arrow table, of which pandas and Polars make frames."""
        return self.batches(statement).read_all()

    def view(self, name: str, where: str | None = None) -> "pa.Table":
        """Rows of a view or table as an Arrow table: all, or those that meet a condition in SQL."""
        return self.arrow(f"SELECT * FROM {name}" + (f" WHERE {where}" if where else ""))


class DuckEngine(Engine, AbstractContextManager["DuckEngine"]):
    """Answers statements in DuckDB's SQL on a local lake, which it cannot change; no statement reaches other files.

    A table is opened when a statement first names it, or a view that reads it: at its version at the end of the last
    complete run, or of that whose label or id is ``as_of``. The rows of ``materialized`` views, of a job, are computed
    once. NULL comes first in ascending order and last in descending order, as in Spark. New is what came behind the run
    ``since``, by its id, or else behind what the pages showed before; of a past night, what it brought.

    Raises:
        InputError: there is no lake at this place, no run on it was ever completed, or none of this name.
        Unsupported: DuckDB cannot read one of the tables; so do statements.
    """

    def __init__(
        self, root: str, materialized: Collection[str] = (), as_of: str | None = None, since: str | None = None
    ) -> None:
        self._materialized = materialized
        self._created: set[str] = set()
        with ExitStack() as opened:
            settings: dict[str, str | bool | int | float | list[str]] = {
                "threads": usable_cores(),
                # Only this user can read it; it is also removed when the program ends.
                "temp_directory": opened.enter_context(tempfile.TemporaryDirectory(prefix="quotelake-")),
                "autoinstall_known_extensions": False,
                "autoload_known_extensions": False,
                "python_enable_replacements": False,  # a name is never a variable of this program
                "errors_as_json": True,
                # Of a job, beside Java's two gigabytes: the summary of 160,000 articles took 4.9, with this 1.7.
                "memory_limit": "1600MB" if materialized else "80%",
                "cache_local_files": bool(materialized),  # of a job, whose statements read the same columns
                # [measured on 417,600 articles: the default of 16 kB costs pages 9 % more CPU, 2 MB read much in vain]
                "external_file_cache_local_max_block_size": 256 << 10,
            }
            self._connection = opened.enter_context(duckdb.connect(config=settings))
            prepare(self._connection)
            try:
                self._last = local.last_complete(root, as_of)
            except duckdb.Error as error:
                raise InputError(explain_duckdb_error(error, "")) from None
            self._root = Path(past_root(root, Files(root), self._last)).resolve()
            complete = [run.run_id for run in local.complete_runs(root)]
            nights = 1 if as_of is not None else new_runs(Files(root), complete, since)
            self._connection.execute(f"CREATE OR REPLACE TEMP VIEW {NEW_NIGHTS} AS SELECT {nights} AS nights")
            # It reads the lake alone. Its tables may be links to another disk.
            tables = [str((self._root / table).resolve()) for table in table_names()]
            self._connection.execute("SET allowed_directories = ?", [[str(self._root), *tables]])
            self._connection.execute("SET parquet_metadata_cache = true")
            self._connection.execute("SET enable_external_access = false")
            self._connection.execute("SET lock_configuration = true")
            self._opened = opened.pop_all()

    def answer(self, statement: str) -> Answer:
        """Answer one statement."""
        if look_up := _LOOK_UP.fullmatch(statement.strip()):
            with suppress(OSError, ValueError, DeltaError):  # a fault of a file, which DuckDB names
                return self._look_up(*look_up.groups())
        names, rows = self._execute(statement, lambda result: result.fetchall())
        return Answer(names, [dict(zip(names, row, strict=True)) for row in rows])

    def _look_up(self, key: str, text: str, table: str, ids: str) -> Answer:
        """Texts of a table by ids, from the pages that hold them."""
        import pyarrow as pa

        keys = pa.table({key: re.findall(r"\w+", ids)})
        rows = local.rows_by_keys(
            str(self._root), table, keys, (key, text), self._last.where(table), self._version(table)
        )
        return Answer((key, text), rows.to_pylist())

    def _version(self, table: str) -> int | None:
        root = str(self._root)
        return check_table(root, Files(root), table, self._last, partial(local.data_files_of, root))

    def batches(self, statement: str) -> "pa.RecordBatchReader":
        """Answer one statement as Arrow batches."""
        from quotelake.files.answers import plain

        _, found = self._execute(statement, lambda result: result.to_arrow_reader(PAGE), self._begin)

        def batches_with_faults() -> "Iterator[pa.RecordBatch]":
            try:
                yield from found
            except OSError as error:  # DuckDB's, as Arrow raises it
                raise self._fault(error, statement) from None

        return plain(found.schema, batches_with_faults())

    def __exit__(self, *_: object) -> None:
        """Free memory and temporary files."""
        self._opened.close()

    def _execute(
        self, statement: str, fetch: Callable[[Any], Fetched], begin: Callable[[str], Any] | None = None
    ) -> tuple[tuple[str, ...], Fetched]:
        """Execute or ``begin`` a statement: names of the columns, and what ``fetch`` gives of its rows."""
        try:
            found = self._connection.extract_statements(statement)
            if len(found) != 1:
                raise InputError("give one statement at a time")
            if found[0].type != duckdb.StatementType.SELECT:  # files of the lake could be overwritten
                remedy = "begin with SELECT, WITH, FROM, DESCRIBE or SUMMARIZE, or use --engine spark"
                raise InputError(f"{found[0].type.name} is refused: a query changes nothing; {remedy}")
            self._register(read_by(statement))
            result = (begin or self._connection.execute)(statement)
            return tuple(column[0] for column in result.description or ()), fetch(result)
        except duckdb.Error as error:
            raise self._fault(error, statement) from None

    def _fault(self, error: Exception, statement: str) -> InputError:
        """Fault of a statement; or, if it can run, of the lake: a file may be missing or cut."""
        if not isinstance(error, (duckdb.CatalogException, duckdb.BinderException, duckdb.ParserException)):
            local.check_lake(str(self._root), thorough=True)
        return InputError(explain_duckdb_error(error, statement))

    def _register(self, names: Collection[str]) -> None:
        """Create tables and views, each after those that it reads, so that each is bound once."""
        for name in (*table_names(), *view_names()):
            if name not in names or name in self._created:
                continue
            if name in table_names():
                local.make_view(self._root, name, self._version(name), self._connection, where=self._last.where(name))
            else:
                kind = "TABLE" if name in self._materialized else "VIEW"
                self._connection.execute(f'CREATE TEMP {kind} "{name}" AS {duckdb_text(name)}')
            self._created.add(name)

    def _begin(self, statement: str) -> duckdb.DuckDBPyRelation:
        """Bind a statement without running it: ``execute`` would gather the whole answer."""
        try:
            self._connection.execute(f"PREPARE bound AS {statement}")  # a relation's errors name no table
        except duckdb.Error:
            self._connection.execute(statement)  # the same error, at its place in the statement
        return self._connection.sql(statement)


class AutoEngine(Engine):
    """Answers statements in the SQL that both engines share: by DuckDB where it can read the tables, else by Spark.

    ``spark`` starts Spark when needed, and returns its engine for the same night. Other arguments and errors as for
    :class:`DuckEngine`; ``root`` may be an address.
    """

    def __init__(
        self,
        root: str,
        spark: Callable[[], Engine],
        as_of: str | None = None,
        materialized: Collection[str] = (),
        since: str | None = None,
    ) -> None:
        self._spark = cache(spark)
        self._duck: DuckEngine | None = None
        if is_local(root):
            with suppress(Unsupported):  # Spark reads every table it wrote
                self._duck = DuckEngine(root, materialized, as_of, since)

    def answer(self, statement: str) -> Answer:
        """Answer one statement."""
        return self._first(lambda engine: engine.answer(statement))

    def batches(self, statement: str) -> "pa.RecordBatchReader":
        """Answer one statement as Arrow batches."""
        return self._first(lambda engine: engine.batches(statement))

    def _first(self, run_sql: Callable[[Engine], Fetched]) -> Fetched:
        if self._duck is not None:
            with suppress(Unsupported):
                return run_sql(self._duck)
        return run_sql(self._spark())


def usable_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def open_engine(root: str, spark: Callable[[], Engine], choice: Choice = "auto", as_of: str | None = None) -> Engine:
    """Open a lake for statements of its users; arguments and errors as for :func:`quotelake.open`."""
    if choice == "duckdb" and not is_local(root):
        raise InputError(f"--engine duckdb: {root} is an address, which only Spark reaches: leave out --engine")
    return spark() if choice == "spark" or not is_local(root) else DuckEngine(root, as_of=as_of)


def explain_duckdb_error(error: Exception, statement: str) -> str:
    """Message for a statement that failed in DuckDB, with its place if the connection has ``errors_as_json``."""
    found: dict[str, str] = {"exception_message": str(error), "type": "", "name": ""}
    with suppress(ValueError):
        found |= json.loads(str(error)[str(error).index("{") :])
    message, name, kind = found["exception_message"], found["name"], found["type"]
    if kind == "Table":
        message = f"no table or view {name}; {nearest_names(name)}"
    elif "Function" in kind:
        message = f"DuckDB has no function {name}; ask with --engine spark for a function of Spark"
    before = statement.encode()[: int(found.get("position", 0))].decode(errors="replace")  # position counts bytes
    place = (before.count("\n") + 1, len(before) - before.rfind("\n")) if "position" in found else None
    return failure(message.partition("\tCandidate functions")[0], place)


def failure(message: str, place: tuple[int, int] | None) -> str:
    """Message for a statement that failed, with the line and the character of its place."""
    where = f" at line {place[0]}, character {place[1]}" if place else ""
    return f"the statement failed{where}: {' '.join(message.split())}"
