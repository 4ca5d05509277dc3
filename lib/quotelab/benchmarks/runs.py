"""Runs of the main job by ``spark-submit``: their arguments, what they cost, and the bytes that Spark's log says."""

import json
import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, Final, NamedTuple

from quotelab.benchmarks.corpora import Inputs
from quotelab.benchmarks.cost import Cost, measure
from quotelake.sample import sample_inputs

_JOBS: Final = Path(__file__).parents[3] / "jobs"
#: Settings with which Spark writes a log that :func:`moved` reads: uncompressed, in one file.
EVENT_LOG: Final = {
    "spark.eventLog.enabled": "true",
    "spark.eventLog.compress": "false",
    "spark.eventLog.rolling.enabled": "false",
}
#: Names of the figures of a run.
FIGURES: Final = ("CPU s", "wall s", "MB read", "peak GiB")


def add_arguments(parser: ArgumentParser) -> None:
    """Arguments of the benchmarks that run the main job."""
    add = parser.add_argument
    add("--input", action="append", metavar="NAME=GLOB", help="JSON Lines of a source")
    add("--config", type=Path, metavar="FILE", help="TOML over conf/base.toml")
    add("--work", type=Path, metavar="DIR", help="folder for temporary lakes")
    add("--json", type=Path, metavar="FILE", help="write the figures there too")


def inputs_of(options: Any) -> Inputs:
    """Sources and globs of ``--input``, or those of the sample corpus."""
    given = [text.partition("=") for text in options.input or ()]
    return [(name, pattern) for name, _, pattern in given] or sample_inputs()


def score(options: Any, lake: Path, inputs: Inputs, *settings: str) -> Cost:
    """Run the main job on sources and globs, and measure it; lakes in one folder have one author key."""
    config = ("--config", str(options.config)) if options.config else ()
    given = [part for source, path in inputs for part in ("--input", f"{source}={path}")]
    for each in (f"ingest.author_key_file={lake.parent}/author.key", *settings):
        given += ["--set", each]
    command = ("spark-submit", str(_JOBS / "score_corpus.py"), "--lake", str(lake))
    return measure([*command, *given, *config], env=environment())


def job(name: str, lake: Path, *arguments: str, stdin: str = "") -> Cost:
    """Run a file of ``jobs/`` in the checkout on a lake, by Python, and measure it."""
    command = [sys.executable, str(_JOBS / name), "--lake", str(lake), *arguments]
    return measure(command, stdin=stdin, env=environment())


def environment() -> dict[str, str]:
    """Environment in which ``python`` and ``spark-submit`` are those of this process."""
    folder = str(Path(sys.executable).parent)
    return {**os.environ, "PATH": os.pathsep.join([folder, os.environ.get("PATH", os.defpath)])}


def figures_of(cost: Cost) -> dict[str, float]:
    """Figures of a run, by their names."""
    return dict(zip(FIGURES, (cost.cpu, cost.seconds, cost.read / 1e6, cost.peak / 2**30), strict=True))


class Moved(NamedTuple):
    """Bytes that all tasks of an application wrote for others to read, compressed, and to disk for lack of memory."""

    shuffled: int
    spilled: int


def moved(folder: Path) -> Moved:
    """Bytes shuffled and spilled, from the only log in a folder."""
    [path] = [entry for entry in folder.iterdir() if entry.is_file()]
    shuffled = spilled = 0
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.startswith('{"Event":"SparkListenerTaskEnd"') and (metrics := json.loads(line).get("Task Metrics")):
                shuffled += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
                spilled += metrics["Disk Bytes Spilled"]
    return Moved(shuffled, spilled)
