"""Statements that pages, summary and commands run on a lake, by name: those of ``statements.sql``."""

from collections.abc import Iterable
from typing import Final

from quotelake.query.catalog import named_statements
from quotelake.query.engines import Rows, RunSql

STATEMENTS: Final = named_statements("quotelake.answers", "statements.sql")


def rows_by_id(run_sql: RunSql, name: str, ids: Iterable[str]) -> Rows:
    """Rows of a statement about the rows with some ids; it is not run where there are none."""
    listed = ", ".join(f"'{each}'" for each in sorted({*ids}))
    return run_sql(STATEMENTS[name].format(ids=listed)) if listed else []


def rows_of_news(run_sql: RunSql, name: str) -> Rows:
    """Rows of a statement about the runs that brought what is new; by literals an engine skips other files."""
    return rows_by_id(run_sql, name, (row["run_id"] for row in run_sql(STATEMENTS["new_runs"])))


def texts_by_id(run_sql: RunSql, name: str, ids: Iterable[str]) -> dict[str, str]:
    """Texts of some rows by id, of those that are found: ``bodies`` of documents or ``wordings`` of variants."""
    return {key: text for key, text in map(dict.values, rows_by_id(run_sql, name, ids))}
