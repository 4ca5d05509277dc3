"""The page of tables as Markdown and as one HTML file."""

from collections.abc import Sequence
from importlib import resources
from typing import Final

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from quotelab.papers.table import Section, Table

TITLE: Final = "The papers' tables"
INTRODUCTION: Final = (
    "Figures of the three papers behind Quotelake, computed here, beside the published ones. This page is written "
    "by make papers; DATA is a folder with the public corpora. All choices were made on training or development parts."
)


def as_markdown(sections: Sequence[Section], plot: str | None) -> str:
    """Write Markdown; ``plot`` is the name of the SVG beside the page."""
    lines = [f"# {TITLE}", "", INTRODUCTION, ""]
    for section in sections:
        lines += [f"## {section.title}", "", f"`{section.command}`", ""]
        if section.skipped:
            lines += [f"Not computed: {section.skipped}.", ""]
        for table in section.tables:
            lines += [*_markdown(table), ""]
    if plot:
        lines += ["## Topic variation: ranks by people and by estimates", "", f"![Each dot is a text]({plot})", ""]
    return "\n".join(lines).rstrip() + "\n"


def as_html(sections: Sequence[Section], svg: str | None) -> str:
    """Write one HTML file that needs no other."""
    source = resources.files("quotelab.papers").joinpath("templates", "papers.html.j2").read_text("utf-8")
    template = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True).from_string(source)
    # Ours, not a reader's text: it holds numbers and names of settings only.
    plot = Markup(svg) if svg else None
    return template.render(title=TITLE, introduction=INTRODUCTION, sections=sections, plot=plot) + "\n"


def _markdown(table: Table) -> list[str]:
    rows = [table.columns, ["---"] * len(table.columns), *table.rows]
    written = [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows]
    return [f"### {table.title}", "", *written, *(line for note in table.notes for line in ("", note))]
