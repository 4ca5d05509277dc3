"""Rows of tab-separated files without quoting, as annotation tools write them; an error names the file and the line."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from quotelake.jsonl import refuse

#: Characters of the longest field; csv refuses more than 131,072 by default.
LONGEST_FIELD = 1 << 24


def tsv_rows(path: Path, columns: Sequence[str], optional: Sequence[str] = ()) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield "FILE, line N" and the named columns of each row.

    A quotation mark is a character like any other: these files hold texts with offsets.

    Args:
        path: UTF-8, with or without a byte order mark, with a first line of column names.
        columns: needed ones; others are left out.
        optional: empty texts where the file has no such column.

    Raises:
        InputError: the file cannot be read, lacks a column, or a row has too few fields.
    """
    csv.field_size_limit(LONGEST_FIELD)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            if not set(columns) <= set(rows.fieldnames or ()):
                refuse(f"{path}, line 1", f"the columns {rows.fieldnames}", f"name columns {', '.join(columns)}")
            for row in rows:
                place, wanted = f"{path}, line {rows.line_num}", {name: row[name] for name in columns}
                if None in wanted.values():
                    refuse(place, f"{len(list(filter(None, row.values())))} fields", "give one for each column")
                yield place, wanted | {name: row.get(name) or "" for name in optional}
    except csv.Error as error:
        refuse(f"{path}, line {rows.line_num + 1}", f"a row that cannot be read ({error})", "shorten its fields")
    except UnicodeDecodeError:
        refuse(str(path), "bytes that are not UTF-8", "convert the file to UTF-8")
    except OSError as error:
        refuse(str(path), f"a file that cannot be read ({error.strerror})", "check the path")


def span_of(place: str, value: str) -> tuple[int, int]:
    """Offsets of a field START:END in code points, the end exclusive.

    >>> span_of("uses.tsv, line 2", "3:14")
    (3, 14)

    Raises:
        InputError: the field is not of that form, or empty.
    """
    start, sign, end = value.partition(":")
    if not (sign and start.isdecimal() and end.isdecimal()) or int(start) >= int(end):
        refuse(place, repr(value), "give START:END")
    return int(start), int(end)
