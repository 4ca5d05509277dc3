"""Every table and view of ``schemas/`` as a complete run left them, in Spark."""

import re
from collections.abc import Callable, Mapping, Set
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

import pyarrow as pa
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame

from quotelake.errors import InputError, unwrap
from quotelake.files.answers import plain
from quotelake.lake.contracts import contract, newest_rows, table_names
from quotelake.lake.damage import check_table
from quotelake.lake.page_state import new_runs
from quotelake.lake.place import check_readable
from quotelake.lake.runs import past_root
from quotelake.lake.tables import Lake
from quotelake.program import command
from quotelake.query import catalog
from quotelake.query.engines import PAGE, Answer, Engine, Fetched, failure
from quotelake.spark.arrow import arrow_schema, record_batches
from quotelake.spark.installation import check_environment
from quotelake.spark.session import get_session

#: Spark's class of an error, before its message; and what follows it: code, place, statement, Java's stack trace.
_ERROR_CLASS: Final = re.compile(r"\[[A-Z][A-Z0-9_.]+\]\s*")
_REST: Final = re.compile(r"SQLSTATE: |== SQL|JVM stacktrace:|\n[ \t]*+at [\w.$]++\(")
_PLACE: Final = re.compile(r"\bline (\d+),? pos(?:ition)? (\d+)")
_NO_TABLE: Final = re.compile(r"table or view `([^`]+)`")


class SparkEngine(Engine):
    """Answers statements on a lake in its session; tables and views are registered when a statement names them.

    ``functions`` register a function of this project each, before the first statement that names it. ``as_of`` and
    errors as for :class:`~quotelake.query.engines.DuckEngine`.
    """

    def __init__(
        self, lake: Lake, functions: Mapping[str, Callable[[Lake], None]] | None = None, as_of: str | None = None
    ) -> None:
        self._functions = dict(functions or {})
        self._known: set[str] = set()
        with lake.reporting_damage():
            last = lake.last_run(as_of) if lake.exists("runs") else None
        if last is None:
            lake.check()
            raise InputError(f"{lake.root} holds no lake with a complete run; make one with: {command('score')}")
        complete = [run.run_id for run in lake.complete_runs()]
        self._nights = 1 if as_of is not None else new_runs(lake.storage, complete)
        self._last, self._lake = last, replace(lake, root=past_root(lake.root, lake.storage, last))

    def answer(self, statement: str) -> Answer:
        """Answer one statement."""
        names, rows = self._execute(statement, lambda result: result.collect())
        return Answer(names, [row.asDict(recursive=True) for row in rows])

    def batches(self, statement: str) -> pa.RecordBatchReader:
        """Answer one statement as Arrow, a batch at a time."""
        _, (schema, rows) = self._execute(statement, lambda df: (arrow_schema(df.schema), df.toLocalIterator()))
        return plain(schema, record_batches((row.asDict(recursive=True) for row in rows), schema, PAGE))

    def _execute(self, statement: str, fetch: Callable[[DataFrame], Fetched]) -> tuple[tuple[str, ...], Fetched]:
        self._register(catalog.read_by(statement) - self._known)
        for function in [name for name in self._functions if name in statement.lower()]:
            self._functions.pop(function)(self._lake)
        try:
            result = self._lake.spark.sql(statement)
            return tuple(result.columns), fetch(result)
        except Exception as error:
            if not isinstance(error, AnalysisException):  # the statement can run: a file may be missing
                self._lake.check(thorough=True)
            raise unwrap(error) or InputError(explain_spark_error(str(error))) from None

    def publish(self) -> None:
        """Make every table and view known by its name, with comments, to all sessions of this Spark."""
        self._register({*table_names(), *catalog.view_names()}, "VIEW")

    def _register(self, names: Set[str], kind: str = "TEMPORARY VIEW") -> None:
        self._lake.spark.sql(f"CREATE OR REPLACE {kind} {catalog.NEW_NIGHTS} AS SELECT {self._nights} AS nights")
        for name in (*table_names(), *catalog.view_names()):
            if name in names:
                comments = catalog.columns_of(name).items()
                columns = ", ".join(f"`{column}` COMMENT {_literal(comment)}" for column, comment in comments)
                head = f"CREATE OR REPLACE {kind} {name} ({columns}) COMMENT {_literal(catalog.description_of(name))}"
                text = self._text(name) if name in table_names() else catalog.view_text(name)[1]
                self._lake.spark.sql(f"{head} AS {text}")
        self._known |= names

    def _text(self, table: str) -> str:
        """Query of a table as the run left it, with all columns of its contract; a table that is younger is empty."""
        lake, last = self._lake, self._last
        version = check_table(lake.root, lake.storage, table, last, lake.files_at)
        columns, rows = contract(table).columns, "WHERE false"
        there = list[str]()
        if table in last.versions or lake.exists(table):
            there = lake.read(table, version).columns
            at = "" if version is None else f"VERSION AS OF {version}"
            path = lake.path(table).replace("`", "``")
            rows = f"FROM delta.`{path}` {at} WHERE {last.where(table)}"
        named = (f"`{c.name}`" if c.name in there else f"CAST(NULL AS {c.type}) AS `{c.name}`" for c in columns)
        return newest_rows(table, f"SELECT {', '.join(named)} {rows}")


def _literal(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def explain_spark_error(text: str) -> str:
    """Message for a statement that failed, by the text of Spark's exception."""
    error_class = _ERROR_CLASS.search(text)
    text = text[error_class.end() :] if error_class else text
    message = _REST.split(text, maxsplit=1)[0]
    place = _PLACE.search(text, len(message))
    if error_class and (table := _NO_TABLE.search(message)):
        message = f"no table or view {table[1]}; {catalog.nearest_names(table[1])}"
    return failure(message or "Spark gives no reason", (int(place[1]), int(place[2]) + 1) if place else None)


def start_engine(
    name: str, root: str, functions: Mapping[str, Callable[[Lake], None]] | None = None, as_of: str | None = None
) -> SparkEngine:
    """Start Spark for the job ``name``, which reads a lake; arguments and errors as for :class:`SparkEngine`."""
    check_environment()
    check_readable(root)
    return SparkEngine(Lake(get_session(name), root, name, datetime.now(UTC)), functions, as_of)
