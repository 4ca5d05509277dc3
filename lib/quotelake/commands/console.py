"""Texts, tables and judgements on a console: as wide as it is, or in a log wide enough for two quotes side by side."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.table import Table
from rich.text import Text

from quotelake.text.addresses import without_secrets
from quotelake.text.words import visible

if TYPE_CHECKING:
    from quotelake.answers.marking import Piece
    from quotelake.contextomy.quotes import Quote

#: How a mark looks on a terminal with colours, and the signs that stand before and after it without.
_STYLES: Final = {
    "": ("", "", ""), "quote": ("bold", "", ""), "found": ("green", "", ""), "second": ("cyan", "<", ">"),
    "missing": ("bold red", "{+", "+}"), "omitted": ("yellow", "[-", "-]"),
    "risky": ("bold reverse yellow", "[!", "!]"),
}  # fmt: skip
#: Name and pieces of a text that is shown, and the quote that it is; a passage outside quotes is none.
Row = tuple[str, "list[Piece]", "Quote | None"]
_LOG_WIDTH = 160
_SHORT = 24  # a column with no longer text is never wrapped
_READABLE = 12  # a column of longer text with fewer characters cannot be read


def make_console() -> Console:
    """Console for standard output."""
    return Console(width=None if sys.stdout.isatty() else _LOG_WIDTH)


def print_line(console: Console, line: str) -> None:
    """Print a line as it is, without markup, colours or breaks, but not the secrets of addresses."""
    console.print(without_secrets(line), markup=False, highlight=False, soft_wrap=True)


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
        console.print(make_table(None, rows, names))
        return
    left = max(map(cell_len, names), default=0)
    for number, row in enumerate(rows, 1):
        console.print(f"-[ {number:,} of {len(rows):,} ]".ljust(min(console.width, 60), "-"), markup=False)
        for name in names:
            lines = Text(_cell(row[name])).wrap(console, max(console.width - left - 2, 1), overflow="fold")
            for at, line in enumerate(lines or [Text()]):
                shown = f"{set_cell_size('' if at else name, left)}  {line.plain}"
                console.out(shown.rstrip(), highlight=False)
    if not rows:
        print_line(console, "no rows; the columns are: " + ", ".join(names))


def make_table(title: str | None, rows: Sequence[Mapping[str, Any]], names: Sequence[str] = ()) -> Table:
    """Table of rows, all columns or some: long texts share the width that short ones leave; no text is markup."""
    table = Table(title=title, title_justify="left")
    for name in names or rows[0]:
        short = all(len(_cell(row[name])) <= _SHORT for row in rows)
        table.add_column(name, overflow="fold", no_wrap=short, ratio=None if short else 1)
    for row in rows:
        table.add_row(*(Text(_cell(row[name])) for name in names or row))
    return table


def _cell(value: object) -> str:
    """Format a value: numbers with separators or three decimals, NULL as empty text."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.3f}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def print_judgement(
    console: Console, title: Text, lines: Iterable[str], rows: Sequence[Row], meanings: Mapping[str, str]
) -> None:
    """Print a title with its lines, then texts with their marks, and what the marks that occur mean."""
    colour = console.is_terminal and not console.no_color and console.color_system is not None
    found = Text("\n").append_text(title).append("".join(f"\n  {visible(line)}" for line in lines))
    console.print(found, soft_wrap=True)
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(ratio=1)
    for name, pieces, quote in rows:
        grid.add_row(f"  {name}", _text(pieces, quote, colour=colour))
    console.print(grid)
    used = {name for _, pieces, _ in rows for _, name in pieces}
    legend = Text("  ")
    for name, meaning in meanings.items():
        style, before, after = _STYLES[name]
        if name in used and colour:
            legend.append(meaning, style).append("   ")
        elif name in used and before:
            legend.append(f"{before}{after} {meaning}   ")
    console.print(legend)


def _text(pieces: "Sequence[Piece]", quote: "Quote | None", *, colour: bool) -> Text:
    shown = Text("" if quote is None else "“")
    for text, name in pieces:
        style, before, after = _STYLES[name]
        flat = visible(text).replace("\n", " ")
        shown.append(flat if colour else f"{before}{flat}{after}", style if colour else "")
    if quote is None:
        return shown
    return shown.append("”").append("" if quote.by is None else f"  ({visible(quote.by)})", style="italic")
