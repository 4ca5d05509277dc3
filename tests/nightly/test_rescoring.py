"""Another representation of contexts, or a topic head, scores every group again and embeds only what has no vector."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from tests.conftest import TEST_TIME
from tests.nightly.batches import killed

from quotelake.lake.tables import Lake
from quotelake.lake.upkeep import digest
from quotelake.query.ask import DuckEngine

pytestmark = [pytest.mark.spark, pytest.mark.slow]

Score = Callable[..., Lake]


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
    with monkeypatch.context() as patch, killed("merge", table="topic_variation", time=2):
        patch.setattr("quotelake.nightly.correct._BYTES_PER_PART", 60_000)
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
