"""The records of a file in any format, all of them in order; one that cannot be read carries the reason.

The content of a file never raises an error. Memory is bounded by the longest record allowed, not by the file.
"""

from collections.abc import Callable, Iterator
from typing import Any, Literal

from quotelake.errors import InputError
from quotelake.sources.lines import BrokenStreamError, Line, read_lines
from quotelake.sources.raw import RawRecord, broken, oversized, parse_object
from quotelake.sources.streams import CODECS, ByteStream
from quotelake.sources.structured import read_json_array, read_parquet
from quotelake.sources.tabular import read_csv, read_tsv

Format = Literal["jsonl", "json", "csv", "tsv", "parquet"]

_ENDINGS: dict[str, Format] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
}
_BOM = b"\xef\xbb\xbf"


def format_of(path: str, declared: str) -> Format:
    """Format of a file: the declared one or, for ``auto``, the one of its ending (without .gz, .bz2 or .zst).

    Raises:
        InputError: the format is ``auto`` and the ending names none.

    >>> format_of("file:/data/news.CSV.gz", "auto")
    'csv'
    """
    if declared != "auto":
        return declared  # type: ignore[return-value]  # settings allow no others
    name = path.lower()
    for ending in CODECS:
        name = name.removesuffix(ending)
    for ending, found in _ENDINGS.items():
        if name.endswith(ending):
            return found
    raise InputError(
        f"{path}: the ending does not say what the file holds; set format of its source to one of jsonl, json, csv, "
        "tsv, parquet"
    )


def read_records(
    stream: ByteStream, format: Format, *, max_record_bytes: int, start: int = 0, end: int | None = None
) -> Iterator[RawRecord]:
    """Yield every record of a stream.

    Args:
        stream: bytes of the uncompressed file. Parquet needs one that can seek.
        format: what the bytes are.
        max_record_bytes: a longer record is one reject, ``oversized``.
        start: first byte of a range; JSON Lines only.
        end: byte after the range; JSON Lines only. A record belongs to the range that its first byte lies in.

    ``position`` is the byte offset for JSON Lines, else the ordinal from 0. Header rows and blank lines are not
    records. A UTF-8 byte order mark is skipped. A damaged file gives the records before the damage, then one
    ``broken_file``.

    Raises:
        ValueError: a range of another format than JSON Lines.
    """
    if format == "jsonl":
        return _read_jsonl(stream, max_record_bytes, start, end)
    if start or end is not None:
        raise ValueError(f"only JSON Lines can be read by byte range, not {format}")
    return _READERS[format](stream, max_record_bytes)


def _read_jsonl(stream: ByteStream, limit: int, start: int, end: int | None) -> Iterator[RawRecord]:
    try:
        for line in read_lines(stream, limit=limit, start=start, end=end):
            record = _json_line(line, limit)
            if record is not None:
                yield record
    except BrokenStreamError as error:
        rest = error.line
        last = None if rest.too_long else _json_line(rest, limit)
        if last is not None and last.value is not None:
            # Only the line feed is missing: a cut JSON object never parses as an object.
            yield last
            rest = Line(rest.position + rest.size, b"", 0)
        yield broken(rest.position, rest.data, error)


def _json_line(line: Line, limit: int) -> RawRecord | None:
    if line.too_long:
        return oversized(line.position, line.data, line.size, limit)
    data = line.data.removeprefix(_BOM) if line.position == 0 else line.data
    return parse_object(line.position, data) if data.strip() else None


_READERS: dict[Format, Callable[[Any, int], Iterator[RawRecord]]] = {
    "json": read_json_array,
    "csv": read_csv,
    "tsv": read_tsv,
    "parquet": read_parquet,
}
