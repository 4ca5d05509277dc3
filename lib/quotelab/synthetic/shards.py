"""Writes records to files of a limited number of rows, as JSON Lines or Parquet: the same records, the same bytes."""

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Protocol

import pyarrow as pa
import pyarrow.parquet as pq

#: Formats of the articles, by the ending of their files.
ENDINGS: Final = {"jsonl": ".jsonl.gz", "parquet": ".parquet"}
#: Rows held in memory before a Parquet file gets them.
_ROW_GROUP: Final = 5_000
#: Fast, and a tenth larger than the smallest.
_COMPRESSION: Final = 3

Record = Mapping[str, Any]


class RecordFile(Protocol):
    """A file that takes records one by one."""

    def add(self, record: Record) -> None:
        """Write a record."""

    def close(self) -> None:
        """Write what is left and close the file."""


class JsonLines:
    """JSON Lines, gzipped without time and name, so that the bytes depend on the records alone."""

    def __init__(self, path: Path) -> None:
        self._raw = path.open("xb")
        self._file = gzip.GzipFile("", "wb", _COMPRESSION, self._raw, mtime=0)

    def add(self, record: Record) -> None:
        """Write a record as one line."""
        self._file.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        self._raw.close()


class Parquet:
    """Parquet with one column of text for each field."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._rows: list[Record] = []
        self._writer: pq.ParquetWriter | None = None

    def add(self, record: Record) -> None:
        """Keep a record, and write those kept when they make a row group."""
        self._rows.append(record)
        if len(self._rows) == _ROW_GROUP:
            self._flush()

    def close(self) -> None:
        """Write what is left and close the file."""
        if self._rows:
            self._flush()
        if self._writer is not None:
            self._writer.close()

    def _flush(self) -> None:
        rows = pa.Table.from_pylist(self._rows)
        if self._writer is None:
            self._writer = pq.ParquetWriter(self._path, rows.schema, compression="zstd")
        self._writer.write_table(rows)
        self._rows.clear()


class Shards:
    """Files ``NAME-00000…`` with at most ``rows`` records each.

    Args:
        folder: where they are written.
        name: begins the names of the files.
        file_format: one of :data:`ENDINGS`.
        rows: most records of a file.
    """

    def __init__(self, folder: Path, name: str, file_format: str, rows: int) -> None:
        self._folder, self._name, self._format, self._rows = folder, name, file_format, rows
        self._file: RecordFile | None = None
        self._left = 0
        self.files = 0

    def add(self, record: Record) -> None:
        """Write a record to the current file, or to the next one if that is full."""
        if self._file is None or not self._left:
            self.close()
            path = self._folder / f"{self._name}-{self.files:05}{ENDINGS[self._format]}"
            self._file = JsonLines(path) if self._format == "jsonl" else Parquet(path)
            self._left = self._rows
            self.files += 1
        self._file.add(record)
        self._left -= 1

    def close(self) -> None:
        """Close the current file."""
        if self._file is not None:
            self._file.close()
            self._file = None
