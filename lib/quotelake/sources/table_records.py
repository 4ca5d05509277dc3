"""Records of CSV, TSV and Parquet files: one per row; the header of a text names the fields.

CSV is read strictly by RFC 4180: a row with invalid quoting is a reject; a first line such as ``sep=;`` states its
delimiter, as Excel writes it. TSV has no quoting: a quotation mark in a cell is an ordinary character (IANA's
text/tab-separated-values), unless the names of the header are quoted.
"""

import csv
import re
from collections.abc import Iterator
from itertools import chain
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from quotelake.sources.json_records import Line, read_lines
from quotelake.sources.rejects import RawRecord, Reason, broken, oversized
from quotelake.sources.streams import READ_ERRORS, ByteStream, Input

#: The cells of a row, or the reject it became, and its bytes; the position is set later.
Row = tuple[list[str] | RawRecord, bytes]
_NO_POSITION = -1
_SEPARATOR: Final = re.compile(r'"?sep=(.)"?\r?', re.IGNORECASE)
#: Rows of a Parquet file that are Python objects at a time.
_ROWS = 256


def tsv_rows(stream: Input, limit: int) -> Iterator[Row]:
    """Yield the rows of a TSV file: one per line, cells separated by tabs, no quoting unless the header has it."""
    first, lines = _first_line(stream, limit)
    if all(len(cell) > 1 and cell[0] == cell[-1] == '"' for cell in first.rstrip("\r").split("\t")):
        yield from _rows_of(_Feed(lines, limit), delimiter="\t", quotechar='"')
        return
    for line in lines:
        if line.size > len(line.data):
            yield oversized(_NO_POSITION, line.data, line.size, limit), line.data
        elif line.data.strip(b" \r\n"):
            yield _text(line).removesuffix("\r").split("\t"), line.data


def csv_rows(stream: Input, limit: int, delimiter: str = ",", quote: str = '"', escape: str = "") -> Iterator[Row]:
    """Yield the rows of a CSV file. Line breaks inside quotes belong to the cell.

    An empty ``quote``: there are none. ``escape``: the sign before a quote in a cell, where it is not doubled.
    """
    first, lines = _first_line(stream, limit)
    if stated := _SEPARATOR.fullmatch(first):
        delimiter, _ = stated[1], next(lines)
    quotes: dict[str, Any] = {"quotechar": quote} if quote else {"quoting": csv.QUOTE_NONE}
    return _rows_of(_Feed(lines, limit), delimiter=delimiter, escapechar=escape or None, **quotes)


def _first_line(stream: Input, limit: int) -> tuple[str, Iterator[Line]]:
    lines = read_lines(stream, limit)
    first = next(lines, None)
    return ("", lines) if first is None else (_text(first), chain([first], lines))


class _TooLongError(Exception):
    """A row is longer than a record may be."""


class _Feed(Iterator[str]):
    """Lines for the csv module; checks the length of the row that is being read, and can go on after an error."""

    def __init__(self, lines: Iterator[Line], limit: int) -> None:
        self._lines, self.limit = lines, limit
        self.row, self.size = bytearray(), 0

    def __next__(self) -> str:
        line = next(self._lines)
        self.row += line.data[: max(self.limit - self.size, 0)] + b"\n"
        self.size += line.size + 1
        if self.size > self.limit + 1:
            raise _TooLongError
        return _text(line) + "\n"


def _rows_of(feed: _Feed, **dialect: Any) -> Iterator[Row]:
    # The csv module's limit is one for the whole process; that of the feed is checked on the bytes of each record.
    csv.field_size_limit(max(csv.field_size_limit(), feed.limit))
    reader = csv.reader(feed, strict=True, **dialect)
    while True:
        feed.row, feed.size = bytearray(), 0
        try:
            cells = next(reader)
        except StopIteration:
            return
        except _TooLongError:
            yield oversized(_NO_POSITION, bytes(feed.row), feed.size, feed.limit), b""
        except csv.Error as error:
            yield RawRecord(_NO_POSITION, None, bytes(feed.row), Reason.MALFORMED, f"no CSV row: {error}"), b""
        else:
            if cells:
                yield cells, bytes(feed.row)


def _text(line: Line) -> str:
    # Bytes that are not UTF-8 pass as lone surrogates, so that one such row is refused and the next ones are read.
    text = line.data.decode("utf-8", "surrogateescape")
    return text.removeprefix("\ufeff") if line.position == 0 else text


def read_table(stream: Input, rows: Iterator[Row]) -> Iterator[RawRecord]:
    """Yield the records of the rows of a stream, the first of which is the header; of a cut row, none."""
    header: list[str] = []
    ordinal, data = 0, b""
    for cells, data in rows:
        if stream.error:
            break
        if header:
            yield _record(ordinal, header, cells, data)
            ordinal += 1
        elif isinstance(cells, RawRecord):
            yield broken(0, data, f"the header cannot be used: {cells.detail}")
            return
        elif twice := [name for at, name in enumerate(cells) if name and name in cells[:at]]:
            # Not the name itself: where a file of tweets has no header, it may be the handle of an author.
            yield broken(0, data, f"the header names column {cells.index(twice[0]) + 1} twice")
            return
        else:
            header = cells
    if stream.error:
        yield broken(ordinal, data, stream.error)


def _record(ordinal: int, header: list[str], cells: list[str] | RawRecord, data: bytes) -> RawRecord:
    if isinstance(cells, RawRecord):
        return cells._replace(position=ordinal)
    if any("\udc80" <= character <= "\udcff" for cell in cells if not cell.isascii() for character in cell):
        return RawRecord(ordinal, None, data, Reason.WRONG_ENCODING, "not UTF-8")
    if len(cells) != len(header):
        return RawRecord(ordinal, None, data, Reason.MALFORMED, f"{len(cells)} cells under a header of {len(header)}")
    return RawRecord(ordinal, dict(zip(header, cells, strict=True)), data)


def read_parquet(stream: ByteStream, limit: int) -> Iterator[RawRecord]:
    """Yield the rows of a Parquet file; an unreadable row group is one broken_file, and the next group is tried."""
    try:
        if not stream.seekable():
            raise ValueError("a Parquet file that is compressed once more; unpack it")
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
        ordinal = first
        try:
            for batch in file.iter_batches(batch_size=_ROWS, row_groups=[group]):
                for index in range(batch.num_rows):
                    yield _row(ordinal, batch, index, limit)
                    ordinal += 1
        except (*READ_ERRORS, pa.ArrowException) as error:
            yield broken(ordinal, None, error)
        first += file.metadata.row_group(group).num_rows


def _row(ordinal: int, batch: Any, index: int, limit: int) -> RawRecord:
    try:
        value = {name: _cell(batch.column(i)[index]) for i, name in enumerate(batch.schema.names)}
    except UnicodeDecodeError as error:
        return RawRecord(ordinal, None, None, Reason.WRONG_ENCODING, f"not UTF-8: {error.reason}")
    size = sum(len(cell) for cell in value.values() if isinstance(cell, str | bytes))
    if size > limit:
        longest = max((cell for cell in value.values() if isinstance(cell, str)), key=len, default="")
        return oversized(ordinal, longest[:limit].encode(), size, limit)
    return RawRecord(ordinal, value)


def _cell(scalar: Any) -> Any:
    if pa.types.is_timestamp(scalar.type) and scalar.type.unit == "ns":
        scalar = scalar.cast(pa.timestamp("us", scalar.type.tz), safe=False)
    try:
        return scalar.as_py()
    except (ValueError, OverflowError):
        if not pa.types.is_temporal(scalar.type):
            raise
        return f"{scalar.type} {scalar.value}"  # beyond the years of Python: it shows as a date that cannot be read
