"""Table contracts: the columns of each table, as the DDL in ``schemas/`` declares them. No Spark session needed.

Each file is ``-- description``, ``-- key: a, b`` and one ``CREATE TABLE`` with one column per line. CHECK constraints
are properties named ``delta.constraints.NAME``, so that one commit creates the table with them.

Files of a table with ``-- sorted by: a`` are sorted by that column, by which it is looked up, in pages of 200 rows or
``-- rows of a page: n``, and each row group has a Bloom filter of it. One with ``-- newest by: a`` is appended to: of
the rows with one value of ``a`` those hold that the last commit with such rows wrote, none if these are ``gone``.
"""

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

#: Last columns of a table, by which run a row was written; no comparison of content includes them.
RUN_COLUMNS = ("run_id", "ingested_at")
#: Columns of a table of which the newest rows hold: number of the commit that wrote the row, NULL in older lakes; and
#: whether the row only says that no rows hold any more.
NEWEST_COLUMNS = ("written", "gone")
#: File and position where a document was first read; of a record in two files they depend on the order of reading.
PROVENANCE_COLUMNS = ("file_id", "position")
#: Keyed by the random secret of a lake: they differ between two lakes with equal tweets.
SECRET_COLUMNS = ("author_key",)

#: Pages of a row group. DuckDB, which knows no pages, reads 20 of 420,000 bodies in .1 of the bytes of the column.
_GROUP_PAGES = 40
#: Share of the row groups without a key that its filter does not exclude: one page of each is read.
FALSE_POSITIVES = 0.001
#: Bytes of the dictionary of a column in a row group: one of texts would be read whole for each of them.
DICTIONARY_BYTES = 64 << 10
_COLUMN = re.compile(r"^  (?P<name>\w+) (?P<type>.+?)(?P<required> NOT NULL)? COMMENT '(?P<comment>.*)',?$", re.M)
_NOTE = re.compile(r"^-- (key|sorted by|newest by|rows of a page): (.+)$", re.M)


@dataclass(frozen=True)
class Column:
    """A column: name, Spark SQL type, whether it may be NULL, and meaning."""

    name: str
    type: str
    nullable: bool
    comment: str


@dataclass(frozen=True)
class Contract:
    """A table: its columns in order, its key, and the statement that creates it."""

    table: str
    description: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    sorted_by: str | None  # column by which rows are sorted within a file, and looked up
    newest_by: tuple[str, ...]  # empty for a table of which all rows hold
    page_rows: int  # a look-up reads whole pages, or of programs that know none, whole row groups
    statement: str

    @property
    def group_rows(self) -> int:
        """Rows of a row group."""
        return _GROUP_PAGES * self.page_rows


@cache
def table_names() -> tuple[str, ...]:
    """Names of all tables, in alphabetical order."""
    files = resources.files("quotelake.schemas").iterdir()
    return tuple(sorted(file.name.removesuffix(".sql") for file in files if file.name.endswith(".sql")))


@cache
def contract(table: str) -> Contract:
    """Read the contract of a table; a ValueError: its file has no key or no columns."""
    text = resources.files("quotelake.schemas").joinpath(f"{table}.sql").read_text("utf-8")
    columns = tuple(Column(f["name"], f["type"], f["required"] is None, f["comment"]) for f in _COLUMN.finditer(text))
    notes = {what: tuple(names.split(", ")) for what, names in _NOTE.findall(text)}
    if "key" not in notes or not columns:
        raise ValueError(f"schemas/{table}.sql has no '-- key:' line or no columns")
    first, *lines = text.splitlines()
    body = "\n".join(line for line in lines if not line.startswith("--")).strip().removesuffix(";")
    [sorted_by] = notes.get("sorted by", (None,))
    [page_rows] = map(int, notes.get("rows of a page", ("200",)))
    newest_by, description = notes.get("newest by", ()), first.removeprefix("-- ")
    return Contract(table, description, columns, notes["key"], sorted_by, newest_by, page_rows, body)


def columns(table: str) -> tuple[str, ...]:
    """Columns of a table but those that its writer adds, in order, for the ``select`` that ends a transform."""
    added = RUN_COLUMNS + (NEWEST_COLUMNS if contract(table).newest_by else ())
    return tuple(column.name for column in contract(table).columns if column.name not in added)


def newest_rows(table: str, rows: str) -> str:
    """Statement, in the SQL of both engines, of the rows that hold, by a statement of all rows of a table."""
    if not (by := contract(table).newest_by):
        return rows
    names = ", ".join(f"placed.{column.name}" for column in contract(table).columns)  # "end" alone is a keyword
    latest = f"max(coalesce(written, 0)) OVER (PARTITION BY {', '.join(by)}) AS latest"
    held = "coalesce(written, 0) = latest AND NOT coalesce(gone, false)"
    return f"SELECT {names} FROM (SELECT *, {latest} FROM ({rows}) every) placed WHERE {held}"
