"""What a lake holds, as one number per table: equal for equal content, whoever wrote it and in whatever order."""

from pyspark.sql import functions as F

from quotelake.lake.contracts import PROVENANCE_COLUMNS, contract, table_names
from quotelake.lake.tables import Lake

#: Tables that say how rows came to be: their content depends on the nights, not only on the input.
HISTORY = ("alert_reviews", "files", "group_lineage", "runs", "versions")


def digest(lake: Lake, table: str) -> tuple[int, str]:
    """Rows of a table and a digest of them, in no order, without the columns that say which run wrote a row.

    Returns:
        Number of rows; the sum of their 64-bit hashes in hexadecimal, so that a repeated row changes it too.
    """
    names = [name for name in contract(table).content_columns if name not in PROVENANCE_COLUMNS]
    hashed = F.xxhash64(F.to_json(F.struct(*names), {"ignoreNullFields": "false"})).cast("decimal(38,0)")
    row = lake.read(table).agg(F.count("*").alias("n"), F.sum(hashed).alias("total")).first()
    assert row is not None  # an aggregate without groups has one row
    return row["n"], f"{int(row['total'] or 0) % (1 << 64):016x}"


def digests(lake: Lake) -> dict[str, tuple[int, str]]:
    """Digest of every table whose content depends on the input alone."""
    return {table: digest(lake, table) for table in table_names() if table not in HISTORY}
