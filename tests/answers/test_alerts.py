"""What the page reads: alerts and checks, of each list the new ones first, then those of the highest priority."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.pages.pages import Reading
from tests.query.lakes import complete

from quotelake.answers.alerts import read_report, words_elsewhere
from quotelake.answers.marking import deciding_span
from quotelake.answers.reviews import alerts_query
from quotelake.answers.statements import STATEMENTS
from quotelake.contextomy.detector import load
from quotelake.contextomy.features import SUPPORT
from quotelake.lake.local import no_rows
from quotelake.lake.runs import new_run
from quotelake.lake.tables import Lake
from quotelake.pages.page import render
from quotelake.query.catalog import duckdb_text, prepare
from quotelake.query.engines import AutoEngine, DuckEngine, RunSql
from quotelake.query.spark import SparkEngine

Row = tuple[str, float, str, str, str]
OLD = "2024-05-01"
PAGE = STATEMENTS["page_alerts"]


def rows(statement: str, alerts: list[Row], runs: tuple[str, ...] = ()) -> list[dict[str, object]]:
    """Answer over alerts, or checks if their kind is c, each of kind, priority, id, story and the day it came in.

    A run is its day, by its clock, and behind it those of the killed runs that it took up.
    """
    nulls = ", ".join(f"NULL AS {name}" for name in (*SUPPORT, "cosine_best", "evidence"))
    done = [
        f"('{day}', '{stage}', TIMESTAMP '{day}', MAP {{'runs': {number}}}, {counts})"
        for number, days in enumerate(runs or [OLD])
        for day, *killed in [days.split()]
        for taken_up in [", ".join(f"'{each}': 1" for each in killed)]
        for counts in [f"CAST(MAP {{{taken_up}}} AS MAP(VARCHAR, BIGINT))"]
        for stage in ("taken_up", "documents", "run")
    ]
    with duckdb.connect() as connection:
        prepare(connection)
        connection.execute(
            "CREATE TABLE headline_findings AS SELECT kind, priority, quote_id, story_id, CAST(day AS TIMESTAMP) AS "
            "first_seen, day AS run_id, 'x' AS doc_id, NULL AS of_story, NULL AS score, 'r' AS rule_version, "
            "'d' AS detector_version, NULL AS cosine_best, CASE kind WHEN 'c' THEN 'check' ELSE 'alert' END AS tier, "
            "max(CASE WHEN kind <> 'c' THEN kind END) OVER (PARTITION BY quote_id) AS alert, NULL AS reading_verdict "
            f"FROM (VALUES {', '.join(map(str, alerts))}) t (kind, priority, quote_id, story_id, day);"
            f"CREATE TABLE contextomy AS SELECT DISTINCT quote_id, rule_version, detector_version, {nulls} "
            "FROM headline_findings;"
            "CREATE TABLE runs AS SELECT *, NULL AS night, 1.0 AS seconds, 's' AS settings_fingerprint FROM "
            f"(VALUES {', '.join(done)}) t (run_id, stage, ingested_at, table_versions, counts);"
            f"CREATE VIEW run_summary AS {duckdb_text('run_summary')};"
            f"CREATE VIEW page_alerts AS {duckdb_text('page_alerts')}"
        )
        found = connection.execute(statement)
        names = [column[0] for column in found.description]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


ALERTS: list[Row] = [
    ("a", 0.2, "1", "s1", OLD), ("a", 0.9, "2", "s2", OLD), ("a", 0.9, "3", "s3", OLD), ("b", 0.5, "9", "s2", OLD),
    ("b", 0.5, "8", "s8", OLD),
]  # fmt: skip


def test_the_first_of_each_kind_have_the_highest_priority():
    checks = [("c", 0.4, "2", "s2", OLD), ("c", 0.6, "7", "s7", OLD)]
    for limit, kind, expected in [(2, None, "2389"), (1, "b", "8"), (None, None, "23189"), (None, "c", "72")]:
        found = rows(alerts_query(limit, kind), [*ALERTS, *checks])
        assert "".join(str(row["quote_id"]) for row in found) == expected
        assert kind is None or {row["alert"] for row in found} == {kind}
    assert rows(alerts_query(1, "a' OR 'a' = 'a"), ALERTS) == []


IN_ORDER = "23891"
MAY_2 = [("a", 0.1, "4", "s4", "2024-05-03"), ("b", 0.3, "99", "s2", "2024-05-02")]
MAY_3 = [("a", 0.1, "4", "s4", "2024-05-02"), ("b", 0.3, "99", "s2", "2024-05-03")]


@pytest.mark.parametrize(
    ("new", "runs", "limit", "expected"),
    [
        # One list of all kinds. 99 was read by a run that was killed on 2 May, and scored by that of 3 May.
        (MAY_2, (OLD, "2024-05-03 2024-05-02"), 3, ["99", "4", "2"]),
        # What a run brought that waited for a later one is new.
        (MAY_3, (OLD, "2024-05-03", "2024-05-02"), 2, "42"),
        # A clock that is ahead makes nothing new for ever, and one that is behind hides nothing.
        ([("b", 0.3, "99", "s2", "2030-01-01")], (OLD, "2024-05-02 2030-01-01"), 1, ["99"]),
        ([("b", 0.3, "99", "s2", "2030-01-01")], (OLD, "2024-05-02 2030-01-01", "2024-05-03"), 1, "2"),
        ([("b", 0.3, "99", "s2", "2020-01-01")], (OLD, "2024-05-02 2020-01-01"), 1, ["99"]),
        # After the first run all are new, and after one with nothing new none is.
        ([], (OLD,), 5, IN_ORDER),
        ([], (OLD, "2024-05-02"), 5, IN_ORDER),
    ],
)
def test_what_came_in_after_the_last_run_but_one_is_first_whatever_its_priority(
    new: list[Row], runs: tuple[str, ...], limit: int, expected: Sequence[str]
):
    found = rows(PAGE.format(limit=limit), [*ALERTS, *new], runs)
    assert [row["quote_id"] for row in found] == [*expected]


def test_the_alerts_of_a_story_are_numbered_in_each_section_of_the_page():
    new = [*ALERTS, ("b", 0.3, "99", "s2", "2024-05-03"), ("a", 0.1, "98", "s2", "2024-05-03")]
    numbers = {row["quote_id"]: row["of_story"] for row in rows(PAGE.format(limit=9), new, (OLD, "2024-05-03"))}
    assert numbers == {"99": 1, "98": 2, "2": 1, "9": 2, "3": 1, "8": 1, "1": 1}


def test_a_quote_with_an_alert_is_not_among_the_checks_of_the_page_and_each_list_has_its_order_and_stories():
    checks = [("c", 0.9, "2", "s2", OLD), ("c", 0.1, "5", "s2", OLD), ("c", 0.8, "6", "s2", OLD)]
    new = ("c", 0.1, "7", "s2", "2024-05-03")
    found = rows(PAGE.format(limit=2), [*ALERTS, *checks, new], (OLD, "2024-05-03"))
    assert [(row["tier"], row["quote_id"], row["of_story"]) for row in found] == [
        ("alert", "2", 1), ("alert", "3", 1), ("check", "7", 1), ("check", "6", 1),
    ]  # fmt: skip


QUOTES = [
    # outlet, alert, outcome, differences as (kind, tier), latest version
    ("Post", "negation", "excerpt", [("negation", "alert"), ("scope", "note"), ("order", "note")], True),
    ("Post", "credited_to_another", "identical", [("credited_to_another", "alert")], True),
    ("Post", None, "absent", [("absent", "check")], True),
    ("Post", None, "excerpt", [("contrast", "note")], True),
    ("Post", None, "excerpt", [("scope", "note")], False),
    ("Ledger", "wrong_speaker", "identical", None, True),  # of an earlier release
    ("Ledger", "risky_excerpt", "excerpt", None, True),
    ("Ledger", None, "identical", [], True),
]


def test_notes_and_rates_are_of_headline_quotes_each_the_only_one_of_its_article_and_story():
    with duckdb.connect() as found:
        prepare(found)
        texts = (
            "headline", "headline_quote", "best_body_quote", "passage", "language", "url", "native_id", "source",
            "first_seen", "run_id", "published_at", "story_id", "wire_credit",
        )  # fmt: skip
        found.execute(
            "CREATE TABLE headline_quotes (doc_id VARCHAR, quote_id VARCHAR, outlet VARCHAR, alert VARCHAR, outcome "
            "VARCHAR, to_check VARCHAR, n_versions INT, differences STRUCT(kind VARCHAR, tier VARCHAR, said VARCHAR, "
            "own VARCHAR, phrase VARCHAR)[], rule_version VARCHAR DEFAULT 'r', detector_version VARCHAR DEFAULT 'd', "
            f"version_number INT DEFAULT 1, n_outlets INT DEFAULT 1, {' VARCHAR, '.join(texts)} VARCHAR)"
        )
        for number, (outlet, alert, outcome, kinds, is_latest) in enumerate(QUOTES):
            differences = kinds and [
                {"kind": kind, "tier": tier, "said": "s", "own": "o", "phrase": kind} for kind, tier in kinds
            ]
            row = [f"d{number}", f"q{number}", outlet, alert, outcome, 1 if is_latest else 2, differences]
            row.append(next((kind for kind, tier in kinds or () if tier == "check"), None))
            names = "doc_id, quote_id, outlet, alert, outcome, n_versions, differences, to_check"
            found.execute(f"INSERT INTO headline_quotes ({names}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        found.execute(
            "CREATE TABLE contextomy AS FROM headline_quotes;"
            "CREATE TABLE active_version AS SELECT 'r' AS rule_version, 'd' AS detector_version;"
            "CREATE TABLE article_versions AS "
            "SELECT *, doc_id AS native_key, NULL::DATE AS published_on FROM headline_quotes;"
            "CREATE TABLE document_stories AS SELECT doc_id, doc_id AS story_id, 1 AS n_outlets FROM contextomy"
        )
        for view in ("headline_notes", "outlet_articles", "outlet_sums", "outlet_intervals", "outlet_rates"):
            found.execute(f"CREATE VIEW {view} AS {duckdb_text(view)}")
        shown = found.execute("SELECT quote_id, kind, said, own, alert FROM headline_notes ORDER BY ALL").fetchall()
        columns = "outlet, n_eligible, n_alerts, n_absent, n_credited_to_another, n_checks"
        rates = found.execute(f"SELECT {columns} FROM outlet_rates").fetchall()
    notes = [("q0", "order", "negation"), ("q0", "scope", "negation"), ("q3", "contrast", None)]
    assert shown == [(quote, kind, "s", "o", alert) for quote, kind, alert in notes], "of the latest version"
    assert rates == [("Post", 5, 2, 1, 1, 1), ("Ledger", 3, 2, 0, 1, 0)], "alerts of earlier releases too"


def test_words_of_a_difference_are_elsewhere_unless_they_stand_in_the_sentences_or_the_second_quote_that_are_shown():
    row = {
        "passage": "It rained. “We won,” he said. No doubt.", "passage_start": 90, "best_start": 102, "best_end": 108,
        "second_body_quote": "All of us",
        "differences": [{"said": each} for each in ("he  said", "us", "No", "", "won")],
    }  # fmt: skip
    assert words_elsewhere(row) == ["No"]
    assert words_elsewhere(row | {"passage": None, "second_body_quote": None}) == ["he  said", "us", "No", "won"]


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as found:
        prepare(found)
        found.execute(
            "CREATE TABLE headline_findings (tier VARCHAR, kind VARCHAR, quote_id VARCHAR, priority DOUBLE, "
            "reader VARCHAR, reading_verdict VARCHAR);"
            "CREATE TABLE active_version AS SELECT 'r' AS rule_version, 'd' AS detector_version;"
            "CREATE TABLE contextomy AS SELECT 'r' AS rule_version, 'd' AS detector_version, i::VARCHAR AS doc_id "
            "FROM range(2000) t(i);"
            "CREATE TABLE article_versions AS SELECT doc_id, 1 AS version_number, 1 AS n_versions FROM contextomy;"
            f"CREATE TABLE alert_reviews AS {no_rows('alert_reviews')};"
            f"CREATE VIEW latest_reviews AS {duckdb_text('latest_reviews')};"
            f"CREATE VIEW alert_precision AS {duckdb_text('alert_precision')}"
        )
        yield found


@given(n=st.integers(0, 1100), every=st.integers(1, 40), gone=st.integers(0, 30))
def test_k_stops_at_the_number_of_alerts(connection: duckdb.DuckDBPyConnection, n: int, every: int, gone: int):
    connection.execute("DELETE FROM headline_findings; DELETE FROM alert_reviews")
    connection.execute(
        f"INSERT INTO headline_findings SELECT 'alert', 'a', 'q' || i, -i, NULL, NULL FROM range({n}) t(i)"
    )
    # Every so many an alert was reviewed, by two people; reviews of alerts that are no longer ones do not count.
    for reviewer in ("ann", "bob"):
        connection.execute(
            f"INSERT INTO alert_reviews BY NAME SELECT 'q' || (i * {every}) AS quote_id, 'a' AS alert, '{reviewer}' AS "
            "reviewer, TIMESTAMP '2024-05-01' AS reviewed_at, 'true' AS label, 'r' AS run_id "
            f"FROM range({n // every + gone}) t(i)"
        )
    shares = connection.execute("SELECT DISTINCT n_of_kind, n_quotes, per_1000 FROM alert_precision").fetchall()
    assert shares == ([(n, 2000, n / 2)] if n else []), "its base is all that was compared"
    rows = connection.execute("SELECT k, n_first, n_reviewed, n_true, precision FROM alert_precision").fetchall()
    assert [k for k, *_ in rows] == sorted({min(k, n) for k in (10, 20, 50, 100, 200, 500, 1000) if n})
    for k, alerts, reviewed, true, precision in rows:
        assert alerts == k and true == reviewed == min(-(-k // every), n // every + gone) <= k
        assert precision == (1.0 if reviewed else None)


def no_spark() -> SparkEngine:
    raise AssertionError("a lake on a local disk is read without Spark")


@pytest.mark.spark
@pytest.mark.slow
def test_the_sample_s_alerts_and_checks_are_on_its_page(sample_lake: str):
    found = read_report(AutoEngine(sample_lake, no_spark).sql, datetime(2024, 6, 1, tzinfo=UTC), load())
    seen = Reading(render(found))
    alerts, checks = found["alerts"], found["checks"]
    assert len(seen.all("article")) == len(alerts) + len(checks)
    both = [alert for alert in alerts if alert["to_check"]]
    assert len(alerts) == sum(found["n_alerts"].values()) and len(checks) + len(both) == sum(found["n_checks"].values())
    assert "negation" in found["n_alerts"] and found["n_checks"].keys() >= {"absent", "altered"}
    assert "he (Horace Abendroth)" in {alert["best_body_speaker"] for alert in alerts}
    for alert in [*alerts, *checks]:
        assert alert["is_new"], "the lake has one run"
        assert alert["headline"][alert["headline_start"] : alert["headline_end"]] == alert["headline_quote"]
        assert 0 < alert["priority"] <= alert["severity"]
        if alert["best_body_quote"] is not None:
            assert alert["passage"][slice(*deciding_span(alert))] == alert["best_body_quote"]
        assert next(one["kind"] for one in alert["differences"] if one["tier"] == alert["tier"]) == alert["kind"]
        assert alert["score"] in (None, 1.0) or (alert["explanation"] is not None and alert["explanation"].additions)


def page_of(run_sql: RunSql) -> str:
    return Reading(render(read_report(run_sql, datetime(2024, 6, 1, tzinfo=UTC), load()))).text


def test_a_lake_without_documents_has_a_page(tmp_path: Path):
    complete(tmp_path, "r1")
    with DuckEngine(str(tmp_path)) as engine:
        assert "No file was read yet." in page_of(engine.sql)


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.crash
def test_a_lake_without_documents_has_a_page_by_spark(lake: Lake):
    lake.complete(new_run("f", None, print))
    assert "No file was read yet." in page_of(SparkEngine(lake).sql)
