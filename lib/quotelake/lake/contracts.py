"""Table contracts: the columns of each table, as the DDL in ``schemas/`` declares them. No Spark session needed.

Each file is ``-- description``, ``-- key: a, b`` and one ``CREATE TABLE`` with one column per line. CHECK constraints
are properties named ``delta.constraints.NAME``, so that one commit creates the table with them.
"""

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

#: Last columns of a table, by which run a row was written; no comparison of content includes them.
RUN_COLUMNS = ("run_id", "ingested_at")
#: File and position where a document was first read; of a record in two files they depend on the order of reading.
PROVENANCE_COLUMNS = ("file_id", "position")
#: Keyed by the random secret of a lake: they differ between two lakes with equal tweets.
SECRET_COLUMNS = ("author_key",)

_COLUMN = re.compile(r"^  (?P<name>\w+) (?P<type>.+?)(?P<required> NOT NULL)? COMMENT '(?P<comment>.*)',?$", re.M)
_CLUSTERED = re.compile(r"^CLUSTER BY \((\w+)\)", re.M)
_KEY = re.compile(r"^-- key: (?P<columns>.+)$", re.M)


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
    statement: str


@cache
def table_names() -> tuple[str, ...]:
    """Names of all tables, in alphabetical order."""
    files = resources.files("quotelake.schemas").iterdir()
    return tuple(sorted(file.name.removesuffix(".sql") for file in files if file.name.endswith(".sql")))


@cache
def contract(table: str) -> Contract:
    """Read the contract of a table; a ValueError: its file has no key or no columns."""
    text = resources.files("quotelake.schemas").joinpath(f"{table}.sql").read_text("utf-8")
    columns = tuple(
        Column(found["name"], found["type"], found["required"] is None, found["comment"])
        for found in _COLUMN.finditer(text)
    )
    key = _KEY.search(text)
    if key is None or not columns:
        raise ValueError(f"schemas/{table}.sql has no '-- key:' line or no columns")
    first, *lines = text.splitlines()
    body = "\n".join(line for line in lines if not line.startswith("--")).strip().removesuffix(";")
    return Contract(table, first.removeprefix("-- "), columns, tuple(key["columns"].split(", ")), body)


def columns(table: str) -> tuple[str, ...]:
    """Columns of a table but :data:`RUN_COLUMNS`, in order, for the ``select`` that ends a transform."""
    return tuple(column.name for column in contract(table).columns if column.name not in RUN_COLUMNS)


@cache
def clustered_by(table: str) -> str | None:
    """Column by which a table is sorted and looked up, from CLUSTER BY in its contract."""
    found = _CLUSTERED.search(contract(table).statement)
    return None if found is None else found[1]
