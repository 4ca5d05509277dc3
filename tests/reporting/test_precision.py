"""The view alert_precision, by DuckDB on literal tables: k never exceeds the alerts, nor the reviews the k."""

from collections.abc import Iterator

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.query.catalog import duckdb_text, prepare

KS = (10, 20, 50, 100, 200, 500, 1000)


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as found:
        prepare(found)
        found.execute("CREATE TABLE headline_alerts (alert VARCHAR, quote_id VARCHAR, priority DOUBLE)")
        found.execute(
            "CREATE TABLE alert_reviews (quote_id VARCHAR, alert VARCHAR, reviewer VARCHAR, reviewed_at TIMESTAMP, "
            "label VARCHAR, run_id VARCHAR)"
        )
        found.execute(f"CREATE VIEW alert_precision AS {duckdb_text('alert_precision')}")
        yield found


@given(n=st.integers(0, 1100), every=st.integers(1, 40), gone=st.integers(0, 30))
def test_k_stops_at_the_number_of_alerts(connection: duckdb.DuckDBPyConnection, n: int, every: int, gone: int):
    connection.execute("DELETE FROM headline_alerts")
    connection.execute("DELETE FROM alert_reviews")
    connection.execute(f"INSERT INTO headline_alerts SELECT 'a', 'q' || i, -i FROM range({n}) t(i)")
    # Every so many an alert was reviewed, by two people; reviews of alerts that are no longer ones do not count.
    for reviewer in ("ann", "bob"):
        connection.execute(
            f"INSERT INTO alert_reviews SELECT 'q' || (i * {every}), 'a', '{reviewer}', TIMESTAMP '2024-05-01', "
            f"'true', 'r' FROM range({n // every + gone}) t(i)"
        )
    rows = connection.execute("SELECT k, n_alerts, n_reviewed, n_true, precision FROM alert_precision").fetchall()
    assert [k for k, *_ in rows] == sorted({min(k, n) for k in KS if n})
    for k, alerts, reviewed, true, precision in rows:
        assert alerts == k and true == reviewed == min(-(-k // every), n // every + gone) <= k
        assert precision == (1.0 if reviewed else None)
