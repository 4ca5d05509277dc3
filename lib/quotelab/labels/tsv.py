"""Rows of tab-separated files without quoting, as annotation tools write them; an error names the file and the line."""

import csv
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from quotelake.files.jsonl import refuse

#: Characters of the longest field; csv refuses more than 131,072 by default.
LONGEST_FIELD = 1 << 24
_SPAN = re.compile(r"(\d{1,12}):(\d{1,12})")


def tsv_rows(path: Path, columns: Sequence[str], optional: Sequence[str] = ()) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield "FILE, line N" and the named columns of each row.

    A quotation mark is a character like any other: these files hold texts with offsets.

    Args:
        path: UTF-8, with or without a byte order mark, with a first line of column names.
        columns: needed ones; others are left out.
        optional: empty texts where the file has no such column.

    Raises:
        InputError: the file cannot be read, lacks a column or has one twice, or a row has too few fields or too many.
    """
    csv.field_size_limit(LONGEST_FIELD)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            check_header(f"{path}, line 1", rows.fieldnames or (), columns, optional)
            for row in rows:
                place, wanted = f"{path}, line {rows.line_num}", {name: row[name] for name in columns}
                further = row.get(None) or ()  # where csv puts what no column names
                if None in wanted.values() or any(further):
                    n = sum(value is not None for name, value in row.items() if name is not None) + len(further)
                    refuse(place, f"{n} fields", "give one for each column, without tabs in it")
                yield place, wanted | {name: row.get(name) or "" for name in optional}
    except csv.Error as error:
        refuse(f"{path}, line {rows.reader.line_num}", f"a row that cannot be read ({error})", "shorten its fields")
    except UnicodeDecodeError:
        refuse(str(path), "bytes that are not UTF-8", "convert the file to UTF-8")
    except OSError as error:
        refuse(str(path), f"a file that cannot be read ({error.strerror})", "check the path")


def check_header(place: str, header: Sequence[str], columns: Sequence[str], optional: Sequence[str] = ()) -> None:
    """Check that a header line names each needed column, and none that is read twice.

    Raises:
        InputError: it does not; the message begins with the place.
    """
    missing = [name for name in columns if name not in header]
    if missing:
        found = f"the columns {', '.join(header)}" if any(header) else "no column"
        refuse(place, found, f"name columns {', '.join(columns)}")
    twice = [name for name in (*columns, *optional) if header.count(name) > 1]
    if twice:
        refuse(place, f"two columns {twice[0]}", "leave one of them out")


def span_of(place: str, value: str) -> tuple[int, int]:
    """Offsets of a field START:END in code points, the end exclusive.

    >>> span_of("uses.tsv, line 2", "3:14")
    (3, 14)

    Raises:
        InputError: the field is not of that form, or empty.
    """
    found = _SPAN.fullmatch(value)
    if not found or int(found[1]) >= int(found[2]):
        refuse(place, repr(value[:40]), "give START:END")
    return int(found[1]), int(found[2])
