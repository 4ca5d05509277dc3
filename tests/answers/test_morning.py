"""What a morning reads of a lake: what the last run brought, and where the ranking was before. No Spark."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from deltalake import DeltaTable
from tests.pages.pages import report
from tests.query.lakes import DAY, STAMP, complete, write_rows

from quotelake.answers.alerts import SHARED, read_report
from quotelake.answers.morning import read_morning
from quotelake.answers.ranking import places_before
from quotelake.answers.statements import STATEMENTS
from quotelake.contextomy.detector import load
from quotelake.pages.morning_page import make_morning
from quotelake.pages.page import render
from quotelake.query.engines import AutoEngine, DuckEngine, RunSql
from quotelake.settings import load_settings

SETTINGS = load_settings().report
RULES = {"rule_version": "r1"}
SCORED = {**RULES, "fingerprint": "f", "representation": "masked"}
VERSIONS = {**SCORED, "detector_version": "d1", "model": "m", "dtype": "float32"}


def night(root: Path, run_id: str, lows: list[float], days: int = 0, fingerprint: str = "f") -> None:
    """A run that reads three articles of a day, two with alerts, two with checks, and ranks quotes by lower bounds."""
    tables: dict[str, list[dict[str, Any]]] = {name: [] for name in ("documents", "quotes", "contextomy", "watch_hits")}
    for number, alert in enumerate(["negation", "hedge", None]):
        doc, outlet, at = f"{run_id} {number}", ["Ledger", "Post", "Wire"][number], DAY + timedelta(days=days)
        key = {**RULES, "doc_id": doc, "run_id": run_id, "ingested_at": DAY}
        tables["documents"].append(
            {
                "doc_id": doc, "source": "wire", "native_key": doc, "headline": f"“No” of {doc}", "body": "Yes.",
                "outlet": outlet, "kind": "news", "is_repost": False, "published_at": at, "run_id": run_id,
                "ingested_at": DAY, "genre": "news", "body_status": "complete", "language": "en",
            }
        )  # fmt: skip
        tables["quotes"].append(
            {
                **key, "quote_id": f"q {doc}", "field": "headline", "kind": "direct", "depth": 0, "text": "No",
                "start": 1, "end": 3, "variant_id": f"g{number}", "speaker": {"name": f"Ana {number}"},
            }
        )  # fmt: skip
        check = None if alert == "hedge" else "altered"
        outcome = {"outcome": "absent" if alert else "identical", "alert": alert, "to_check": check, "reason": "a rule"}
        outcome["differences"] = [
            {"kind": "altered", "tier": "check", "severity": 0.7, "said": "Yes", "own": "No", "phrase": "other words"}
        ]
        outcome |= {"severity": 1.0 - number / 2, "matched": [], "omitted": [], "headline_start": 1, "headline_end": 3}
        tables["contextomy"].append({**key, "quote_id": f"q {doc}", "detector_version": "d1", **outcome})
        use = {"text_digest": f"g{number}", "field": "headline", "start": 1, "end": 3, "sure": True, "outlet": outlet}
        tables["watch_hits"].append({**key, **use, "period": f"{at:%Y-%m}"})
    for table, rows in tables.items():
        write_rows(root, table, rows)
    if fingerprint != "f":
        write_rows(root, "versions", [{**VERSIONS, "fingerprint": fingerprint, "run_id": run_id, "ingested_at": DAY}])
    scored = {**SCORED, "fingerprint": fingerprint, "period": "all", "n_documents": 20, "n_distinct_contexts": 12}
    bounds = [{**scored, "group_id": f"s{n}", "variation": 0.5, "variation_low": low} for n, low in enumerate(lows)]
    write_rows(root, "topic_variation", [{**row, "variation_high": 0.9, **STAMP} for row in bounds], mode="overwrite")
    versions = {path.name: DeltaTable(str(path)).version() for path in root.iterdir() if path.is_dir()}
    complete(root, run_id, **{"runs": -1, **versions})


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    write_rows(tmp_path, "versions", [{**VERSIONS, **STAMP}])
    watched = [{"watch_id": f"w{n}", "text_digest": f"g{n}", "text": "No", "is_current": n < 2} for n in range(3)]
    write_rows(tmp_path, "watch_texts", [{**RULES, **row, **STAMP} for row in watched])
    write_rows(
        tmp_path, "variants", [{"variant_id": f"s{n}", "canonical_text": f"words {n}", **STAMP} for n in range(4)]
    )
    night(tmp_path, "r0", [0.1, 0.2, 0.3])
    return tmp_path


def ask_of(root: Path) -> RunSql:
    return AutoEngine(str(root), lambda: pytest.fail("DuckDB can read it"), materialized=SHARED).sql


def test_the_morning_says_what_the_last_run_brought_and_draws_no_month_after_it(lake: Path):
    night(lake, "r1", [0.3, 0.2, 0.1, 0.4], days=400)
    run_sql = ask_of(lake)
    news, trends = read_morning(run_sql, str(lake), report(), SETTINGS)
    assert news["run"]["run_id"] == "r1" and news["silent"] == []
    assert [(row["speaker"], row["articles"]) for row in news["people"]] == [("Ana 0", 1), ("Ana 1", 1), ("Ana 2", 1)]
    assert [(row["watch_id"], row["new_uses"], row["uses"]) for row in news["watched"]] == [("w0", 1, 2), ("w1", 1, 2)]
    moves = {name: [(row["group_id"], row["before"]) for row in news[name]] for name in ("rose", "fell", "entered")}
    assert moves == {"rose": [("s0", 3)], "fell": [("s2", 1), ("s1", 2)], "entered": [("s3", None)]}
    assert trends["compared"] and [row["group_id"] for row in trends["ranking"]] == ["s3", "s0", "s1", "s2"]
    months = {row["month"] for row in trends["outcomes"]} | {*trends["quotes"]["g1"]["months"]}
    assert months == {f"{DAY:%Y-%m}"}
    assert make_morning(run_sql, report(), SETTINGS, lake) == lake / "morning.html"
    assert json.loads((lake / "morning.json").read_text("utf-8"))["run"]["started_at"].endswith("+00:00")
    assert (lake / "morning.html").exists() and ET.parse(lake / "alerts.atom")
    assert [(row["quote_id"], row["is_new"]) for row in run_sql(STATEMENTS["page_alerts"].format(limit=3))] == [
        ("q r1 0", True), ("q r1 1", True), ("q r0 0", False), ("q r1 2", True), ("q r0 2", False),
    ]  # fmt: skip


def test_a_quote_that_spread_has_a_page_with_its_uses_and_their_addresses_also_where_nothing_is_ranked(lake: Path):
    """Protects: on a lake of few quotes, where no ranking is, the words on the page lead to the articles."""
    docs = [f"r1 {number}" for number in range(2)]
    texts = {"text": "Ye", "before": "", "after": "s.", "start": 0, "end": 2}
    compared = [{**RULES, **STAMP, **texts, "group_id": "s9", "doc_id": doc, "quote_id": f"q {doc}"} for doc in docs]
    write_rows(lake, "quote_comparisons", compared)
    write_rows(lake, "variants", [{"variant_id": "s9", "canonical_text": "no", **STAMP}])
    write_rows(lake, "variant_groups", [{**RULES, **STAMP, "variant_id": "s9", "group_id": "s9"}])
    night(lake, "r1", [0.1])
    _, trends = read_morning(ask_of(lake), str(lake), read_report(ask_of(lake), DAY, load()), SETTINGS)
    page = trends["quotes"]["s9"]
    assert (page["quote"], page["rank"], page["watched"]) == ("Ye", None, None)
    assert page["outlets"] == [("Ledger", 1), ("Post", 1)] and page["months"] == {"2024-06": 2}
    assert [(use["outlet"], use["context"]) for use in page["uses"]] == [("Ledger", "Yes."), ("Post", "Yes.")]


def test_a_lake_whose_comparisons_have_no_texts_yet_is_shown(lake: Path):
    """Protects: the pages of a lake of an earlier release ended in a trace until it was activated."""
    row = {**RULES, **STAMP, "trimmed": True, "group_id": "s9", "reference_quote_id": "q r1 0", "differences": []}
    write_rows(lake, "quote_comparisons", [{**row, "doc_id": f"r1 {n}", "quote_id": f"q r1 {n}"} for n in range(2)])
    write_rows(lake, "variants", [{"variant_id": "s9", "canonical_text": "no", **STAMP}])
    night(lake, "r1", [0.1])
    content = read_report(ask_of(lake), DAY, load())
    assert "Yes" in render(content, "alerts.csv")
    assert make_morning(ask_of(lake), content, SETTINGS, lake) == lake / "morning.html"
    assert json.loads((lake / "morning.json").read_text("utf-8"))["spread"] == content["outlets"] == []


def test_checks_are_news_only_by_setting(lake: Path):
    run_sql = ask_of(lake)
    content = read_report(run_sql, DAY, load())
    assert (content["n_alerts"], content["n_checks"]) == ({"negation": 1, "hedge": 1}, {"altered": 2})
    assert [row["quote_id"] for row in content["checks"]] == ["q r0 2"], "the other one has an alert"
    assert content["checks"][0]["elsewhere"] == ["Yes."], "no passage decided, so the body is read"
    for checks in (False, True):
        settings = SETTINGS.model_copy(update={"checks": checks})
        make_morning(run_sql, content, settings, lake)
        news = json.loads((lake / "morning.json").read_text("utf-8"))
        assert [row["quote_id"] for row in news["new_alerts"]] == ["q r0 0", "q r0 1"] and news["n_checks"] == 2
        assert [row["to_check"] for row in news.get("new_checks", [])] == ["altered"] * checks
        assert ("new_checks" in news) == checks
        assert len(ET.parse(lake / "alerts.atom").findall("{*}entry")) == 2 + checks


def test_the_ranking_before_is_that_of_the_run_before_in_the_same_versions(lake: Path):
    assert places_before(str(lake), ask_of(lake)) == {}, "there was no run before"
    night(lake, "r1", [0.3, 0.2])
    assert places_before(str(lake), ask_of(lake)) == {"s2": 1, "s1": 2, "s0": 3}
    night(lake, "r2", [0.3])
    assert places_before(str(lake), ask_of(lake)) == {"s0": 1, "s1": 2}
    for file in (lake / "topic_variation").glob("*.parquet"):
        if file.name not in {Path(each).name for each in DeltaTable(str(lake / "topic_variation")).file_uris()}:
            file.unlink()
    assert places_before(str(lake), ask_of(lake)) == {}, "its files are gone"
    night(lake, "r3", [0.3], fingerprint="f2")
    assert places_before(str(lake), ask_of(lake)) == {}, "another model's scores are no ranking before"


def test_counts_of_the_page_are_those_of_the_tables(lake: Path):
    files = [("wire", 3), ("wire", 4), ("wire", None), ("clean", 0), ("old", None)]
    counts = {"records": 9, "documents": 3, "duplicates": 0, "rejects": 6}
    rows = [
        {"source": source, "path": f"{n}", **counts, "unread_dates": dates} for n, (source, dates) in enumerate(files)
    ]
    write_rows(lake, "files", rows)
    night(lake, "r1", [0.1])
    with DuckEngine(str(lake)) as tables:
        counted = {row["source"]: row for row in tables.sql(STATEMENTS["coverage"])}
        assert {name: row["n_unread_dates"] for name, row in counted.items()} == {"clean": 0, "old": 0, "wire": 7}
        columns = "n_files, n_records, n_documents, n_duplicates, n_rejects, n_headline_quotes, n_text_quotes"
        statement = f"SELECT source, {columns} FROM {{}} ORDER BY source"
        assert tables.sql(statement.format("source_records")) == tables.sql(statement.format("corpus_coverage"))
        by_outcome = "SELECT outcome, count(*) AS quotes, count(alert) AS alerts, count(to_check) AS checks "
        by_outcome += "FROM headline_quotes GROUP BY outcome"
        assert tables.sql(f"{by_outcome} ORDER BY quotes DESC, outcome") == tables.sql(STATEMENTS["outcomes"])


def test_records_of_a_file_that_grew_are_counted_once_and_those_of_one_that_was_replaced_all(lake: Path):
    """Protects: what a paper states of a corpus, where a feed is one file that grows every night."""
    names = ("path", "records", "documents", "duplicates", "rejects", "filtered")
    versions = [
        ("grows", 10, 8, 0, 2, 0), ("grows", 15, 4, 8, 2, 1), ("grows", 20, 5, 12, 2, 1),
        ("replaced", 10, 9, 0, 1, 0), ("replaced", 12, 11, 1, 0, 0), ("twice", 3, 3, 0, 0, 0), ("twice", 3, 0, 3, 0, 0),
    ]  # fmt: skip
    rows = [
        {
            "source": "wire",
            "file_id": f"{n}",
            "modified": DAY + timedelta(days=n),
            **dict(zip(names, each, strict=True)),
        }
        for n, each in enumerate(versions)
    ]
    write_rows(lake, "files", rows)
    night(lake, "r1", [0.1])
    wanted = "n_files, n_records, n_documents, n_duplicates, n_rejects, n_filtered"
    with DuckEngine(str(lake)) as tables:
        for view in ("source_records", "corpus_coverage"):
            [found] = tables.sql(f"SELECT {wanted} FROM {view}")
            assert [*found.values()] == [3, 20 + 22 + 3, 8 + 4 + 5 + 9 + 11 + 3, 1, 2 + 1, 1]
            assert found["n_records"] == sum([*found.values()][2:]), "each record has one fate"
