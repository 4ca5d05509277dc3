"""Nights that change versions half-way: whichever run died under whichever versions, no row is there twice; and another
representation of contexts, or a topic head, scores every group again and embeds only what has no vector."""

import json
import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from tests.conftest import TEST_TIME
from tests.nightly.batches import killed

from quotelake.errors import VersionError
from quotelake.lake.tables import Lake
from quotelake.lake.upkeep import digest, digests
from quotelake.nightly import versions
from quotelake.nightly.versions import NUMBERS, active
from quotelake.query.engines import DuckEngine
from quotelake.sample import sample_path

pytestmark = [pytest.mark.spark, pytest.mark.slow]

Score = Callable[..., Lake]
OTHER = ("contextomy.threshold=0.7",)
#: Quotes that are used again.
REUSED = [f"We shall carry {count} stones of the old bridge up the hill" for count in ("two", "five", "nine", "forty")]


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str]]:
    """Articles in two files, and tweets."""
    folder = tmp_path_factory.mktemp("nights")
    news = Path(sample_path("news.jsonl")).read_text("utf-8").splitlines(keepends=True)
    for number, part in enumerate((news[:8], news[8:14])):
        (folder / f"{number}.jsonl").write_text("".join(part), "utf-8")
    texts = [f"{name} wrote of {topic} and bread: “{quote}”" for quote in REUSED
             for name, topic in (("Anna", "boats"), ("Berta", "exams"))]  # fmt: skip
    tweets = [json.dumps({"id": f"t{at}", "user": f"u{at}", "text": text}) + "\n" for at, text in enumerate(texts)]
    (folder / "tweets.jsonl").write_text("".join(tweets), "utf-8")
    files = [("sample_news", "0.jsonl"), ("sample_news", "1.jsonl"), ("sample_tweets", "tweets.jsonl")]
    return [(source, str(folder / name)) for source, name in files]


@pytest.fixture(scope="module")
def key(nights: list[tuple[str, str]]) -> str:
    """Setting that hashes authors alike in every lake."""
    return f"ingest.author_key_file={Path(nights[0][1]).with_name('key')}"


@pytest.fixture(scope="module")
def straight(score: Score, nights: list[tuple[str, str]], key: str, tmp_path_factory: pytest.TempPathFactory) -> Lake:
    return score(tmp_path_factory.mktemp("straight") / "lake", nights, (key,))


def test_runs_that_died_under_another_detector_leave_no_row_twice_nor_does_its_activation(
    score: Score, nights: list[tuple[str, str]], key: str, straight: Lake, tmp_path: Path
):
    root = tmp_path / "lake"

    def dies() -> AbstractContextManager[None]:
        """Have a run die before any headline's outcome is written; its quotes are written by then."""
        return killed("append", "append_new", table="contextomy")

    with dies():
        score(root, nights[:1], (key, *OTHER))
    lake = score(root, nights[:1], (key,))
    before, old = lake.read("quotes").count(), active(lake)
    with dies():
        score(root, nights, (key, "contextomy.threshold=0.6"), activate=True)
    assert lake.read("quotes").count() > before, "the other detector's run found the second night's quotes"
    found = digests(score(root, nights, (key,)))
    assert found == digests(straight) and active(lake) == old
    with pytest.raises(VersionError, match="detector_version"):
        score(root, nights, (key, *OTHER))
    after = digests(score(root, nights, (key, *OTHER), activate=True))
    assert after.pop("contextomy")[0] == 2 * found.pop("contextomy")[0], "beside the old rows"
    assert after == found, "another detector finds no other quotes, and none twice"


def test_a_raised_number_is_refused_until_it_is_activated_and_then_reads_the_archive_again(
    score: Score, nights: list[tuple[str, str]], key: str, straight: Lake, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):  # fmt: skip
    root = Path(shutil.copytree(straight.root, tmp_path / "lake"))
    old, quotes = active(straight), straight.read("quotes").count()
    monkeypatch.setattr(versions, "NUMBERS", {**NUMBERS, "quotes": NUMBERS["quotes"] + 1})
    with pytest.raises(VersionError, match="rule_version is"):
        score(root, nights, (key,))
    lake = score(root, nights, (key,), activate=True)
    new = active(lake)
    assert old is not None and new is not None and new.rule_version != old.rule_version
    counted = {
        row["rule_version"]: row["count"] for row in lake.read("quotes").groupBy("rule_version").count().collect()
    }
    assert counted == {old.rule_version: quotes, new.rule_version: quotes}


def shown(lake: Lake) -> set[tuple[str, str]]:
    """Representation and group of the ranking over all time."""
    statement = "SELECT representation, group_id FROM topic_variation_ranking WHERE period = 'all'"
    with DuckEngine(lake.root) as engine:
        return {(row["representation"], row["group_id"]) for row in engine.answer(statement).rows}


def has_rescored(lake: Lake) -> bool:
    return not lake.read("runs").where(f"run_id = '{lake.run_id}' AND stage = 'rescored'").isEmpty()


def test_all_groups_are_scored_by_another_representation_wherever_a_run_is_killed_and_no_text_is_embedded_twice(
    spark: SparkSession, score: Score, sample_lake: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    root, blend, head = tmp_path / "lake", ("topics.representation=blend",), ("topics.head=shipped",)
    shutil.copytree(sample_lake, root)
    masked = shown(Lake(spark, sample_lake, "reader", TEST_TIME))
    groups = {group for _, group in masked}
    with monkeypatch.context() as patch, killed("replace", table="topic_variation", time=2):
        patch.setattr("quotelake.nightly.scores._BYTES_PER_PART", 60_000)
        score(root, [], blend)  # in the middle: some groups are scored
    lake = score(root, [], blend)
    vectors = lake.read("embeddings").count()
    assert shown(lake) == {("blend", group) for group in groups}
    with killed("complete"):
        score(root, [], head)  # when all groups are scored, and before views follow
    assert has_rescored(score(root, [], blend)), "the killed run may have scored new documents by its representation"
    lake = score(root, [], head)
    assert {group for _, group in shown(lake)} == groups
    assert all("+head-" in representation for representation, _ in shown(lake))
    assert lake.read("embeddings").count() == vectors, "a head is made of vectors that are there"
    before = digest(lake, "topic_variation")
    lake = score(root, [])
    assert digest(lake, "topic_variation") == before, "the first scores are the same again"
    assert shown(lake) == masked
    assert not has_rescored(score(root, []))
