"""Columns of tables and views with what each holds: from the contracts, and from the comments of the views."""

from collections.abc import Mapping
from functools import cache

import duckdb

from quotelake.lake.contracts import contract, table_names
from quotelake.lake.local import no_rows
from quotelake.query.ask import prepare
from quotelake.query.catalog import column_notes, duckdb_text, reads_of, view_names


@cache
def columns_of(name: str) -> Mapping[str, str]:
    """Columns of a table or view in order, each with its comment.

    A column of a view has the comment that the file of the view gives it; without one, that of the column of the same
    name in the first table or view it reads that has one; else none.

    Raises:
        ValueError: the file of a view has a comment on a column that the view does not have.

    >>> columns_of("active_version")["dtype"]
    'number format the model computes in; one per lake'
    """
    if name in table_names():
        return {column.name: column.comment.replace("''", "'") for column in contract(name).columns}
    names, notes = _names_of_views()[name], column_notes(name)
    unknown = sorted(notes.keys() - {*names})
    if unknown:
        raise ValueError(f"schemas/views/{name}.sql: comments on columns that it does not have: {', '.join(unknown)}")
    inherited = {column: text for read in reversed(reads_of(name)) for column, text in columns_of(read).items()}
    return {column: notes.get(column) or inherited.get(column, "") for column in names}


@cache
def _names_of_views() -> Mapping[str, tuple[str, ...]]:
    """Names of the columns of each view, from views of tables without rows."""
    names = {}
    with duckdb.connect() as connection:
        prepare(connection)
        for table in table_names():
            connection.execute(f'CREATE VIEW "{table}" AS {no_rows(table)}')
        for view in view_names():
            connection.execute(f'CREATE VIEW "{view}" AS {duckdb_text(view)}')
            names[view] = tuple(connection.table(view).columns)
    return names
