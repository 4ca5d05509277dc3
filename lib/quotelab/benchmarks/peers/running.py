"""Runs a tool on texts, measures it, and compares its groups with the truth. A tool that fails says why."""

import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from quotelab.benchmarks.cost import CommandError, CommandStoppedError, Cost, measure
from quotelab.benchmarks.eventlog import Moved, moved
from quotelab.benchmarks.peers.contract import read_groups, write_texts
from quotelab.benchmarks.peers.tools import Tool
from quotelab.labels.reuse_groups import read_groups as read_truth
from quotelab.protocols import reuse

_LIB: Final = Path(__file__).parents[3]
_SHOWN: Final = 300  # characters of the reason of a failure


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


def run(tool: Tool, texts: Path, groups: Path, python: Path, limit_s: float, options: Sequence[str] = ()) -> Outcome:
    """Run and measure a tool.

    Args:
        tool: what to run.
        texts: file of texts, see :func:`~quotelab.benchmarks.peers.contract.write_texts`.
        groups: file to write.
        python: of the environment that holds the tool.
        limit_s: wall seconds after which it is stopped.
        options: of the adapter, beside those of the tool.
    """
    if not python.exists():
        return Outcome(tool, failure=f"not installed: there is no {python}; `make bench-reuse` installs it")
    with tempfile.TemporaryDirectory(prefix="events_", dir=groups.parent) as events:
        logged = ("--event-log", events) if tool.spark else ()
        adapter = (str(python), "-m", tool.module, str(texts), str(groups), *tool.options, *options, *logged)
        try:
            cost = measure(adapter, env=_environment(), limit_s=limit_s)
        except CommandStoppedError:
            return Outcome(tool, failure=f"stopped after {limit_s:g} s without an answer")
        except CommandError as error:
            return Outcome(tool, failure=_last_line(str(error)))
        return Outcome(tool, cost, moved(Path(events)) if tool.spark else None)


def _environment() -> dict[str, str]:
    """Environment in which adapters find this library, and nothing else of this process's packages."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONHOME", "VIRTUAL_ENV")}
    return kept | {"PYTHONPATH": str(_LIB)}


def _last_line(error: str) -> str:
    """The last line that a tool said, which names the error where it is a traceback."""
    return next((line.strip() for line in reversed(error.splitlines()) if line.strip()), error)[-_SHOWN:]
