"""Files → one row per record, in Spark: its document, or the reason why it has none.

Large uncompressed JSON Lines files are read in byte ranges, and several small files in one task.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import LongType, StructField, StructType

from quotelake.lake.frames import table_schema
from quotelake.settings import Settings
from quotelake.sources.files import InputFile, in_batches
from quotelake.sources.keyed_hashes import is_forgotten
from quotelake.sources.parse import Document, Parser, Reject
from quotelake.sources.records import Format, format_of, read_file
from quotelake.sources.rejects import Reason
from quotelake.sources.streams import UTF_8, codec_of
from quotelake.spark.arrow import Row, all_nullable, arrow_schema, record_batches

#: Assumed ratio of uncompressed to compressed size; only the balance of the tasks depends on it.
_UNPACKS = 4
#: Cost of opening a file, in bytes read: without it a task might get ten thousand tiny files.
_OPENING = 65536
#: A batch goes to Spark as soon as its rows have this weight: characters of text, and 4,000 more for each row.
_BATCH_WEIGHT = 8_000_000
_ROW_WEIGHT = 4000

_PLACE = ("file_id", "position")


@dataclass(frozen=True)
class Piece:
    """A byte range [start, end) of a file; ``end`` None is the end of the file. ``weight``: estimated cost in bytes."""

    file_id: str
    source: str
    path: str
    format: Format
    start: int
    end: int | None
    weight: int


def pieces_of(files: Sequence[InputFile], settings: Settings) -> Iterator[Piece]:
    """Cut files into pieces: JSON Lines in plain UTF-8 into ranges of ``ingest.split_bytes``, other files not at all.

    Raises:
        InputError: neither the ending of a file nor its source names its format.
    """
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
            yield Piece(file.file_id, file.source, file.path, format, start, end, weight)


def records_schema() -> StructType:
    """Schema of :func:`read_records_frame`: ``rejects``, a struct ``document`` without its place, and ``filtered``."""
    document = [field for field in table_schema("documents").fields if field.name not in _PLACE]
    fields = [*table_schema("rejects").fields, StructField("document", StructType(document))]
    fields.append(StructField("filtered", LongType()))
    return all_nullable(StructType(fields))


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
    pieces = sorted(pieces_of(files, settings), key=lambda piece: (-piece.weight, piece.path, piece.start))
    share = sum(piece.weight for piece in pieces) // spark.sparkContext.defaultParallelism
    # The heaviest tasks come first, so that none is waited for at the end.
    tasks = list(in_batches(pieces, min(share, settings.ingest.split_bytes), "weight"))
    # One row per partition: the number of its task. Rows made in Python would pass through a second worker.
    numbers = spark.range(0, len(tasks), 1, max(len(tasks), 1))
    schema = records_schema()
    read_batches = partial(
        _read_batches, tasks=tasks, schema=schema, settings=settings, author_key=author_key, now=now, marks=set(marks)
    )
    return numbers.mapInArrow(read_batches, schema)


def _read_batches(
    batches: Iterator[pa.RecordBatch],
    *,
    tasks: Sequence[Sequence[Piece]],
    schema: StructType,
    settings: Settings,
    author_key: bytes,
    now: datetime,
    marks: Collection[str],
) -> Iterator[pa.RecordBatch]:
    @cache  # a task may have thousands of small files
    def parser_of(name: str) -> Parser:
        return Parser(name, settings.sources[name], settings.ingest, author_key=author_key, now=now)

    numbers = (number for batch in batches for number in batch.column("id").to_pylist())
    rows = (
        row for number in numbers for piece in tasks[number] for row in _rows(piece, parser_of(piece.source), marks)
    )
    return record_batches(rows, arrow_schema(schema), _BATCH_WEIGHT, _weight)


def _weight(row: Row) -> int:
    return _ROW_WEIGHT + len(row["document"]["body"] if row["document"] else row["raw"] or "")


def _rows(piece: Piece, parser: Parser, marks: Collection[str] = ()) -> Iterator[Row]:
    source, ingest = parser.source, parser.ingest
    of_file: Row = {"file_id": piece.file_id, "source": piece.source, "path": piece.path, "position": piece.start}
    of_file |= dict.fromkeys(("reason", "detail", "raw", "document", "filtered"))
    filtered = 0
    for record in read_file(piece.path, piece.format, source, ingest, start=piece.start, end=piece.end):
        row = of_file | {"position": record.position}
        made: Document | Reject
        try:
            made = parser.document(record)
        except Exception as error:  # no record may stop every night to come
            made = Reason.FAILED, type(error).__name__
        if not isinstance(made, dict) and made[0] is Reason.FILTERED:
            filtered += 1
        elif isinstance(made, dict) and is_forgotten(made, marks, parser.author_key):
            yield row | {"reason": str(Reason.FORGOTTEN), "detail": "it was asked to be forgotten"}
        elif isinstance(made, dict):
            yield row | {"document": made}
        elif made[0] is Reason.DELETION and record.value is not None:
            yield row | {"reason": str(made[0]), "detail": made[1], "raw": parser.deleted_id(record.value)}
        else:
            # No text of a tweet is stored: the handle of its author may be anywhere in what could not be read.
            raw = None if source.kind == "tweet" else record.raw[: ingest.raw_cap]
            yield row | {"reason": str(made[0]), "detail": made[1], "raw": raw}
    if filtered:
        yield of_file | {"reason": str(Reason.FILTERED), "filtered": filtered}
