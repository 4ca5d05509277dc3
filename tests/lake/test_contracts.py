"""Contracts: every table says what it holds, column by column, and how its rows are told apart."""

import re
from pathlib import Path

import pytest

from quotelake.lake.contracts import RUN_COLUMNS, contract, table_names

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("table", table_names())
def test_lines_of_the_ddl_are_columns_with_comments_keys_are_never_null_and_rows_say_their_run(table: str):
    found = contract(table)
    between = found.statement.split("(\n", 1)[1].split("\n) USING DELTA", 1)[0].splitlines()
    assert len(between) == len(found.columns), "a line that is no column with a comment"
    assert all(column.comment for column in found.columns)
    assert set(found.key) <= {column.name for column in found.columns if not column.nullable}
    names = [column.name for column in found.columns]
    assert set(RUN_COLUMNS) <= set(names) and len(names) == len(set(names))


def test_the_page_lists_every_view_once():
    rows = re.findall(r"^\| (`.*?`) \|", (ROOT / "docs" / "QUERIES.md").read_text("utf-8"), re.MULTILINE)
    listed = [name for row in rows for name in re.findall(r"\w+", row)]
    assert sorted(listed) == sorted(path.stem for path in (ROOT / "schemas" / "views").glob("*.sql"))
