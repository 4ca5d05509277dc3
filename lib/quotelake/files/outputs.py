"""Files that commands write, each whole or not at all; CSV that a spreadsheet shows and never runs, read back too."""

import csv
import errno
import io
import os
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TextIO

from quotelake.errors import InputError

#: A spreadsheet runs a cell with such a beginning as a formula; an apostrophe in front makes it text (OWASP).
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
#: At the beginning of a file, this mark shows spreadsheets that the encoding is UTF-8.
MARK: Final = "\ufeff"
#: Endings of files that an answer can be written to; ``quotelake.files.answers`` writes them.
ENDINGS: Final = (".csv", ".json", ".parquet", ".xlsx")
#: Errors that only writing has; they name no file.
_NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def atomic_output(path: Path) -> Iterator[Path]:
    """Give a file to write to, which takes the place of ``path`` when the block ends without an error.

    Folders above it are made. What is no regular file, such as ``/dev/stdout``, is written to directly.

    Raises:
        InputError: it cannot be written there. Errors of other files that the block works with are raised as they are.
    """
    partial = path
    try:
        if path.exists() and not path.is_file():
            yield path
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        try:
            yield partial
            os.replace(partial, path)
        finally:
            partial.unlink(missing_ok=True)
    except OSError as error:
        if str(error.filename) not in map(str, (path, partial, *path.parents)) and error.errno not in _NO_SPACE:
            raise
        reason = error.strerror or error
        raise InputError(f"{path}: cannot be written ({reason}); name a file in a directory you may write to") from None


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a :func:`atomic_output` file at once, text as UTF-8."""
    with atomic_output(path) as partial:
        partial.write_bytes(content.encode() if isinstance(content, str) else content)


def write_csv(file: TextIO, columns: Sequence[str], rows: Iterable[Mapping[str, Any]], *, header: bool = True) -> None:
    """Write rows to a file that is open with ``newline=""``, in the order of ``columns``."""
    writer = csv.writer(file)
    if header:
        writer.writerow(map(text_cell, columns))
    writer.writerows([text_cell(row[name]) for name in columns] for row in rows)


def csv_text(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Rows as the text of a CSV file."""
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


def filled_rows(text: str, name: str, needed: Sequence[str]) -> list[tuple[int, dict[str, str]]]:
    """Rows of a file as (line, cells by column), a missing cell as empty text; ``name`` of the file is for messages.

    Columns may be in any order, separated by commas or, as some spreadsheets do, semicolons.

    Raises:
        InputError: one of the columns ``needed`` is missing, a row has more cells, or the text is no CSV.
    """
    head = text.partition("\n")[0]
    rows = csv.DictReader(
        io.StringIO(text, newline=""), delimiter=";" if head.count(";") > head.count(",") else ",", strict=True
    )
    csv.field_size_limit(1 << 24)  # a quote may be longer than csv allows by default
    try:
        columns, found = rows.fieldnames or (), []
        if missing := [column for column in needed if column not in columns]:
            has = f"it has {', '.join(columns)}; name the columns so, or give a file that export wrote"
            raise InputError(f"{name}: no column {', '.join(missing)} in its first line: {has}")
        for row in rows:
            if None in row:
                fault = "more cells than columns; put cells that hold commas in quotes"
                raise InputError(f"{name}, line {rows.line_num}: {fault}")
            found.append((rows.line_num, {key: row[key] or "" for key in columns}))
        return found
    except csv.Error as error:
        line = rows.reader.line_num  # that of DictReader is the last whole row's
        raise InputError(f"{name}, line {line}: no CSV ({error}); save the file as CSV again") from None
