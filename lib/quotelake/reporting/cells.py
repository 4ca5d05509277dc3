"""Cells of a CSV file that people open in a spreadsheet. Pure."""

from typing import Final

#: A cell that begins so is a formula to a spreadsheet; an apostrophe in front makes it text (OWASP, CSV injection).
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")


def text_cell(value: object) -> object:
    """Return a value as a spreadsheet shows it and does not run it: only text can be a formula, numbers stay numbers.

    >>> text_cell("=1+1"), text_cell(-1), text_cell(None), text_cell("plain")
    ("'=1+1", -1, None, 'plain')
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
