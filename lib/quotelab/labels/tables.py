"""Rows of CSV files with a header line, each with its file and line, read as liberally as exports differ."""

import csv
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TextIO

from quotelab.labels.tsv import LONGEST_FIELD, check_header
from quotelake.files.jsonl import refuse

_DELIMITERS = (",", "\t", ";")


def table_rows(
    path: Path, columns: Sequence[str], *, optional: Sequence[str] = ()
) -> Iterator[tuple[str, Mapping[str, str]]]:
    r"""Yield "FILE, line N" and the row of each record of a CSV file in UTF-8; the line is the last one of the record.

    A byte order mark, ``\r\n``, the case of names, spaces around them, the order of columns and further columns do not
    matter; the delimiter is that of the header line: comma, semicolon or tab. Records without any text are skipped.

    Args:
        path: the file.
        columns: names that it must have; rows have them in this spelling.
        optional: names that a row has in this spelling if the file has them, else as an empty text.

    Raises:
        InputError: the file cannot be read, lacks a column or has one twice, or a row has fewer or more fields
            than the header.
    """
    csv.field_size_limit(LONGEST_FIELD)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            lines = _csv(file)
            header = [name.strip().casefold() for name in next(lines, (1, list[str]()))[1]]
            spelled = {name.casefold(): name for name in (*columns, *optional)}
            names = [spelled.get(name, name) for name in header]
            check_header(f"{path}, line 1", names, columns, optional)
            for line, fields in lines:
                place = f"{path}, line {line}"
                if not any(field.strip() for field in fields):
                    continue
                if len(fields) != len(names):
                    refuse(place, f"{len(fields)} fields", f"give {len(names)}, as the header names")
                yield place, dict.fromkeys(optional, "") | dict(zip(names, fields, strict=True))
    except UnicodeDecodeError:
        refuse(str(path), "bytes that are not UTF-8", "convert the file to UTF-8")
    except csv.Error as error:
        refuse(str(path), f"a table that cannot be read ({error})", "check its quotation marks")
    except OSError as error:
        refuse(str(path), f"a file that cannot be read ({error.strerror or error})", "check the path")


def number(place: str, text: str) -> float:
    """Read a finite number.

    Raises:
        InputError: the text is none; it names the place.
    """
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    return value if math.isfinite(value) else refuse(place, repr(text), "give a number")


def _csv(file: TextIO) -> Iterator[tuple[int, list[str]]]:
    """Records with the number of their last line; the delimiter is what the header line has most of."""
    header = file.readline()
    file.seek(0)
    records = csv.reader(file, delimiter=max(_DELIMITERS, key=header.count))
    for fields in records:
        yield records.line_num, fields
