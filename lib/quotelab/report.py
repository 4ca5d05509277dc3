"""What the bench prints and writes: the report of a protocol, and tables; and the type of arguments that count."""

import json
import math
from argparse import ArgumentTypeError
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from quotelake.files.outputs import write_atomically


def advice(setting: str, trained: Path, held_out: float | None, without: float | None) -> str:
    """How to use what was trained, or that it gains nothing on what it did not see, by two Spearman correlations.

    >>> advice("topics.head", Path("mine"), 0.61, 0.55)
    'to use it: quotelake score --lake LAKE --set topics.head=mine (see [topics] in conf/base.toml)'
    >>> advice("topics.head", Path("mine"), 0.55, 0.55)
    'it gains nothing on texts held out (0.55, without it 0.55): do not use it'
    """
    if held_out is None or without is None:
        return "whether it gains on texts held out is unknown: judge more pairs before you use it"
    if not held_out > without:
        return f"it gains nothing on texts held out ({held_out}, without it {without}): do not use it"
    section = setting.partition(".")[0]
    return f"to use it: quotelake score --lake LAKE --set {setting}={trained} (see [{section}] in conf/base.toml)"


_WIDEST = 250  # characters of the widest table


@dataclass(frozen=True, slots=True)
class Report:
    """Outcome of an evaluation: counts (int) and metrics (float) in the order shown, and the details behind them.

    NaN is what is undefined; all other values are such as JSON can hold.
    """

    protocol: str
    figures: dict[str, float]
    rows: list[dict[str, Any]] = field(default_factory=list)

    def as_table(self) -> str:
        """Format the figures for people, one per line."""
        cells = {name: _cell(value) for name, value in self.figures.items()}
        names, values = (max(map(len, column), default=0) for column in (cells, cells.values()))
        return "\n".join([self.protocol, *(f"  {name:<{names}}  {cell:>{values}}" for name, cell in cells.items())])

    def write(self, path: Path) -> None:
        """Write ``{"protocol", "figures", "rows"}`` as JSON; what is undefined is null."""
        figures, *rows = (
            {name: None if isinstance(value, float) and math.isnan(value) else value for name, value in row.items()}
            for row in (self.figures, *self.rows)
        )
        content = {"protocol": self.protocol, "figures": figures, "rows": rows}
        # Escaped, because a text may hold a lone surrogate, which UTF-8 cannot encode.
        write_atomically(path, json.dumps(content, indent=1, allow_nan=False) + "\n")


def show(title: str, columns: Sequence[str], rows: Iterable[Sequence[str] | None], *, names: int = 1) -> None:
    """Print a table, as wide as it is: a terminal breaks lines rather than cutting cells.

    A row that is None draws a line; the first columns, as many as ``names``, have words, the others numbers.
    """
    table = Table(title=title)
    for number, column in enumerate(columns):
        table.add_column(column, justify="left" if number < names else "right", no_wrap=True)
    for row in rows:
        if row is None:
            table.add_section()
        else:
            table.add_row(*row)
    Console(width=max(_WIDEST, Console().width)).print(table)


def positive(text: str) -> int:
    """Read an argument that counts something: a whole number from 1 on."""
    if not text.isdecimal() or not int(text):
        raise ArgumentTypeError(f"{text!r}: must be a whole number from 1 on")
    return int(text)


def progress(line: str) -> None:
    """Say how far the work is, apart from what it prints."""
    Console(stderr=True).print(line, highlight=False)


def write_json(path: Path | None, content: Any) -> None:
    """Write figures as JSON where a file is given."""
    if path is not None:
        write_atomically(path, json.dumps(content, indent=1) + "\n")


def _cell(value: float) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    return "–" if math.isnan(value) else f"{value:.4f}"
