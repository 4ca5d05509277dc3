"""Texts and tables on a console: as wide as the terminal, or in a log wide enough for two quotes side by side."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

_LOG_WIDTH = 160
_SHORT = 24  # a column with no longer text is never wrapped
_READABLE = 12  # a column of longer text with fewer characters cannot be read


def make_console() -> Console:
    """Console for standard output."""
    return Console(width=None if sys.stdout.isatty() else _LOG_WIDTH)


def print_line(console: Console, line: str) -> None:
    """Print a line as it is: without markup, colours or breaks."""
    console.print(line, markup=False, highlight=False, soft_wrap=True)


def pace(done: int, total: int | None, unit: str, seconds: float) -> str:
    """How many are done, of how many if that is known, the rate and the time left.

    >>> pace(1500, 4000, "documents", 30), pace(0, None, "files", 1)
    ('1,500 of 4,000 documents, 50 documents/s, 50 s left', '0 files')
    """
    parts = [f"{done:,} of {total:,} {unit}" if total else f"{done:,} {unit}"]
    if done:
        rate = done / max(seconds, 1e-9)
        parts.append(f"{rate:,.0f} {unit}/s" if rate >= 1 else f"{60 * rate:,.1f} {unit}/min")
        parts += [f"{max(total - done, 0) / rate:.0f} s left"] if total else []
    return ", ".join(parts)


def show_rows(
    console: Console, names: Sequence[str], rows: Sequence[Mapping[str, Any]], *, vertical: bool = False
) -> None:
    """Print rows as a table; or, if ``vertical`` or where the columns do not fit, each row as a block of lines."""
    least = 1  # width under which a table cannot be read
    for name in names:
        longest = max((cell_len(_cell(row[name])) for row in rows), default=0)
        least += 3 + max(cell_len(name), longest if longest <= _SHORT else _READABLE)
    if not vertical and least <= console.width:
        console.print(make_table(None, names, rows))
        return
    left = max(map(cell_len, names), default=0)
    for number, row in enumerate(rows, 1):
        block = Table(box=None, show_header=False, pad_edge=False)
        block.add_column(width=left, no_wrap=True)
        block.add_column(overflow="fold")
        for name in names:
            block.add_row(Text(name), Text(_cell(row[name])))
        console.print(f"-[ {number:,} of {len(rows):,} ]".ljust(min(console.width, 60), "-"), markup=False)
        with console.capture() as printed:
            console.print(block)
        for line in printed.get().splitlines():
            console.out(line.rstrip(), highlight=False)  # the block pads each line to one width
    if not rows:
        print_line(console, "no rows; the columns are: " + ", ".join(names))


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
