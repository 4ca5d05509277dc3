"""What a run brought is new, whichever run scored it; what a run only computes anew is not."""

import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from deltalake import write_deltalake
from tests.query.lakes import write_rows

from quotelake.query.engines import DuckEngine

PAGE = Path(__file__).parents[2] / "docs" / "QUERIES.md"
START = datetime(2024, 6, 1, tzinfo=UTC)
VERSIONS = {"rule_version": "2-a", "detector_version": "d-1", "fingerprint": "f"}


def night(number: int, clock: int = 1) -> dict[str, Any]:
    return {"run_id": f"r{number}", "ingested_at": START + timedelta(days=clock * number)}


def write_runs(root: Path, runs: list[int], clock: int) -> None:
    """Runs of some nights, each taking up those killed since the one before; from night to night some days pass."""
    for place, (before, number) in enumerate(pairwise([0, *runs])):
        killed = [(f"r{each}", 1) for each in range(before + 1, number)]
        rows = [
            {
                "stage": stage, "night": None, "seconds": 1.0, "counts": counts, "settings_fingerprint": "s",
                "table_versions": [("runs", place)], **night(number, clock),
            }
            for stage, counts in (("taken_up", killed), ("run", []))
        ]  # fmt: skip
        write_rows(root, "runs", rows)


def write_lake(root: Path, runs: list[int], clock: int = 1) -> None:
    """Documents of nights 1 to 3, each with one alert; the last of the complete runs scored all of them."""
    write_runs(root, runs, clock)
    for table in ("versions", "documents", "quotes", "contextomy"):
        alerts = [
            {
                **VERSIONS, "doc_id": f"doc {i}", "native_key": f"doc {i}", "quote_id": f"quote {i}",
                "headline": f"text {i}", "start": 0, "end": 6, "alert": "contextomized", "score": 0.9,
                "headline_start": 0, "headline_end": 6,
                **night(i if table == "documents" else runs[-1], clock),
            }
            for i in (1, 2, 3)
        ]  # fmt: skip
        rows = [{**VERSIONS, **night(runs[-1])}] if table == "versions" else alerts
        write_deltalake(str(root / table), pa.Table.from_pylist(rows))


def new_alerts(root: Path) -> list[str]:
    statements = re.findall(r"```sql\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    [statement] = [text for text in statements if "nth = 1" in text]
    with DuckEngine(str(root)) as engine:
        assert engine.answer("SELECT * FROM headline_notes").rows == [], "earlier releases have no differences"
        return [row["headline_quote"] for row in engine.answer(statement).rows]


@pytest.mark.parametrize("clock", [1, 0, -9])
@pytest.mark.parametrize(("runs", "new"), [([1, 2, 3], [3]), ([1, 3], [2, 3]), ([3], [1, 2, 3])])
def test_the_query_of_the_page_finds_what_came_since_the_run_before_the_last(
    tmp_path: Path, runs: list[int], new: list[int], clock: int
):
    write_lake(tmp_path, runs, clock)  # night 2 was killed where it is not among the runs
    assert new_alerts(tmp_path) == [f"text {number}" for number in new]


def test_a_row_names_the_run_that_brought_the_document_and_when_it_started(tmp_path: Path):
    write_lake(tmp_path, [1, 3])
    with DuckEngine(str(tmp_path)) as engine:
        rows = engine.answer("SELECT doc_id, run_id, first_seen FROM headline_alerts ORDER BY doc_id").rows
    expected = [(f"doc {i}", night(i)["run_id"], night(i)["ingested_at"].replace(tzinfo=None)) for i in (1, 2, 3)]
    assert [tuple(row.values()) for row in rows] == expected


@pytest.mark.parametrize(
    ("dates", "order"),
    [
        ({}, "b c a"),
        ({"a": START, "b": START, "c": START}, "b c a"),  # the headline changed, and no date did
        ({"b": START}, "c a b"),
        ({"a": START, "b": START + timedelta(1), "c": START + timedelta(2)}, "a b c"),
    ],
)
@pytest.mark.parametrize("clock", [1, -9])
def test_versions_of_an_article_are_in_the_order_of_their_dates_else_in_that_of_commits(
    tmp_path: Path, dates: dict[str, datetime], order: str, clock: int
):
    write_runs(tmp_path, [1, 3], clock)  # the first read b; the second a, and took up c
    documents = [
        {"doc_id": doc, "native_key": "n", "published_at": dates.get(doc), **night(number, clock)}
        for doc, number in (("a", 3), ("b", 1), ("c", 2))
    ]
    write_rows(tmp_path, "documents", documents)
    with DuckEngine(str(tmp_path)) as engine:
        rows = engine.answer("SELECT doc_id FROM document_versions ORDER BY version_number").rows
    assert " ".join(row["doc_id"] for row in rows) == order
