"""Rows of CSV and TSV files with a header line, each with its file and line; tables are written here too."""

import csv
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from quotelake.files.jsonl import refuse
from quotelake.files.outputs import atomic_output, write_atomically

#: Characters of the longest field; csv refuses more than 131,072 by default.
LONGEST_FIELD = 1 << 24
_DELIMITERS = (",", "\t", ";")
_SPAN = re.compile(r"(\d{1,12}):(\d{1,12})")
_BREAK = re.compile(r"[\t\r\n\v\f\x1c-\x1e\x85\u2028\u2029]")


def table_rows(
    path: Path, columns: Sequence[str], optional: Sequence[str] = (), *, quoted: bool = True
) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield "FILE, line N" and the row of each record of a table in UTF-8; the line is the last one of the record.

    A byte order mark, the case of names, spaces around them and the order of columns do not matter. Records without any
    text are skipped. Optional columns are empty texts where they are missing.

    A quoted file is a CSV, whose delimiter is that of the header line: comma, semicolon or tab. If not, tabs stand
    between fields, and a quotation mark is a character like any other: texts keep their offsets.
    """
    csv.field_size_limit(LONGEST_FIELD)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            first = file.readline()
            file.seek(0)
            delimiter = max(_DELIMITERS, key=first.count) if quoted else "\t"
            records = csv.reader(file, delimiter=delimiter, quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE)
            spelled = {name.casefold(): name for name in (*columns, *optional)}
            names = [spelled.get(name.strip().casefold(), name) for name in next(records, [])]
            if not {*columns} <= {*names}:
                header = f"the columns {', '.join(names)}" if any(names) else "no column"
                refuse(f"{path}, line 1", header, f"name columns {', '.join(columns)}")
            if twice := [name for name in spelled.values() if names.count(name) > 1]:
                refuse(f"{path}, line 1", f"two columns {twice[0]}", "leave one of them out")
            for fields in records:
                place = f"{path}, line {records.line_num}"
                while len(fields) > len(names) and not fields[-1]:
                    fields.pop()  # a tab or comma at the end of a line
                if not any(field.strip() for field in fields):
                    continue
                if len(fields) != len(names):
                    refuse(place, f"{len(fields)} fields", f"give {len(names)}, as the header names")
                yield place, dict.fromkeys(optional, "") | dict(zip(names, fields, strict=True))
    except UnicodeDecodeError:
        refuse(str(path), "bytes that are not UTF-8", "convert the file to UTF-8")
    except csv.Error as error:
        place = f"{path}, line {records.line_num}"
        refuse(place, f"a row that cannot be read ({error})", "check its quotation marks, shorten its fields")
    except OSError as error:
        refuse(str(path), f"a file that cannot be read ({error.strerror or error})", "check the path")


def number(place: str, text: str) -> float:
    """Read a finite number; an InputError names the place of another text."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    return value if math.isfinite(value) else refuse(place, repr(text), "give a number")


def span_of(place: str, row: Mapping[str, str]) -> tuple[int, int]:
    """Offsets of ``indices_target_token``, START:END in code points of ``context``; an InputError names the place."""
    value, size = row["indices_target_token"], len(row["context"])
    found = _SPAN.fullmatch(value)
    if not found or int(found[1]) >= int(found[2]):
        refuse(f"{place}: field indices_target_token", repr(value[:40]), "give START:END")
    if int(found[2]) > size:
        refuse(place, f"an end at {found[2]}", f"the context has {size} characters")
    return int(found[1]), int(found[2])


def write_tsv(path: Path, names: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a table with tabs between fields; a break in a field becomes a space, so that offsets stay."""
    lines = ["\t".join(names), *("\t".join(_BREAK.sub(" ", field) for field in row) for row in rows)]
    write_atomically(path, "\n".join(lines) + "\n")


def write_csv(path: Path, names: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a table with commas, quoted where needed."""
    with atomic_output(path) as partial, partial.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([names, *rows])
