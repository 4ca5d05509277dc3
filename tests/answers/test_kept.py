"""What is kept for summary and page, night after night: what the tables themselves say. No Spark."""

import random
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal

import duckdb
import pyarrow as pa
import pytest
from deltalake import DeltaTable, write_deltalake
from tests.answers.answers import SETTINGS, answer, assert_kept_is_the_tables
from tests.pages.pages import report
from tests.query.lakes import DAY, STAMP, complete

from quotelake.answers import kept
from quotelake.answers.alerts import COUNTED_BY, QUERIES, WHOLE, page_query
from quotelake.answers.morning import BEFORE, NIGHT, read_morning
from quotelake.answers.trends import RATES, group_queries, read_trends
from quotelake.lake.local import files_added, no_rows
from quotelake.pages.morning_page import write_morning
from quotelake.query.ask import DuckEngine
from quotelake.query.catalog import columns_of

SPEAKER = duckdb.sql(no_rows("quotes")).to_arrow_table().schema.field("speaker").type
TYPES = {
    **{name: pa.timestamp("us", "UTC") for name in ("published_at", "updated_at", "ingested_at")},
    **dict.fromkeys(("start", "end", "depth"), pa.int32()),
    **dict.fromkeys(("sure", "is_current", "is_repost"), pa.bool_()),
    **dict.fromkeys(("severity", "variation", "variation_low", "variation_high"), pa.float64()),
    **dict.fromkeys(("n_documents", "n_distinct_contexts"), pa.int64()),
    "speaker": SPEAKER,
}
RULES = {"rule_version": "r1"}
SCORED = {**RULES, "fingerprint": "f", "representation": "masked"}
VERSIONS = {**SCORED, "detector_version": "d1", "model": "m", "dtype": "float32"}
OUTLETS = ["Harrow Ledger", "The Tidewater Post", "Union Wire"]


def append(root: Path, table: str, rows: list[dict[str, Any]], mode: Literal["append", "overwrite"] = "append") -> None:
    schema = pa.schema([(name, TYPES.get(name, pa.string())) for name in rows[0]])
    write_deltalake(str(root / table), pa.Table.from_pylist(rows, schema), mode=mode)


def end(root: Path, run_id: str) -> None:
    """Complete a run: its row names the version of each table."""
    versions = {path.name: DeltaTable(str(path)).version() for path in root.iterdir() if path.is_dir()}
    complete(root, run_id, **{"runs": -1, **versions})


def add(root: Path, run_id: str, articles: list[dict[str, Any]]) -> None:
    """Write what a run writes of articles: name, number of the version, dates, alert or None, text of the story."""
    stamp = {**STAMP, "run_id": run_id}
    tables = ("documents", "quotes", "contextomy", "story_texts", "watch_hits", "quote_comparisons")
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in tables}
    for each in articles:
        outlet, about = OUTLETS[len(each["name"]) % 3], f"g{each['number'] % 4}"
        doc = f"{each['name']} {run_id} {each['number']}"
        rows["documents"].append(
            {
                "doc_id": doc, "source": each["source"], "native_key": each["name"], "headline": f"“No” of {doc}",
                "body": "Yes.", "outlet": outlet, "kind": "news", "is_repost": False, "updated_at": each["updated"],
                "published_at": each["published"], **stamp,
            }
        )  # fmt: skip
        quote = {"quote_id": f"q {doc}", "doc_id": doc, **RULES}
        kind = each["kind"]
        rows["quotes"].append(
            {
                **quote, "field": "headline", "kind": kind, "depth": 0, "text": "No", "start": 1, "end": 3,
                "variant_id": about, "speaker": {"name": f"Ana {about}"}, **stamp,
            }
        )  # fmt: skip
        rows["watch_hits"].append(
            {
                **RULES, "text_digest": about, "doc_id": doc, "field": "headline", "start": 1, "end": 3, "sure": True,
                "outlet": outlet, "period": each["published"] and f"{each['published']:%Y-%m}", **stamp,
            }
        )  # fmt: skip
        compared = {"group_id": f"{about} {each['text']}", "reference_quote_id": quote["quote_id"]}
        rows["quote_comparisons"].append({**quote, **compared, **stamp})
        rows["contextomy"].append(
            {
                **quote, "detector_version": "d1", "outcome": "absent" if each["alert"] else "identical",
                "alert": each["alert"], "severity": each["severity"], **stamp,
            }
        )  # fmt: skip
        rows["story_texts"].append({"doc_id": doc, "text_id": each["text"], **RULES, **stamp})
    for table, its in rows.items():
        append(root, table, its)


def article(
    chance: random.Random, number: int, day: int, late: Sequence[int | None] = (0, 0, 0, 1, 3, 90, None)
) -> dict[str, Any]:
    """One of a few articles: a new one or a version, of today or late, in a source that dates its changes or not."""
    source, days = chance.choice(["dated", "undated"]), chance.choice(late)
    published = None if days is None else DAY + timedelta(days=day - days)
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
    watched = [
        {**RULES, "watch_id": f"w{n}", "text_digest": f"g{n}", "text": "No", "is_current": n < 3} for n in range(4)
    ]
    append(tmp_path, "watch_texts", [{**row, **STAMP} for row in watched])
    return tmp_path


def rank(root: Path, chance: random.Random) -> None:
    """Write other scores of some quotes, as a run does that merges them into those of before."""
    enough = {"period": "all", "n_documents": 20, "n_distinct_contexts": 12, "variation": 0.5, "variation_high": 0.9}
    groups = [{**SCORED, **enough, "group_id": f"s{n}"} for n in range(9)]
    scored = [{**row, "variation_low": chance.random(), **STAMP} for row in groups if chance.random() < 0.8]
    append(root, "topic_variation", scored, mode="overwrite")


@pytest.mark.slow
@pytest.mark.crash
def test_nights_counted_one_by_one_are_the_tables(lake: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(kept, "SHOWN", 4)
    monkeypatch.setattr(kept, "_WIDE", 12)
    monkeypatch.setattr(kept, "_DAYS", 10)
    chance = random.Random(7)
    for night in range(5):
        for killed in (True, False)[night % 3 > 0 :]:  # every third night is done by two runs, of which one is killed
            add(lake, f"r{night}{killed}", [article(chance, number, night) for number in range(9)])
        append(lake, "stories", [{"text_id": f"t{night}", "story_id": f"t{night // 2}", **RULES, **STAMP}])
        rank(lake, chance)
        end(lake, f"r{night}False")
        engine = kept.KeptEngine(str(lake), anew=not night)
        assert bool(engine._and_kept) == bool(night)
        assert_kept_is_the_tables(lake, engine, shown=4)
        assert all(engine.sql(f"SELECT * FROM {view}") for view in NIGHT)
    with DuckEngine(str(lake)) as tables:  # what is counted for these is what the views of documents and quotes say
        columns = "source, n_headline_quotes, n_text_quotes"
        sources = tables.sql(f"SELECT {columns} FROM corpus_coverage ORDER BY source")
        assert tables.sql(f"SELECT {columns} FROM ({QUERIES['coverage']}) ORDER BY source") == sources
        by_outcome = "SELECT outcome, count(*) AS quotes, count(alert) AS alerts FROM headline_quotes GROUP BY outcome"
        assert tables.sql(f"{by_outcome} ORDER BY quotes DESC, outcome") == tables.sql(QUERIES["outcomes"])


RANKING = "SELECT group_id, position FROM topic_ranks WHERE status = 'ranked' ORDER BY group_id"


@pytest.mark.slow
@pytest.mark.crash
def test_the_ranking_before_is_that_of_the_run_before_whatever_is_asked_anew(lake: Path):
    chance = random.Random(4)
    for night in range(3):
        add(lake, f"r{night}", [article(chance, number, night) for number in range(3)])
        rank(lake, chance)
        end(lake, f"r{night}")
        expected = []
        if night:
            with DuckEngine(str(lake), as_of=f"r{night - 1}") as tables:
                expected = tables.sql(RANKING)
        for anew in (False, True, False):
            engine = kept.KeptEngine(str(lake), anew=anew)
            assert sorted(engine.sql(BEFORE), key=lambda row: row["group_id"]) == expected


@pytest.mark.slow
@pytest.mark.crash
def test_sums_of_rates_are_those_of_the_tables_while_stories_and_versions_end_within_the_days_kept(
    lake: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(kept, "_DAYS", 10)
    chance = random.Random(11)
    columns = ", ".join(name for name in columns_of("outlet_sums") if name != "n_copied")
    sums = f"SELECT {columns} FROM outlet_sums ORDER BY outlet, month"
    for night in range(6):  # two nights in a row have the same stories, then three weeks pass
        event, day = night // 2, 21 * (night // 2) + night % 2 - 50
        articles = [article(chance, number, day, late=(0, 1)) for number in range(12)]
        named = [{**each, "name": f"{event} {each['name']}", "text": f"{event} {each['text']}"} for each in articles]
        add(lake, f"r{night}", named)
        append(lake, "stories", [{"text_id": f"{event} t{night}", "story_id": f"{event} t0", **RULES, **STAMP}])
        end(lake, f"r{night}")
        engine = kept.KeptEngine(str(lake), anew=not night)
        with DuckEngine(str(lake)) as tables:
            assert engine.sql(sums) == tables.sql(sums) != []
            assert engine.sql(RATES) == tables.sql(RATES)
    assert engine.sql("SELECT count(*) AS n FROM kept.outlet_sums") != [{"n": 0}], "some stories are kept as sums"
    assert any(row["rate_low"] > 0 for row in engine.sql(RATES))


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


def test_the_morning_page_says_what_the_last_run_brought_and_draws_no_month_after_it(two_nights: Path, tmp_path: Path):
    future = article(random.Random(1), 1, 400, late=(0,))
    add(two_nights, "r2", [future])
    end(two_nights, "r2")
    engine = kept.KeptEngine(str(two_nights), anew=False)
    new = read_morning(engine.sql, report(), SETTINGS)
    assert new["run"]["run_id"] == "r2" and new["silent"] == []
    assert [(row["speaker"], row["articles"]) for row in new["people"]] == [("Ana g1", 1)]
    assert [(row["watch_id"], row["new_uses"]) for row in new["watched"]] == [("w1", 1)] and new["watched"][0][
        "uses"
    ] > 1
    trends = read_trends(engine.sql, new, SETTINGS)
    months = {row["month"] for row in trends["outcomes"]} | {*trends["quotes"]["g1"]["months"]}
    assert months and max(months) <= f"{DAY:%Y-%m}" < f"{future['published']:%Y-%m}"
    assert write_morning(report(), new, trends, tmp_path / "pages").exists()


def test_topics_of_a_ranked_quote_have_the_uses_that_came_in_since_it_was_ranked_or_all_by_a_report(lake: Path):
    def detail(*docs: str) -> None:
        schema = duckdb.sql(no_rows("topic_details")).to_arrow_table().schema
        schema = pa.schema([f.with_type(pa.timestamp("us", "UTC")) if f.name == "ingested_at" else f for f in schema])
        part = {"n_contexts": 3, "words": ["w"]}
        clusters = [{**part, "typical": {"doc_id": doc, "context_start": 0, "context_end": 3}} for doc in docs]
        row = {name: None for name in schema.names} | {**SCORED, "group_id": "s0", "n_sampled": 9, **STAMP}
        table = pa.Table.from_pylist([{**row, "clusters": clusters}], schema)
        write_deltalake(str(lake / "topic_details"), table, mode="overwrite")

    def texts(engine: DuckEngine) -> dict[str, str | None]:
        return {row["doc_id"]: row["context"] for row in engine.sql(group_queries(["s0"])["topic_clusters"])}

    for night in range(2):
        each = article(random.Random(night), 1, night, late=(0,))
        add(lake, f"r{night}", [{**each, "name": f"n{night}"}, {**each, "name": f"o{night}"}])
        docs = [f"n{seen} r{seen} 1" for seen in range(night + 1)] + (["o0 r0 1"] if night else [])
        scores = {"period": "all", "n_documents": 20, "n_distinct_contexts": 12, "variation": 0.5, "variation_low": 0.4}
        append(lake, "topic_variation", [{**SCORED, "group_id": "s0", **scores, **STAMP}], mode="overwrite")
        append(lake, "variants", [{"variant_id": "s0", "canonical_text": "no", **STAMP}])
        detail(*docs)
        end(lake, f"r{night}")
        engine = kept.KeptEngine(str(lake), anew=not night)
    assert texts(engine) == {"n0 r0 1": "Yes", "n1 r1 1": "Yes", "o0 r0 1": None}
    with DuckEngine(str(lake)) as tables:
        assert texts(kept.KeptEngine(str(lake), anew=True)) == texts(tables) == dict.fromkeys(texts(engine), "Yes")


def reads_anew(root: Path) -> bool:
    """Answer the page's statement as a night does; whether that took the whole lake."""
    ask = kept.kept_reader(str(root), lambda: pytest.fail("DuckDB can read it"))
    engine: kept.KeptEngine = ask.__wrapped__.__self__  # type: ignore[attr-defined]
    with DuckEngine(str(root)) as tables:
        assert answer(engine, page_query(9)) == answer(tables, page_query(9))
    return not engine._and_kept


@pytest.mark.slow
@pytest.mark.crash
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
