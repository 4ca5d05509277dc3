"""Keeping a frame that several writes read, for as long as they do. Transforms are handed this; none caches itself."""

from types import TracebackType
from typing import Any

from pyspark.sql import DataFrame
from pyspark.storagelevel import StorageLevel


class Materialised:
    """Keeps the frames it is called with, in memory and on disk, until its block ends."""

    def __init__(self) -> None:
        """Start with nothing kept."""
        self._kept: list[Any] = []

    def __call__(self, df: DataFrame) -> DataFrame:
        """Keep a frame from its first use on, and forget how it was made.

        A cached frame would carry its whole plan into the plans of all frames made from it: some frames later, Spark
        spends more on plans than on data.
        """
        kept = df.localCheckpoint(eager=False, storageLevel=StorageLevel.MEMORY_AND_DISK)
        self._kept.append(kept._jdf.queryExecution().logical().rdd())
        return kept

    def __enter__(self) -> "Materialised":
        """Enter the block within which frames are kept."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Let go of every frame."""
        for rdd in reversed(self._kept):
            rdd.unpersist(False)
        self._kept.clear()
