"""Frames that are computed once: rows of the driver while they are few, else in memory and on disks of executors."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame

from quotelake.spark.arrow import frame_of_table, known_table, small_table
from quotelake.spark.session import stored_by_executors

#: Materialises a frame; see :func:`materialised`.
Materialise = Callable[[DataFrame], DataFrame]


@contextmanager
def materialised(*, small: bool = False) -> Iterator[Materialise]:
    """A function that materialises a frame until the block ends, at once and on the driver if ``small`` and few rows.

    Other frames are computed at their first use. The frame loses its plan: a cached frame would carry its whole plan
    into those of all frames made from it.
    """
    rdds: list[Any] = []

    def materialise(df: DataFrame) -> DataFrame:
        if known_table(df) is not None:
            return df
        if small and (rows := _on_driver(df)) is not None:
            return rows
        frame, rdd = stored_by_executors(df)
        rdds.append(rdd)
        return frame

    try:
        yield materialise
    finally:
        for rdd in reversed(rdds):
            rdd.unpersist(False)


def _on_driver(df: DataFrame) -> DataFrame | None:
    """The rows of a frame as rows of the driver; None if they are too many or too large."""
    try:
        table = small_table(df)
    except PySparkException as error:
        if "spark.driver.maxResultSize" not in str(error):  # few packed bytes may be of very long texts
            raise
        return None
    return None if table is None else frame_of_table(df.sparkSession, table)
