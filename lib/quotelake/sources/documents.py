"""Files → one row per record, in Spark → documents, rejects and counts per file.

Records in = documents + duplicates + rejects + filtered. Large uncompressed JSON Lines files are read in byte ranges,
and several small files in one task.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import StructType
from pyspark.sql.window import Window

from quotelake.errors import CountError
from quotelake.lake.contracts import columns
from quotelake.lake.frames import table_schema
from quotelake.settings import Settings
from quotelake.sources.files import COUNTS, PROBLEM_COUNTS, InputFile, in_batches
from quotelake.sources.keyed_hashes import is_forgotten
from quotelake.sources.parse import Parser
from quotelake.sources.records import Format, format_of, read_file
from quotelake.sources.rejects import ASKED_FOR, UNREAD_DATE, Problem, Reason
from quotelake.sources.streams import UTF_8, codec_of
from quotelake.spark.arrow import Row, arrow_schema, record_batches

_PLACE = ("file_id", "position")
#: What the same reject has in another version of its file.
_SAME_REJECT = ("source", "path", "position", "reason", "raw")
#: Assumed ratio of uncompressed to compressed size; only the balance of the tasks depends on it.
_UNPACKS = 4
#: Cost of opening a file, in bytes read: without it a task might get ten thousand tiny files.
_OPENING = 65536
#: A batch goes to Spark as soon as its rows have this weight: characters of text, and 4,000 more for each row.
_BATCH_WEIGHT = 8_000_000
_ROW_WEIGHT = 4000


class Piece(NamedTuple):
    """A byte range [start, end) of a file; ``end`` None is the end of the file. ``weight``: estimated cost in bytes."""

    file: InputFile
    format: Format
    start: int
    end: int | None
    weight: int


def pieces_of(files: Sequence[InputFile], settings: Settings) -> Iterator[Piece]:
    """Cut files into pieces: JSON Lines in plain UTF-8 into ranges of ``ingest.split_bytes``, others not at all."""
    for file in files:
        source = settings.sources[file.source]
        format = format_of(file.path, source.format)
        packed = codec_of(file.path) is not None
        by_range = format == "jsonl" and source.encoding == UTF_8 and not packed
        step = settings.ingest.split_bytes if by_range else max(file.size, 1)
        starts = range(0, max(file.size, 1), step)
        for start in starts:
            # The last piece has no end: a file that grew since it was listed is read to where it ends now.
            end = start + step if start + step in starts else None
            weight = min(step, file.size - start) * (_UNPACKS if packed else 1) + _OPENING
            yield Piece(file, format, start, end, weight)


def records_schema() -> StructType:
    """Schema of :func:`read_records_frame`: ``rejects``, a struct ``document`` without its place, and ``filtered``."""
    document = [field for field in table_schema("documents").fields if field.name not in _PLACE]
    schema = StructType([*table_schema("rejects").fields]).add("document", StructType(document))
    return schema.add("filtered", "long").toNullable()


def read_records_frame(
    spark: SparkSession,
    files: Sequence[InputFile],
    settings: Settings,
    *,
    author_key: bytes,
    now: datetime,
    marks: Collection[str] = (),
) -> DataFrame:
    """Read every record of ``files``, lazily. Grain: a record; key: ``file_id``, ``position``.

    A document has NULL for reason, detail and raw; a reject has NULL for document, and that of a tweet for raw. A file
    that cannot be opened is one row, ``unreadable_file`` at position -1. A ``deletion`` has in ``raw`` the native id to
    forget. Records that are ``filtered`` have no rows: one row of each piece of a file has their number.

    ``author_key`` is the secret key of the hash of tweet authors, ``now`` when the run started, UTC; ``marks`` are of
    what was forgotten.
    """
    pieces = sorted(pieces_of(files, settings), key=lambda piece: (-piece.weight, piece.file.path, piece.start))
    share = sum(piece.weight for piece in pieces) // spark.sparkContext.defaultParallelism
    # The heaviest tasks come first, so that none is waited for at the end.
    tasks = list(in_batches(pieces, min(share, settings.ingest.split_bytes), "weight"))
    # One row per partition: the number of its task. Rows made in Python would pass through a second worker.
    numbers = spark.range(0, len(tasks), 1, max(len(tasks), 1))
    schema, known = records_schema(), set(marks)
    declared = arrow_schema(schema)

    def weight(row: Row) -> int:
        return _ROW_WEIGHT + len(row["document"]["body"] if row["document"] else row["raw"] or "")

    def read_batches(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        @cache  # a task may have thousands of small files
        def parser_of(name: str) -> Parser:
            return Parser(name, settings.sources[name], settings.ingest, author_key=author_key, now=now)

        wanted = (piece for batch in batches for number in batch.column("id").to_pylist() for piece in tasks[number])
        rows = (row for piece in wanted for row in _rows(piece, parser_of(piece.file.source), known))
        return record_batches(rows, declared, _BATCH_WEIGHT, weight)

    return numbers.mapInArrow(read_batches, schema)


def _rows(piece: Piece, parser: Parser, marks: Collection[str] = ()) -> Iterator[Row]:
    source, ingest, file = parser.source, parser.ingest, piece.file
    of_file: Row = {"file_id": file.file_id, "source": file.source, "path": file.path, "position": piece.start}
    of_file |= dict.fromkeys(("reason", "detail", "raw", "document", "filtered"))
    filtered = 0
    for record in read_file(file.path, piece.format, source, ingest, start=piece.start, end=piece.end):
        raw: str | None = None
        try:
            made = parser.document(record)
        except OSError:  # of the machine, such as a full disk
            raise
        except Exception as error:  # no record may stop every night to come
            made = Reason.FAILED, type(error).__name__
        if isinstance(made, dict):
            if not is_forgotten(made, marks, parser.author_key):
                yield of_file | {"position": record.position, "document": made}
                continue
            made = Reason.FORGOTTEN, "it was asked to be forgotten"
        elif made[0] is Reason.FILTERED:
            filtered += 1
            continue
        elif made[0] is Reason.DELETION and record.value is not None:
            raw = parser.deleted_id(record.value)
        elif source.kind != "tweet":  # of which no text is stored: the handle of its author may be anywhere in it
            raw = record.raw[: ingest.raw_cap]
        yield of_file | {"position": record.position, "reason": str(made[0]), "detail": made[1], "raw": raw}
    if filtered:
        yield of_file | {"reason": str(Reason.FILTERED), "filtered": filtered}


def documents_of(records: DataFrame) -> DataFrame:
    """Keep each document once. Grain: ``doc_id``; of equal documents the first by (path, position) is kept."""
    usable = records.where("reason IS NULL")
    # Find the later copies by ids and positions alone, then leave them out: no body is sorted.
    by_document = Window.partitionBy("doc_id").orderBy("path", "position")
    places = usable.select(*_PLACE, "path", F.col("document.doc_id").alias("doc_id"))
    later = places.withColumn("place", F.row_number().over(by_document)).where("place > 1").select(*_PLACE)
    rows = usable.join(later, list(_PLACE), "left_anti")
    return rows.select(*_PLACE, "document.*").select(*columns("documents"))


def rejects_of(records: DataFrame) -> DataFrame:
    """Rows of ``rejects``: the records that could not be used, with the reason. Grain: a record.

    The id that a deletion names is in ``raw`` of its record only.
    """
    rejects = records.where("reason IS NOT NULL AND filtered IS NULL").select(*columns("rejects"))
    return rejects.withColumn("raw", F.when(F.col("reason") != Reason.DELETION.value, F.col("raw")))


def new_rejects(rejects: DataFrame, stored: DataFrame) -> DataFrame:
    """Leave out rejects that an earlier version of their file left: a file that grows is read anew every night.

    ``stored`` are the rows of ``rejects`` at the paths of these files. The others are counted all the same.
    """
    earlier = stored.select(*(F.col(name).alias(f"earlier_{name}") for name in ("file_id", *_SAME_REJECT)))
    same = [F.col(name).eqNullSafe(F.col(f"earlier_{name}")) for name in _SAME_REJECT]
    other_version = F.col("file_id") != F.col("earlier_file_id")
    return rejects.join(earlier, [*same, other_version], "left_anti")


def count_files(records: DataFrame, documents: DataFrame) -> DataFrame:
    """Count what became of the records of each file. Grain: a file with records; ``file_id`` and the counts.

    A usable record is a duplicate if its document was first read at another position, by the rows of ``documents``
    after the append: a file that is read again after a crash gets the same counts. ``unread_dates`` and ``not_numbers``
    count usable records; ``unreadable`` is true for a file that could not be opened.
    """
    first = documents.select("doc_id", *(F.col(name).alias(f"first_{name}") for name in _PLACE))
    usable = F.col("reason").isNull()
    here = (F.col("first_file_id") == F.col("file_id")) & (F.col("first_position") == F.col("position"))
    problems = F.coalesce("document.field_problems.problem", F.array()).alias("problems")
    found = records.select(*_PLACE, "reason", "filtered", F.col("document.doc_id").alias("doc_id"), problems)
    filtered = F.coalesce(F.sum("filtered"), F.lit(0))
    placed = found.join(first, "doc_id", "left")
    unread = F.arrays_overlap("problems", F.array(*map(F.lit, sorted(UNREAD_DATE))))
    return placed.groupBy("file_id").agg(
        (F.count("*") - F.count("filtered") + filtered).alias("records"),
        F.count_if(usable & here).alias("documents"),
        F.count_if(usable & ~here).alias("duplicates"),
        F.count_if(~usable & F.col("filtered").isNull()).alias("rejects"),
        filtered.alias("filtered"),
        F.count_if(F.col("reason").isin(*sorted(ASKED_FOR))).alias("rejects_asked_for"),
        F.count_if(unread).alias("unread_dates"),
        F.count_if(F.array_contains("problems", Problem.NOT_A_NUMBER.value)).alias("not_numbers"),
        F.bool_or(F.col("reason").eqNullSafe(Reason.UNREADABLE_FILE.value)).alias("unreadable"),
    )


def rows_of_files(
    files: Iterable[InputFile], counted: Iterable[Mapping[str, Any]], digests: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Rows of ``files``, by path, by what :func:`count_files` counted; all counts of a file without records are 0.

    A file that could not be opened is left out, so that the next run tries it again. ``digests`` are by source. A
    CountError names the first file whose counts do not add up.
    """
    counts = {row["file_id"]: row for row in counted}
    rows = []
    for file in sorted(files, key=lambda file: file.path):
        found = counts.get(file.file_id, {})
        row = asdict(file) | {name: int(found.get(name, 0)) for name in (*COUNTS, *PROBLEM_COUNTS)}
        row["settings_digest"] = digests[file.source]
        if row["records"] != row["documents"] + row["duplicates"] + row["rejects"] + row["filtered"]:
            raise CountError(
                f"{file.path}: {row['records']} records in, but {row['documents']} documents, {row['duplicates']} "
                f"duplicates, {row['rejects']} rejects and {row['filtered']} filtered; nothing was counted as read"
            )
        if not found.get("unreadable"):
            rows.append(row)
    return rows


def counts_by_source(
    files: Sequence[InputFile], counted: Iterable[Mapping[str, Any]], before: Mapping[str, int] | None = None
) -> dict[str, Counter[str]]:
    """Sum the counts of :func:`count_files` per source, files that could not be opened included.

    ``before`` counts the documents that an earlier reading of a file gave, by ``file_id``: now they are duplicates.
    """
    rows = {row["file_id"]: row for row in counted}
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    for file in files:
        row = rows.get(file.file_id, {})
        known = min((before or {}).get(file.file_id, 0), row.get("documents", 0))  # some may be forgotten since
        numbers = {name: int(row.get(name, 0)) for name in (*COUNTS, *PROBLEM_COUNTS, "rejects_asked_for")}
        sums[file.source].update(numbers, files=1)
        sums[file.source].update(documents=-known, duplicates=known)
    return sums
