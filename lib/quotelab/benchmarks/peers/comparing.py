"""Runs a tool on texts, measures it, and compares its groups with the truth. A tool that fails says why."""

import json
import os
import re
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any, Final

from quotelab.benchmarks.cost import CommandError, CommandStoppedError, Cost, measure
from quotelab.benchmarks.peers.adapters import read_groups, write_texts
from quotelab.benchmarks.runs import Moved, moved
from quotelab.labels.reuse_groups import read_groups as read_truth
from quotelab.protocols import reuse
from quotelab.report import show
from quotelake.errors import InputError

OURS: Final = "quotelake"
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
_PACKAGE: Final = "quotelab.benchmarks.peers"
_LIB: Final = Path(__file__).parents[3]
_SHOWN: Final = 300  # characters of the reason of a failure


@dataclass(frozen=True)
class Tool:
    """A tool in one setting, as ``tools.toml`` has it.

    Attributes:
        name: of the tool.
        setting: which of its settings.
        options: of its adapter.
        why: reason for the options.
        module: that holds the adapter.
        spark: whether it runs on Spark, and so writes a log of events.
    """

    name: str
    setting: str
    options: dict[str, Any] = field(default_factory=dict)
    why: str = ""
    module: str = "adapters"
    spark: bool = False

    @property
    def label(self) -> str:
        """Name and version as shown."""
        if self.name == OURS:
            return self.name
        pinned = resources.files(_PACKAGE).joinpath(f"{self.name}.txt").read_text("utf-8")
        lines = (line.partition("#")[0].strip() for line in pinned.splitlines())
        return f"{self.name} {next(filter(None, lines)).partition('==')[2]}"

    def python(self, environments: Path) -> Path:
        """Python that runs the tool: this process's for ours, that of the tool's environment otherwise."""
        return Path(sys.executable) if self.name == OURS else environments / self.name / "bin" / "python"


def tools(names: str | None = None) -> list[Tool]:
    """Tools of the given names, separated by commas, in all settings; None: all. Ratios need ours among them.

    Raises:
        InputError: a name is not known.
    """
    listed = tomllib.loads(resources.files(_PACKAGE).joinpath("tools.toml").read_text("utf-8"))["tool"]
    known = [Tool(**each) for each in listed]
    wanted = set(names.split(",")) if names else {tool.name for tool in known}
    if unknown := wanted - {tool.name for tool in known}:
        raise InputError(f"no tool {', '.join(sorted(unknown))}: name some of {', '.join({t.name: 0 for t in known})}")
    return [tool for tool in known if tool.name in wanted]


@dataclass(frozen=True)
class Outcome:
    """What a tool did on a file.

    Attributes:
        tool: it.
        cost: of its process and all that it started; None if it failed.
        moved: bytes shuffled and spilled, of a tool on Spark.
        figures: those of the protocol ``reuse``; empty if it failed, or no truth was asked for.
        failure: why there is no cost; empty if it did not fail.
    """

    tool: Tool
    cost: Cost | None = None
    moved: Moved | None = None
    figures: dict[str, float] = field(default_factory=dict)
    failure: str = ""

    def as_row(self) -> dict[str, Any]:
        """The outcome as JSON holds it: seconds, bytes, figures."""
        cost = {"seconds": None, "cpu_seconds": None, "peak_bytes": None} | (
            {"seconds": self.cost.seconds, "cpu_seconds": self.cost.cpu, "peak_bytes": self.cost.peak}
            if self.cost
            else {}
        )
        named = {"tool": self.tool.label, "setting": self.tool.setting, "options": self.tool.options}
        shuffled = asdict(self.moved) if self.moved else {}
        return named | cost | shuffled | {"figures": self.figures, "failure": self.failure or None}


def compare(data: Path, tool: Tool, python: Path, limit_s: float, work: Path | None = None) -> Outcome:
    """Run a tool on the texts of a file, and compare its groups with those that the file states.

    Args:
        data: as the protocol ``reuse`` reads it. The tool is given a copy without groups and kinds.
        tool: what to run.
        python: of the environment that holds it.
        limit_s: wall seconds after which it is stopped, and counts as failed.
        work: folder for temporary files; None: the system's.
    """
    with tempfile.TemporaryDirectory(prefix="bench_reuse_", dir=work) as folder:
        texts, groups = Path(folder) / "texts.jsonl", Path(folder) / "groups"
        number = write_texts(read_truth(data).texts, texts)
        outcome = run(tool, texts, groups, python, limit_s)
        if outcome.failure:
            return outcome
        try:
            found = read_groups(groups, number)
        except (OSError, ValueError) as error:
            return Outcome(tool, failure=str(error))
    figures = reuse.evaluate(data, lambda _: found).figures
    return Outcome(tool, outcome.cost, outcome.moved, figures)


def run(tool: Tool, texts: Path, groups: Path, python: Path, limit_s: float, **options: Any) -> Outcome:
    """Run and measure a tool on a file of texts (:func:`~quotelab.benchmarks.peers.adapters.write_texts`).

    Args:
        tool: what to run.
        texts: the file.
        groups: file to write.
        python: of the environment that holds the tool.
        limit_s: wall seconds after which it is stopped.
        options: of the adapter, beside those of the tool.
    """
    if not python.exists():
        return Outcome(tool, failure=f"not installed: there is no {python}; `make bench-reuse` installs it")
    # The adapter finds this library, and nothing else of this process's packages.
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONHOME", "VIRTUAL_ENV")}
    with tempfile.TemporaryDirectory(prefix="events_", dir=groups.parent) as events:
        given = json.dumps(tool.options | options)
        command = (str(python), "-m", f"{_PACKAGE}.{tool.module}", tool.name, str(texts), str(groups), given, events)
        try:
            cost = measure(command, env=kept | {"PYTHONPATH": str(_LIB)}, limit_s=limit_s)
        except CommandStoppedError:
            return Outcome(tool, failure=f"stopped after {limit_s:g} s without an answer")
        except CommandError as error:
            # The last line that it said, which names the error where it is a traceback.
            said = [line.strip() for line in str(error).splitlines() if line.strip()]
            return Outcome(tool, failure=said[-1][-_SHOWN:])
        return Outcome(tool, cost, moved(Path(events)) if tool.spark else None)


def show_outcomes(outcomes: Sequence[Outcome], title: str) -> None:
    """Print cost and agreement with the truth, a row a tool and setting; then recall by number; then failures.

    The ratio is that of the wall time to ours on Spark for tools on Spark, to ours in one process for the others.
    """
    kinds = sorted({name for outcome in outcomes for name in outcome.figures if _KIND.fullmatch(name)})
    shown = [name for name in kinds if name.removeprefix("linked_") not in _ALONE]
    costs = ("wall s", ": ours", "CPU s", "peak MB", "shuffled MB")
    columns = ("tool", "setting", *costs, *_FIGURES, *(name.removeprefix("linked_") for name in shown))
    rows = [
        (each.tool.label, each.tool.setting, *_costs(each, outcomes),
         *(_share(each.figures.get(name)) for name in (*_FIGURES.values(), *shown)))
        for each in outcomes
    ]  # fmt: skip
    show(title, columns, rows, names=2)
    found = (_BY_NUMBER.fullmatch(name) for outcome in outcomes for name in outcome.figures)
    for kind in sorted({match["kind"] for match in found if match}):
        columns = ("items", *(f"{each.tool.label}, {each.tool.setting}" for each in outcomes))
        show(f"Recall of {kind}, by its number", (kind, *columns), by_number(outcomes, kind), names=0)
    for each in outcomes:
        if each.failure:
            print(f"failed: {each.tool.label}, {each.tool.setting}: {each.failure}")


def _costs(outcome: Outcome, outcomes: Sequence[Outcome]) -> Iterator[str]:
    cost, tool = outcome.cost, outcome.tool
    if cost is None:
        yield from ("failed", "", "", "", "")
        return
    ours = next((each.cost for each in outcomes if each.tool.name == OURS and each.tool.spark == tool.spark), None)
    yield f"{cost.seconds:,.1f}"
    yield f"{cost.seconds / ours.seconds:.2f}" if ours else ""
    yield f"{cost.cpu:,.1f}"
    yield f"{cost.peak / 1e6:,.0f}"
    yield f"{outcome.moved.shuffled / 1e6:,.1f}" if outcome.moved else ""


def by_number(outcomes: Sequence[Outcome], kind: str) -> Iterator[tuple[str, ...]]:
    """Recall by the number of a kind, such as ``copy_150``: the number, its items, and recall of each outcome."""
    found = (_BY_NUMBER.fullmatch(name) for outcome in outcomes for name in outcome.figures)
    names = {match.group(): int(match["number"]) for match in found if match and match["kind"] == kind}
    for name, number in sorted(names.items(), key=lambda row: row[1]):
        items = max(outcome.figures.get(f"{name}_items", 0) for outcome in outcomes)
        cells = ["failed" if each.failure else _share(each.figures.get(name)) for each in outcomes]
        yield f"{number:,}", f"{items:,.0f}", *cells


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
