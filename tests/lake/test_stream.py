"""A stream is started only where there may be something to see, and whatever was begun is taken up."""

from pathlib import Path

import pytest
from pyspark.sql import DataFrame
from tests.lake.rows import variants

from quotelake.lake.stream import follow, has_news
from quotelake.lake.tables import Lake
from quotelake.lake.writing import Transaction

pytestmark = pytest.mark.spark


def test_each_row_is_seen_once_and_nothing_is_started_for_nothing(lake: Lake):
    seen: list[tuple[str, int]] = []

    def process(rows: DataFrame, txn: Transaction) -> None:
        seen.extend((row["variant_id"], txn.version) for row in rows.collect())

    def go() -> None:
        follow(lake, "variants", "c1", 10**6, process)

    name = "variants-c1"
    assert not has_news(lake, "variants", name), "a table that was only made"
    go()
    assert not (Path(lake.root) / "_checkpoints").exists()
    lake.append_new(variants(lake, "a"), "variants")
    assert has_news(lake, "variants", name)
    go()
    assert not has_news(lake, "variants", name)
    assert has_news(lake, "variants", "variants-c2"), "another version has seen nothing"
    lake.append_new(variants(lake, "b"), "variants")
    go()
    assert seen == [("a", 0), ("b", 1)]
    for file in (Path(lake.root) / "_checkpoints" / name / "commits").glob("*1*"):
        file.unlink()  # as a run leaves it that dies in a batch
    assert has_news(lake, "variants", name)
    go()
    assert seen == [("a", 0), ("b", 1), ("b", 1)], "under the same number, so that its writes are known"
