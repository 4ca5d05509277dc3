"""Check before a run that files have the fields the settings map: a misspelt one would reject a whole corpus."""

import re
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from quotelake.errors import InputError
from quotelake.settings import IngestSettings, Settings, SourceSettings
from quotelake.sources.inputs import InputFile
from quotelake.sources.parse import value_at
from quotelake.sources.records import format_of, read_source
from quotelake.sources.streams import OPEN_ERRORS, open_stream

#: Records read per file, files tried per shape until one has records, and shapes checked per source.
_RECORDS = 200
_FILES = 5
_SHAPES = 20
#: Names of fields that a message lists.
_NAMES = 30
#: Parts in which the names of similar files differ: dates, counters, and the hashes of Spark's files.
_VARYING = re.compile(r"(?:[-_.:t]?[0-9a-f]*[0-9][0-9a-f]*)+")


def check_mapping(files: Sequence[InputFile], settings: Settings) -> list[str]:
    """Read the first records of each source and shape, and report the mapped fields that none of them has.

    Files of a source have the same shape if their format is the same and their names differ only in numbers and
    hashes: ``us_2024-01-01.jsonl`` and ``us_2024-01-02.jsonl``, but not ``uk_2024-01-01.jsonl``.

    Args:
        files: files the run will read. Per source the 20 newest shapes are checked, each by its newest file that has
            a record; five files are tried.
        settings: their sources.

    Returns:
        A warning for each mapped field that none of the first 200 records of any checked file has.

    Raises:
        InputError: the first records of a file have no body, or for news no headline; or the format of a file is
            unknown.
    """
    warnings: list[str] = []
    for name in dict.fromkeys(file.source for file in files):
        source = settings.sources[name]
        alike = _by_shape([file for file in files if file.source == name], source)
        checked = [found for shape in alike[:_SHAPES] if (found := _first_with_records(shape, source, settings.ingest))]
        absent = [_absent(name, file, source, records) for file, records in checked]
        for column, warning in (absent[0] if absent else {}).items():
            if all(column in each for each in absent):  # a field that another shape has is no misspelt one
                warnings.append(warning)
    return warnings


def _by_shape(files: Sequence[InputFile], source: SourceSettings) -> list[list[InputFile]]:
    """Files of one source that are alike, the newest first."""
    shapes: dict[tuple[str, str], list[InputFile]] = {}
    for file in sorted(files, key=lambda file: file.modified, reverse=True):
        shapes.setdefault(_shape(file, source), []).append(file)
    return list(shapes.values())


def _first_with_records(
    files: Sequence[InputFile], source: SourceSettings, ingest: IngestSettings
) -> tuple[InputFile, list[Mapping[str, Any]]] | None:
    for file in files[:_FILES]:
        if records := _first_records(file, source, ingest):
            return file, records
    return None


def _shape(file: InputFile, source: SourceSettings) -> tuple[str, str]:
    name = file.path.rpartition("/")[2].lower()
    return format_of(file.path, source.format), _VARYING.sub("#", name)


def _first_records(file: InputFile, source: SourceSettings, ingest: IngestSettings) -> list[Mapping[str, Any]]:
    format = format_of(file.path, source.format)
    try:
        with open_stream(file.path) as stream:
            records = islice(read_source(stream, format, source, ingest), _RECORDS)
            return [record.value for record in records if record.value is not None]
    except OPEN_ERRORS:
        return []  # reading it later gives a reject with the reason


def _absent(name: str, file: InputFile, source: SourceSettings, records: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Columns whose field no record has, with a warning for each; a column that is needed is an error."""
    needed = ("body",) if source.kind == "tweet" else ("body", "headline")
    found = dict.fromkeys(field for record in records for field in record)
    listed = ", ".join(list(found)[:_NAMES]) + (", ..." if len(found) > _NAMES else "")
    absent: dict[str, str] = {}
    for column, field in source.fields.items():
        if field in found or any(value_at(record, field) is not None for record in records):
            continue
        fault = (
            f"{file.path}: none of the first {len(records)} records has the field of "
            f"sources.{name}.fields.{column} = {field!r}"
        )
        if column in needed:
            one_column = len(found) == 1 and format_of(file.path, source.format) == "csv"
            other = f", or sources.{name}.delimiter if {source.delimiter!r} does not separate the cells"
            raise InputError(
                f"{fault}; fields found: {listed or 'none'}. Set sources.{name}.fields.{column} to the one that holds "
                f"the {column}{other if one_column else ''}"
            )
        absent[column] = f"{fault}; the {column} stays empty"
    return absent
