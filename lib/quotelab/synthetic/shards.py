"""Writes records as gzipped JSON Lines: the same records, the same bytes."""

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

#: Fast, and a tenth larger than the smallest.
_COMPRESSION: Final = 3

Record = Mapping[str, Any]


class JsonLines:
    """A file, gzipped without time and name, so that the bytes depend on the records alone."""

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


class Shards:
    """Files ``NAME-00000.jsonl.gz`` and so on, with at most ``rows`` records each; ``files`` is their number."""

    def __init__(self, folder: Path, name: str, rows: int) -> None:
        self._folder, self._name, self._rows = folder, name, rows
        self._file: JsonLines | None = None
        self._left = self.files = 0

    def add(self, record: Record) -> None:
        """Write a record to the current file, or to the next one if that is full."""
        if self._file is None or not self._left:
            self.close()
            self._file = JsonLines(self._folder / f"{self._name}-{self.files:05}.jsonl.gz")
            self._left = self._rows
            self.files += 1
        self._file.add(record)
        self._left -= 1

    def close(self) -> None:
        """Close the current file."""
        if self._file is not None:
            self._file.close()
            self._file = None
