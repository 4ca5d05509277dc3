"""Another representation of contexts, or a topic head, scores every group again and embeds only what has no vector."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quotelake.lake.digest import digest
from quotelake.lake.tables import Lake
from quotelake.query.ask import DuckEngine

pytestmark = [pytest.mark.spark, pytest.mark.slow]


def shown(lake: Lake) -> list[dict[str, Any]]:
    """The ranking over all time."""
    statement = "SELECT group_id, representation, variation FROM topic_variation_ranking WHERE period = 'all'"
    with DuckEngine(lake.root) as engine:
        return engine.answer(statement).rows


def test_a_representation_is_changed_without_embedding_a_text_again(
    score: Callable[..., Lake], sample_lake: str, tmp_path: Path
):
    root = tmp_path / "lake"
    shutil.copytree(sample_lake, root)
    lake = score(root, [], ("topics.representation=blend",))
    blended, vectors = shown(lake), lake.read("embeddings").count()
    assert {row["representation"] for row in blended} == {"blend"}
    lake = score(root, [], ("topics.head=shipped",))
    headed = shown(lake)
    assert lake.read("embeddings").count() == vectors, "a head is made of vectors that are there"
    assert {row["group_id"] for row in headed} == {row["group_id"] for row in blended}
    assert all("+head-" in row["representation"] for row in headed)
    before = digest(lake, "topic_variation")
    lake = score(root, [])
    assert digest(lake, "topic_variation") == before, "the first scores are the same again"
    assert {row["representation"] for row in shown(lake)} == {"masked"}
