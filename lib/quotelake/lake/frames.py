"""Frames held against the contract of the table they are to be rows of."""

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import DataType, StructType

from quotelake.errors import ContractError
from quotelake.lake.contracts import contract
from quotelake.spark.arrow import all_nullable, arrow_schema, struct


def table_schema(table: str) -> StructType:
    """Spark types of the content columns of a table, all nullable as Spark's own transforms leave them."""
    return struct(contract(table).ddl(with_run_columns=False))


def frame_of(spark: SparkSession, rows: Sequence[Mapping[str, Any]], table: str) -> DataFrame:
    """Rows of the driver as a frame with the content columns of a table."""
    # By Arrow: rows given as Python objects would pass through a worker.
    schema = arrow_schema(all_nullable(table_schema(table)))
    return spark.createDataFrame(pa.Table.from_pylist([dict(row) for row in rows], schema=schema))


def check(df: DataFrame, table: str) -> DataFrame:
    """Return ``df`` if its columns are the content columns of ``table``.

    Raises:
        ContractError: every column that is missing, unexpected or of another type, at once.
    """
    found = {field.name: _plain(field.dataType) for field in df.schema.fields}
    expected = {field.name: _plain(field.dataType) for field in table_schema(table).fields}
    faults = {
        "missing": [name for name in expected if name not in found],
        "unexpected": [name for name in found if name not in expected],
        "wrong type": [
            f"{name}: {found[name]}, expected {kind}"
            for name, kind in expected.items()
            if name in found and found[name] != kind
        ],
    }
    if any(faults.values()):
        listed = "; ".join(f"{fault} [{', '.join(names)}]" for fault, names in faults.items() if names)
        raise ContractError(f"{table}: {listed}")
    return df


def _plain(kind: DataType) -> str:
    return kind.simpleString()
