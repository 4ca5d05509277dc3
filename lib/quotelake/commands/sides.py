"""Texts below one another on a terminal, with their marks: what a headline or draft says, and what its source says."""

from collections.abc import Mapping, Sequence
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from quotelake.answers.marking import Piece
from quotelake.contextomy.quotes import Quote
from quotelake.text.printable import visible

#: How a mark looks on a terminal with colours, and the signs that stand before and after it without.
_STYLES: Final = {
    "": ("", "", ""), "quote": ("bold", "", ""), "found": ("green", "", ""), "second": ("cyan", "<", ">"),
    "missing": ("bold red", "{+", "+}"), "omitted": ("yellow", "[-", "-]"),
    "risky": ("bold reverse yellow", "[!", "!]"),
}  # fmt: skip
#: Name and pieces of a text that is shown, and the quote that it is; a passage outside quotes is none.
Row = tuple[str, list[Piece], Quote | None]


def show_sides(rows: Sequence[Row], meanings: Mapping[str, str], console: Console) -> None:
    """Print texts below one another with their marks, and explain those by their meanings."""
    colour = console.is_terminal and not console.no_color and console.color_system is not None
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(ratio=1)
    for name, pieces, quote in rows:
        grid.add_row(f"  {name}", _text(pieces, quote, colour=colour))
    console.print(grid)
    console.print(_legend(rows, meanings, colour=colour))


def _text(pieces: Sequence[Piece], quote: Quote | None, *, colour: bool) -> Text:
    """A text with its marks, as a quote with its speaker, or as a passage outside quotes."""
    shown = Text("" if quote is None else "“")
    for text, name in pieces:
        style, before, after = _STYLES[name]
        flat = visible(text).replace("\n", " ")
        shown.append(flat if colour else f"{before}{flat}{after}", style if colour else "")
    if quote is None:
        return shown
    return shown.append("”").append("" if quote.by is None else f"  ({visible(quote.by)})", style="italic")


def _legend(rows: Sequence[Row], meanings: Mapping[str, str], *, colour: bool) -> Text:
    """Explain the marks that occur."""
    used = {name for _, pieces, _ in rows for _, name in pieces}
    line = Text("  ")
    for name, meaning in meanings.items():
        style, before, after = _STYLES[name]
        if name in used and colour:
            line.append(meaning, style).append("   ")
        elif name in used and before:
            line.append(f"{before}{after} {meaning}   ")
    return line
