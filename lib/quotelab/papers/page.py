"""The page of tables as Markdown and as one HTML file."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final

import numpy as np
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup
from scipy.stats import rankdata, spearmanr

#: A report as ``quotelab evaluate --json`` writes it.
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


_SIZE, _EDGE, _RADIUS = 300, 40, 4.0
#: Estimates drawn, with their colours (Okabe and Ito's, which colour-blind readers tell apart).
DRAWN: Final = {"base": "#999999", "unsupervised_best": "#0072b2", "head_lto": "#d55e00"}


def ranking_svg(rows: Sequence[Mapping[str, Any]]) -> str:
    """Draw the rank of each text by people against that by an estimate, a panel for each of :data:`DRAWN`.

    Args:
        rows: of a report of ``trotr``; those with the table ``texts`` are drawn, without the texts themselves.

    Returns:
        An SVG document, the same for the same rows.
    """
    texts = [row for row in rows if row.get("table") == "texts"]
    names = [name for name in DRAWN if texts and all(row.get(name) is not None for row in texts)]
    width, height = len(names) * (_SIZE + _EDGE) + _EDGE, _SIZE + 2 * _EDGE
    panels = [_panel(texts, name, _EDGE + place * (_SIZE + _EDGE)) for place, name in enumerate(names)]
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    )
    style = 'font-family="sans-serif" font-size="13" role="img"'
    described = "<title>Rank of each text by people (across) and by an estimate (up)</title>"
    return "\n".join([f"{opening} {style}>", described, *panels, "</svg>"]) + "\n"


def _panel(texts: Sequence[Mapping[str, Any]], name: str, left: int) -> str:
    gold, ours = (np.array([row[side] for row in texts], dtype=np.float64) for side in ("gold", name))
    step = (_SIZE - 2 * _RADIUS) / max(len(texts) - 1, 1)
    across, up = ((rankdata(side) - 1) * step + _RADIUS for side in (gold, ours))
    dots = "".join(
        f'<circle cx="{left + x:.1f}" cy="{_EDGE + _SIZE - y:.1f}" r="{_RADIUS:g}"/>'
        for x, y in zip(across.tolist(), up.tolist(), strict=True)
    )
    said = f"{name.replace('_', ' ')}: Spearman {float(spearmanr(gold, ours).statistic):.3f}"
    bottom = _EDGE + _SIZE
    return (
        f'<rect x="{left}" y="{_EDGE}" width="{_SIZE}" height="{_SIZE}" fill="none" stroke="#bbbbbb"/>'
        f'<path d="M{left} {bottom}L{left + _SIZE} {_EDGE}" stroke="#dddddd"/>'
        f'<g fill="{DRAWN[name]}" fill-opacity=".75">{dots}</g>'
        f'<text x="{left}" y="{_EDGE - 10}">{said}</text>'
        f'<text x="{left}" y="{bottom + 20}">few topics</text>'
        f'<text x="{left + _SIZE}" y="{bottom + 20}" text-anchor="end">many topics (people)</text>'
    )


TITLE: Final = "The papers' tables"
INTRODUCTION: Final = (
    "Figures of the three papers behind Quotelake, computed here, beside the published ones. This page is written "
    "by make papers; DATA is a folder with the public corpora. All choices were made on training or development parts."
)

#: Rows of the longest table that the Markdown shows.
MOST_ROWS: Final = 15


def as_markdown(sections: Sequence[Section]) -> str:
    """Write Markdown; the plot and the rows of long tables are in the HTML only."""
    lines = [f"# {TITLE}", "", INTRODUCTION, ""]
    for section in sections:
        lines += [f"## {section.title}", "", f"`{section.command}`", ""]
        if section.skipped:
            lines += [f"Not computed: {section.skipped}.", ""]
        for table in section.tables:
            lines += [*_markdown(table), ""]
    return "\n".join(lines).rstrip() + "\n"


def as_html(sections: Sequence[Section], svg: str | None) -> str:
    """Write one HTML file that needs no other."""
    source = resources.files("quotelab.papers").joinpath("templates", "papers.html.j2").read_text("utf-8")
    template = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True).from_string(source)
    # Ours, not a reader's text: it holds numbers and names of settings only.
    plot = Markup(svg) if svg else None
    return template.render(title=TITLE, introduction=INTRODUCTION, sections=sections, plot=plot) + "\n"


def _markdown(table: Table) -> list[str]:
    written = [f"{len(table.rows)} rows, in the HTML page."]
    if len(table.rows) <= MOST_ROWS:
        rows = [table.columns, ["---"] * len(table.columns), *table.rows]
        written = [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows]
    return [f"### {table.title}", "", *written, *(line for note in table.notes for line in ("", note))]
