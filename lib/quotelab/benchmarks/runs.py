"""Runs of the main job by ``spark-submit``: what they cost, stage by stage, and what Spark's log of events says."""

import json
import os
import re
import shutil
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from quotelab.benchmarks.corpora import Inputs, parse_input
from quotelab.benchmarks.cost import Cost, measure

#: Names for the time of a run before its first stage and after its last one.
BEFORE, AFTER = "start", "summary, page"
#: Settings with which Spark writes a log that :func:`tasks` reads: uncompressed, in one file.
EVENT_LOG: Final = {
    "spark.eventLog.enabled": "true",
    "spark.eventLog.compress": "false",
    "spark.eventLog.rolling.enabled": "false",
}
#: Line of the job at the end of a stage: its name and seconds.
_STAGE: Final = re.compile(r"^(\w+) +(\d+\.\d) s  ")
#: Path of a scan: the folder of a table's log or data files.
_PLACE: Final = re.compile(r"\[(?:file:)?([^,\]]+)")
_TASK_END: Final = '{"Event":"SparkListenerTaskEnd"'


def add_arguments(parser: ArgumentParser) -> None:
    """Arguments of the benchmarks that run the main job."""
    add = parser.add_argument
    add("--input", type=parse_input, action="append", metavar="NAME=GLOB", help="JSON Lines of a source")
    add("--config", type=Path, metavar="FILE", help="TOML over conf/base.toml")
    add("--work", type=Path, metavar="DIR", help="folder for temporary lakes")
    add("--json", type=Path, metavar="FILE", help="write the figures there too")


@dataclass(frozen=True)
class Job:
    """The main job, with the arguments of each run."""

    arguments: tuple[str, ...] = ()

    @classmethod
    def of(cls, options: Any, work: Path, *settings: str) -> "Job":
        """The job as the options want it, with settings; one author key for all lakes in a folder of work."""
        config = ("--config", str(options.config)) if options.config else ()
        given = (f"ingest.author_key_file={work}/author.key", *settings)
        return cls((*config, *(part for each in given for part in ("--set", each))))

    def run(self, lake: Path, inputs: Inputs, conf: Mapping[str, str] | None = None) -> Cost:
        """Run the job with ``spark-submit`` on sources and globs, with Spark settings, and measure it."""
        spark = [part for name, value in (conf or {}).items() for part in ("--conf", f"{name}={value}")]
        given = [part for source, path in inputs for part in ("--input", f"{source}={path}")]
        job = str(job_file("score_corpus.py"))
        return measure(["spark-submit", *spark, job, "--lake", str(lake), *given, *self.arguments], env=environment())


def job_file(name: str) -> Path:
    """A file of ``jobs/`` in the checkout."""
    return Path(__file__).parents[3] / "jobs" / name


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


@dataclass(frozen=True)
class RowsRead:
    """Rows of a table of the lake that a scan returned in one task, which ended at so many seconds since 1970.

    ``table`` is empty for other scans, such as of a table's log or of data in memory.
    """

    at: float
    table: str
    rows: int


def rows_read(folder: Path, lake: Path) -> list[RowsRead]:
    """Rows that scans of files returned, task by task, from the only log in a folder.

    Rows that never reach Spark are not counted: those that DuckDB read, and those skipped by a file's statistics.
    """
    scans: dict[int, str] = {}
    found = []
    for line in _log(folder):
        # Only events of plans and tasks are needed; many others are long.
        if '"sparkPlanInfo"' in line:
            scans |= dict(_scans(json.loads(line)["sparkPlanInfo"], str(lake.resolve())))
        elif line.startswith(_TASK_END):
            info = json.loads(line)["Task Info"]
            for update in info["Accumulables"]:
                if update["ID"] in scans and "Update" in update:
                    found.append(RowsRead(info["Finish Time"] / 1000, scans[update["ID"]], int(update["Update"])))
    return found


@dataclass(frozen=True)
class Moved:
    """Bytes that all tasks of an application moved, failed ones included.

    Attributes:
        shuffled: written for other tasks to read, as serialised and compressed.
        spilled: written to disk because memory did not hold them.
    """

    shuffled: int
    spilled: int


def moved(folder: Path) -> Moved:
    """Bytes shuffled and spilled, from the only log in a folder."""
    shuffled = spilled = 0
    for line in _log(folder):
        if line.startswith(_TASK_END) and (metrics := json.loads(line).get("Task Metrics")):
            shuffled += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
            spilled += metrics["Disk Bytes Spilled"]
    return Moved(shuffled, spilled)


def _log(folder: Path) -> Iterator[str]:
    [path] = [entry for entry in folder.iterdir() if entry.is_file()]
    with path.open(encoding="utf-8") as lines:
        yield from lines


def _scans(plan: Mapping[str, Any], lake: str) -> Iterator[tuple[int, str]]:
    """Yield the accumulator of the rows of each scan of files below a node, with its table."""
    place = _PLACE.search(plan["metadata"].get("Location", ""))
    if plan["nodeName"].startswith("Scan") and place:
        inside = place[1].removeprefix("//").partition(f"{lake}/")[2].split("/")
        table = inside[0] if "_delta_log" not in inside else ""
        rows = (metric for metric in plan["metrics"] if metric["name"] == "number of output rows")
        yield from ((metric["accumulatorId"], table) for metric in rows)
    for child in plan["children"]:
        yield from _scans(child, lake)


#: Figures by the name of a part of a run, and the name of the figure.
Figures = dict[str, dict[str, float]]


def figures_of(cost: Cost, rows: Sequence[RowsRead] = ()) -> Figures:
    """Cost of a run by stage and in total, with the rows read, by table too."""
    figures: Figures = {}
    for name, begin, end in (*stages(cost), ("all", cost.samples[0].at, cost.samples[-1].at)):
        spent = cost.between(begin, end)
        read = sum(row.rows for row in rows if name == "all" or begin <= row.at < end)
        figures[name] = {"seconds": end - begin, "CPU seconds": spent.cpu, "MB read": spent.read / 1e6, "rows": read}
    figures["all"]["peak memory, GiB"] = cost.peak / 2**30
    tables = sorted({row.table for row in rows if row.table})
    if tables:
        figures["rows by table"] = {name: sum(row.rows for row in rows if row.table == name) for name in tables}
    return figures


def figure_rows(figures: Mapping[Any, Figures], *, ratios: bool = False) -> Iterator[tuple[str, ...] | None]:
    """Rows of a table: part, figure, its value in each column, and its ratios to that of the first column."""
    for part, values in next(iter(figures.values())).items():
        for number, name in enumerate(values):
            found = [each.get(part, {}).get(name, 0.0) for each in figures.values()]
            shown = [f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}" for value in found]
            against = [f"{value / found[0]:.2f}" if found[0] else "" for value in found[1:]] if ratios else []
            yield ("" if number else part, name, *shown, *against)
        yield None
