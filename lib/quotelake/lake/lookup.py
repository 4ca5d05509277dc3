"""Looking keys up in a table without reading it: its key filters name the files, literal keys the pages.

Worth its fixed cost on a large archive and for few keys only; else :func:`look_up` says None, and the caller joins.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any
from urllib.parse import unquote, urlsplit

import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from quotelake.lake.keyfiles import KeyFiles
from quotelake.lake.layout import LITERALS, clustered_by

#: Rows from which filters pay. For 3,000 new keys they took 2.5 CPU seconds at 400,000 rows, a join of the key column
#: 1.8; at 4 million 2.3 against 2.6, and 21 MB read against 124.
ARCHIVE_ROWS = 1_000_000
#: Keys that are looked up at most: that many new ones hit most pages of most archives.
KEYS = 20_000
#: Keys that are sent to every task at most, some 20 MB; Spark chooses how to join more.
BROADCAST_KEYS = 200_000
#: What no compression makes smaller: the random bytes of an id. So a table of fewer bytes has fewer rows.
_BYTES_PER_ROW = 16
#: Meant as patterns where Spark reads files by name.
_PATTERN = set("*?[]{}\\")


@dataclass(frozen=True)
class Found:
    """What a look-up came to.

    Args:
        rows: those whose key is among the keys, no more and no fewer.
        archive_rows: rows of the files that were asked.
        some_key: one of the keys; empty where there is none.
    """

    rows: DataFrame
    archive_rows: int
    some_key: str


def look_up(archive: DataFrame, table: str, path: str, keys: DataFrame) -> Found | None:
    """Find the rows of a table that have one of some keys, or say None where a join does as well.

    Args:
        archive: the table, as just opened.
        table: its name.
        path: where it lies.
        keys: a frame of one column; it is computed here, and again by whoever uses it afterwards.
    """
    [on] = keys.columns
    spark = archive.sparkSession
    if on != clustered_by(table) or is_small(spark, path):
        return None
    files = data_files(spark, path)
    if not files or sum(files.values()) < ARCHIVE_ROWS:
        return None
    wanted = keys.distinct().limit(KEYS + 1).toArrow()
    if wanted.num_rows > KEYS:
        return None
    asked = wanted.column(0).to_pylist()
    hits = KeyFiles(spark, path, on).ask(files, asked)
    return Found(_rows(archive, hits, on, wanted), sum(files.values()), asked[0] if asked else "")


def rows_among(archive: DataFrame, table: str, path: str, keys: DataFrame, columns: Sequence[str] = ()) -> DataFrame:
    """Rows of a table whose value in a column is among ``keys``: by a look-up where that pays, else by a join.

    Args:
        archive: the table, as just opened.
        table: its name.
        path: where it lies.
        keys: a frame of that one column; repetitions do no harm.
        columns: what is read beside that column; all where none is named.
    """
    [on] = keys.columns
    found = look_up(archive, table, path, keys)
    rows = archive if found is None else found.rows
    wanted = rows.select(on, *columns) if columns else rows
    if found is not None:
        return wanted
    # Beside a small table the keys of one batch are few too, and counting them would cost a job.
    small = is_small(archive.sparkSession, path)
    return wanted.join(F.broadcast(keys) if small else bounded(keys), on, "left_semi")


def known_keys(
    archive: DataFrame, table: str, path: str, rows: DataFrame, key: Sequence[str]
) -> tuple[DataFrame, Column]:
    """Keys of a table among those of ``rows``, for an anti-join inside the plan that writes the others.

    Returns:
        The keys, and a condition on every row that is written: it fails as a conflict where the table has grown
        between the question to the filters and the transaction, which Delta cannot see.
    """
    on, keys = clustered_by(table), archive.select(*key)
    found = look_up(archive, table, path, rows.select(on)) if on is not None and on in key else None
    if found is None:
        if is_small(archive.sparkSession, path):
            return F.broadcast(keys), F.lit(True)
        return keys.join(bounded(rows.select(*key)), list(key), "left_semi"), F.lit(True)
    # A plan that reads nothing of the table is a blind append, for which Delta looks for no conflict: read one key.
    some = keys.where(F.col(str(on)) == found.some_key)
    same = archive.select(F.count("*").alias("n")).scalar() == found.archive_rows
    grown = F.raise_error(F.lit("ConcurrentAppend: the table grew after its key filters were asked"))
    return found.rows.select(*key).union(some), F.when(same, F.lit(True)).otherwise(grown.cast("boolean"))


def bounded(keys: DataFrame) -> DataFrame:
    """Have keys sent to every task, unless they are too many."""
    few = keys.limit(BROADCAST_KEYS + 1).count() <= BROADCAST_KEYS
    return F.broadcast(keys) if few else keys


def is_small(spark: SparkSession, path: str) -> bool:
    """Whether a table, as last opened, surely has at most :data:`BROADCAST_KEYS` rows: known without any job."""
    return table_bytes(spark, path) < BROADCAST_KEYS * _BYTES_PER_ROW


def table_bytes(spark: SparkSession, path: str) -> int:
    """Bytes of the data files of a table, as last opened: known without any job."""
    return int(_snapshot(spark, path).sizeInBytes())


def last_transaction(spark: SparkSession, path: str, app: str) -> int | None:
    """Version of the last write to a table, as last opened, that an application named; None where it named none."""
    found = _snapshot(spark, path).transactions().get(app)
    return int(found.get()) if found.isDefined() else None


def data_files(spark: SparkSession, path: str) -> dict[str, int]:
    """Address and rows of each data file of a table, from its log as last opened.

    Returns:
        Nothing, where files cannot be read by themselves: their columns or rows are mapped or marked by the log
        (reader version 1 has neither), they are not counted, or Spark takes their names for patterns.
    """
    snapshot = _snapshot(spark, path)
    root = str(snapshot.path().getParent().toString())
    listed = DataFrame(snapshot.allFiles().toDF(), spark)
    rows = listed.select("path", F.get_json_object("stats", "$.numRecords").cast("bigint").alias("rows")).toArrow()
    files = {_address(root, row["path"]): row["rows"] for row in rows.to_pylist()}
    plain = snapshot.protocol().minReaderVersion() == 1
    usable = plain and not any(rows is None or _PATTERN & set(file) for file, rows in files.items())
    return files if usable else {}


def _snapshot(spark: SparkSession, path: str) -> Any:
    jvm: Any = spark._jvm
    return jvm.org.apache.spark.sql.delta.DeltaLog.forTable(spark._jsparkSession, path).unsafeVolatileSnapshot()


def _address(root: str, path: str) -> str:
    """Address of a file as Spark takes it; the log has it encoded, and relative to the table unless it is elsewhere."""
    return unquote(path) if urlsplit(path).scheme else f"{root}/{unquote(path)}"


def _rows(archive: DataFrame, hits: Mapping[str, Sequence[str]], on: str, wanted: pa.Table) -> DataFrame:
    """Rows of the hit files: by literal keys where there are few, by a join with all keys in the other files."""
    spark = archive.sparkSession
    literals: set[str] = set()
    by_pages: list[str] = []
    for file, possible in sorted(hits.items(), key=lambda hit: len(hit[1])):
        if len(literals | set(possible)) > LITERALS:
            break
        literals |= set(possible)
        by_pages.append(file)
    whole = sorted(set(hits) - set(by_pages))
    files = spark.read.schema(archive.schema)
    parts = [archive.where(F.lit(False))]
    if by_pages:
        parts.append(files.parquet(*by_pages).where(F.col(on).isin(sorted(literals))))
    if whole:
        parts.append(files.parquet(*whole).join(F.broadcast(spark.createDataFrame(wanted)), on, "left_semi"))
    return reduce(DataFrame.unionByName, parts)
