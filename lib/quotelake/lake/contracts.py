"""Table contracts: the DDL in ``schemas/`` is the one place that says what a table holds. No Spark session needed.

Each file is ``-- description``, ``-- key: a, b`` and one ``CREATE TABLE`` with one column per line. CHECK constraints
are properties named ``delta.constraints.NAME``, so that one commit creates the table with them.
"""

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

#: Last columns of a table; they say which run wrote a row, so no comparison of content includes them.
RUN_COLUMNS = ("run_id", "ingested_at")
#: Where a document was first read: for a record in two files it depends on which file was read first.
PROVENANCE_COLUMNS = ("file_id", "position")
#: Keyed by the secret of a lake, which is random: equal tweets have others in two lakes.
SECRET_COLUMNS = ("author_key",)

_COLUMN = re.compile(r"^  (?P<name>\w+) (?P<type>.+?)(?P<required> NOT NULL)? COMMENT '(?P<comment>.*)',?$", re.M)
_CLUSTERED = re.compile(r"^CLUSTER BY \((\w+)\)", re.M)
_KEY = re.compile(r"^-- key: (?P<columns>.+)$", re.M)


@dataclass(frozen=True)
class Column:
    """One column: its name, its Spark SQL type, whether it may be NULL, and what it holds."""

    name: str
    type: str
    nullable: bool
    comment: str


@dataclass(frozen=True)
class Contract:
    """What a table holds: columns in order, key, and the statement that creates it."""

    table: str
    description: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    statement: str

    @property
    def content_columns(self) -> tuple[str, ...]:
        """Names of the columns a transform produces: all but those of the run."""
        return tuple(column.name for column in self.columns if column.name not in RUN_COLUMNS)

    def ddl(self, *, with_run_columns: bool = True) -> str:
        """Spark DDL of the columns, such as ``doc_id STRING NOT NULL, start INT``."""
        return ", ".join(
            f"{column.name} {column.type}{'' if column.nullable else ' NOT NULL'}"
            for column in self.columns
            if with_run_columns or column.name not in RUN_COLUMNS
        )


@cache
def table_names() -> tuple[str, ...]:
    """Names of all tables, in alphabetical order."""
    files = resources.files("quotelake.schemas").iterdir()
    return tuple(sorted(file.name.removesuffix(".sql") for file in files if file.name.endswith(".sql")))


@cache
def contract(table: str) -> Contract:
    """Read the contract of a table.

    Raises:
        ValueError: its file has no key or no columns.

    >>> contract("quotes").key
    ('quote_id', 'rule_version')
    """
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
    """Content columns of a table in order, for the ``select`` that ends a transform."""
    return contract(table).content_columns


@cache
def clustered_by(table: str) -> str | None:
    """Column that a table is sorted and looked up by: the one its contract names in CLUSTER BY."""
    found = _CLUSTERED.search(contract(table).statement)
    return None if found is None else found[1]
