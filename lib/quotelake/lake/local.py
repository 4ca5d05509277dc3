"""Delta tables on a local disk without Spark: as views of DuckDB; and few rows are appended, found and deleted.

What opens a table raises :class:`Unsupported` if the table needs a newer reader than this one. A commit, of which one
of Spark costs a hundred, is of the version behind the one that was read: if another writer is faster, nothing is
written.
"""

import re
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

import deltalake
import duckdb
from deltalake import CommitProperties, DeltaTable, QueryBuilder, Transaction, WriterProperties, write_deltalake
from deltalake.exceptions import DeltaError, TableNotFoundError

from quotelake.errors import InputError
from quotelake.lake.contracts import DICTIONARY_BYTES, FALSE_POSITIVES, contract, newest_rows
from quotelake.lake.damage import check_tables, damage_error, log_fault
from quotelake.lake.place import Files, check_readable
from quotelake.lake.runs import COLUMNS, COMPLETE, LastRun, in_commit_order, run_of
from quotelake.program import command

if TYPE_CHECKING:
    import pyarrow as pa

#: Writer version of the tables as they are made; those of a lake that is older may need a newer one.
_WRITER_VERSION: Final = 3
#: Words of the error of a commit that another writer was faster with.
CONFLICTS: Final = ("Failed to commit transaction: 0", "Concurrent transaction failed", "already exists")
#: Keys that DataFusion looks for in the pages of a table at most; of a longer list it reads all pages.
_KEYS_BY_PAGES: Final = 2000
_LISTED: Final = 20
#: Settings of DataFusion: else each part of a file would read its index, and all keys of a row group be read.
_BY_PAGES: Final = ("optimizer.repartition_file_scans = false", "execution.parquet.max_predicate_cache_size = 0")
#: A type without nested types.
_INNERMOST = re.compile(r"(ARRAY|STRUCT|MAP)<([^<>]*)>")


class Unsupported(InputError):
    """DuckDB cannot read a table of a lake; Spark can."""


def last_complete(root: str, as_of: str | None = None) -> LastRun:
    """The last completed run, or that of a past night (:func:`.runs.run_of`); an InputError if there is none."""
    last = check_lake(root, tables=["runs"])
    if last is None:
        check_lake(root)
        raise InputError(f"{root} holds no lake with a complete run; make one with: {command('score')}")
    return last if as_of is None else run_of(complete_runs(root), as_of) or last


def check_lake(root: str, *, tables: Sequence[str] | None = None, thorough: bool = False) -> LastRun | None:
    """Refuse a damaged or unreadable lake, and return its last complete run, by :func:`~.damage.check_tables`."""
    check_readable(root)
    data_files = partial(data_files_of, root)
    return check_tables(
        root, Files(root), lambda: run_of(complete_runs(root), None), data_files, tables=tables, thorough=thorough
    )


def data_files_of(root: str, table: str, version: int | None = None) -> dict[str, int]:
    """Names of the data files of a table at a version, or now, and the bytes of each, by its log."""
    if (opened := open_table(Path(root, table), version)) is None:
        return {}
    added: Any = opened.get_add_actions()
    named = zip(added["path"], added["size_bytes"], strict=True)
    return {unquote(path.as_py()): size.as_py() for path, size in named}


def transaction_of(root: str, table: str, app: str) -> int | None:
    """Version of an application's last write to a table; None if there is none."""
    opened = open_table(Path(root, table), None)
    return None if opened is None else opened.transaction_version(app)


def complete_runs(root: str) -> list[LastRun]:
    """Completed runs, in the order of their commits."""
    return in_commit_order(rows_now(root, "runs", COLUMNS, f"stage = '{COMPLETE}'"))


def rows_now(root: str, table: str, columns: Sequence[str], where: str = "true") -> list[dict[str, Any]]:
    """Rows of a small table at its current version, in no order; ``where`` is SQL that DuckDB and Spark share."""
    with duckdb.cursor() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        make_view(Path(root), table, None, connection)
        listed = ", ".join(_quoted(column) for column in columns)
        found = connection.execute(f"SELECT {listed} FROM {_quoted(table)} WHERE {where}").fetchall()
    return [dict(zip(columns, row, strict=True)) for row in found]


def make_view(
    root: Path, table: str, version: int | None, connection: duckdb.DuckDBPyConnection, where: str = "true"
) -> None:
    """Create a view of a table at a Delta version, or now, with the columns, types and order of its contract.

    A column that a file or the whole table lacks is NULL; a table that does not exist is empty.
    """
    create, none = f"CREATE OR REPLACE TEMP VIEW {_quoted(table)} AS ", no_rows(table)
    if not (files := _files(root / table, version)):
        connection.execute(create + none)
        return
    listed = ", ".join("'" + file.replace("'", "''") + "'" for file in files)
    # Casts are needed: files may hold narrower types, and times with a time zone.
    known = f"SELECT * FROM read_parquet([{listed}], union_by_name = true, hive_partitioning = false)"
    types = {_quoted(column.name): duckdb_type(column.type) for column in contract(table).columns}
    typed = ", ".join(f"CAST({name} AS {type_}) AS {name}" for name, type_ in types.items())
    try:
        connection.execute(create + newest_rows(table, f"SELECT {typed} FROM ({known}) WHERE {where}"))
    except duckdb.BinderException:  # no file has some column; through the union each statement reads whole structs
        every = f"({none} UNION ALL BY NAME {known})"
        connection.execute(create + newest_rows(table, f"SELECT {typed} FROM {every} WHERE {where}"))


def open_table(path: Path, version: int | None) -> DeltaTable | None:
    """Open a table at a version, or now; None if there is none."""
    try:
        table = DeltaTable(str(path), version=version)
    except TableNotFoundError:
        return None  # an older lake lacks newer tables
    except DeltaError as error:
        if fault := log_fault(Files(path.parent), path.name, version, thorough=True):
            raise damage_error(str(path.parent), f"the table {path.name} {fault}") from None
        why = str(error).partition("\n")[0]
        raise Unsupported(f"DuckDB cannot open the table {path.name}: {why}; ask with --engine spark") from None
    reader, described = table.protocol(), table.metadata()
    mapping = described.configuration.get("delta.columnMapping.mode", "none")
    if reader.min_reader_version > 1 or reader.reader_features or described.partition_columns or mapping != "none":
        needed = f"it needs Delta reader version {reader.min_reader_version}"
        raise Unsupported(f"DuckDB cannot read the table {path.name}: {needed}; ask with --engine spark")
    return table


def _files(path: Path, version: int | None) -> list[str]:
    table = open_table(path, version)
    files = [] if table is None else [unquote(uri) for uri in table.file_uris()]
    if any(sign in file for file in files for sign in "*?["):
        raise Unsupported(f"DuckDB would read the address {path} as a pattern; ask with --engine spark")
    return files


def no_rows(table: str) -> str:
    """Statement without rows that has the columns of a table, with their types."""
    columns = contract(table).columns
    nulls = ", ".join(f"CAST(NULL AS {duckdb_type(column.type)}) AS {_quoted(column.name)}" for column in columns)
    return f"SELECT {nulls} WHERE false"


def duckdb_type(spark_type: str) -> str:
    """A type of Spark's DDL as DuckDB writes it. Times are in UTC without a time zone, as Spark returns them to Python.

    >>> duckdb_type("ARRAY<STRUCT<start: INT, words: ARRAY<STRING>>>")
    'STRUCT("start" INT, "words" STRING[])[]'
    """
    while found := _INNERMOST.search(spark_type):
        outer, inner = found.groups()
        if outer == "STRUCT":
            inner = re.sub(r"(?<!\w)(\w++): ", r'"\1" ', inner)
        written = f"{inner}[]" if outer == "ARRAY" else f"{outer}({inner})"
        spark_type = spark_type[: found.start()] + written + spark_type[found.end() :]
    return spark_type


def append_rows(
    root: str, table: str, rows: "pa.Table | list[Any]", txn: tuple[str, int] | None = None, *, new: bool = False
) -> int:
    """Append rows in one commit, of their keys only ``new`` ones, each once; none if the transaction was written.

    Dictionaries have all columns. Where the newest rows hold, ``written`` becomes the number of the commit, which is
    returned. Unsupported: only Spark can write the table; CommitFailedError with :data:`CONFLICTS`: another one wrote.
    """
    opened: Any = _opened(root, table)
    number: int = opened.version() + 1
    if isinstance(rows, list):
        import pyarrow as pa

        rows = pa.Table.from_pylist(rows, pa.schema(opened.schema()))
    if txn is not None and ((last := opened.transaction_version(txn[0])) is not None and last >= txn[1]):
        return number
    rows = _new_rows(root, table, rows) if new else rows
    if contract(table).newest_by:
        at = rows.schema.get_field_index("written")
        rows = rows.set_column(at, "written", [[number] * rows.num_rows])
    if not rows.num_rows:
        return number
    if by := contract(table).sorted_by:
        rows = rows.sort_by(by)
    named = None if txn is None else [Transaction(*txn)]
    layout, commit = _layout(table, rows.num_rows), CommitProperties(app_transactions=named, max_commit_retries=0)
    try:  # an older table may have columns that are no more: they are NULL
        write_deltalake(
            opened, rows, mode="append", schema_mode="merge", writer_properties=layout, commit_properties=commit
        )
    except DeltaError as error:
        if "not implemented" in str(error):  # a function in a constraint
            raise Unsupported(f"{table}: {error}") from None
        raise
    return number


def delete_rows(root: str, table: str, where: str) -> bool:
    """Delete rows in one commit; true, and errors as of :func:`append_rows`."""
    commit = CommitProperties(max_commit_retries=0)
    _opened(root, table).delete(where, writer_properties=_layout(table), commit_properties=commit)
    return True


def _layout(table: str, rows: int = sys.maxsize) -> WriterProperties:
    """As :mod:`.frames` has Spark write; the filter is made for a number of rows."""
    by, most, group = contract(table).sorted_by, contract(table).page_rows, contract(table).group_rows
    found_by = deltalake.BloomFilterProperties(True, FALSE_POSITIVES, min(rows, group))
    of_key, of_other = deltalake.ColumnProperties(None, "PAGE", found_by), deltalake.ColumnProperties(None, "CHUNK")
    found: Any = {"column_properties": {by: of_key}, "default_column_properties": of_other} if by else {}
    found |= {"data_page_row_count_limit": most, "write_batch_size": most, "max_row_group_size": group}
    return WriterProperties(None, DICTIONARY_BYTES, compression="ZSTD", compression_level=3, **found)


def rows_by_keys(
    root: str, table: str, keys: "pa.Table", columns: Sequence[str], where: str = "true", version: int | None = None
) -> "pa.Table":
    """The rows that hold of a table, now or at a version, by ``keys``, a table of one of its columns, on the driver."""
    [on], opened = keys.column_names, open_table(Path(root, table), version)
    listed = ", ".join(map(_quoted, columns))
    if opened and on == contract(table).sorted_by and not contract(table).newest_by and keys.num_rows <= _KEYS_BY_PAGES:
        import pyarrow as pa

        # By pages that may hold the keys; DuckDB would read whole row groups. Pages are found by lists of at most 20,
        # which would become one list without their ranges; of many keys that would cost more than it spares.
        literals = ["'" + key.replace("'", "''") + "'" for key in sorted({*keys.column(on).to_pylist()} - {None})]
        size = _LISTED if len(literals) <= _LISTED**2 else _KEYS_BY_PAGES
        lists = (literals[first : first + size] for first in range(0, len(literals), size))
        ranges = (f"({on} BETWEEN {each[0]} AND {each[-1]} AND {on} IN ({', '.join(each)}))" for each in lists)
        query = f"SELECT {listed} FROM rows WHERE ({' OR '.join(ranges) or 'false'}) AND {where}"
        rows = QueryBuilder().register("rows", opened)
        for setting in _BY_PAGES:
            list(rows.execute(f"SET datafusion.{setting}"))
        return pa.table(rows.execute(query))
    with duckdb.cursor() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        make_view(Path(root), table, version, connection)
        connection.register("wanted", keys)
        query = f"SELECT {listed} FROM {_quoted(table)} WHERE {_quoted(on)} IN (FROM wanted) AND {where}"
        return connection.sql(query).to_arrow_table()


def _opened(root: str, table: str) -> DeltaTable:
    opened = open_table(Path(root, table), None)
    if opened is None or opened.protocol().min_writer_version > _WRITER_VERSION:
        raise Unsupported(f"{table}: only Spark can write it")
    return opened


def _new_rows(root: str, table: str, rows: "pa.Table") -> "pa.Table":
    """The first row of each key that is not stored."""
    import pyarrow as pa  # only here: who asks a lake does without it

    key, by = list(contract(table).key), contract(table).sorted_by
    numbered = rows.select(key).append_column("at", pa.array(range(rows.num_rows), pa.int64()))
    first = numbered.group_by(key).aggregate([("at", "min")])
    stored = rows_by_keys(root, table, rows.select([by if by in key else key[0]]), key).cast(rows.select(key).schema)
    left = first.join(stored, key, join_type="left anti")
    return rows.take(left.column("at_min").sort())


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
