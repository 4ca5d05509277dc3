"""Measure a lake that lives through many small nights: files, bytes and cost of a night must stay bounded.

A generated corpus is cut into nights of a few records each, in the order of publication; `quotelake maintain` runs
after every seventh. The last seven nights are compared with those around the tenth, by medians of a week. Each of these
is a run of `spark-submit jobs/score_corpus.py`, followed by a question; the others share one Spark session, which
leaves the same files in half of the time. Between two nights each file becomes a day older, so that logs lose what is
90 days old; data files that upkeep replaced stay, as the log itself states when that was. With `--work DIR` the
measurement goes on from the last night there.
"""

import io
import json
import multiprocessing
import os
import runpy
import sys
import tempfile
from argparse import ArgumentParser
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from statistics import median
from typing import Any, Final
from unittest.mock import patch

from quotelab.benchmarks.corpora import Inputs, read_lines, write_lines
from quotelab.benchmarks.cost import CommandError
from quotelab.benchmarks.load import JOBS, add_arguments, figures_of, job, score, score_arguments
from quotelab.report import positive, progress, show, write_json
from quotelab.synthetic.generate import generate
from quotelab.synthetic.groups import Plan
from quotelake.errors import InputError
from quotelake.settings import load_settings
from quotelake.spark import session

_WEEK: Final = 7
_TENTH: Final = 10
_SOURCE: Final = "synthetic"
_QUESTION: Final = "SELECT outcome, count(*) AS n FROM headline_quotes GROUP BY outcome"
#: Files of a lake → patterns below it.
_KINDS: Final = {
    "data files": "*/*.parquet",
    "log files": "*/_delta_log/**/*",
    "stream files": "_checkpoints/**/*",
    "files": "**/*",
}

#: For Java that lives through hundreds of nights: its second compiler too, and a heap for what Delta remembers.
_LONG: Final = {
    "SPARK_SUBMIT_OPTS": "-XX:TieredStopAtLevel=4 -Ddelta.log.cacheSize=30",
    "PYSPARK_SUBMIT_ARGS": "--driver-memory 3g pyspark-shell",
}


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    add_arguments(parser)
    parser.add_argument("--nights", type=positive, default=365, metavar="N", help="nights (default: 365)")
    parser.add_argument("--records", type=positive, default=30, metavar="N", help="records of a night (default: 30)")


def run(options: Any) -> None:
    """Run the nights that are not there yet, print the table."""
    with (
        tempfile.TemporaryDirectory(prefix="bench_year_") as folder,
        ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _live_long) as shared,
    ):
        work = options.work or Path(folder)
        nights = _records(work / "corpus", options.records)[: options.nights]
        compared = {*range(_TENTH - 4, _TENTH + 3), *range(len(nights) - _WEEK, len(nights))}
        kept = work / "nights.jsonl"
        done = [json.loads(line) for line in kept.read_text().splitlines()] if kept.exists() else []
        for number in range(len(done), len(nights)):
            inputs = write_lines({_SOURCE: nights[number]}, work / "in" / f"{number + 1:03}")
            if number in compared:
                done.append(_measured(options, work / "lake", number, inputs))
            else:
                shared.submit(_unmeasured, options, work / "lake", number, inputs).result()
                done.append(_left(work / "lake"))
            _age(work / "lake")
            progress(f"night {number + 1} of {len(nights)}: {done[-1]['files']:,} files")
            with kept.open("a") as file:
                file.write(json.dumps(done[-1]) + "\n")
    if len(done) < 2 * _TENTH:
        raise InputError(f"--nights {len(done)}: the last nights are beside the tenth from {2 * _TENTH} on")
    first, last = done[_TENTH - 4 : _TENTH + 3], done[-_WEEK:]
    rows = []
    for name in {name: None for night in last for name in night}:
        tenth, now = (median(night[name] for night in week if name in night) for week in (first, last))
        rows.append((name, f"{tenth:,.1f}", f"{now:,.1f}", f"{now / tenth:.2f}" if tenth else ""))
    title = f"Nights of {options.records} records: those around the tenth, and the last seven of {len(done)}"
    show(title, ("figure", "tenth", "last", "last : tenth"), rows)
    write_json(options.json, done)


def _records(corpus: Path, count: int) -> list[list[bytes]]:
    """Records of each of the 365 nights."""
    if not corpus.exists():
        generate(Plan(), 365 * count, corpus, 365 * count, lambda done: None)
    lines = read_lines([(_SOURCE, f"{corpus}/news-*.jsonl.gz")], load_settings())[_SOURCE]
    lines.sort(key=lambda line: json.loads(line)["published"])
    return [lines[at : at + count] for at in range(0, len(lines), count)]


def _measured(options: Any, lake: Path, number: int, inputs: Inputs) -> dict[str, float]:
    """Figures of a night, and of what it leaves, before any upkeep."""
    cost = figures_of(score(options, lake, inputs))
    figures = cost | {"question CPU s": job("query.py", lake, _QUESTION).cpu} | _left(lake)
    if _ends_week(number):
        figures["maintain CPU s"] = job("maintain.py", lake).cpu
    return figures


def _left(lake: Path) -> dict[str, float]:
    """Files and bytes of a lake."""
    left = {kind: [path for path in lake.glob(pattern) if path.is_file()] for kind, pattern in _KINDS.items()}
    sizes = {f"MB of {kind}": sum(path.stat().st_size for path in paths) / 1e6 for kind, paths in left.items()}
    return {kind: float(len(paths)) for kind, paths in left.items()} | sizes


def _age(lake: Path) -> None:
    """Make each file of a lake a day older."""
    for path in lake.rglob("*"):
        if path.is_file():
            then = path.stat().st_mtime - 86_400
            os.utime(path, (then, then))


def _live_long() -> None:
    os.environ.update(_LONG)


def _unmeasured(options: Any, lake: Path, number: int, inputs: Inputs) -> None:
    """A night in a process whose Spark session goes on after it."""
    _run_here("score_corpus.py", *score_arguments(options, lake, inputs))
    if _ends_week(number):
        _run_here("maintain.py", "--lake", str(lake))


def _ends_week(number: int) -> bool:
    return (number + 1) % _WEEK == 0


def _run_here(name: str, *arguments: str) -> None:
    output = io.StringIO()
    try:
        with (
            patch.object(session, "end_session", lambda **_: None),
            patch.object(sys, "argv", [name, *arguments]),
            redirect_stdout(output),
            redirect_stderr(output),
        ):
            runpy.run_path(str(JOBS / name), run_name="__main__")
    except SystemExit as stop:
        raise CommandError(f"exit status {stop.code} of {name}\n{output.getvalue()}") from None
