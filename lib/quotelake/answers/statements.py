"""Statements that pages, summary and commands run on a lake, by name: those of ``statements.sql``."""

from collections.abc import Iterable
from typing import Final

from quotelake.query.catalog import named_statements
from quotelake.query.engines import RunSql

STATEMENTS: Final = named_statements("quotelake.answers", "statements.sql")


def texts_by_id(run_sql: RunSql, name: str, ids: Iterable[str]) -> dict[str, str]:
    """Texts of some rows by id, of those that are found: ``bodies`` of documents or ``wordings`` of variants."""
    listed = ", ".join(f"'{each}'" for each in sorted({*ids}))
    return {key: text for key, text in map(dict.values, run_sql(STATEMENTS[name].format(ids=listed)))} if listed else {}
