"""Keeping a frame that several writes read, for as long as they do. Transforms are handed this; none caches itself."""

from types import TracebackType

from pyspark.sql import DataFrame
from pyspark.storagelevel import StorageLevel


class Materialised:
    """Keeps the frames it is called with, in memory and on disk, until its block ends."""

    def __init__(self) -> None:
        """Start with nothing kept."""
        self._kept: list[DataFrame] = []

    def __call__(self, df: DataFrame) -> DataFrame:
        """Keep a frame from its first use on."""
        kept = df.persist(StorageLevel.MEMORY_AND_DISK)
        self._kept.append(kept)
        return kept

    def __enter__(self) -> "Materialised":
        """Enter the block within which frames are kept."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Let go of every frame."""
        for df in reversed(self._kept):
            df.unpersist()
        self._kept.clear()
