"""Each view, and each statement of ours, has one answer by DuckDB and by Spark, in a scored lake and an empty one."""

import json
import math
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession
from tests.conftest import EMPTY_VIEWS
from tests.query.lakes import complete

from quotelake.answers.ranking import ranking_query
from quotelake.answers.reviews import alerts_query
from quotelake.answers.statements import STATEMENTS
from quotelake.lake.tables import Lake
from quotelake.query.catalog import view_names, view_text
from quotelake.query.engines import DuckEngine, Engine
from quotelake.query.lookup import TEXTS, uses_query
from quotelake.query.spark import SparkEngine
from quotelake.quotes.keys import variant_id

pytestmark = [pytest.mark.spark, pytest.mark.slow]

ROOT = Path(__file__).parents[2]
Engines = tuple[Engine, Engine]


def engines_of(spark: SparkSession, root: str) -> Iterator[Engines]:
    with DuckEngine(root) as duck:
        yield duck, SparkEngine(Lake(spark, root, "reader", datetime.now(UTC)))


@pytest.fixture(scope="module")
def engines(spark: SparkSession, sample_lake: str) -> Iterator[Engines]:
    yield from engines_of(spark, sample_lake)


@pytest.fixture(scope="module")
def of_empty(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engines]:
    root = tmp_path_factory.mktemp("lake")
    complete(root, "r1")
    yield from engines_of(spark.newSession(), str(root))  # a session has one lake's views


def same(one: Any, other: Any) -> bool:
    """Equal values of one type; doubles up to the order of summation."""
    if type(one) is not type(other):
        return False
    if isinstance(one, float):
        return math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-15) or (math.isnan(one) and math.isnan(other))
    if isinstance(one, dict):
        return set(one) == set(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def assert_equal(engines: Engines, statement: str, text: str) -> int:
    """Check names, values, types, and the order if the last line of the text says one; return the number of rows."""
    found, expected = (engine.answer(statement) for engine in engines)
    assert found.names == expected.names, statement
    pairs = [found.rows, expected.rows]
    if "ORDER BY " not in text.strip().rpartition("\n" if "\n" in text.strip() else ")")[2]:
        pairs = [sorted(rows, key=lambda row: repr([_rounded(value) for value in row.values()])) for rows in pairs]
    assert len(found.rows) == len(expected.rows), statement
    for mine, theirs in zip(*pairs, strict=True):
        assert same(mine, theirs), (statement, mine, theirs)
    return len(found.rows)


def _rounded(value: Any) -> Any:
    return float(f"{value:.9e}") if isinstance(value, float) else value


@pytest.mark.parametrize("view", view_names())
def test_each_view_has_equal_rows_in_both_engines(engines: Engines, of_empty: Engines, view: str):
    text = view_text(view)[1].strip()
    assert bool(assert_equal(engines, f"SELECT * FROM {view}", text)) == (view not in EMPTY_VIEWS)
    of_runs = {"run_summary": 1, "run_changes": 3}  # a run without stages has no alerts, checks and watched uses
    assert assert_equal(of_empty, f"SELECT * FROM {view}", text) == of_runs.get(view, 0)


@pytest.mark.parametrize("view", ["run_summary", "headline_alerts"])
def test_arrow_has_the_rows_of_the_answer_in_both_engines(engines: Engines, view: str):
    for engine in engines:
        table = engine.view(view)
        assert table.to_pylist(maps_as_pydicts="strict") == engine.sql(f"SELECT * FROM {view}")
        assert {field.type for field in table.schema if pa.types.is_timestamp(field.type)} == {pa.timestamp("us")}


def page_statements() -> list[str]:
    return re.findall(r"```sql\n(.*?)```", (ROOT / "docs" / "QUERIES.md").read_text("utf-8"), re.DOTALL)


def notebook_statements() -> list[str]:
    cells = json.loads((ROOT / "notebooks/read_the_lake.ipynb").read_text("utf-8"))["cells"]
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    found = re.findall(r'sql\(f?(?:"""(.*?)"""|"(.*?)")\)', code, re.DOTALL)
    return [(long or short).replace("{group_id}", "none") for long, short in found]


def reporting_statements() -> list[str]:
    filled = {"limit": 2, "ids": "'none'", "view": "topic_variation_ranking", "conditions": "true", "first": ""}
    filled |= {"outlet": "'Post'", "rule_version": "r", "fingerprint": "f", "representation": "masked"}
    return [
        *(statement.format_map(filled) for statement in STATEMENTS.values()),
        alerts_query(500), alerts_query(2, "negation"), alerts_query(None),
        alerts_query(2, "negation", unreviewed=True), ranking_query("month", min_contexts=4),
        ranking_query(kind="news", outlet="The Harbour's \\ Post"), ranking_query("2024-03", top=2),
    ]  # fmt: skip


def lookup_statements() -> list[str]:
    groups = [str(variant_id(text)) for text in ("a stitch in time saves nine", "united we stand divided we fall")]
    return [TEXTS, uses_query(groups, 2), uses_query(groups, None)]


@pytest.mark.parametrize(
    "statement", [*page_statements(), *notebook_statements(), *reporting_statements(), *lookup_statements()]
)
def test_each_statement_of_ours_has_equal_rows_in_both_engines(engines: Engines, of_empty: Engines, statement: str):
    assert_equal(engines, statement, statement)
    assert_equal(of_empty, statement, statement)
