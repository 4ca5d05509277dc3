"""Records read from files → documents, rejects and the count of each file. Nothing is lost: in = kept + refused."""

from collections.abc import Sequence

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

from quotelake.contracts import columns
from quotelake.errors import CountError
from quotelake.sources.files import InputFile
from quotelake.sources.rejects import Reason
from quotelake.tables import table_schema


def documents_of(records: DataFrame) -> DataFrame:
    """Keep each document once. Grain: ``doc_id``; of several records the first by (path, position) is the document.

    Args:
        records: as :func:`quotelake.sources.read.read_records_frame` gives them.
    """
    usable = records.where(F.col("reason").isNull())
    row = usable.select("path", "file_id", "position", "document.*")
    first = row.groupBy("doc_id").agg(F.min_by(F.struct(*row.columns), F.struct("path", "position")).alias("row"))
    return first.select("row.*").select(*columns("documents"))


def rejects_of(records: DataFrame) -> DataFrame:
    """Rows of ``rejects``: the records that could not be used, with the reason."""
    return records.where(F.col("reason").isNotNull()).select(*columns("rejects"))


def count_files(records: DataFrame, documents: DataFrame, files: Sequence[InputFile]) -> DataFrame:
    """Count what became of the records of each file. Grain: a file read; rows of ``files``.

    A record is a duplicate if it could be used and is not where its document was first read. So a file that a run
    read and died over is counted the same when it is read again.

    Args:
        records: those of ``files``.
        documents: the table, after the records were added.
        files: what was read; one without any record counts 0.
    """
    spark = records.sparkSession
    place = ["file_id", "position"]
    usable = records.where(F.col("reason").isNull()).select(*place, F.col("document.doc_id").alias("doc_id"))
    first = documents.select("doc_id", *place).join(F.broadcast(_ids(spark, files)), "file_id", "left_semi")
    kept = usable.join(first, ["doc_id", *place], "inner").groupBy("file_id").agg(F.count("*").alias("documents"))
    seen = usable.join(first, ["doc_id", *place], "left_anti").groupBy("file_id").agg(F.count("*").alias("duplicates"))
    bad = rejects_of(records).groupBy("file_id").agg(F.count("*").alias("rejects"))
    every = records.groupBy("file_id").agg(F.count("*").alias("records"))
    counted = _frame(spark, files)
    for part in (every, kept, seen, bad):
        counted = counted.join(part, "file_id", "left")
    return counted.fillna(0, ["records", "documents", "duplicates", "rejects"]).select(*columns("files"))


def readable(files: DataFrame, records: DataFrame) -> DataFrame:
    """Leave out files that could not be opened, so that the next run tries them again; their reject stays."""
    closed = records.where(F.col("reason") == Reason.UNREADABLE_FILE.value).select("file_id").dropDuplicates()
    return files.join(closed, "file_id", "left_anti").select(*columns("files"))


def assert_nothing_lost(files: DataFrame) -> dict[str, dict[str, int]]:
    """Sum the counts per source, after checking every file: records = documents + duplicates + rejects.

    Raises:
        CountError: names the first file whose counts do not add up, with its counts.
    """
    counts: dict[str, dict[str, int]] = {}
    for file in files.orderBy("path").collect():
        if file["records"] != file["documents"] + file["duplicates"] + file["rejects"]:
            raise CountError(
                f"{file['path']}: {file['records']} records in, but {file['documents']} documents, "
                f"{file['duplicates']} duplicates and {file['rejects']} rejects; nothing was counted as read"
            )
        source = counts.setdefault(file["source"], dict.fromkeys(("files", *_COUNTS), 0))
        source["files"] += 1
        for name in _COUNTS:
            source[name] += file[name]
    return counts


_COUNTS = ("records", "documents", "duplicates", "rejects")


def _ids(spark: SparkSession, files: Sequence[InputFile]) -> DataFrame:
    return spark.createDataFrame([(file.file_id,) for file in files], "file_id STRING")


def _frame(spark: SparkSession, files: Sequence[InputFile]) -> DataFrame:
    known = ("file_id", "source", "path", "size", "modified")
    schema = StructType([field for field in table_schema("files").fields if field.name in known])
    return spark.createDataFrame([tuple(getattr(file, name) for name in known) for file in files], schema)
