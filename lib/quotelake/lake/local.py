"""Delta tables on a local disk as DuckDB views, each at its version at the end of the last complete run."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import duckdb
from deltalake import DeltaTable
from deltalake.exceptions import DeltaError, TableNotFoundError
from sqlglot import exp

from quotelake.commands import command
from quotelake.errors import InputError
from quotelake.lake.contracts import contract, table_names
from quotelake.lake.damage import damaged, fault_of, faults_of, lacks_files
from quotelake.lake.files import LocalFiles
from quotelake.lake.last_run import COLUMNS, COMPLETE, LastRun, in_commit_order
from quotelake.lake.place import check_readable


class Unsupported(Exception):
    """A statement, or a table it names, that DuckDB cannot answer as Spark would."""


def last_complete(root: str, connection: duckdb.DuckDBPyConnection) -> LastRun:
    """Return the last run that was completed; see ``quotelake.lake.runs``. Creates the view ``runs`` in the connection.

    Raises:
        InputError: there is no lake at this place, or no run on it was ever completed.
        DamageError: ``runs`` is damaged, or missing where other tables are.
        Unsupported: the table needs a newer reader than this one.
    """
    check_readable(root)
    last = _last_complete(root, connection)
    if last is None:
        check_lake(root)
        raise InputError(f"{root} holds no lake with a complete run; make one with: {command('score')}")
    return last


def check_lake(root: str, *, thorough: bool = False) -> None:
    """Refuse a damaged lake; a place without a lake passes.

    Args:
        root: directory of the lake.
        thorough: read each commit since Delta's last checkpoint, and look for each data file; else only the names of
            commits are looked at, and the last one is read.

    Raises:
        InputError: this user cannot read the place.
        DamageError: each damaged table is named.
        Unsupported: a table needs a newer reader than this one.
    """
    check_readable(root)
    files = LocalFiles(Path(root))
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        faults, last = faults_of(files, table_names(), lambda: _last_complete(root, connection), thorough=thorough)
    for table in (name for name in table_names() if thorough and name not in faults):
        gone = _gone(Path(root, table))
        if gone:
            faults[table] = lacks_files(gone)
    if faults:
        raise damaged(root, faults, last)


def _last_complete(root: str, connection: duckdb.DuckDBPyConnection) -> LastRun | None:
    """Return the last complete run; None if there is none."""
    files = LocalFiles(Path(root))
    fault = fault_of(files, "runs", None)
    if fault:
        raise damaged(root, {"runs": fault}, None)
    if not (Path(root) / "runs").is_dir():
        return None
    try:
        make_view(Path(root), "runs", None, connection)
        statement = f"SELECT {', '.join(COLUMNS)} FROM runs WHERE stage = '{COMPLETE}'"
        rows = connection.execute(statement).fetchall()
    except duckdb.IOException:
        gone = _gone(Path(root, "runs"))
        if gone:
            raise damaged(root, {"runs": lacks_files(gone)}, None) from None
        raise
    runs = in_commit_order(dict(zip(COLUMNS, row, strict=True)) for row in rows)
    return runs[-1] if runs else None


def _gone(path: Path) -> list[str]:
    """Data files that a table has by its log, and that are not there."""
    return [file for file in _files(path, None) if not Path(file).exists()]


def rows_now(root: str, table: str, columns: Sequence[str], where: str = "true") -> list[dict[str, Any]]:
    """Rows of a small table at its current version, in no particular order.

    Args:
        root: directory of the lake.
        table: its name.
        columns: names of the columns to return.
        where: condition on the rows, in SQL that DuckDB and Spark share.

    Raises:
        Unsupported: the table needs a newer reader than this one.
    """
    with duckdb.connect() as connection:
        make_view(Path(root), table, None, connection)
        listed = ", ".join(_quoted(column) for column in columns)
        found = connection.execute(f"SELECT {listed} FROM {_quoted(table)} WHERE {where}").fetchall()
    return [dict(zip(columns, row, strict=True)) for row in found]


def make_view(root: Path, table: str, version: int | None, connection: duckdb.DuckDBPyConnection) -> None:
    """Create a view of a table in a connection, with the columns, types and order of its contract.

    Columns missing in a file, or in the whole table, are NULL; a table that does not exist is empty.

    Args:
        root: directory of the lake.
        table: its name.
        version: Delta version; None: the current one.
        connection: gets a view with the table's name.

    Raises:
        Unsupported: the table needs a newer reader than this one.
    """
    types = {column.name: _duckdb_type(column.type) for column in contract(table).columns}
    empty = ", ".join(f"CAST(NULL AS {type_}) AS {_quoted(name)}" for name, type_ in types.items())
    rows = f"SELECT {empty} WHERE false"
    files = _files(root / table, version)
    if files:
        listed = ", ".join(_text(file) for file in files)
        # Casts are needed: files may hold narrower types, and times with a time zone.
        known = f"SELECT * FROM read_parquet([{listed}], union_by_name = true, hive_partitioning = false)"
        typed = ", ".join(f"CAST({_quoted(name)} AS {type_}) AS {_quoted(name)}" for name, type_ in types.items())
        rows = f"SELECT {typed} FROM ({rows} UNION ALL BY NAME {known})"
    connection.execute(f"CREATE OR REPLACE TEMP VIEW {_quoted(table)} AS {rows}")


def _files(path: Path, version: int | None) -> list[str]:
    try:
        table = DeltaTable(str(path), version=version)
    except TableNotFoundError:
        return []  # an older lake lacks newer tables
    except DeltaError as error:
        why = str(error).partition("\n")[0]
        raise Unsupported(f"the table {path.name}, which cannot be opened: {why}") from None
    reader, partitions = table.protocol(), table.metadata().partition_columns
    mapping = table.metadata().configuration.get("delta.columnMapping.mode", "none")
    if reader.min_reader_version > 1 or reader.reader_features or partitions or mapping != "none":
        raise Unsupported(f"the table {path.name}, which needs Delta reader version {reader.min_reader_version}")
    files = [unquote(uri) for uri in table.file_uris()]
    if any(sign in file for file in files for sign in "*?["):
        raise Unsupported(f"the address {path}, which DuckDB would read as a pattern")
    return files


def _duckdb_type(spark_type: str) -> str:
    # Spark returns times to Python in UTC without a time zone: so do these views.
    type_ = exp.DataType.build(spark_type, dialect="spark")
    for part in type_.find_all(exp.DataType):
        if part.is_type("timestamptz", "timestampltz"):
            part.set("this", exp.DType.TIMESTAMP)
    return type_.sql(dialect="duckdb")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
