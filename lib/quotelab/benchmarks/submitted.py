"""Runs the main job by ``spark-submit``, measures it, and splits its cost by stage. No Spark in this process."""

import os
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

from quotelab.benchmarks.cost import Cost, measure

__all__ = ["AFTER", "BEFORE", "Job", "copy_lake", "environment", "stages"]

#: Names for the time of a run before its first stage and after its last one.
BEFORE, AFTER = "start", "summary, page"
#: Line of the job at the end of a stage: its name and seconds.
_STAGE: Final = re.compile(r"^(\w+) +(\d+\.\d) s  ")


@dataclass(frozen=True)
class Job:
    """Starts ``score_corpus.py``.

    Args:
        path: of the job.
        arguments: of each run.
    """

    path: Path
    arguments: tuple[str, ...] = ()

    def run(self, lake: Path, inputs: Sequence[tuple[str, str]], conf: Mapping[str, str] | None = None) -> Cost:
        """Run the job with ``spark-submit`` and measure it.

        Args:
            lake: directory of the lake.
            inputs: sources and globs.
            conf: Spark settings.
        """
        spark = [part for name, value in (conf or {}).items() for part in ("--conf", f"{name}={value}")]
        given = [part for source, path in inputs for part in ("--input", f"{source}={path}")]
        command = ["spark-submit", *spark, str(self.path), "--lake", str(lake), *given, *self.arguments]
        return measure(command, env=environment())


def environment() -> dict[str, str]:
    """Environment in which ``python`` and ``spark-submit`` are those of this process."""
    folder = str(Path(sys.executable).parent)
    return {**os.environ, "PATH": os.pathsep.join([folder, os.environ.get("PATH", os.defpath)])}


def stages(cost: Cost) -> list[tuple[str, float, float]]:
    """Name, begin and end of the parts of a run, without gaps; times in seconds since 1970.

    >>> from quotelab.benchmarks.cost import Sample
    >>> lines = ((6.0, "documents       2.0 s  1 files"), (9.0, "scores          3.0 s  "), (9.5, "Records"))
    >>> stages(Cost((Sample(0, 0, 0), Sample(10, 1, 1)), 0, lines))
    [('start', 0, 4.0), ('documents', 4.0, 6.0), ('scores', 6.0, 9.0), ('summary, page', 9.0, 10)]
    """
    begins = [(BEFORE, cost.samples[0].at)]
    for at, line in cost.lines:
        if stage := _STAGE.match(line):
            # The job prints a line at the end of a stage; its begin follows from its seconds.
            begins = [each for each in begins if each[0] != AFTER]
            begins += [(stage[1], max(begins[-1][1], at - float(stage[2]))), (AFTER, at)]
    end = cost.samples[-1].at
    return [(name, begin, later) for (name, begin), (_, later) in pairwise([*begins, ("", end)])]


def copy_lake(lake: Path, copy: Path) -> None:
    """Copy a lake; data files, which never change, are hard-linked where possible."""

    def take(source: str, target: str) -> None:
        if source.endswith(".parquet") and "_delta_log" not in source:
            try:
                os.link(source, target)
                return
            except OSError:  # another file system
                pass
        shutil.copy2(source, target)

    shutil.copytree(lake, copy, copy_function=take)
