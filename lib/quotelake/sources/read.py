"""Files → one row per record, in Spark: its document, or the reason why it has none."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructField, StructType

from quotelake.lake.tables import table_schema
from quotelake.settings import IngestSettings, Settings, SourceSettings
from quotelake.sources.inputs import InputFile
from quotelake.sources.parse import to_document
from quotelake.sources.pieces import Piece, pack, pieces_of
from quotelake.sources.preflight import check_mapping
from quotelake.sources.raw import RawRecord
from quotelake.sources.records import read_file
from quotelake.sources.rejects import Reason
from quotelake.spark.arrow import all_nullable, arrow_schema

__all__ = ["check_mapping", "read_records_frame", "records_schema"]

#: A batch goes to Spark as soon as it reaches one of these.
_BATCH_ROWS = 2000
_BATCH_CHARACTERS = 8_000_000

_PLACE = ("file_id", "position")


@dataclass(frozen=True)
class _Reader:
    """What a worker needs to know: the pieces of each task, and how to read them."""

    tasks: Sequence[Sequence[Piece]]
    sources: Mapping[str, SourceSettings]
    ingest: IngestSettings
    author_key: bytes
    now: datetime


def records_schema() -> StructType:
    """Schema of :func:`read_records_frame`: ``rejects`` and a struct ``document`` without file_id and position."""
    document = [field for field in table_schema("documents").fields if field.name not in _PLACE]
    fields = [*table_schema("rejects").fields, StructField("document", StructType(document))]
    return all_nullable(StructType(fields))


def read_records_frame(
    spark: SparkSession, files: Sequence[InputFile], settings: Settings, *, author_key: bytes, now: datetime
) -> DataFrame:
    """Read every record of ``files``, lazily. Grain: a record; key: ``file_id``, ``position``.

    A document has NULL for reason, detail and raw; a reject has NULL for document. A file that cannot be opened is one
    row, ``unreadable_file`` at position -1.

    Args:
        spark: where it runs.
        files: of sources that the settings declare.
        settings: sources and ingest.
        author_key: secret key of the hash of tweet authors.
        now: when the run started, UTC.
    """
    sources = {file.source: settings.sources[file.source] for file in files}
    slots = spark.sparkContext.defaultParallelism
    tasks = pack(list(pieces_of(files, settings)), settings.ingest.split_bytes, slots)
    reader = _Reader(tasks, sources, settings.ingest, author_key, now)
    # One row per partition: the number of its task. Rows made in Python would pass through a second worker.
    numbers = spark.range(0, len(tasks), 1, max(len(tasks), 1))
    schema = records_schema()
    return numbers.mapInArrow(partial(_read_batches, reader=reader, schema=schema), schema)


def _read_batches(
    batches: Iterator[pa.RecordBatch], *, reader: _Reader, schema: StructType
) -> Iterator[pa.RecordBatch]:
    # A worker that returned another Arrow type than the declared one would fail inside the JVM.
    declared = arrow_schema(schema)
    rows: list[dict[str, Any]] = []
    characters = 0
    numbers = (number for batch in batches for number in batch.column("id").to_pylist())
    for piece in (piece for number in numbers for piece in reader.tasks[number]):
        source = reader.sources[piece.source]
        for record in read_file(piece.path, piece.format, source, reader.ingest, start=piece.start, end=piece.end):
            row = _row(piece, record, reader)
            rows.append(row)
            characters += len(row["document"]["body"]) if row["document"] else len(row["raw"])
            if len(rows) >= _BATCH_ROWS or characters >= _BATCH_CHARACTERS:
                yield pa.RecordBatch.from_pylist(rows, schema=declared)
                rows, characters = [], 0
    if rows:
        yield pa.RecordBatch.from_pylist(rows, schema=declared)


def _row(piece: Piece, record: RawRecord, reader: _Reader) -> dict[str, Any]:
    row: dict[str, Any] = {"file_id": piece.file_id, "source": piece.source, "path": piece.path}
    row |= {"position": record.position, "reason": None, "detail": None, "raw": None, "document": None}
    name = piece.source
    reject: tuple[Reason, str]
    if record.reason is not None or record.value is None:
        reject = record.reason or Reason.MALFORMED, record.detail
    else:
        made = to_document(
            record.value,
            name,
            reader.sources[name],
            reader.ingest,
            author_key=reader.author_key,
            now=reader.now,
            problems=record.problems,
        )
        if isinstance(made, dict):
            return row | {"document": made}
        reject = made
    return row | {"reason": str(reject[0]), "detail": reject[1], "raw": record.raw[: reader.ingest.raw_cap]}
