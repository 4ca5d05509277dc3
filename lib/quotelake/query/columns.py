"""Columns of tables and views with what each holds: from the contracts, and from the comments of the views."""

from collections.abc import Mapping
from functools import cache

import sqlglot
from sqlglot import exp

from quotelake.lake.contracts import contract, table_names
from quotelake.query.catalog import column_notes, view_text


@cache
def columns_of(name: str) -> Mapping[str, str]:
    """Columns of a table or view in order, each with its comment.

    A column of a view has the comment that the file of the view gives it; without one, and if the view passes the
    column of a table or another view on, that column's comment; else none.

    Raises:
        ValueError: the file of a view has a comment on a column that the view does not have.

    >>> columns_of("active_version")["dtype"]
    'number format the model computes in; one per lake'
    """
    if name in table_names():
        return {column.name: column.comment.replace("''", "'") for column in contract(name).columns}
    query = sqlglot.parse_one(view_text(name)[1], read="spark")
    assert isinstance(query, exp.Select)
    found, notes = _selected(query, {}), column_notes(name)
    unknown = sorted(notes.keys() - found.keys())
    if unknown:
        raise ValueError(f"schemas/views/{name}.sql: comments on columns that it does not have: {', '.join(unknown)}")
    return {column: notes.get(column, comment) for column, comment in found.items()}


def _selected(query: exp.Select, around: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Columns of a query with the comments that they inherit; ``around`` has the common tables known to it."""
    tables = dict(around)
    for table in query.ctes:
        tables[table.alias] = _selected(_select(table.this), tables)
    joined = [clause.this for clause in (query.args.get("from_"), *(query.args.get("joins") or ())) if clause]
    sources = {source.alias_or_name: _source(source, tables) for source in joined}
    columns: dict[str, str] = {}
    for projection in query.expressions:
        inner = projection.unalias()
        star = inner.this if isinstance(inner, exp.Column) else inner
        if isinstance(star, exp.Star):
            left_out = {column.name for column in star.args.get("except_") or ()}
            starred = [sources[inner.table]] if isinstance(inner, exp.Column) else list(sources.values())
            columns |= {name: text for each in starred for name, text in each.items() if name not in left_out}
        else:
            columns[projection.alias_or_name] = _inherited(inner, sources)
    return columns


def _source(source: exp.Expr, tables: Mapping[str, Mapping[str, str]]) -> Mapping[str, str]:
    if isinstance(source, exp.Subquery):
        return _selected(_select(source.this), tables)
    return tables[source.name] if source.name in tables else columns_of(source.name)


def _inherited(value: exp.Expr, sources: Mapping[str, Mapping[str, str]]) -> str:
    """Comment of the column that a value is, or nothing: a field of a struct and a computed value have none."""
    if not isinstance(value, exp.Column) or len(value.parts) > 2:
        return ""
    owners = [sources[value.table]] if value.table in sources else list(sources.values())
    return next((owner[value.name] for owner in owners if value.name in owner), "")


def _select(query: exp.Expr) -> exp.Select:
    assert isinstance(query, exp.Select), "a view is made of SELECT only"
    return query
