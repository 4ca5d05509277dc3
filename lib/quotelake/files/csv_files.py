"""CSV files whose cells a spreadsheet shows and does not run as formulas."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TextIO

#: A spreadsheet runs a cell with such a beginning as a formula; an apostrophe in front makes it text (OWASP).
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
#: In front of a file, this mark tells spreadsheets that it is UTF-8.
MARK: Final = "\ufeff"


def write_csv(file: TextIO, columns: Sequence[str], rows: Iterable[Mapping[str, Any]], *, header: bool = True) -> None:
    """Write rows to a file that is open with ``newline=""``, in the order of ``columns``."""
    writer = csv.writer(file)
    if header:
        writer.writerow(map(text_cell, columns))
    writer.writerows([text_cell(row[name]) for name in columns] for row in rows)


def csv_text(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    r"""Rows as the text of a file.

    >>> csv_text(["a", "b"], [{"a": "=1+1", "b": None}])
    "a,b\r\n'=1+1,\r\n"
    """
    out = io.StringIO(newline="")
    write_csv(out, columns, rows)
    return out.getvalue()


def text_cell(value: object) -> object:
    """Return a value that a spreadsheet shows but does not run: text may get an apostrophe, numbers stay numbers.

    >>> text_cell("=1+1"), text_cell(-1), text_cell(None), text_cell("plain")
    ("'=1+1", -1, None, 'plain')
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def original_text(cell: str) -> str:
    """Undo :func:`text_cell` on text that was read back.

    >>> original_text("'=1+1"), original_text("'tis"), original_text("plain")
    ('=1+1', "'tis", 'plain')
    """
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULA) else cell
