"""What views make of a model's readings: a kind of alert, an order, and a precision by the labels of people."""

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

from quotelake.lake.contracts import table_names
from quotelake.lake.local import no_rows
from quotelake.query.catalog import duckdb_text, prepare, view_names

BASE = {
    "alert": None, "to_check": None, "severity": None, "score": None, "reader": None, "reading_verdict": None,
    "reading_kind": None, "reading_sentence": None, "reason": "by rule", "version_number": 1, "n_versions": 1,
}  # fmt: skip
QUOTES = {
    "only the model": {"reader": "m", "reading_verdict": "misleading", "reading_kind": "half", "score": 0.1},
    "both": {"alert": "negation", "severity": 0.9, "reader": "m", "reading_verdict": "misleading"},
    "only rules": {"alert": "negation", "severity": 0.9},
    "not the model": {"alert": "negation", "severity": 0.9, "reader": "m", "reading_verdict": "fair"},
    "a check": {"to_check": "absent", "reader": "m", "reading_verdict": "misleading", "reading_kind": "other"},
    "nobody": {"reader": "m", "reading_verdict": "fair"},
    "an older version": {"reader": "m", "reading_verdict": "misleading", "n_versions": 2},
}


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as found:
        prepare(found)
        for table in table_names():
            found.execute(f'CREATE TABLE "{table}" AS {no_rows(table)}')
        for view in view_names():  # headline quotes are given, all else is made from them
            made = "TABLE" if view in ("headline_quotes", "active_version", "document_versions") else "VIEW"
            found.execute(f"CREATE {made} {view} AS {duckdb_text(view)}")
        for name, changed in QUOTES.items():
            row = BASE | changed | {"quote_id": name, "doc_id": name, "rule_version": "r", "detector_version": "d"}
            names = ", ".join(row)
            found.execute(
                f"INSERT INTO headline_quotes ({names}) VALUES ({', '.join('?' * len(row))})", [*row.values()]
            )
        found.execute("INSERT INTO active_version BY NAME SELECT 'r' AS rule_version, 'd' AS detector_version")
        columns = "quote_id, rule_version, detector_version, doc_id"
        found.execute(f"INSERT INTO contextomy BY NAME SELECT {columns} FROM headline_quotes")
        found.execute(
            "INSERT INTO document_versions BY NAME "
            "SELECT doc_id, 1 AS version_number, 1 AS n_versions FROM headline_quotes"
        )
        yield found


def asked(connection: duckdb.DuckDBPyConnection, statement: str) -> list[tuple[Any, ...]]:
    return connection.execute(statement).fetchall()


def test_what_a_model_finds_is_an_alert_and_orders_the_others_and_no_alert_goes(connection: duckdb.DuckDBPyConnection):
    found = asked(connection, "SELECT quote_id, alert, reason FROM headline_alerts ORDER BY priority DESC, quote_id")
    assert found == [
        ("a check", "reader", "m: other"), ("only the model", "reader", "m: half"), ("both", "negation", "by rule"),
        ("only rules", "negation", "by rule"), ("not the model", "negation", "by rule"),
    ]  # fmt: skip
    assert asked(connection, "SELECT quote_id, alert FROM headline_checks") == [("a check", None)]


def test_precision_is_counted_for_each_model_by_the_labels_of_whatever_alert(connection: duckdb.DuckDBPyConnection):
    for quote, alert, label in [
        ("both", "negation", "true"),
        ("only the model", "reader", "false"),
        ("only rules", "negation", "true"),
    ]:
        connection.execute(
            "INSERT INTO alert_reviews BY NAME SELECT ? AS quote_id, ? AS alert, 'ann' AS reviewer, "
            "TIMESTAMP '2024-05-01' AS reviewed_at, ? AS label, 'r' AS run_id",
            [quote, alert, label],
        )
    found = asked(connection, "SELECT tier, kind, n_of_kind, n_reviewed, n_true FROM alert_precision ORDER BY 1, 2")
    assert found == [
        ("alert", "negation", 3, 2, 2), ("alert", "reader", 2, 1, 0), ("check", "absent", 1, 0, 0),
        ("reader", "m", 3, 2, 1),
    ]  # fmt: skip
