"""What DuckDB answers is what Spark answers: names, values, their types, and the order where one is asked for."""

import json
import math
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlglot
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession
from tests.conftest import EMPTY_VIEWS

from quotelake.lake.local import Unsupported
from quotelake.lake.tables import Lake
from quotelake.query.ask import Answer, DuckEngine
from quotelake.query.catalog import view_names, view_text
from quotelake.query.lookup.known import TEXTS, counts_query, uses_query
from quotelake.query.rules import ALLOWED, PARTS
from quotelake.query.spark import SparkEngine
from quotelake.quotes.keys import variant_id
from quotelake.reporting.alerts import QUERIES, alerts_query, page_query
from quotelake.reporting.ranking import Wanted, ranking_query
from quotelake.reporting.summary import summary_queries
from quotelake.settings import load_settings

pytestmark = [pytest.mark.spark, pytest.mark.slow]

ROOT = Path(__file__).parents[2]
Engines = tuple[DuckEngine, SparkEngine]


@pytest.fixture(scope="module")
def engines(spark: SparkSession, sample_lake: str) -> Iterator[Engines]:
    with DuckEngine(sample_lake) as duck:
        yield duck, SparkEngine(Lake(spark, sample_lake, "reader", datetime.now(UTC)))


def readme_statements() -> list[str]:
    return re.findall(r"```sql\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)


def notebook_statements() -> list[str]:
    cells = json.loads((ROOT / "notebooks/read_the_lake.ipynb").read_text("utf-8"))["cells"]
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    found = re.findall(r'spark\.sql\(f?(?:"""(.*?)"""|"(.*?)")\)', code, re.DOTALL)
    return [(long or short).replace("{group_id}", "none") for long, short in found]


def reporting_statements() -> list[str]:
    return [
        *summary_queries(load_settings().report).values(), *QUERIES.values(), alerts_query(500), page_query(2),
        alerts_query(2, "contextomized"), alerts_query(None), ranking_query(Wanted("month", min_contexts=4)),
        ranking_query(Wanted(kind="news", outlet="The Harbour's Post")), ranking_query(Wanted("2024-03"), top=2),
    ]  # fmt: skip


#: A statement or more for every entry of the allowlist. The order of rows counts where it is asked for.
# ruff: noqa: E501
STATEMENTS = [
    "SELECT count(*), count(outlet), count(DISTINCT outlet), min(published_at), max(outlet) FROM documents",
    "SELECT upper(source), lower(source), length(source), coalesce(source, 'x') FROM files",
    "SELECT outlet, COUNT(*) n FROM documents GROUP BY outlet ORDER BY outlet",
    "SELECT outlet, count(*) AS n FROM documents GROUP BY outlet ORDER BY outlet DESC, n",
    "SELECT OUTLET, d.Kind FROM documents d ORDER BY doc_id",
    "SELECT d.outlet AS Where_It_Stood FROM documents AS d ORDER BY outlet NULLS LAST, doc_id",
    "SELECT lower(headline) AS l, trim(concat(' ', kind, ' ')) AS t FROM documents WHERE kind = 'news' ORDER BY doc_id",
    "SELECT doc_id, substring(body, 0, 5) AS a, substring(body, 3) AS b, substr(body, -4, 2) AS c FROM documents",
    "SELECT concat(outlet, '/', kind) AS c, outlet || '-' || url AS p FROM documents",
    "SELECT doc_id FROM documents WHERE body LIKE '%the%' AND NOT headline LIKE 'M_yor%'",
    "SELECT count(*) AS n FROM documents WHERE contains(body, 'city') OR startswith(body, 'The') OR endswith(body, '.')",
    "SELECT n_records + n_files * 2 - 1 AS a, -n_records AS b, abs(-n_files) AS c, n_records / n_files FROM corpus_coverage",
    "SELECT n_records % 7 AS a, try_divide(n_records, 0) AS b, sqrt(n_records) AS c, 3.5D * n_files AS d FROM corpus_coverage",
    "SELECT round(score, 2) AS a, round(score * 1000) AS b, score * 0.5 AS c, score > 0.5 AS d FROM contextomy",
    "SELECT kind, sum(length(body)) AS s, avg(length(body)), sum(length(body)) / count(*) FROM documents GROUP BY kind",
    "SELECT year(published_at) AS y, month(published_at) AS m, day(published_at) AS d, count_if(is_repost) AS r "
    "FROM documents GROUP BY ALL ORDER BY y, m, d",
    "SELECT unix_seconds(published_at) AS s, unix_seconds(max(updated_at)) AS u FROM documents GROUP BY published_at",
    "SELECT dayofmonth(published_at) AS d, to_date(published_at) AS t FROM documents",
    "SELECT date_trunc('month', published_at) AS m, date_trunc('WEEK', published_at) AS w, count(*) AS n "
    "FROM documents GROUP BY 1, 2 ORDER BY 1, 2",
    "SELECT date(published_at) AS d, CAST(published_at AS DATE) AS e, CAST(position AS STRING) AS s, "
    "CAST(is_repost AS STRING) AS b, CAST(position AS DOUBLE) AS f FROM documents",
    "SELECT doc_id FROM documents WHERE published_at >= '2024-04-01' AND published_at < TIMESTAMP '2024-05-01 12:00:00'",
    "SELECT doc_id FROM documents WHERE published_at BETWEEN DATE '2024-04-01' AND '2024-04-15' OR published_at IS NULL",
    "SELECT CASE WHEN score IS NULL THEN 'none' WHEN score > 0.5 THEN 'high' ELSE 'low' END AS c, "
    "CASE outcome WHEN 'excerpt' THEN 1 ELSE 0 END AS e, if(alert IS NOT NULL, 1, 0) AS f, nvl(score, -1.0D) AS g, "
    "greatest(best_start, second_start, 3) AS h, least(best_start, 10) AS i FROM contextomy WHERE body_quotes <= 3",
    "SELECT quote_id FROM contextomy WHERE (speaker_match IS TRUE OR omitted_negation) AND outcome IN ('excerpt', 'joined')",
    "SELECT best_quote_id <=> second_quote_id AS same, true AS t, NULL AS nothing, 'a' <> outcome AS o FROM contextomy",
    "SELECT quote_id, matched, omitted FROM contextomy ORDER BY quote_id",
    "SELECT quote_id, speaker, speaker.name, speaker.head AS h, flags, size(flags) AS n FROM quotes",
    "SELECT count(*) AS n FROM quotes WHERE array_contains(flags, 'continued') AND size(segments) > 1",
    "SELECT q.kind, f.flag, count(*) AS n FROM (SELECT kind, explode(flags) AS flag FROM quotes) f "
    "JOIN (SELECT DISTINCT kind FROM quotes) q ON q.kind = f.kind GROUP BY q.kind, f.flag",
    "SELECT explode(array(1, 2, 3)) AS k",
    "SELECT stage, counts, counts['documents'] AS d, table_versions['quotes'] AS v, settings_fingerprint FROM runs",
    "SELECT doc_id, sort_array(collect_list(kind)) AS kinds, size(collect_list(parent)) AS p, first(rule_version) AS r "
    "FROM quotes GROUP BY doc_id",
    "SELECT doc_id, transform(sort_array(collect_list(struct(start, text))), q -> q.text) AS texts FROM quotes GROUP BY doc_id",
    "SELECT doc_id, max_by(speaker, start) AS s, min_by(text, struct(depth, start)) AS t FROM quotes GROUP BY doc_id",
    "SELECT doc_id, count(*) FILTER (WHERE depth = 0) AS outer_ones FROM quotes GROUP BY doc_id HAVING count(*) > 2",
    "SELECT quote_id, row_number() OVER (PARTITION BY doc_id ORDER BY start, end, field) AS n, "
    "rank() OVER (ORDER BY words) AS r, dense_rank() OVER (ORDER BY words DESC) AS d, "
    "lag(words) OVER (PARTITION BY doc_id ORDER BY field, start, end) AS l, "
    "lead(text) OVER (PARTITION BY doc_id ORDER BY field, start, end) AS e, "
    "sum(words) OVER (PARTITION BY doc_id ORDER BY field, start, end ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS s FROM quotes",
    "SELECT d.outlet, v.n FROM documents d LEFT JOIN (SELECT doc_id, count(*) AS n FROM quotes GROUP BY doc_id) v "
    "USING (doc_id) WHERE EXISTS (SELECT 1 FROM contextomy c WHERE c.doc_id = d.doc_id)",
    "SELECT count(*) AS n FROM documents d LEFT ANTI JOIN quotes q ON q.doc_id = d.doc_id",
    "SELECT count(*) AS n FROM documents d LEFT SEMI JOIN quotes q ON q.doc_id = d.doc_id",
    "SELECT doc_id FROM documents WHERE doc_id IN (SELECT doc_id FROM contextomy WHERE score > 0.9) "
    "AND length(body) > (SELECT avg(length(body)) FROM documents)",
    "WITH n AS (SELECT doc_id, count(*) AS quotes FROM quotes GROUP BY doc_id) SELECT quotes, count(*) AS docs FROM n "
    "GROUP BY quotes ORDER BY quotes LIMIT 3 OFFSET 1",
    "SELECT 'a' AS name, count(*) AS n FROM quotes UNION ALL SELECT 'b', count(*) FROM documents UNION SELECT 'b', 0",
    "SELECT * EXCEPT (body, headline) FROM documents CROSS JOIN active_version ORDER BY doc_id",
    "SELECT v.* EXCEPT (model), d.kind FROM active_version v, documents d",
    "SELECT n_documents AS n, n + 1 AS m FROM corpus_coverage ORDER BY m DESC",
    "SELECT status, sum(variation) AS s, avg(variation_low) AS a, min(n_sampled) AS m FROM topic_variation_ranking GROUP BY status",
    "SELECT fingerprint, text_hash, vector FROM embeddings ORDER BY text_hash LIMIT 5",
    "SELECT 0.5 < 1 AS a, 1.5 AS h, 1 <= 2 AS i, 1.5e3 AS b, 7 AS c, - 2 AS d, (1 + 2) * 3 AS e, 7 / 2 AS f, true AND NOT false AS g",
]
_STRINGS = ["", "a", "añ😀b", "İstanbul ΟΔΟΣ", "straße ǆ ŉ", "  x\u00a0 ", "한강", "e\u0301cole"]
EDGES = [
    "SELECT " + ", ".join(
        f"{call} AS c{i}_{j}"
        for i, text in enumerate(_STRINGS)
        for j, call in enumerate([
            f"length('{text}')", f"lower('{text}')", f"trim('{text}')",
            *(f"substring('{text}', {p}, {n})" for p in (-5, -2, 0, 1, 3, 9) for n in (-1, 0, 2, 9)),
        ]) if not (j == 1 and i == 3)
    ),
    "SELECT " + ", ".join(
        f"round({number}D, {places}) AS c{i}_{places}"
        for i, number in enumerate(["2.675", "-2.675", "0.5", "1.5", "-0.5", "1e-7", "123456.789012", "0.1", "1e15", "2.5e-1"])
        for places in range(0, 6)
    ),
    "SELECT NULL / 2 AS a, try_divide(NULL, 0) AS b, 5 % -3 AS c, -5 % 3 AS d, greatest(NULL, 1) AS e, "
    "least(NULL, 2D) AS f, coalesce(NULL, NULL, 3) AS g, NULL <=> NULL AS h, concat('a', NULL) AS i, 'a' || NULL AS j, "
    "NULL AND false AS k, NULL OR true AS l, 'b' IN ('a', NULL) AS m, 1 IN (1, NULL) AS n",
]  # fmt: skip


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


def assert_equal(engines: Engines, statement: str, ordered_by: str | None = None) -> Answer:
    duck, spark = engines
    found, expected = duck.answer(statement), spark.answer(statement)
    assert found.names == expected.names, statement
    pairs = [found.rows, expected.rows]
    if (ordered_by or sqlglot.parse_one(statement, read="spark").args.get("order")) is None:
        pairs = [sorted(rows, key=lambda row: repr([_rounded(value) for value in row.values()])) for rows in pairs]
    assert len(found.rows) == len(expected.rows), statement
    for mine, theirs in zip(*pairs, strict=True):
        assert same(mine, theirs), (statement, mine, theirs)
    return found


def _rounded(value: Any) -> Any:
    return float(f"{value:.9e}") if isinstance(value, float) else value


@pytest.mark.parametrize("view", view_names())
def test_every_view_is_answered_by_duckdb_as_by_spark(engines: Engines, view: str):
    [order] = re.findall(r"\nORDER BY (.*)\s*\Z", view_text(view)[1]) or [None]  # its rows come in it
    assert bool(assert_equal(engines, f"SELECT * FROM {view}", order).rows) == (view not in EMPTY_VIEWS)


def lookup_statements() -> list[str]:
    groups = [str(variant_id(text)) for text in ("a stitch in time saves nine", "united we stand divided we fall")]
    return [TEXTS, counts_query(groups), uses_query(groups, 2), uses_query(groups, None)]


OURS = [*readme_statements(), *notebook_statements(), *reporting_statements(), *lookup_statements()]


@pytest.mark.parametrize("statement", OURS)
def test_statements_of_ours_are_answered_by_duckdb_as_by_spark(engines: Engines, statement: str):
    assert_equal(engines, statement)


@pytest.mark.parametrize("statement", [*STATEMENTS, *EDGES])
def test_what_is_on_the_allowlist_gives_spark_s_answer(engines: Engines, statement: str):
    assert_equal(engines, statement)


def test_every_entry_of_the_allowlist_is_tried():
    tried = {
        type(node) for statement in [*STATEMENTS, *EDGES] for node in sqlglot.parse_one(statement, read="spark").walk()
    }
    assert {entry.__name__ for entry in ALLOWED - {*PARTS} - tried} == set()


_NUMBERS = st.recursive(
    st.sampled_from(["words", "depth", "start", "1", "0", "7", "2.5D", "NULL", "length(text)"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*"), inner).map(lambda parts: f"({' '.join(parts)})"),
        st.tuples(inner, inner).map(lambda two: f"try_divide({two[0]}, {two[1]})"),
        st.tuples(inner, inner).map(lambda two: f"greatest({two[0]}, coalesce({two[1]}, 3))"),
    ),
    max_leaves=3,
)
_TEXTS = st.sampled_from(
    ["text", "kind", "field", "variant_id", "speaker.name", "NULL", "'direct'", "substring(text, -3, 2)"]
)
_TRUTHS = st.recursive(
    st.one_of(
        st.tuples(_NUMBERS, st.sampled_from(["<", "<=", "=", "<>", "<=>"]), _NUMBERS).map(" ".join),
        st.tuples(_TEXTS, st.sampled_from([">", "=", "<>", "<=>"]), _TEXTS).map(" ".join),
        _TEXTS.map(lambda text: f"{text} IS NULL"),
        st.tuples(_TEXTS, _TEXTS).map(lambda two: f"{two[0]} IN ({two[1]}, 'body', NULL)"),
    ),
    lambda inner: st.one_of(
        inner.map(lambda one: f"NOT ({one})"),
        st.tuples(inner, st.sampled_from(["AND", "OR"]), inner).map(lambda parts: f"({' '.join(parts)})"),
    ),
    max_leaves=3,
)
_AGGREGATES = st.one_of(
    _NUMBERS.map(lambda one: f"sum({one})"),
    _NUMBERS.map(lambda one: f"avg({one})"),
    _TEXTS.map(lambda one: f"count(DISTINCT {one})"),
    _TEXTS.map(lambda one: f"max({one})"),
    _TRUTHS.map(lambda one: f"count_if({one})"),
)
_ROWS = st.tuples(_NUMBERS, _TEXTS, _TRUTHS, _TRUTHS).map(
    lambda p: f"SELECT quote_id, {p[0]} AS n, {p[1]} AS t, {p[2]} AS b, {p[3]} AS c FROM quotes"
)
_GROUPS = st.tuples(_TEXTS, _AGGREGATES, _AGGREGATES, _TRUTHS).map(
    lambda p: f"SELECT {p[0]} AS g, {p[1]} AS a, {p[2]} AS b FROM quotes WHERE coalesce({p[3]}, true) GROUP BY {p[0]}"
    if p[0] not in ("NULL", "'direct'") else f"SELECT {p[1]} AS a, {p[2]} AS b, {p[3]} AS c FROM quotes"
)  # fmt: skip


@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(statement=st.one_of(_ROWS, _GROUPS))
def test_generated_statements_have_equal_answers(engines: Engines, statement: str):
    duck, spark = engines
    try:
        duck.answer(statement)
    except Unsupported:  # such as a sum of NULLs: what matters is that no answer differs
        return
    assert_equal((duck, spark), statement)
