"""What a run brought is new, whichever run scored it; what a run only computes anew is not."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from deltalake import write_deltalake
from tests.query.lakes import RUNS

from quotelake.query.ask import DuckEngine

PAGE = Path(__file__).parents[2] / "docs" / "QUERIES.md"
START = datetime(2024, 6, 1, tzinfo=UTC)
VERSIONS = {"rule_version": "2-a", "detector_version": "d-1", "fingerprint": "f"}


def night(number: int) -> dict[str, Any]:
    return {"run_id": f"r{number}", "ingested_at": START + timedelta(days=number)}


def write_lake(root: Path, runs: list[int]) -> None:
    """Documents of nights 1 to 3, each with one alert; the last of the complete runs scored all of them."""
    run = {"stage": "run", "night": None, "seconds": 1.0, "counts": [], "settings_fingerprint": "s"}
    rows = [{**run, "table_versions": [], **night(number)} for number in runs]
    write_deltalake(str(root / "runs"), pa.Table.from_pylist(rows, schema=RUNS))
    for table in ("versions", "documents", "quotes", "contextomy"):
        alerts = [
            {
                **VERSIONS, "doc_id": f"doc {i}", "native_key": f"doc {i}", "quote_id": f"quote {i}",
                "text": f"text {i}", "alert": "contextomized", "score": 0.9,
                **night(i if table == "documents" else runs[-1]),
            }
            for i in (1, 2, 3)
        ]  # fmt: skip
        rows = [{**VERSIONS, **night(runs[-1])}] if table == "versions" else alerts
        write_deltalake(str(root / table), pa.Table.from_pylist(rows))


def new_alerts(root: Path) -> list[str]:
    statements = re.findall(r"```sql\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    [statement] = [text for text in statements if "first_seen" in text]
    with DuckEngine(str(root)) as engine:
        assert engine.answer("SELECT * FROM headline_notes").rows == [], "earlier releases have no differences"
        return [row["headline_quote"] for row in engine.answer(statement).rows]


@pytest.mark.parametrize(
    ("runs", "new"),
    [([1, 2, 3], ["text 3"]), ([1, 3], ["text 2", "text 3"]), ([3], ["text 1", "text 2", "text 3"])],
)
def test_the_query_of_the_page_finds_what_came_since_the_run_before_the_last(
    tmp_path: Path, runs: list[int], new: list[str]
):
    write_lake(tmp_path, runs)  # night 2 was killed where it is not among the runs
    assert new_alerts(tmp_path) == new


def test_a_row_names_the_run_that_brought_the_document_and_when_it_started(tmp_path: Path):
    write_lake(tmp_path, [1, 3])
    with DuckEngine(str(tmp_path)) as engine:
        rows = engine.answer("SELECT doc_id, run_id, first_seen FROM headline_alerts ORDER BY doc_id").rows
    expected = [(f"doc {i}", night(i)["run_id"], night(i)["ingested_at"].replace(tzinfo=None)) for i in (1, 2, 3)]
    assert [tuple(row.values()) for row in rows] == expected
