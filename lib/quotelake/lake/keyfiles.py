"""The key filters of a table: a small file per data file, found or made when it is asked.

A filter is named after its data file, which never changes, and says the same whoever makes it: so it can be missing,
but never be out of date. It is made at the first question after a write, kept below ``_keys`` of the table, and let go
of by the upkeep of the lake when its data file is no longer of the table.
"""

import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from quotelake.lake.keyfilter import DamagedFilter, Halves, KeyFilter, halves
from quotelake.lake.storage import Storage

_FOLDER = "_keys"
_LOCAL = "file:"


@dataclass(frozen=True)
class KeyFiles:
    """The filters of one table.

    Args:
        spark: reads what is not on this machine.
        path: the table.
        column: the one with the keys.
    """

    spark: SparkSession
    path: str
    column: str

    def ask(self, files: Mapping[str, int], keys: Sequence[str]) -> dict[str, list[str]]:
        """Say which of the keys each data file may hold; files that hold none of them are left out.

        Args:
            files: address of each data file, with its rows.
            keys: what is looked for.
        """
        wanted, array = halves(keys), np.asarray(keys, dtype=object)
        found = {file: list(array[self._may_hold(file, rows, wanted)]) for file, rows in files.items()}
        return {file: possible for file, possible in found.items() if possible}

    def orphans(self, files: Sequence[str], listed: Sequence[str]) -> list[str]:
        """Choose the filters of files that are no longer of the table.

        Args:
            files: data files of the table, read after ``listed``: else a new filter would be taken for an old one.
            listed: names of filters.
        """
        return sorted(set(listed) - {_filter_name(file) for file in files})

    def delete(self, names: Sequence[str]) -> None:
        """Delete filters."""
        for name in names:
            self._storage.delete(f"{_FOLDER}/{name}")

    def names(self) -> list[str]:
        """Names of all filters."""
        return self._storage.names(_FOLDER)

    def _may_hold(self, file: str, rows: int, wanted: Halves) -> npt.NDArray[np.bool_]:
        with suppress(DamagedFilter):
            kept = self._kept(file)
            if kept is not None and kept.rows == rows:
                return kept.may_hold(wanted)
        return self._make(file).may_hold(wanted)

    def _kept(self, file: str) -> KeyFilter | None:
        name = f"{_FOLDER}/{_filter_name(file)}"
        local = self._local(name, file)
        if local is None:
            data = self._storage.read_bytes(name)
            return None if data is None else KeyFilter.of(np.frombuffer(data, np.uint8))
        if not local.is_file() or not local.stat().st_size:  # nothing can be mapped of an empty file
            return None
        return KeyFilter.of(np.memmap(local, np.uint8, "r"))

    def _make(self, file: str) -> KeyFilter:
        keys = self._read_here(file) if file.startswith(_LOCAL) else self._read_by_spark(file)
        made = KeyFilter.build(keys)
        self._storage.write_bytes(f"{_FOLDER}/{_filter_name(file)}", made.to_bytes())
        return made

    def _read_here(self, file: str) -> Halves:
        with pq.ParquetFile(file.removeprefix(_LOCAL)) as data:
            return _packed(data.iter_batches(columns=[self.column]))

    def _read_by_spark(self, file: str) -> Halves:
        """Keys packed to 16 bytes by one worker, whatever the address."""

        def pack(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            first, second = _packed(batches)
            yield pa.RecordBatch.from_pydict({"first": [first.tobytes()], "second": [second.tobytes()]})

        keys = self.spark.read.parquet(file).select(self.column).coalesce(1)
        row = keys.mapInArrow(pack, "first BINARY, second BINARY").first()
        if row is None:
            return halves([])
        return np.frombuffer(row["first"], np.uint64), np.frombuffer(row["second"], np.uint64)

    def _local(self, name: str, file: str) -> Path | None:
        return Path(file.removeprefix(_LOCAL)).parent / name if file.startswith(_LOCAL) else None

    @property
    def _storage(self) -> "ByteStorage":
        return ByteStorage(self.spark, self.path)


class ByteStorage(Storage):
    """Files of bytes, written whole or not at all."""

    def read_bytes(self, name: str) -> bytes | None:
        """Bytes of a file, or None where there is none."""
        place = self._place(name)
        if not self._system.exists(place):
            return None
        stream = self._system.open(place)
        try:
            return bytes(self._io.toByteArray(stream))
        finally:
            stream.close()

    def write_bytes(self, name: str, data: bytes) -> None:
        """Write a file under another name and rename it: nobody ever reads half of it."""
        half = self._place(f"{os.path.dirname(name)}/.{secrets.token_hex(8)}")
        stream = self._system.create(half, True)
        try:
            stream.write(bytearray(data))
        finally:
            stream.close()
        if not self._system.rename(half, self._place(name)):
            # Somebody else's is there, and says the same, unless it is damaged.
            self._system.delete(self._place(name), False)
            self._system.rename(half, self._place(name))

    def delete(self, name: str) -> None:
        """Delete a file, if it is there."""
        self._system.delete(self._place(name), False)


def _filter_name(file: str) -> str:
    return f"{file.rsplit('/', 1)[-1]}.bloom"


def _packed(batches: Iterator[pa.RecordBatch]) -> Halves:
    parts = [halves(batch.column(0)) for batch in batches] or [halves([])]
    first, second = (np.concatenate(half) for half in zip(*parts, strict=True))
    return first, second
