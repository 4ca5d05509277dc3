"""A judgement on a terminal: what was found, and both texts below one another with their marks."""

from collections.abc import Iterable, Mapping, Sequence
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
