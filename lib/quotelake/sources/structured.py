"""Records of JSON arrays and Parquet files, in bounded memory.

A scanner that tracks strings, escapes and depth cuts an array into its elements, and each element is parsed alone. A
streaming parser would stop at the first bad byte and turn half an emoji into a question mark; here a bad element is one
reject, and the rest is read.
"""

import re
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from quotelake.sources.lines import BLOCK, READ_ERRORS
from quotelake.sources.raw import RawRecord, broken, oversized, parse_object, refused
from quotelake.sources.rejects import Reason
from quotelake.sources.streams import ByteStream

#: What changes the state of the scanner outside a string, and inside one.
_OUTSIDE = re.compile(rb'["\[\]{},]')
_INSIDE = re.compile(rb'["\\]')
_LEADING = b"\xef\xbb\xbf \t\r\n"
#: Rows of a Parquet file held as Python objects at a time.
_ROWS = 256


def read_json_array(stream: ByteStream, limit: int) -> Iterator[RawRecord]:
    """Yield the elements of a JSON array of objects; anything that follows it or replaces it is one broken_file."""
    scanner = _ArrayScanner(limit)
    ordinal = 0
    try:
        while block := stream.read(BLOCK):
            for data, size in scanner.feed(block):
                yield oversized(ordinal, data, size, limit) if size > len(data) else parse_object(ordinal, data.strip())
                ordinal += 1
            if scanner.fault:
                yield broken(ordinal, block[:200], scanner.fault)
                return
    except READ_ERRORS as error:
        yield broken(ordinal, scanner.held, f"{type(error).__name__}: {error}")
        return
    if scanner.depth:
        yield broken(ordinal, scanner.held, "it ends inside the array")


class _ArrayScanner:
    """Cuts a JSON array into its elements, block by block; holds at most ``limit`` bytes of an element."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._held = bytearray()
        self._size = 0
        self._in_string = False
        self._escaped = False
        self._started = False
        self._elements = 0
        self.depth = 0
        self.fault = ""

    @property
    def held(self) -> bytes:
        """Bytes of the element that is not complete yet."""
        return bytes(self._held)

    def feed(self, block: bytes) -> Iterator[tuple[bytes, int]]:
        """Yield each element completed by ``block``: its bytes up to the limit, and its full size in bytes."""
        at = 0
        if not self._started:
            block = block.lstrip(_LEADING)
            if not block:
                return
            self._started = True
            if not block.startswith(b"["):
                hint = "; one object a line is format = 'jsonl'" if block.startswith(b"{") else ""
                self.fault = f"it holds no JSON array{hint}"
                return
            self.depth, at = 1, 1
        begin = at
        if self._escaped:  # the backslash was the last byte of the block before
            at, self._escaped = at + 1, False
        while self.depth:
            mark = (_INSIDE if self._in_string else _OUTSIDE).search(block, at)
            if mark is None:
                break
            at = mark.end()
            sign = block[mark.start()]
            if sign == 0x22:  # "
                self._in_string = not self._in_string
            elif sign == 0x5C:  # \
                if at == len(block):
                    self._escaped = True
                    break
                at += 1
            elif sign in b"[{":
                self.depth += 1
            else:
                closes = sign != 0x2C
                self.depth -= closes
                if self.depth == (0 if closes else 1):
                    yield from self._element(block[begin : mark.start()], last=closes)
                    begin = at
        if self.depth:
            self._keep(block[begin:])
        elif block[begin:].strip():
            self.fault = "text follows the end of the array"

    def _keep(self, piece: bytes) -> None:
        self._held += piece[: max(self._limit - self._size, 0)]
        self._size += len(piece)

    def _element(self, piece: bytes, *, last: bool) -> Iterator[tuple[bytes, int]]:
        self._keep(piece)
        data, size = bytes(self._held), self._size
        self._held.clear()
        self._size = 0
        if last and not self._elements and not data.strip():
            return  # []
        self._elements += 1
        yield data, size


def read_parquet(stream: Any, limit: int) -> Iterator[RawRecord]:
    """Yield the rows of a Parquet file; an unreadable row group is one broken_file, and the next group is tried."""
    try:
        if stream.seek(0, 2) == 0:
            return
        stream.seek(0)
        # Page checksums are verified where the file has them, so that damage is an error and not altered text.
        file = pq.ParquetFile(stream, pre_buffer=False, page_checksum_verification=True)
    except (*READ_ERRORS, pa.ArrowException) as error:
        yield broken(0, None, error)
        return
    first = 0
    for group in range(file.num_row_groups):
        yield from _read_group(file, group, first, limit)
        first += file.metadata.row_group(group).num_rows


def _read_group(file: Any, group: int, ordinal: int, limit: int) -> Iterator[RawRecord]:
    try:
        for batch in file.iter_batches(batch_size=_ROWS, row_groups=[group]):
            for index in range(batch.num_rows):
                yield _row(ordinal, batch, index, limit)
                ordinal += 1
    except (*READ_ERRORS, pa.ArrowException) as error:
        yield broken(ordinal, None, error)


def _row(ordinal: int, batch: Any, index: int, limit: int) -> RawRecord:
    try:
        value = {name: _cell(batch.column(i)[index]) for i, name in enumerate(batch.schema.names)}
    except UnicodeDecodeError as error:
        return refused(ordinal, None, Reason.WRONG_ENCODING, f"not UTF-8: {error.reason}")
    size = sum(len(cell) for cell in value.values() if isinstance(cell, str | bytes))
    if size > limit:
        longest = max((cell for cell in value.values() if isinstance(cell, str)), key=len, default="")
        return oversized(ordinal, longest[:limit].encode(), size, limit)
    return RawRecord(ordinal, value)


def _cell(scalar: Any) -> Any:
    if pa.types.is_timestamp(scalar.type) and scalar.type.unit == "ns" and scalar.is_valid:
        scalar = scalar.cast(pa.timestamp("us", scalar.type.tz), safe=False)
    return scalar.as_py()
