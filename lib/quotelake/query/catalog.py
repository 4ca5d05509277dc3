"""The views of ``schemas/views``, whose text both engines run: names, query, columns, and what each reads."""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from graphlib import TopologicalSorter
from importlib import resources

import duckdb

from quotelake.errors import InputError
from quotelake.lake.contracts import contract, table_names
from quotelake.lake.local import no_rows

#: Functions of Spark that the views use and DuckDB does not have, or whose value differs.
MACROS = {
    "explode(items)": "unnest(items)",
    "array_max(items)": "list_max(items)",
    "count_if(truth)": "count(*) FILTER (truth)",  # DuckDB's own is NULL over no rows
    "unix_seconds(time)": "CAST(floor(epoch(time)) AS BIGINT)",
}
#: Views to begin with, in few columns.
FIRST_VIEWS = ("alerts", "quotes_said", "ranking")
#: What engines give the views beside the tables: ``nights``, how many of the last complete runs brought what is new.
NEW_NIGHTS = "new_nights"
_COLUMN = re.compile(r"^--   (\w++): (.++)$", re.MULTILINE)
_LAMBDA = re.compile(r"\btransform\(([\w.]+), (\w+) -> ")
_READ = re.compile(r"\b(?:FROM|JOIN)\s+(\w+)")


@cache
def view_names() -> tuple[str, ...]:
    """Names of the views, each after the views that it reads."""
    reads = {name: [read for read in reads_of(name) if read in _files()] for name in sorted(_files())}
    return tuple(TopologicalSorter(reads).static_order())


@cache
def view_text(name: str) -> tuple[str, str]:
    """Description and query of a view."""
    lines = _files()[name].splitlines()
    comments = [line.removeprefix("-- ") for line in lines if line.startswith("--") and not _COLUMN.match(line)]
    return " ".join(comments), "\n".join(line for line in lines if not line.startswith("--"))


def named_statements(package: str, file: str) -> dict[str, str]:
    """Statements of a file of SQL: each stands below a line of comment that begins with its name, and ends by ``;``."""
    text = resources.files(package).joinpath(file).read_text("utf-8")
    return {part.partition(":")[0]: part.partition("\n")[2].partition(";")[0] for part in text.split("\n-- ")[1:]}


def duckdb_text(name: str) -> str:
    """Query of a view as DuckDB writes it: its lambdas are others; all else is the same in Spark's SQL."""
    return _LAMBDA.sub(r"list_transform(\1, lambda \2: ", view_text(name)[1])


def prepare(connection: duckdb.DuckDBPyConnection) -> None:
    """Make a connection understand the views (:func:`duckdb_text`), with times and the place of NULL as in Spark."""
    connection.execute("SET TimeZone = 'UTC'")
    connection.execute("SET default_null_order = 'nulls_first_on_asc_last_on_desc'")
    connection.execute(f"CREATE TEMP VIEW {NEW_NIGHTS} AS SELECT 1 AS nights")
    for name, body in MACROS.items():
        connection.execute(f"CREATE TEMP MACRO {name} AS {body}")


def description_of(name: str) -> str:
    """Description of a table or view: what one of its rows is; an InputError gives the names nearest to a wrong one."""
    if name in table_names():
        return contract(name).description
    if name not in view_names():
        raise InputError(f"no table or view {name}; {nearest_names(name)}")
    return view_text(name)[0]


def nearest_names(name: str) -> str:
    """Part of a message: which table or view was meant, or which names are nearest.

    >>> nearest_names("fils"), nearest_names("zzz")
    ('did you mean files?', 'the nearest names are: watch_uses, watch_texts, watch_movers')
    """
    names = (*view_names(), *table_names())
    if near := get_close_matches(name.lower(), names, n=3):
        return f"did you mean {' or '.join(near)}?"
    return f"the nearest names are: {', '.join(get_close_matches(name.lower(), names, n=3, cutoff=0))}"


@cache
def columns_of(name: str) -> Mapping[str, str]:
    """Columns of a table or view in order, each with its comment.

    A view's column without a comment in the file of the view (``--   url: address of the article``) has that of the
    column of this name in the first table or view it reads that has one.
    """
    if name in table_names():
        return {column.name: column.comment.replace("''", "'") for column in contract(name).columns}
    inherited = {column: text for read in reversed(reads_of(name)) for column, text in columns_of(read).items()}
    notes = dict(_COLUMN.findall(_files()[name]))
    return {column: notes.get(column) or inherited.get(column, "") for column in empty_lake().table(name).columns}


def types_of(name: str) -> Mapping[str, str]:
    """Types of the columns of a table or view in order, such as ``STRING[]`` for texts of a view."""
    if name in table_names():
        return {column.name: column.type for column in contract(name).columns}
    view = empty_lake().table(name)
    types = (str(kind).replace("VARCHAR", "STRING").replace("HUGEINT", "BIGINT") for kind in view.types)
    return dict(zip(view.columns, types, strict=True))


@cache
def empty_lake() -> duckdb.DuckDBPyConnection:
    """A connection with every table and view, without rows."""
    connection = duckdb.connect(config={"threads": 1})
    prepare(connection)
    for table in table_names():
        connection.execute(f'CREATE VIEW "{table}" AS {no_rows(table)}')
    for view in view_names():
        connection.execute(f'CREATE VIEW "{view}" AS {duckdb_text(view)}')
    connection.execute("SET enable_external_access = false")
    return connection


@cache
def reads_of(view: str) -> tuple[str, ...]:
    """Tables and views that a view reads directly, in the order of its text."""
    words = dict.fromkeys(_READ.findall(view_text(view)[1]))
    return tuple(word for word in words if word != view and (word in _files() or word in table_names()))


def read_by(statement: str) -> frozenset[str]:
    """Tables and views that a statement names, with all that these read: at least those it needs.

    >>> sorted(read_by("SELECT count(*) FROM Active_version -- not quotes_of"))
    ['active_version', 'runs', 'versions']
    """
    found = {*re.findall(r"\w+", statement.lower())} & {*table_names(), *view_names()}
    for view in reversed(view_names()):  # each after those that read it
        found |= {*reads_of(view)} if view in found else set()
    return frozenset(found)


@cache
def _files() -> dict[str, str]:
    folder = resources.files("quotelake.schemas.views").iterdir()
    return {file.name.removesuffix(".sql"): file.read_text("utf-8") for file in folder if file.name.endswith(".sql")}


def literal(text: str) -> str:
    """A text in the SQL of both engines; a backslash, with which an escape begins in Spark, by its number."""
    return "('" + text.replace("'", "''").replace("\\", "' || chr(92) || '") + "')"
