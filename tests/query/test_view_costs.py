"""The rows that a view makes grow with those of its tables, whichever table holds few rows: by DuckDB's profile.

Two tables joined by their version alone make the square of their rows; an optimiser does that if it expects few.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from tests.query.lakes import DAY, write_rows

from quotelake.answers.statements import STATEMENTS
from quotelake.lake.contracts import table_names
from quotelake.lake.local import make_view, no_rows
from quotelake.query.catalog import duckdb_text, prepare, reads_of, view_names

MANY, FEW = 200, 2
#: Operators that a row may pass, views read by views included: the most is 18, the square of MANY would be 100.
PASSED = 40
VALUES = {
    "rule_version": "r", "detector_version": "d", "fingerprint": "f", "representation": "masked",
    "run_id": "run", "stage": "run", "status": "ok", "field": "body", "outcome": "identical", "label": "true",
    "tier": "note", "wire_credit": None, "is_repost": False, "alert": "altered", "change": "merge",
    "table_versions": [("runs", 0)], "counts": [], "written": 1, "gone": None,
}  # fmt: skip
#: Column → table whose row it names, by a letter.
IDS = {
    "doc_id": "d", "other_doc_id": "d", "reference_doc_id": "d", "quote_id": "q", "reference_quote_id": "q",
    "best_quote_id": "q", "second_quote_id": "q", "variant_id": "v", "group_id": "v", "old_group_id": "v",
    "text_digest": "v", "text_id": "t", "story_id": "t",
}  # fmt: skip


def value(name: str, kind: pa.DataType, row: int) -> Any:
    if name == "period":
        return ("all", "2024-05")[row % 2]
    if name in VALUES or name in IDS:
        return VALUES.get(name, f"{IDS.get(name)}{row}")
    if pa.types.is_struct(kind):
        return {field.name: value(field.name, field.type, row) for field in kind}
    if pa.types.is_map(kind):
        return None
    if pa.types.is_list(kind):
        return [value(name, kind.value_type, row)]
    if pa.types.is_timestamp(kind):
        return DAY
    if pa.types.is_binary(kind):
        return b"\0"
    number = row // 2 if name in ("native_key", "native_id") else row  # two versions of an article
    return f"{name} {number}" if pa.types.is_string(kind) else number > 0 if pa.types.is_boolean(kind) else number


@pytest.fixture(scope="module")
def lakes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders many and few: every table with so many rows, those of one number belonging together."""
    root = tmp_path_factory.mktemp("lakes")
    for table in table_names():
        types = duckdb.sql(no_rows(table)).to_arrow_table().schema
        for name, rows in (("many", MANY), ("few", FEW)):
            numbers = range(1 if table in ("runs", "versions") else rows)
            write_rows(root / name, table, [{f.name: value(f.name, f.type, row) for f in types} for row in numbers])
    return root


@cache
def tables_of(view: str) -> frozenset[str]:
    return frozenset().union(*(tables_of(read) if read in view_names() else {read} for read in reads_of(view)))


def made_by(plan: dict[str, Any]) -> Iterator[int]:
    yield plan.get("intermediate_rows", 0)
    for child in plan.get("operator", plan.get("children", ())):
        yield from made_by(child)


@pytest.fixture(scope="module")
def duck(lakes: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(config={"threads": 1}) as connection:
        prepare(connection)
        for table in table_names():
            make_view(lakes / "many", table, None, connection)
        for view in view_names():
            connection.execute(f"CREATE TEMP VIEW {view} AS {duckdb_text(view)}")
        yield connection


def test_every_view_shows_some_of_the_generated_rows(duck: duckdb.DuckDBPyConnection):
    assert all(duck.execute(f"SELECT 1 FROM {view} LIMIT 1").fetchall() for view in view_names())


@pytest.mark.parametrize("scarce", [None, *(name for name in table_names() if name not in ("runs", "versions"))])
def test_no_view_makes_the_product_of_two_tables(lakes: Path, duck: duckdb.DuckDBPyConnection, scarce: str | None):
    make_view(lakes / "few", scarce or "runs", None, duck)
    try:
        for view in [name for name in view_names() if scarce is None or scarce in reads_of(name)]:
            [(_, plan)] = duck.execute(f"EXPLAIN (ANALYZE, FORMAT json) SELECT * FROM {view}").fetchall()
            rows = sum(FEW if table == scarce else MANY for table in tables_of(view))
            made = sum(made_by(json.loads(plan)))
            assert made <= PASSED * rows, f"{view} makes {made:,} rows of {rows:,}"
    finally:
        make_view(lakes / "many", scarce or "runs", None, duck)


@pytest.mark.parametrize("view", ["headline_findings", "quote_versions", "quote_spread", "run_spread"])
def test_a_view_of_every_page_reads_no_bodies(lakes: Path, duck: duckdb.DuckDBPyConnection, view: str):
    """Protects: bodies are most of a lake, and a night's pages would read all of them for the few that are shown."""
    make_view(lakes / "none", "readings", None, duck)  # what a model read is named by offsets
    try:
        [(_, plan)] = duck.execute(f"EXPLAIN (FORMAT json) SELECT * FROM {view}").fetchall()
        [(_, with_bodies)] = duck.execute("EXPLAIN (FORMAT json) SELECT body FROM document_versions").fetchall()
    finally:
        make_view(lakes / "many", "readings", None, duck)
    assert "body" in re.findall(r"\w+", with_bodies) and "body" not in re.findall(r"\w+", plan)


def read_columns(plan: dict[str, Any]) -> Iterator[str]:
    projections = plan["extra_info"].get("Projections", ()) if plan["name"] == "READ_PARQUET" else ()
    yield from [projections] if isinstance(projections, str) else projections
    for child in plan["children"]:
        yield from read_columns(child)


def read_by_filter(plan: dict[str, Any]) -> Iterator[Any]:
    yield from [plan["extra_info"].get("Filters")] if plan["name"] == "READ_PARQUET" else ()
    for child in plan["children"]:
        yield from read_by_filter(child)


@pytest.mark.parametrize("view", ["headline_findings", "quote_versions"])
def test_headline_quotes_and_compared_uses_are_shown_without_the_table_of_quotes(view: str):
    """Protects: of 417,600 articles each night read 340 MB of ids and speakers of quotes, to show few of them."""
    assert "quotes" not in tables_of(view)


def test_the_people_of_a_night_are_found_in_its_own_quotes_and_in_the_fields_that_are_shown(
    duck: duckdb.DuckDBPyConnection,
):
    """Protects: of 417,600 articles each night read 145 MB of quotes, by a filter that joins with names kept from them;
    of 300,000 it once read 500 MB of structs, of which its pages show 40."""
    statement = STATEMENTS["people"].format(ids="'run'")
    duck.execute("SET disabled_optimizers = 'statistics_propagation'")  # it drops a filter that every row passes
    [(_, text)] = duck.execute(f"EXPLAIN (FORMAT json) {statement}").fetchall()
    duck.execute("RESET disabled_optimizers")
    plan = json.loads(text)[0]
    found = {*read_columns(plan)}
    assert "speaker.name" in found and "speaker" not in found
    # Twice by its run: quotes and their documents. The full names of the articles, for aliases, are read of all.
    assert sum("run_id" in str(filters) for filters in read_by_filter(plan)) == 2
