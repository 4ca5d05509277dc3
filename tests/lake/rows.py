"""Rows of the table ``variants`` for the tests of the lake."""

from pyspark.sql import DataFrame

from quotelake.lake.tables import Lake
from quotelake.text.ids import content_id


def variants(lake: Lake, *ids: str, text: str = "some words") -> DataFrame:
    schema = "variant_id STRING, canonical_text STRING, words INT"
    return lake.spark.createDataFrame([(name, text, 2) for name in ids], schema)


def ids(lake: Lake) -> list[str]:
    """Keys in the table, with repetitions."""
    return sorted(row["variant_id"] for row in lake.read("variants").select("variant_id").collect())


def hexes(prefix: str, count: int) -> list[str]:
    """Ids as the house makes them."""
    return [content_id(f"{prefix}{i}") for i in range(count)]
