"""How data files are laid out, so that a look-up of few keys reads pages of a file and not the file. One place.

Rows lie sorted by the clustering column of their table, in small pages, each with the least and greatest key it holds:
a list of literal keys then excludes all pages but those that hold one.
"""

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from quotelake.lake.contracts import clustered_by

#: Keys in one literal list. Spark hands a longer one to the Parquet reader as its range only, and the tree of
#: comparisons it makes of the list overflows the stack at 3,000.
LITERALS = 512
_SETTINGS = {
    # Writing: rows of a page, bytes of a row group.
    "parquet.page.row.count.limit": "1000",
    "parquet.block.size": str(32 << 20),
    # Reading: hand whole lists down; look for no filter of Parquet's own, there is none.
    "spark.sql.parquet.pushdown.inFilterThreshold": str(LITERALS),
    "parquet.filter.bloom.enabled": "false",
    # Tasks that list the files of a table for VACUUM: Spark's 10,000 take minutes, and longer than the listing.
    "spark.sql.sources.parallelPartitionDiscovery.parallelism": "32",
}


def lay_out(spark: SparkSession) -> None:
    """Have a session write and read in this layout."""
    for name, value in _SETTINGS.items():
        spark.conf.set(name, value)


def arranged(df: DataFrame, table: str) -> DataFrame:
    """Sort the rows of each file that is about to be written."""
    column = clustered_by(table)
    return df if column is None else df.sortWithinPartitions(column)


def bound_of(rows: DataFrame, column: str) -> str | None:
    """Condition that all ids of a column meet, by which files are left out; None where there are no rows.

    Such as ``IN ('a', 'b')``, or of many ids ``BETWEEN 'a' AND 'b'``.
    """
    ids = [row[0] for row in rows.select(column).distinct().limit(LITERALS + 1).collect()]
    if len(ids) <= LITERALS:
        return f"IN ({', '.join(map(_literal, sorted(ids)))})" if ids else None
    ends = rows.agg(F.min(column), F.max(column)).first()
    assert ends is not None  # an aggregate without groups has one row
    return f"BETWEEN {_literal(ends[0])} AND {_literal(ends[1])}"


def _literal(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
