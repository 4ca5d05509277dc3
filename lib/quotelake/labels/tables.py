"""Rows of tables with a header, read liberally: CSV or TSV, each row with its file and line."""

import csv
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from quotelake.jsonl import refuse

#: A text may be long, and csv refuses fields of more than 131,072 characters.
_LONGEST = 1 << 24


def table_rows(path: Path, columns: Sequence[str], *, tabs: bool = False) -> Iterator[tuple[str, Mapping[str, str]]]:
    r"""Yield "FILE, line N" and the row of each record of a table in UTF-8; the line is the last one of the record.

    A byte order mark, ``\r\n``, spaces around names, the case of names and further columns do not matter.

    Args:
        path: the file.
        columns: names that it must have; rows have them in this spelling.
        tabs: tabs between fields and no quoting, as PhiTag writes; else commas, with quoting as in RFC 4180.

    Raises:
        InputError: the file cannot be read, lacks a column, or a row has fewer or more fields than the header.
    """
    csv.field_size_limit(_LONGEST)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            lines = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if tabs else csv.reader(file, strict=True)
            header = [name.strip().casefold() for name in next(lines, [])]
            missing = [name for name in columns if name.casefold() not in header]
            if missing:
                names = ", ".join(header) or "no columns"
                refuse(f"{path}, line 1", f"{names}", f"name the missing columns: {', '.join(missing)}")
            spelled = {name.casefold(): name for name in columns}
            names_used = [spelled.get(name, name) for name in header]
            for fields in lines:
                place = f"{path}, line {lines.line_num}"
                if not any(fields):
                    continue
                if len(fields) != len(header):
                    refuse(place, f"{len(fields)} fields", f"give {len(header)}, as the header names")
                yield place, dict(zip(names_used, fields, strict=True))
    except UnicodeDecodeError:
        refuse(str(path), "bytes that are not UTF-8", "convert the file to UTF-8")
    except csv.Error as error:
        refuse(str(path), f"a table that cannot be read ({error})", "check its quotation marks")
    except OSError as error:
        refuse(str(path), f"a file that cannot be read ({error.strerror})", "check the path")


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
