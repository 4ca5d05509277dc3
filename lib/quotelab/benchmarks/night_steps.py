"""What a night's steps cost: jobs of Spark by the line of the product that starts them, CPU by phase, commits.

`quotelab bench night --steps` runs this file by `spark-submit` in place of the main job: it runs that, with each job
described by its step, and notes the CPU seconds of all processes at the begin of each phase that the run reports.
"""

import functools
import json
import os
import sys
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any, Final

from pyspark import SparkContext
from pyspark.sql import DataFrame, DataFrameWriter
from pyspark.sql.classic import dataframe  # noqa: F401 - the frames whose actions are named

from quotelab.benchmarks.cost import cpu_below
from quotelab.benchmarks.event_log import jobs
from quotelab.report import show
from quotelake.cli import start
from quotelake.lake.runs import Run

#: Variable with the file of the phases.
PHASES: Final = "QUOTELAB_NIGHT_PHASES"
#: What starts a job.
_ACTIONS: Final = ("collect", "count", "isEmpty", "head", "first", "toArrow", "localCheckpoint")
_PRODUCT: Final = f"{os.sep}quotelake{os.sep}"
#: Files by which no step is named: they only pass on what it wants.
_BETWEEN: Final = (
    "lake/reading.py", "lake/writing.py", "lake/tables.py", "lake/frames.py", "spark/session.py", "spark/arrow.py",
    "spark/kept.py", "nightly/night.py",
)  # fmt: skip


def step_of(frame: FrameType | None) -> str:
    """File, line and function of the innermost step of the product on a stack; empty if there is none."""
    while frame is not None:
        _, found, place = frame.f_code.co_filename.rpartition(_PRODUCT)
        if found and place not in _BETWEEN:
            return f"{place}:{frame.f_lineno} {frame.f_code.co_qualname}"
        frame = frame.f_back
    return ""


def show_steps(events: Path, phases: Path, commits: int) -> None:
    """Print the jobs of each step and the CPU seconds of each phase, of a night whose log and phases are in files."""
    rows = [(name, f"{end - begin:.1f}") for (name, begin), (_, end) in pairwise(json.loads(phases.read_text("utf-8")))]
    show(f"CPU seconds by phase; {commits} commits", ("from", "CPU s"), rows)
    steps = Counter(jobs(events))
    show(f"Jobs by step; {steps.total()} in all", ("step", "jobs"), [(name, str(n)) for name, n in steps.most_common()])


def _named(action: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(action)
    def run(*arguments: Any, **named: Any) -> Any:
        context = SparkContext._active_spark_context
        if context is not None and (step := step_of(sys._getframe(1))):
            context.setJobDescription(step)
        return action(*arguments, **named)

    return run


def main() -> None:
    """Run the main job."""
    for owner in (DataFrame, *DataFrame.__subclasses__()):
        for name in vars(owner).keys() & {*_ACTIONS}:
            setattr(owner, name, _named(vars(owner)[name]))
    DataFrameWriter.save = _named(DataFrameWriter.save)  # type: ignore[method-assign]
    phases, root, set_progress = [("start", 0.0)], os.getppid(), Run.set_progress

    def noted(run: Run, name: str, *arguments: Any, **named: Any) -> None:
        phases.append((name, cpu_below(root)))
        set_progress(run, name, *arguments, **named)

    Run.set_progress = noted  # type: ignore[assignment, method-assign]
    try:
        start("score")
    finally:
        phases.append(("end", cpu_below(root)))
        Path(os.environ[PHASES]).write_text(json.dumps(phases), "utf-8")


if __name__ == "__main__":
    main()
