"""What is kept for summary and page, night after night: what the tables themselves say. No Spark."""

import random
from datetime import timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from deltalake import DeltaTable, write_deltalake
from tests.query.lakes import DAY, STAMP, complete
from tests.reporting.answers import answer, assert_kept_is_the_tables

from quotelake.lake.local import files_added
from quotelake.query.ask import DuckEngine
from quotelake.reporting import kept
from quotelake.reporting.alerts import COUNTED_BY, QUERIES, WHOLE, page_query

TYPES = {
    **{name: pa.timestamp("us", "UTC") for name in ("published_at", "updated_at", "ingested_at")},
    **dict.fromkeys(("start", "end", "depth"), pa.int32()),
    "severity": pa.float64(),
}
RULES = {"rule_version": "r1"}
VERSIONS = {**RULES, "detector_version": "d1", "fingerprint": "f", "model": "m", "dtype": "float32"}


def append(root: Path, table: str, rows: list[dict[str, Any]]) -> None:
    schema = pa.schema([(name, TYPES.get(name, pa.string())) for name in rows[0]])
    write_deltalake(str(root / table), pa.Table.from_pylist(rows, schema), mode="append")


def end(root: Path, run_id: str) -> None:
    """Complete a run: its row names the version of each table."""
    versions = {path.name: DeltaTable(str(path)).version() for path in root.iterdir() if path.is_dir()}
    complete(root, run_id, **{"runs": -1, **versions})


def add(root: Path, run_id: str, articles: list[dict[str, Any]]) -> None:
    """Write what a run writes of articles: name, number of the version, dates, alert or None, text of the story."""
    stamp = {**STAMP, "run_id": run_id}
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in ("documents", "quotes", "contextomy", "story_texts")}
    for each in articles:
        doc = f"{each['name']} {run_id} {each['number']}"
        rows["documents"].append(
            {
                "doc_id": doc, "source": each["source"], "native_key": each["name"], "headline": f"“No” of {doc}",
                "body": "Yes.", "outlet": "Harrow Ledger", "kind": "news", "updated_at": each["updated"],
                "published_at": each["published"], **stamp,
            }
        )  # fmt: skip
        quote = {"quote_id": f"q {doc}", "doc_id": doc, **RULES}
        kind = each["kind"]
        rows["quotes"].append(
            {**quote, "field": "headline", "kind": kind, "depth": 0, "text": "No", "start": 1, "end": 3, **stamp}
        )
        rows["contextomy"].append(
            {
                **quote, "detector_version": "d1", "outcome": "absent" if each["alert"] else "identical",
                "alert": each["alert"], "severity": each["severity"], **stamp,
            }
        )  # fmt: skip
        rows["story_texts"].append({"doc_id": doc, "text_id": each["text"], **RULES, **stamp})
    for table, its in rows.items():
        append(root, table, its)


def article(chance: random.Random, number: int, day: int) -> dict[str, Any]:
    """One of a few articles: a new one or a version, of today or late, in a source that dates its changes or not."""
    source = chance.choice(["dated", "undated"])
    published = chance.choice([*[DAY + timedelta(days=day - chance.choice([0, 0, 0, 1, 3, 90]))] * 5, None])
    updated = published and source == "dated" and chance.random() < 0.7 and published + timedelta(hours=number % 3)
    return {
        "name": f"{source} {chance.randrange(14)}", "source": source, "number": number, "published": published,
        "updated": updated or None, "alert": chance.choice(["negation", "hedge", None]),
        "severity": chance.choice([0.5, 1.0]), "text": f"t{chance.randrange(9)}",
        "kind": chance.choice(["direct", "colon_claim"]),
    }  # fmt: skip


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    append(tmp_path, "versions", [{**VERSIONS, **STAMP}])
    return tmp_path


def test_nights_counted_one_by_one_are_the_tables(lake: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(kept, "SHOWN", 4)
    monkeypatch.setattr(kept, "_WIDE", 12)
    monkeypatch.setattr(kept, "_DAYS", 10)
    chance = random.Random(7)
    for night in range(5):
        for killed in (True, False)[night % 3 > 0 :]:  # every third night is done by two runs, of which one is killed
            add(lake, f"r{night}{killed}", [article(chance, number, night) for number in range(9)])
        append(lake, "stories", [{"text_id": f"t{night}", "story_id": f"t{night // 2}", **RULES, **STAMP}])
        end(lake, f"r{night}False")
        engine = kept.KeptEngine(str(lake), anew=not night)
        assert bool(engine._and_kept) == bool(night)
        assert_kept_is_the_tables(lake, engine, shown=4)
    with DuckEngine(str(lake)) as tables:  # what is counted for these is what the views of documents and quotes say
        columns = "source, n_headline_quotes, n_text_quotes"
        sources = tables.sql(f"SELECT {columns} FROM corpus_coverage ORDER BY source")
        assert tables.sql(f"SELECT {columns} FROM ({QUERIES['coverage']}) ORDER BY source") == sources
        by_outcome = "SELECT outcome, count(*) AS quotes, count(alert) AS alerts FROM headline_quotes GROUP BY outcome"
        assert tables.sql(f"{by_outcome} ORDER BY quotes DESC, outcome") == tables.sql(QUERIES["outcomes"])


def test_an_older_version_that_comes_late_takes_no_place_on_the_list(lake: Path):
    def version(name: str, days: int, changed: int | None = None, alert: str | None = None) -> dict[str, Any]:
        at, updated = (None if day is None else DAY + timedelta(days=day) for day in (days, changed))
        said = {"name": name, "source": name, "number": days, "published": at, "updated": updated, "text": name}
        return {**said, "kind": "direct", "alert": alert, "severity": 1.0}

    add(lake, "r0", [version("newest", 0), version("recent", -2), version("old", -80), version("changed", -80, -70)])
    end(lake, "r0")
    kept.KeptEngine(str(lake), anew=True)
    late = {
        "newest": 1,
        "recent": -3,
        "old": -90,
        "changed": 1,
    }  # a version that states no change is before one that does
    add(lake, "r1", [version(name, days, alert="hedge") for name, days in late.items()])
    end(lake, "r1")
    engine = kept.KeptEngine(str(lake), anew=False)
    assert engine._and_kept and [row["doc_id"] for row in engine.sql(page_query(9))] == ["newest r1 1"]
    assert_kept_is_the_tables(lake, engine)


@pytest.fixture
def two_nights(lake: Path) -> Path:
    chance = random.Random(3)
    for night in range(2):
        add(lake, f"r{night}", [article(chance, number, night) for number in range(9)])
        end(lake, f"r{night}")
        if not night:
            kept.KeptEngine(str(lake), anew=True)
    return lake


def reads_anew(root: Path) -> bool:
    """Answer the page's statement as a night does; whether that took the whole lake."""
    ask = kept.kept_reader(str(root), lambda: pytest.fail("DuckDB can read it"))
    engine: kept.KeptEngine = ask.__wrapped__.__self__  # type: ignore[attr-defined]
    with DuckEngine(str(root)) as tables:
        assert answer(engine, page_query(9)) == answer(tables, page_query(9))
    return not engine._and_kept


def test_what_does_not_hold_any_more_is_read_anew(two_nights: Path, monkeypatch: pytest.MonkeyPatch):
    before = (two_nights / kept.FILE).read_bytes()
    assert not reads_anew(two_nights)
    (two_nights / kept.FILE).write_bytes(before[:5000])
    assert reads_anew(two_nights) and not reads_anew(two_nights)
    DeltaTable(str(two_nights / "contextomy")).delete("alert = 'hedge'")
    end(two_nights, "r2")
    assert reads_anew(two_nights) and not reads_anew(two_nights)
    append(two_nights, "versions", [{**VERSIONS, "detector_version": "d2", **STAMP, "run_id": "r3"}])
    end(two_nights, "r3")
    assert reads_anew(two_nights) and not reads_anew(two_nights)
    (two_nights / kept.FILE).unlink()
    assert reads_anew(two_nights) and not reads_anew(two_nights)
    monkeypatch.setattr(kept, "_views", lambda: "of another release")
    assert reads_anew(two_nights)


def test_a_large_lake_shows_what_needs_all_of_it_as_the_last_report_counted_it(
    two_nights: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(kept, "LARGE", 0)
    people = kept.KeptEngine(str(two_nights), anew=False).sql(WHOLE["reused"])
    add(two_nights, "r2", [article(random.Random(5), number, 2) for number in range(5)])
    end(two_nights, "r2")
    night = kept.KeptEngine(str(two_nights), anew=False)
    assert night.sql(COUNTED_BY) == [{"run_id": "r1"}] and night.sql(WHOLE["reused"]) == people
    assert_kept_is_the_tables(two_nights, kept.KeptEngine(str(two_nights), anew=True))


def test_files_put_together_add_nothing_and_deleted_rows_are_told(two_nights: Path):
    table = two_nights / "documents"
    assert len(files_added(table, 0, 1) or []) == 1
    DeltaTable(str(table)).optimize.compact()
    assert files_added(table, 1, 2) == []
    assert len(files_added(table, 0, 2) or []) == 1
    DeltaTable(str(table)).delete("source = 'dated'")
    assert files_added(table, 2, 3) is None
    assert files_added(table, None, 3) is None and files_added(table, 4, 3) is None
