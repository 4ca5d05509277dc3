"""The watch-list of a lake: nights with a growing list end as one run with all of it, and no use is ranked twice."""

from collections.abc import Callable
from pathlib import Path

import pytest

from quotelake.lake.tables import Lake
from quotelake.lake.upkeep import digests
from quotelake.query.engines import AutoEngine, Rows
from quotelake.query.spark import SparkEngine
from quotelake.sample import sample_path
from quotelake.settings import WatchedText
from quotelake.watch.lists import Watched, checked

pytestmark = [pytest.mark.spark, pytest.mark.slow]

Score = Callable[..., Lake]
STITCH = WatchedText(id="stitch", text="A stitch in time saves nine")
ROME = WatchedText(id="rome", text="Rome wasn't built in a day")


def watch(*texts: WatchedText) -> list[Watched]:
    return checked((text.id, text) for text in texts)


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Tweets of the sample with one of the two texts in marks, and without marks every seventh, in two files."""
    folder = tmp_path_factory.mktemp("nights")
    lines = Path(sample_path("tweets.jsonl")).read_text("utf-8").splitlines()
    found = [line for line in lines if "stitch in time" in line.lower() or "built in a day" in line.lower()]
    bare = [
        line if at % 7 else line.replace("“", "").replace("”", "").replace('\\"', "") for at, line in enumerate(found)
    ]
    for number in range(2):
        (folder / f"{number}.jsonl").write_text("\n".join(bare[number::2]) + "\n", "utf-8")
    return [folder / "0.jsonl", folder / "1.jsonl"]


def run_sql(lake: Lake, statement: str) -> Rows:
    return AutoEngine(lake.root, lambda: SparkEngine(lake)).sql(statement)


def ranked(lake: Lake) -> list[tuple[str, str, str]]:
    """Kind, quote and status of all groups that have enough contexts."""
    rows = run_sql(lake, "SELECT kind, quote, status FROM topic_variation_ranking WHERE period = 'all'")
    return sorted((row["kind"], row["quote"], row["status"]) for row in rows if row["status"] != "too_few")


def test_a_text_that_is_added_later_is_found_in_the_archive_and_one_that_is_dropped_keeps_its_hits(
    score: Score, nights: list[Path], tmp_path: Path
):
    key = (f"ingest.author_key_file={tmp_path / 'author_key'}",)
    first, second = ([("sample_tweets", str(path))] for path in nights)
    full = score(tmp_path / "full", [*first, *second], key, watched=watch(ROME, STITCH))
    root = tmp_path / "nightly"
    score(root, first, key, watched=watch(STITCH))
    nightly = score(root, [*first, *second], key, watched=watch(STITCH, ROME))
    assert digests(nightly) == digests(full), "the same hits, groups and scores"

    uses = run_sql(nightly, "SELECT watch_id, in_marks, quote_id FROM watch_uses")
    lines = [line.lower() for path in nights for line in path.read_text("utf-8").splitlines()]
    assert sum(row["watch_id"] == "stitch" for row in uses) == sum("stitch in time" in line for line in lines)
    assert {(row["in_marks"], row["quote_id"] is not None) for row in uses} == {(True, True), (False, False)}
    both = [("watch", STITCH.text, "ranked"), ("watch", ROME.text, "ranked")]
    assert [row for row in ranked(nightly) if row[2] == "ranked"] == both, "their quotes are not ranked beside them"
    assert ("quote", "a stitch in time saves nine", "watched") in ranked(nightly), "though it has contexts enough"

    before = nightly.versions()
    again = score(root, [*first, *second], key).versions()
    assert [table for table in before if before[table] != again[table]] == ["runs"]

    dropped = score(root, first, key, watched=watch(STITCH))
    assert {row["watch_id"] for row in run_sql(dropped, "SELECT watch_id FROM watch_uses")} == {"stitch"}
    romes = sum(row["watch_id"] == "rome" for row in uses)
    assert dropped.read("watch_hits").where("watch_id = 'rome'").count() == romes
    assert ("watch", ROME.text, "ranked") not in ranked(dropped)
    rows = {row["watch_id"]: row for row in dropped.read("watch_texts").collect()}
    assert not rows["rome"]["searched"], "other documents may come in before it is watched again"
