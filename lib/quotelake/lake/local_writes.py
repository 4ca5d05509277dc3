"""Few rows of a table on a local disk: appended, found and deleted without Spark, whose commit costs a hundred times.

The commit is of the version behind the one that was read: if another writer is faster, nothing is written.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import duckdb
import pyarrow as pa
from deltalake import CommitProperties, DeltaTable, Transaction, WriterProperties, write_deltalake
from deltalake.exceptions import DeltaError

from quotelake.lake.contracts import contract
from quotelake.lake.local import Unsupported, make_view, open_table

#: Writer version of the tables as they are made; those of a lake that is older may need a newer one.
_WRITER_VERSION: Final = 3
#: As :mod:`.frames` has Spark write.
_PARQUET: Final = WriterProperties(
    compression="ZSTD", compression_level=3, data_page_row_count_limit=200, write_batch_size=200
)
#: Words of the error of a commit that another writer was faster with.
CONFLICTS: Final = ("Failed to commit transaction: 0", "Concurrent transaction failed", "already exists")


def append_rows(
    root: str,
    table: str,
    rows: pa.Table,
    transaction: tuple[str, int] | None = None,
    *,
    new: bool = False,
    numbered: bool = False,
) -> int:
    """Append rows in one commit, of their keys only ``new`` ones, each once; none if the transaction was written.

    ``written`` of ``numbered`` rows becomes the number of the commit, which is returned. An Unsupported error: only
    Spark can write the table; a CommitFailedError with :data:`CONFLICTS`: another one wrote meanwhile.
    """
    opened = _opened(root, table)
    number = opened.version() + 1
    if transaction is not None:
        app, version = transaction
        last = opened.transaction_version(app)
        if last is not None and last >= version:
            return number
    rows = _new_rows(root, table, rows) if new else rows
    if numbered:
        at = rows.schema.get_field_index("written")
        rows = rows.set_column(at, "written", pa.repeat(pa.scalar(number), rows.num_rows))
    if not rows.num_rows:
        return number
    if by := contract(table).sorted_by:
        rows = rows.sort_by(by)
    named = None if transaction is None else [Transaction(*transaction)]
    commit = CommitProperties(app_transactions=named, max_commit_retries=0)
    try:  # an older table may have columns that are no more: they are NULL
        write_deltalake(
            opened, rows, mode="append", schema_mode="merge", writer_properties=_PARQUET, commit_properties=commit
        )
    except DeltaError as error:
        if "not implemented" in str(error):  # a function in a constraint
            raise Unsupported(f"{table}: {error}") from None
        raise
    return number


def delete_rows(root: str, table: str, where: str) -> None:
    """Delete rows in one commit; errors as of :func:`append_rows`."""
    commit = CommitProperties(max_commit_retries=0)
    _opened(root, table).delete(where, writer_properties=_PARQUET, commit_properties=commit)


def rows_by_keys(root: str, table: str, keys: pa.Table, columns: Sequence[str], where: str = "true") -> pa.Table:
    """The rows that hold of a table by ``keys``, a table of one of its columns, on the driver."""
    [on] = keys.column_names
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        make_view(Path(root), table, None, connection)
        connection.register("wanted", keys)
        listed = ", ".join(f'"{column}"' for column in columns)
        query = f'SELECT {listed} FROM "{table}" WHERE "{on}" IN (FROM wanted) AND {where}'
        return connection.sql(query).to_arrow_table()


def _opened(root: str, table: str) -> DeltaTable:
    opened = open_table(Path(root, table), None)
    if opened is None or opened.protocol().min_writer_version > _WRITER_VERSION:
        raise Unsupported(f"{table}: only Spark can write it")
    return opened


def _new_rows(root: str, table: str, rows: pa.Table) -> pa.Table:
    """The first row of each key that is not stored."""
    key = list(contract(table).key)
    numbered = rows.select(key).append_column("at", pa.array(range(rows.num_rows), pa.int64()))
    first = numbered.group_by(key).aggregate([("at", "min")])
    stored = rows_by_keys(root, table, rows.select(key[:1]), key).cast(rows.select(key).schema)
    left = first.join(stored, key, join_type="left anti")
    return rows.take(left.column("at_min").sort())
