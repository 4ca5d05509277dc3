"""CSV files that a command wrote, people filled in, and spreadsheets saved: their rows, each with its line."""

import csv
import io
from collections.abc import Sequence

from quotelake.errors import InputError


def filled_rows(text: str, name: str, needed: Sequence[str]) -> list[tuple[int, dict[str, str]]]:
    """Rows of a file as (line, cells by column), a missing cell as empty text.

    Columns may be in any order, separated by commas or, as some spreadsheets do, semicolons. ``name`` is that of the
    file, for messages.

    Raises:
        InputError: one of the columns ``needed`` is missing, or the text is no CSV.
    """
    head = text.partition("\n")[0]
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=";" if head.count(";") > head.count(",") else ",")
    csv.field_size_limit(1 << 24)  # a quote may be longer than csv allows by default
    try:
        missing = [column for column in needed if column not in (rows.fieldnames or ())]
        if missing:
            raise InputError(f"{name}: no column {', '.join(missing)} in its first line; give a file that export wrote")
        return [(rows.line_num, {key: row[key] or "" for key in rows.fieldnames or ()}) for row in rows]
    except csv.Error as error:
        line = rows.reader.line_num  # that of DictReader is the last whole row's
        raise InputError(f"{name}, line {line}: {error}; save the file as CSV again") from None
