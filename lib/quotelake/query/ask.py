"""Querying a lake: a function from a statement to rows. This module decides which engine runs the statement."""

import os
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar

import duckdb

from quotelake.lake.contracts import table_names
from quotelake.lake.damage import check_table
from quotelake.lake.files import LocalFiles
from quotelake.lake.local import Unsupported, check_lake, last_complete, make_view
from quotelake.lake.place import is_local
from quotelake.query.catalog import view_names, view_text, with_all_they_read
from quotelake.query.kinds import Kind, table_columns
from quotelake.query.macros import MACROS
from quotelake.query.translate import Translated, translate

#: Memory of DuckDB before it writes to a temporary directory: beside Spark's heap there is no room for more.
_MEMORY = "512MiB"

#: Rows of a page of a long answer.
PAGE = 10_000
Fetched = TypeVar("Fetched")

Rows = list[dict[str, Any]]
#: Runs a statement on one lake: rows as mappings, nested values as lists and dicts, times as UTC.
Ask = Callable[[str], Rows]


@dataclass(frozen=True)
class Answer:
    """Rows of an answer, and the names of its columns, which an answer without rows has too."""

    names: tuple[str, ...]
    rows: Rows


class Engine(Protocol):
    """Answers statements on one lake."""

    def answer(self, statement: str) -> Answer:
        """Answer one statement."""

    def pages(self, statement: str) -> Iterator[Rows]:
        """Answer one statement in pages of some :data:`PAGE` rows, so that no answer is too large for memory."""


class DuckEngine:
    """Answers by DuckDB those statements for which it is known to give Spark's answer.

    A table is opened when a statement first names it, at its version at the end of the last complete run.

    Args:
        root: directory of the lake.
        kept: views whose rows are kept from the first statement that names them, for several statements to read.

    Raises:
        InputError: there is no lake at this place, or no run on it was ever completed.
    """

    def __init__(self, root: str, kept: Collection[str] = ()) -> None:
        self._root = Path(root).absolute()
        self._kept = frozenset(kept)
        self._connection = duckdb.connect(config=_settings())
        self._connection.execute("SET TimeZone = 'UTC'")
        for name, body in MACROS.items():
            self._connection.execute(f"CREATE TEMP MACRO {name} AS {body}")
        try:
            self._last = last_complete(root, self._connection)
        except duckdb.Error as error:
            raise Unsupported(_first_line(error)) from None
        self._made = {"runs"}

    def answer(self, statement: str) -> Answer:
        """Answer one statement.

        Raises:
            Unsupported: Spark must answer it; the message says why.
            UnknownName: the statement names a column that does not exist.
            DamageError: a table that the statement reads is damaged.
        """
        names, rows = self._execute(statement, _fetch_all)
        return Answer(names, [dict(zip(names, row, strict=True)) for row in rows])

    def pages(self, statement: str) -> Iterator[Rows]:
        """Answer one statement in pages; raises as :meth:`answer`, before the first page."""
        names, pages = self._execute(statement, _fetch_pages)
        return ([dict(zip(names, row, strict=True)) for row in page] for page in pages)

    def _execute(
        self, statement: str, fetch: Callable[[duckdb.DuckDBPyConnection], Fetched]
    ) -> tuple[tuple[str, ...], Fetched]:
        """Names of the columns of an answer, and what is fetched of its rows."""
        translated = translate(statement, self._columns_of)
        try:
            for name in sorted(with_all_they_read(translated.reads), key=_order):
                self._make(name)
            result = self._connection.execute(translated.sql)
            return tuple(column[0] for column in result.description or ()), fetch(result)
        except duckdb.Error as error:  # such as a division by zero: the message must be Spark's
            if isinstance(error, duckdb.IOException):
                check_lake(str(self._root), thorough=True)
            raise Unsupported(_first_line(error)) from None

    def close(self) -> None:
        """Free memory and temporary files."""
        self._connection.close()

    def __enter__(self) -> Self:
        """Close it at the end of a block."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()

    def _columns_of(self, name: str) -> Mapping[str, Kind] | None:
        if name in table_names():
            return table_columns(name)
        if name not in view_names():
            return None
        columns = self._view(name).columns
        if None in columns.values():
            raise Unsupported(f"{name}, which has two columns of the same name")
        return {column: kind for column, kind in columns.items() if kind is not None}

    def _view(self, name: str) -> Translated:
        if name not in self._views:
            self._views[name] = translate(view_text(name)[1], self._columns_of)
        return self._views[name]

    @cached_property
    def _views(self) -> dict[str, Translated]:
        return {}

    def _make(self, name: str) -> None:
        if name in self._made:
            return
        if name in table_names():
            check_table(str(self._root), LocalFiles(self._root), name, self._last)
            make_view(self._root, name, self._last.shown.get(name), self._connection)
        else:
            what = "TABLE" if name in self._kept else "VIEW"
            self._connection.execute(f'CREATE OR REPLACE TEMP {what} "{name}" AS {self._view(name).sql}')
        self._made.add(name)


class AutoEngine:
    """Answers by DuckDB where that gives Spark's answer, else by Spark, which is started when first needed.

    Args:
        root: directory or address of the lake.
        spark: starts Spark, if it is not running, and returns its engine.
        told: called with the reason, once for each statement that goes to Spark.
        kept: as for :class:`DuckEngine`.
    """

    def __init__(
        self,
        root: str,
        spark: Callable[[], Engine],
        told: Callable[[str], None] | None = None,
        kept: Collection[str] = (),
    ) -> None:
        self._start = spark
        self._told = told or (lambda why: None)
        self._duck: DuckEngine | None = None
        self._why = f"{root} is an address"
        if is_local(root):
            try:
                self._duck = DuckEngine(root, kept)
            except Unsupported as error:
                self._why = str(error)

    def answer(self, statement: str) -> Answer:
        """Answer one statement."""
        why = self._why
        if self._duck is not None:
            try:
                return self._duck.answer(statement)
            except Unsupported as error:
                why = str(error)
        self._told(why)
        return self._spark.answer(statement)

    def pages(self, statement: str) -> Iterator[Rows]:
        """Answer one statement in pages."""
        if self._duck is not None:
            try:
                return self._duck.pages(statement)
            except Unsupported as error:
                self._told(str(error))
        return self._spark.pages(statement)

    @cached_property
    def _spark(self) -> Engine:
        return self._start()


def reader_of(root: str, spark: Callable[[], Engine], kept: Collection[str] = ()) -> Ask:
    """Return a function that queries a lake: by DuckDB on a local disk where possible, else by Spark.

    Args:
        root: directory or address of the lake.
        spark: starts Spark, if it is not running, and returns its engine; called only when needed.
        kept: as for :class:`DuckEngine`.

    Raises:
        InputError: there is no lake at this place, or no run on it was ever completed.
    """
    engine = AutoEngine(root, spark, kept=kept)
    return lambda statement: engine.answer(statement).rows


def _fetch_all(result: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
    return result.fetchall()


def _fetch_pages(result: duckdb.DuckDBPyConnection) -> Iterator[list[tuple[Any, ...]]]:
    return iter(lambda: result.fetchmany(PAGE), [])


def _settings() -> dict[str, str | bool | int | float | list[str]]:
    return {
        "threads": len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1,
        "memory_limit": _MEMORY,
        "temp_directory": str(Path(tempfile.gettempdir()) / f"quotelake-{os.getpid()}"),
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }


def _order(name: str) -> int:
    return view_names().index(name) if name in view_names() else -1


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
