"""Outcomes of tools as tables: cost and figures beside each other, and recall by number of copies or words."""

import re
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from rich import box
from rich.table import Table

from quotelab.benchmarks.cost import Cost
from quotelab.benchmarks.peers.running import Outcome
from quotelab.benchmarks.peers.tools import OURS, Tool

#: The two ways of a run that are compared.
WITHOUT, WITH = "without", "with"
#: Figures of the protocol, by the name of their column.
_FIGURES: Final = {
    "P": "pairwise_precision",
    "R": "pairwise_recall",
    "F1": "pairwise_f1",
    "B³ P": "b3_precision",
    "B³ R": "b3_recall",
    "B³ F1": "b3_f1",
}
#: Kinds whose name ends in a number, such as ``copy_150``: the table has a row for each number.
_BY_NUMBER: Final = re.compile(r"linked_(?P<kind>[a-z]+)_(?P<number>\d+)")
_KIND: Final = re.compile(r"linked_[a-z]+")
#: Kinds that are wrong by being linked to another text, not by not being linked: precision shows that.
_ALONE: Final = ("base", "joined", "negated", "renumbered")


def compared(outcomes: Sequence[Outcome], title: str) -> Table:
    """Table of cost and agreement with the truth, a row a tool and setting.

    The ratio is that of the wall time to ours on Spark for tools on Spark, to ours in one process for the others.
    """
    kinds = sorted({name for outcome in outcomes for name in outcome.figures if _KIND.fullmatch(name)})
    shown = [name for name in kinds if name.removeprefix("linked_") not in _ALONE]
    costs = ("wall s", ": ours", "CPU s", "peak MB", "shuffled MB")
    table = Table("tool", "setting", *costs, *_FIGURES, *(name.removeprefix("linked_") for name in shown), title=title)
    table.box = box.SIMPLE_HEAD  # there are many columns
    for number, column in enumerate(table.columns):
        column.no_wrap, column.justify = True, "right" if number > 1 else "left"
    for outcome in outcomes:
        figures = [_share(outcome.figures.get(name)) for name in (*_FIGURES.values(), *shown)]
        table.add_row(outcome.tool.label, outcome.tool.setting, *_costs(outcome, outcomes), *figures)
    return table


def _costs(outcome: Outcome, outcomes: Sequence[Outcome]) -> Iterator[str]:
    cost = outcome.cost
    if cost is None:
        yield from ("failed", "", "", "", "")
        return
    ours = next((other.cost for other in outcomes if is_reference(other.tool, outcome.tool)), None)
    yield f"{cost.seconds:,.1f}"
    yield f"{cost.seconds / ours.seconds:.2f}" if ours else ""
    yield f"{cost.cpu:,.1f}"
    yield f"{cost.peak / 1e6:,.0f}"
    yield f"{outcome.moved.shuffled / 1e6:,.1f}" if outcome.moved else ""


def is_reference(tool: Tool, of: Tool) -> bool:
    """Whether a tool is ours in the way that another one is to be compared with."""
    return tool.name == OURS and tool.spark == of.spark


def numbered_kinds(outcomes: Sequence[Outcome]) -> list[str]:
    """Kinds that have a number, such as ``copy`` of ``copy_150``; each has a table of :func:`by_number`."""
    found = (_BY_NUMBER.fullmatch(name) for outcome in outcomes for name in outcome.figures)
    return sorted({match["kind"] for match in found if match})


def by_number(outcomes: Sequence[Outcome], kind: str) -> Table:
    """Table of recall by the number of a kind, a column a tool and setting; the outcomes are of one file."""
    labels = (f"{each.tool.label}\n{each.tool.setting}" for each in outcomes)
    table = Table(kind, "items", *labels, title=f"Recall of {kind}, by its number")
    for column in table.columns:
        column.justify = "right"
    found = (_BY_NUMBER.fullmatch(name) for outcome in outcomes for name in outcome.figures)
    names = {match.group(): int(match["number"]) for match in found if match and match["kind"] == kind}
    for name, number in sorted(names.items(), key=lambda row: row[1]):
        items = max(outcome.figures.get(f"{name}_items", 0) for outcome in outcomes)
        cells = ["failed" if each.failure else _share(each.figures.get(name)) for each in outcomes]
        table.add_row(f"{number:,}", f"{items:,.0f}", *cells)
    return table


def failures(outcomes: Sequence[Outcome]) -> list[str]:
    """A line for each tool that failed, with the reason."""
    return [f"{each.tool.label}, {each.tool.setting}: {each.failure}" for each in outcomes if each.failure]


def settings(tools: Sequence[Tool]) -> list[str]:
    """A line for each setting: what the adapter was given, and why."""
    return [
        f"{each.label}, {each.setting}: {' '.join(each.options) or 'no options'} ({each.why})"
        for each in tools
        if each.why
    ]


def with_and_without(costs: Mapping[str, Sequence[Cost]], title: str) -> Table:
    """Table of runs :data:`WITHOUT` and :data:`WITH` something: medians, and their ratios to those without."""
    table = Table("", "wall s", ": without", "CPU s", ": without", title=title)
    for column in table.columns[1:]:
        column.justify = "right"
    wall = {name: statistics.median(cost.seconds for cost in each) for name, each in costs.items()}
    cpu = {name: statistics.median(cost.cpu for cost in each) for name, each in costs.items()}
    for name in costs:
        shown = (text for each in (wall, cpu) for text in (f"{each[name]:,.1f}", f"{each[name] / each[WITHOUT]:.2f}"))
        table.add_row(name, *shown)
    return table


def as_rows(outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """Outcomes as JSON holds them: seconds, bytes, figures."""
    return [
        {
            "tool": each.tool.label,
            "setting": each.tool.setting,
            "options": list(each.tool.options),
            "seconds": each.cost.seconds if each.cost else None,
            "cpu_seconds": each.cost.cpu if each.cost else None,
            "peak_bytes": each.cost.peak if each.cost else None,
            **(asdict(each.moved) if each.moved else {}),
            "figures": each.figures,
            "failure": each.failure or None,
        }
        for each in outcomes
    ]


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
