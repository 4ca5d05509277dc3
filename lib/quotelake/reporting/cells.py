"""Cells of a CSV file that a spreadsheet must not run as formulas."""

from typing import Final

#: A spreadsheet runs a cell with such a beginning as a formula; an apostrophe in front makes it text (OWASP).
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")


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
