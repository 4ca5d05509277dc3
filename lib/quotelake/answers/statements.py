"""Statements that pages, summary and commands run on a lake, by name: those of ``statements.sql``."""

from typing import Final

from quotelake.query.catalog import named_statements

STATEMENTS: Final = named_statements("quotelake.answers", "statements.sql")
