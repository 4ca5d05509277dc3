"""A table of figures for Markdown and HTML, and how figures are written."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

#: A report as ``evaluate.py --json`` writes it.
Written = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Table:
    """A table, and what must be known to read it.

    Attributes:
        title: of the table.
        columns: names.
        rows: cells as text, as many as there are columns.
        notes: seeds, what differs from the paper and why.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """The tables of a paper; ``skipped`` says why there are none."""

    title: str
    command: str
    tables: Sequence[Table] = ()
    skipped: str = ""


def cell(value: float | None, sd: float | None = None, digits: int = 3) -> str:
    """A figure without its leading zero, as the papers print them; a dash for an unknown one.

    >>> cell(0.7366, 0.0467), cell(-0.03), cell(None), cell(1.0)
    ('.737 ± .047', '-.030', '–', '1.000')
    """
    if value is None or math.isnan(value):
        return "–"
    text = f"{value:.{digits}f}"
    text = text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text
    return text if sd is None else f"{text} ± {cell(sd, digits=digits)}"


def mean_of(rows: Iterable[Mapping[str, Any]], name: str) -> float | None:
    """Mean of a column over the rows where it is known; None if there are none."""
    known = [row[name] for row in rows if row.get(name) is not None]
    return sum(known) / len(known) if known else None
