"""Rows of the table ``variants`` for the tests of the lake, and a write that another one meets half-way."""

import threading
import time
from pathlib import Path

import pytest
from pyspark.sql import DataFrame

from quotelake.lake.tables import Lake
from quotelake.lake.writing import Writer
from quotelake.text.ids import content_id


def variants(lake: Lake, *ids: str, text: str = "some words") -> DataFrame:
    """Rows of variants that differ in their id."""
    schema = "variant_id STRING, canonical_text STRING, words INT"
    return lake.spark.createDataFrame([(name, text, 2) for name in ids], schema)


def ids(lake: Lake) -> list[str]:
    """Keys in the table, with repetitions."""
    return sorted(row["variant_id"] for row in lake.read("variants").select("variant_id").collect())


def hexes(prefix: str, count: int) -> list[str]:
    """Ids as the house makes them."""
    return [content_id(f"{prefix}{i}") for i in range(count)]


def waiting(df: DataFrame, folder: Path) -> DataFrame:
    """The rows, handed on when somebody has answered that a task of the write began."""

    def wait(batches):
        (folder / "began").touch()
        while not (folder / "go").exists():
            time.sleep(0.05)
        yield from batches

    return df.coalesce(1).mapInArrow(wait, df.schema)


def wait_while_writing(lake: Lake, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have each write of one run wait in its transaction; writes of other runs go on."""
    stamped = Writer.stamped

    def wait(run: Writer, df: DataFrame) -> DataFrame:
        rows = stamped(run, df)
        return waiting(rows, folder) if run.run_id == lake.run_id else rows

    monkeypatch.setattr(Writer, "stamped", wait)


def while_writing(folder: Path, write, other) -> None:
    """Commit ``other`` while a transaction of ``write`` is open."""
    failures: list[BaseException] = []

    def caught() -> None:
        try:
            write()
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=caught)
    thread.start()
    while not (folder / "began").exists() and thread.is_alive():
        time.sleep(0.05)
    other()
    (folder / "go").touch()
    thread.join()
    assert not failures
    assert (folder / "began").exists()
