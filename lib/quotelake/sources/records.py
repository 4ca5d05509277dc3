"""The records of a file in any format, all of them in order; one that cannot be read carries the reason.

The content of a file never raises an error. Memory is bounded by the longest record allowed, not by the file.
"""

from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from typing import Final, Literal

from quotelake.errors import InputError
from quotelake.files.values import getter
from quotelake.settings import IngestSettings
from quotelake.source_settings import SourceSettings
from quotelake.sources.json_records import read_json, read_json_lines
from quotelake.sources.rejects import RawRecord, Reason, broken
from quotelake.sources.streams import CODECS, OPEN_ERRORS, UTF_8, ByteStream, Input, open_stream
from quotelake.sources.table_records import csv_rows, read_parquet, read_table, tsv_rows
from quotelake.text.lexicon import load_lexicon

Format = Literal["jsonl", "json", "csv", "tsv", "parquet", "rss", "warc", "html"]
#: Name under which an element of a list has its number in it.
NUMBER: Final = "#"
#: Formats that need the packages of ``quotelake[web]`` → one of these.
_WEB: Final = {"rss": "feedparser", "warc": "trafilatura", "html": "trafilatura"}

_ENDINGS: Final[Mapping[str, Format]] = load_lexicon("readers", __package__)["endings"]


def format_of(path: str, declared: str) -> Format:
    """Format of a file: the declared one or, for ``auto``, the one of its ending (without .gz, .bz2 or .zst).

    An InputError: the format is ``auto`` and the ending names none, or it needs packages that are not installed.
    """
    name = path.lower()
    for packed in CODECS:
        name = name.removesuffix(packed)
    by_ending = (format for ending, format in _ENDINGS.items() if name.endswith(ending))
    found = next(by_ending, None) if declared == "auto" else declared
    if found is None:
        known = ", ".join(dict.fromkeys(_ENDINGS.values()))
        raise InputError(f"{path}: the ending does not name a format; set format of its source to one of {known}")
    if found in _WEB and find_spec(_WEB[found]) is None:
        lack = f"format {found!r} of its source needs packages that are missing"
        raise InputError(f"{path}: {lack}: pip install 'quotelake[web]'")
    return found  # type: ignore[return-value]  # settings allow no others


def read_file(
    path: str, format: Format, source: SourceSettings, ingest: IngestSettings, *, start: int = 0, end: int | None = None
) -> Iterator[RawRecord]:
    """Yield every record of a file; of one that cannot be opened one ``unreadable_file`` at -1, in the first range.

    An error that no reader knows ends the file as ``broken_file``: no file may stop every night to come.
    """
    try:
        stream = open_stream(path)
    except OPEN_ERRORS as error:
        if not start:
            detail = f"the file cannot be opened: {type(error).__name__}: {error}"
            yield RawRecord(-1, None, b"", Reason.UNREADABLE_FILE, detail)
        return
    position = start
    try:
        with stream:
            for record in read_records(stream, format, source, ingest.max_record_bytes, start=start, end=end):
                position = record.position
                yield record
    except Exception as error:
        yield broken(position, None, f"{type(error).__name__}: {error}")


def read_records(
    stream: ByteStream, format: Format, source: SourceSettings, limit: int, *, start: int = 0, end: int | None = None
) -> Iterator[RawRecord]:
    """Yield every record of a stream, which holds the uncompressed file; for Parquet it must be able to seek.

    ``source`` states the encoding of the texts (not of Parquet's), the delimiter and the quote of CSV, and what in a
    record is one. More than ``limit`` bytes in UTF-8 are one reject, ``oversized``; it bounds a page, and a feed as a
    whole. A range from ``start`` to before ``end`` is of JSON Lines in UTF-8, and has the records whose first byte lies
    in it. Header rows, blank lines and a byte order mark are no records. A damaged file gives the records before the
    damage, then one ``broken_file``.
    """
    if format == "parquet":
        found = read_parquet(stream, limit)
    elif format in _WEB:  # imported here: these packages may be missing, and take half a second
        from quotelake.sources import web_records

        readers = {"rss": web_records.read_feed, "warc": web_records.read_warc, "html": web_records.read_html}
        found = readers[format](stream, limit)
    else:
        text = Input(stream, source.encoding, max(start - 1, 0))
        if format == "jsonl":
            found = read_json_lines(text, limit, start, end)
        elif format == "json":
            found = read_json(text, limit, is_page=source.items is not None)
        else:
            signs = source.delimiter, source.quote, source.escape
            found = read_table(text, csv_rows(text, limit, *signs) if format == "csv" else tsv_rows(text, limit))
        if source.encoding != UTF_8:
            wrong = f"not {source.encoding}"
            found = (each._replace(detail=wrong) if each.reason is Reason.WRONG_ENCODING else each for each in found)
    if source.items is None and source.explode is None:
        return found
    return records_in(found, source, by_bytes=format == "jsonl")


def records_in(found: Iterator[RawRecord], source: SourceSettings, *, by_bytes: bool) -> Iterator[RawRecord]:
    """Yield the records inside the records of a file, by ``items`` and ``explode`` of their source, in their order.

    A page without ``items``, and a record whose list of ``explode`` is missing or empty, is one record, ``filtered``.
    Where positions are ``by_bytes``, a position is the offset of the line plus the number of the record in it, which
    is unique, because each record takes a byte at least; else it is the ordinal in the file.
    """
    ordinal = 0
    for page in found:
        inside = (each for item in _elements(page, "items", source) for each in _elements(item, "explode", source))
        for number, record in enumerate(inside):
            yield record._replace(position=page.position + number if by_bytes else ordinal)
            ordinal += 1


def _elements(record: RawRecord, setting: Literal["items", "explode"], source: SourceSettings) -> Iterator[RawRecord]:
    field = source.items if setting == "items" else source.explode
    if field is None or record.value is None:
        yield record
        return
    found = getter(field)(record.value)
    if found and isinstance(found, list | tuple):
        rest = {} if setting == "items" else {name: value for name, value in record.value.items() if name != field}
        for number, each in enumerate(found):
            fields = each if isinstance(each, Mapping) else {field: each}
            yield RawRecord(record.position, {**rest, **fields, NUMBER: number}, problems=record.problems)
        return
    what, is_empty = f"{field!r}, which is {setting} of the source, is", found in (None, "", [], ())
    reason = Reason.FILTERED if is_empty else Reason.WRONG_TYPE
    detail = f"{what} empty" if is_empty else f"{what} a {type(found).__name__}, not a list"
    yield RawRecord(record.position, None, None if is_empty else record.data, reason, detail)
