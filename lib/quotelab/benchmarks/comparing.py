"""Runs a tool on texts, measures it, and compares its groups with the truth. A tool that fails says why."""

import json
import os
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any, Final

from quotelab.benchmarks.adapters import read_groups, write_texts
from quotelab.benchmarks.cost import CommandError, CommandStoppedError, Cost, measure
from quotelab.benchmarks.event_log import Moved, moved
from quotelab.labels.texts import read_rows
from quotelab.protocols import reuse
from quotelab.report import show
from quotelake.errors import InputError, QuotelakeError

OURS: Final = "quotelake"
#: Figures of the protocol, by the name of their column.
_FIGURES: Final = {
    "P": "pairwise_precision", "R": "pairwise_recall", "F1": "pairwise_f1",
    "B³ P": "b3_precision", "B³ R": "b3_recall", "B³ F1": "b3_f1", "substituted linked": "linked_substituted",
}  # fmt: skip
_PACKAGE: Final = "quotelab.benchmarks"
_LIB: Final = Path(__file__).parents[2]
_SHOWN: Final = 300  # characters of the reason of a failure


@dataclass(frozen=True)
class Tool:
    """A tool in one setting, as ``tools.toml`` has it: options of its adapter and why; on Spark it logs events."""

    name: str
    setting: str
    options: dict[str, Any] = field(default_factory=dict)
    why: str = ""
    spark: bool = False

    @property
    def label(self) -> str:
        """Name and version as shown."""
        if self.name == OURS:
            return self.name
        pinned = resources.files(_PACKAGE).joinpath("peers", f"{self.name}.txt").read_text("utf-8")
        first = next(line for line in pinned.splitlines() if not line.startswith("#"))
        return f"{self.name} {first.partition('==')[2]}"


def tools(names: str | None = None) -> list[Tool]:
    """Tools of the given names, separated by commas, in all settings; None: all. Ratios need ours among them."""
    listed = tomllib.loads(resources.files(_PACKAGE).joinpath("peers", "tools.toml").read_text("utf-8"))["tool"]
    known = [Tool(**each) for each in listed]
    wanted = set(names.split(",")) if names else {tool.name for tool in known}
    if unknown := wanted - {tool.name for tool in known}:
        raise InputError(f"no tool {', '.join(sorted(unknown))}: name some of {', '.join({t.name: 0 for t in known})}")
    return [tool for tool in known if tool.name in wanted]


@dataclass(frozen=True)
class Outcome:
    """What a tool did on a file: its cost, bytes moved on Spark, figures of ``reuse``; or the reason of a failure."""

    tool: Tool
    cost: Cost | None = None
    moved: Moved | None = None
    figures: dict[str, float] = field(default_factory=dict)
    failure: str | None = None

    def as_row(self) -> dict[str, Any]:
        """The outcome as JSON holds it: seconds, bytes, figures."""
        row: dict[str, Any] = {"tool": self.tool.label, "setting": self.tool.setting, "options": self.tool.options}
        if self.cost:
            row |= {"seconds": self.cost.seconds, "cpu_seconds": self.cost.cpu, "peak_bytes": self.cost.peak}
        return row | (self.moved._asdict() if self.moved else {}) | {"figures": self.figures, "failure": self.failure}


def compare(data: Path, tool: Tool, environments: Path, limit_s: float, work: Path | None = None) -> Outcome:
    """Run a tool on a copy of a file of the protocol ``reuse`` without the truth, and compare its groups with that."""
    with tempfile.TemporaryDirectory(prefix="bench_reuse_", dir=work) as folder:
        texts, groups = Path(folder) / "texts.jsonl", Path(folder) / "groups"
        rows = read_rows(reuse.LabelledUse, data)
        write_texts((row.text for _, row in rows), texts)
        try:
            cost, bytes_moved = run(tool, texts, groups, environments, limit_s)
            found = read_groups(groups, len(rows))
        except (OSError, ValueError, QuotelakeError) as error:
            return Outcome(tool, failure=str(error))
    return Outcome(tool, cost, bytes_moved, reuse.evaluate(data, lambda _: found).figures)


def run(
    tool: Tool, texts: Path, groups: Path, environments: Path, limit_s: float, **options: Any
) -> tuple[Cost, Moved | None]:
    """Run and measure a tool on a file of texts (:func:`~quotelab.benchmarks.adapters.write_texts`).

    Public tools have their environments in a folder, ours that of this process. ``groups`` is the file to write. A
    QuotelakeError says that the tool is not installed, failed, or was stopped.
    """
    python = Path(sys.executable) if tool.name == OURS else environments / tool.name / "bin" / "python"
    if not python.exists():
        raise QuotelakeError(f"not installed: there is no {python}; `make bench-reuse` installs it")
    # The adapter finds this library, and nothing else of this process's packages.
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONHOME", "VIRTUAL_ENV")}
    with tempfile.TemporaryDirectory(prefix="events_", dir=groups.parent) as events:
        given = json.dumps(tool.options | options)
        command = (str(python), "-m", f"{_PACKAGE}.adapters", tool.name, str(texts), str(groups), given, events)
        try:
            cost = measure(command, env=kept | {"PYTHONPATH": str(_LIB)}, limit_s=limit_s)
        except CommandStoppedError:
            raise QuotelakeError(f"stopped after {limit_s:g} s without an answer") from None
        except CommandError as error:
            # The last line that it said, which names the error where it is a traceback.
            lines = [line.strip() for line in str(error).splitlines() if line.strip()]
            raise QuotelakeError(lines[-1][-_SHOWN:]) from None
        return cost, moved(Path(events)) if tool.spark else None


def show_outcomes(outcomes: Sequence[Outcome], title: str) -> None:
    """Print cost, as a ratio to ours in the same place too, and agreement with the truth; then failures."""
    ours = {each.tool.spark: each.cost.seconds for each in outcomes if each.tool.name == OURS and each.cost}
    rows = []
    for each in outcomes:
        cost, spark = each.cost, each.tool.spark
        spent = ["failed", "", "", "", ""]
        if cost is not None:
            ratio = f"{cost.seconds / ours[spark]:.2f}" if spark in ours else ""
            shuffled = f"{each.moved.shuffled / 1e6:,.1f}" if each.moved else ""
            spent = [f"{cost.seconds:,.1f}", ratio, f"{cost.cpu:,.1f}", f"{cost.peak / 1e6:,.0f}", shuffled]
        shares = (f"{each.figures[name]:.3f}" if name in each.figures else "" for name in _FIGURES.values())
        rows.append((each.tool.label, each.tool.setting, *spent, *shares))
    costs = ("wall s", ": ours", "CPU s", "peak MB", "shuffled MB")
    show(title, ("tool", "setting", *costs, *_FIGURES), rows, names=2)
    for each in outcomes:
        if each.failure:
            print(f"failed: {each.tool.label}, {each.tool.setting}: {each.failure}")
