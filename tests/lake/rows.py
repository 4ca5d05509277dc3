"""Rows of the table ``variants`` for the tests of the lake; all that its files hold, and some of them gone."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from pyspark.sql import DataFrame

from quotelake.lake.tables import Lake
from quotelake.text.ids import content_id


def variants(lake: Lake, *ids: str, text: str = "some words") -> DataFrame:
    return lake.frame([{"variant_id": name, "canonical_text": text, "words": 2} for name in ids], "variants")


def by_spark(df: DataFrame) -> DataFrame:
    """The same rows as a frame that Spark computes, and writes: no table of the driver."""
    return df.where("true")


def ids(lake: Lake) -> list[str]:
    """Keys in the table, with repetitions."""
    return sorted(row["variant_id"] for row in lake.read("variants").select("variant_id").collect())


def hexes(prefix: str, count: int) -> list[str]:
    """Ids as the house makes them."""
    return [content_id(f"{prefix}{i}") for i in range(count)]


def remove(root: Path, pattern: str) -> None:
    """Delete the files that match a pattern."""
    for file in [path for path in root.glob(pattern) if path.is_file()]:
        file.unlink()


def contents(root: Path) -> Iterator[tuple[Path, bytes]]:
    """What each file of a lake holds: its bytes, and those of the columns that Parquet packs."""
    for path in sorted(each for each in root.rglob("*") if each.is_file()):
        yield path, path.read_bytes()
        if path.name.endswith(".parquet") and path.read_bytes()[:4] == b"PAR1":
            table = pq.read_table(path)
            yield path, json.dumps(table.to_pylist(), default=str, ensure_ascii=False).encode()
            for vector in table.column("vector").to_pylist() if "vector" in table.column_names else ():
                yield path, np.asarray(vector or [], np.float32).tobytes()
