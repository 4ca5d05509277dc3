"""Views of what people give, watched texts and names of speakers, beside the run before: equal in both engines."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from pyspark.sql import SparkSession
from tests.query.lakes import complete
from tests.query.test_engines import Engines, assert_equal, engines_of

from quotelake.lake.page_state import PageState, write_state
from quotelake.lake.tables import Lake
from quotelake.query.catalog import view_text

pytestmark = [pytest.mark.spark, pytest.mark.slow]

#: Later than every document of the sample: its newest is of the last day of May.
LATE = datetime(2024, 6, 2, tzinfo=UTC)
VIEWS = (
    "speaker_quotes", "quotes_said", "most_quoted", "quote_uses", "watch_uses", "watch_movers", "run_changes",
    "topic_variation_ranking", "ranking",
)  # fmt: skip


@pytest.fixture(scope="module")
def engines(spark: SparkSession, sample_lake: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engines]:
    """The sample, two names that are one person, and a watched text with uses of the last run and of the one before."""
    root = tmp_path_factory.mktemp("given") / "lake"
    shutil.copytree(sample_lake, root)
    lake = Lake(spark.newSession(), str(root), "late", LATE)
    first = lake.read("runs").first()["run_id"]
    write_state(lake.storage, PageState(first, first, first))  # the pages have shown what it brought
    before = Lake(lake.spark, str(root), first, LATE)
    rules = lake.read("versions").first()["rule_version"]
    names = ["Ines Halloran", "Dermot Eastlake"]
    aliases = [{"name": name, "canonical": "Ines Eastlake", "wikidata_id": "Q7", "imported_at": LATE} for name in names]
    lake.append(lake.frame(aliases, "speaker_aliases"), "speaker_aliases")
    texts = [
        {"text_digest": f"digest {i}", "rule_version": rules, "watch_id": f"w{i}", "text": f"text {i}", "variants": [],
         "exact": False, "is_current": i < 3, "searched": True} for i in range(4)
    ]  # fmt: skip
    lake.append(lake.frame(texts, "watch_texts"), "watch_texts")
    documents = before.read("documents").where("kind = 'news'").orderBy("published_at", "doc_id").collect()
    lake.append(before.read("documents").where("kind = 'news'").orderBy("doc_id").limit(1).selectExpr(
        "'new' AS doc_id", "* EXCEPT (doc_id, run_id, ingested_at)"), "documents")  # fmt: skip
    used = [(0, row, "body") for row in documents] + [(1, documents[-1], "headline")] + [(1, documents[0], "body")]
    hits = [hit(number, rules, row["doc_id"], field, row["outlet"]) for number, row, field in used]
    hits += [hit(1, rules, "new", "body", "New Paper"), hit(3, rules, "new", "body", "New Paper")]
    lake.append(lake.frame(hits, "watch_hits"), "watch_hits")
    complete(root, "late", night="late", **lake.versions())
    yield from engines_of(lake.spark.newSession(), str(root))


def hit(number: int, rules: str, doc_id: str, field: str, outlet: str) -> dict[str, Any]:
    return {
        "watch_id": f"w{number}", "text_digest": f"digest {number}", "doc_id": doc_id, "field": field, "start": 0,
        "end": 9, "rule_version": rules, "score": 1.0, "sure": True, "in_marks": False, "quote_id": None,
        "native_key": doc_id, "text_id": None, "period": None, "kind": "news", "outlet": outlet, "author_key": None,
        "context_start": 0, "context_end": 20, "raw_hash": None, "masked_hash": None, "words_left": 9, "status": "ok",
    }  # fmt: skip


@pytest.mark.parametrize("view", VIEWS)
def test_views_of_what_was_given_have_equal_rows_in_both_engines(engines: Engines, view: str):
    assert assert_equal(engines, f"SELECT * FROM {view}", view_text(view)[1].strip())


def test_names_of_one_person_are_one_row_and_uses_of_a_watched_text_are_uses(engines: Engines):
    duck, _ = engines
    [row] = duck.sql("SELECT * FROM most_quoted WHERE speaker = 'Ines Eastlake'")
    said = duck.sql(
        "SELECT DISTINCT variant_id FROM speaker_quotes WHERE person = 'Ines Eastlake' AND variant_id <> ''"
    )
    assert (row["wikidata_id"], row["quotes"]) == ("Q7", len(said)) and row["quotes"] > 3
    assert not duck.sql("SELECT 1 FROM most_quoted WHERE speaker IN ('Ines Halloran', 'Dermot Eastlake')")
    kinds = duck.sql("SELECT group_kind, quote, count(*) AS n FROM quote_uses WHERE group_kind = 'watch' GROUP BY ALL")
    assert {row["quote"]: row["n"] for row in kinds} == {"text 0": 86, "text 1": 2}, (
        "of current texts, not in headlines"
    )


def test_movers_are_told_apart_by_run_outlet_and_day(engines: Engines):
    duck, _ = engines
    rows = {row["watch_id"]: row for row in duck.sql("SELECT * FROM watch_movers")}
    assert [*rows] == ["w1", "w0", "w2"], "the most new uses first, and a text without any last"
    names = ("uses", "documents", "outlets", "new_uses", "new_outlets", "undated_uses")
    assert [rows["w2"][name] for name in (*names, "uses_28_days", "uses_28_before")] == [0] * 8
    assert [rows["w1"][name] for name in names[:1]] == [3] and rows["w1"]["new_uses"] == 1
    dates = [row["published_at"] for row in duck.sql("SELECT published_at FROM documents")]
    newest = max(date for date in dates if date)
    [counted] = duck.sql(
        "SELECT count(*) AS uses, count_if(published_at IS NULL) AS undated, "
        f"count_if(published_at > TIMESTAMP '{newest}' - INTERVAL 28 DAYS) AS recent, "
        f"count_if(published_at > TIMESTAMP '{newest}' - INTERVAL 56 DAYS) AS both "
        "FROM watch_uses WHERE watch_id = 'w0'"
    )
    found = rows["w0"]
    assert (found["uses"], found["undated_uses"]) == (counted["uses"], counted["undated"])
    assert found["uses_28_days"] == counted["recent"] > 0
    assert found["uses_28_before"] == counted["both"] - counted["recent"] > 0


def test_what_a_run_changed_is_held_against_the_run_before(engines: Engines):
    duck, _ = engines
    rows = {(row["nth"], row["stage"], row["figure"]): row for row in duck.sql("SELECT * FROM run_changes")}
    alerts, uses = rows[1, "results", "alerts"], rows[1, "results", "watched_uses"]
    assert (alerts["value"], alerts["value_before"]) == (0, rows[2, "results", "alerts"]["value"])
    assert alerts["difference"] == -alerts["value_before"] < 0 and uses["difference"] == uses["value"] > 80
    assert rows[2, "documents", "rejects"]["value"] == 8 and rows[2, "documents", "rejects"]["difference"] is None
    assert (2, "sources", "sample_news.documents") in rows and not [key for key in rows if key[1] == "run"]
