"""Headline quotes read by a model, a stand-in here, at the end of a night: each once, whatever is killed or fails."""

import gzip
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.nightly.batches import killed
from tests.reader.stand_in import Reply, Respond, StandIn, answer, data_of, stand_in

from quotelake.lake.tables import Lake
from quotelake.nightly.forget_requests import ForgetRequest
from quotelake.query.engines import AutoEngine, Rows
from quotelake.query.spark import SparkEngine
from quotelake.reader import client
from quotelake.sample import sample_path

pytestmark = [pytest.mark.spark, pytest.mark.slow]

Score = Callable[..., Lake]


def run_sql(lake: Lake, statement: str) -> Rows:
    return AutoEngine(lake.root, lambda: SparkEngine(lake)).sql(statement)


def fair(request: dict[str, Any]) -> Reply:
    """Every headline is fair, by the first forty letters of its article."""
    return Reply(answer("fair", data_of(request)["article"][:40].rpartition(" ")[0], kind=None))


def asked_twice(server: StandIn) -> dict[str, int]:
    counted = Counter(str(data_of(request)) for request in server.requests)
    return {line: number for line, number in counted.items() if number > 1}


@pytest.fixture
def night(score: Score, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Lake]:
    """Score some news of the sample with a reader, in one lake."""
    monkeypatch.setattr(client, "WAITS", (0.0, 0.0))
    lines = Path(sample_path("news.jsonl")).read_text("utf-8").splitlines()

    def run(server: StandIn | None, articles: int = 40, which: str = "all", **given: Any) -> Lake:
        news = tmp_path / f"{articles}.jsonl"
        if not news.exists():  # a file that is touched is read again
            news.write_text("\n".join(lines[:articles]) + "\n", "utf-8")
        named = {"url": server.url, "model": given.pop("model", "stand-in"), "which": which} if server else {}
        named |= {"tasks": given.pop("tasks", 4), "budget": given.pop("budget", 500)} if server else {}
        overrides = (f"ingest.author_key_file={tmp_path / 'key'}", *(f"reader.{key}={it}" for key, it in named.items()))
        return score(tmp_path / "lake", [("sample_news", str(news))], overrides, **given)

    return run


def test_each_quote_is_read_once_in_nights_that_are_bounded_killed_and_by_another_model(night: Callable[..., Lake]):
    before = night(None).versions()
    assert night(None).versions() | {"runs": 0} == before | {"runs": 0}, "without a reader nothing is written"

    with stand_in(fair) as server:
        lake = night(server, budget=7)
        everything = lake.read("contextomy").count()
        assert (len(server.requests), lake.read("readings").count()) == (7, 7) and everything > 20
        [stage] = run_sql(lake, "SELECT counts FROM run_summary WHERE nth = 1 AND stage = 'readings'")
        counts = stage["counts"]
        assert (counts["asked"], counts["fair"], counts["tokens_in"]) == (7, 7, 700)
        assert counts["left_for_the_next_run"] == everything - 7

        with killed("append_new", table="readings", time=1):
            night(server, tasks=1)
        part = len(server.requests)
        assert part == 7 + 8, "what is asked for again are the requests that no commit holds: here the first eight"
        night(server, tasks=1)
        assert len(asked_twice(server)) == 8
        assert night(server).read("readings").count() == everything
        assert len(server.requests) == everything + 8, "a night without news asks for nothing"

        night(server, model="another")
        assert len(server.requests) == everything + 8, "another model reads what is new"
        lake = night(server, model="another", read_again="alerts")
        alerts = run_sql(lake, "SELECT count(*) AS n FROM contextomy WHERE alert IS NOT NULL")[0]["n"]
        assert len(server.requests) == everything + 8 + alerts and alerts > 0


def test_what_fails_is_tried_in_the_next_nights_and_stops_none(night: Callable[..., Lake]):
    bad: list[Respond | Reply] = [Reply(status=500), fair]

    def respond(request: dict[str, Any]) -> Reply:
        now = bad[0]
        return now if isinstance(now, Reply) else now(request)

    with stand_in(respond) as server:
        lake = night(server)
        failed = lake.read("readings").count()
        tasks = 4
        assert client.MOST_FAILURES <= failed <= client.MOST_FAILURES + tasks - 1, "and the stage ends there"
        assert run_sql(lake, "SELECT count(*) AS n FROM latest_readings") == [{"n": 0}]
        bad.pop(0)
        lake = night(server)
        total = lake.read("contextomy").count()
        assert run_sql(lake, "SELECT count(*) AS n FROM latest_readings") == [{"n": total}]
        rows = run_sql(lake, "SELECT attempt, status, count(*) AS n FROM readings GROUP BY 1, 2 ORDER BY 1, 2")
        expected = [(1, "failed", failed), (1, "read", total - failed), (2, "read", failed)]
        assert [tuple(row.values()) for row in rows] == expected


def test_both_engines_show_what_was_read_with_the_words_of_the_body(night: Callable[..., Lake]):
    with stand_in(fair) as server:
        lake = night(server)
    columns = "quote_id, reader, reading_verdict, reading_kind, reading_words, reading_sentence"
    statement = f"SELECT {columns} FROM headline_quotes ORDER BY quote_id"
    found = run_sql(lake, statement)
    assert found == SparkEngine(lake).sql(statement)
    assert {row["reading_verdict"] for row in found} == {"fair"} and all(row["reading_words"] for row in found)


def test_recorded_readings_of_written_headlines_reach_the_alerts(
    score: Score, data: Callable[[str], Path], tmp_path: Path
):
    """The whole chain on 93 articles: quotes, judgements, requests, the check of evidence, the table, the views."""
    lines = gzip.decompress(data("news/headlines_written_2.jsonl.gz").read_bytes()).splitlines()
    rows = [json.loads(line) for line in lines]
    news, by_headline = tmp_path / "written.jsonl", {row["headline"]: row for row in rows}
    articles = [{"ID": n, "title": row["headline"], "text": row["body"]} for n, row in enumerate(rows)]
    news.write_text("".join(json.dumps(row) + "\n" for row in articles), "utf-8")

    def recorded(request: dict[str, Any]) -> Reply:
        row = by_headline[data_of(request)["headline"]]
        return Reply(
            answer({"M": "misleading", "F": "fair"}[row["second"]], row["said"], kind=None, sentence=row["reason"])
        )

    with stand_in(recorded) as server:
        given = (
            f"reader.url={server.url}",
            "reader.model=m",
            "reader.which=all",
            f"ingest.author_key_file={tmp_path / 'k'}",
        )
        lake = score(tmp_path / "lake", [("us_news", str(news))], given)
    flagged = {row["headline"] for row in run_sql(lake, "SELECT headline FROM headline_alerts")}
    misleading, fair_ones = ({row["headline"] for row in rows if row["label"] == label} for label in "MF")
    found, accused = len(flagged & misleading), len(flagged & fair_ones)
    print(f"found {found} of {len(misleading)}, accused {accused} of {len(fair_ones)}")
    assert found >= 0.95 * len(misleading) and accused <= 0.02 * len(fair_ones)


def test_what_is_forgotten_has_no_reading(night: Callable[..., Lake]):
    with stand_in(fair) as server:
        ids = [
            row.doc_id for row in night(server).read("readings").select("doc_id").distinct().orderBy("doc_id").collect()
        ]
        left = night(server, forget_request=ForgetRequest(ids=ids[:1])).read("readings")
    assert {row.doc_id for row in left.collect()} == set(ids[1:])
    assert asked_twice(server) == {}
