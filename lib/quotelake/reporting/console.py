"""Tables on a console: as wide as the terminal, or in a log wide enough for two quotes side by side."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any, TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

_LOG_WIDTH = 160
_SHORT = 24  # a column with no longer text is never wrapped


def make_console(file: TextIO | None = None) -> Console:
    """Console for standard output or ``file``."""
    out = file or sys.stdout
    return Console(file=out, width=None if out.isatty() else _LOG_WIDTH)


def make_table(title: str | None, names: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> Table:
    """Table of rows: columns of long text share the width that short ones leave; text is never parsed as markup."""
    table = Table(title=title, title_justify="left")
    cells = [[_cell(row[name]) for name in names] for row in rows]
    for i, name in enumerate(names):
        short = all(len(line[i]) <= _SHORT for line in cells)
        table.add_column(name, overflow="fold", no_wrap=short, ratio=None if short else 1)
    for line in cells:
        table.add_row(*map(Text, line))
    return table


def _cell(value: object) -> str:
    """Format a value: numbers with separators or three decimals, NULL as empty text.

    >>> _cell(1234), _cell(0.12345), _cell(None)
    ('1,234', '0.123', '')
    """
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.3f}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
