"""Measure the same night on archives of growing size: the cost should depend on the new records only.

The input, by default the sample corpus, is split. The last N records (N: 30, or 5 % if that is more) are the measured
night, the N before them an earlier night, and the rest is scored as the archive. A larger archive is made of copies of
the scored tables with other ids, texts and vectors (`quotelab.benchmarks.multiply`), so that it need not be scored.
Each night is a run of `spark-submit jobs/score_corpus.py` on a copy of the lake.

CPU and bytes read are of all processes. Bytes are those passed to `read` calls, from disk or cache, and include the
JVM's files and data sent between processes: the difference to 1x is due to the archive. Rows are those that Spark's
scans of tables return; rows that DuckDB reads for the summary and the page are not counted.
"""

import multiprocessing
import shutil
import statistics
import tempfile
from argparse import ArgumentParser
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from quotelab.benchmarks.corpora import Inputs, Lines, hold_back, parse_numbers, read_lines, write_lines
from quotelab.benchmarks.cost import check_machine
from quotelab.benchmarks.runs import (
    EVENT_LOG,
    Figures,
    Job,
    add_arguments,
    copy_lake,
    figure_rows,
    figures_of,
    rows_read,
)
from quotelab.report import progress, show, write_json
from quotelake.errors import InputError
from quotelake.sample import sample_inputs
from quotelake.settings import load_settings


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    add_arguments(parser)
    add = parser.add_argument
    add("--factors", type=parse_numbers, default=(1, 10, 100), help="sizes of the archive (default: 1,10,100)")
    add("--night", type=int, metavar="N", help="records of the night (default: 30, or 5 %% if more)")
    add("--rounds", type=int, default=3, help="nights at each size; the median counts (default: 3)")


def run(options: Any) -> None:
    """Measure the nights, print the table."""
    if options.rounds < 1 or (options.night is not None and options.night < 1):
        raise InputError("--rounds and --night must be 1 at least")
    check_machine()
    lines = read_lines(options.input or sample_inputs(), load_settings(options.config))
    total = sum(map(len, lines.values()))
    count = options.night or max(30, total // 20)
    with tempfile.TemporaryDirectory(prefix="bench_night_", dir=options.work) as folder:
        # A night of 30 records may hold many of the few broken ones: no reason to end the measurement.
        job = Job.of(options, Path(folder), "ingest.reject_share=1")
        measured = nights(job, lines, count, options.factors, options.rounds, Path(folder))
    figures = {factor: medians(rounds) for factor, rounds in measured.items()}
    title = f"A night of {count:,} records on an archive of {total - count:,}, and on larger ones"
    least, *others = figures
    columns = (*(f"{factor}x" for factor in figures), *(f"{factor}x : {least}x" for factor in others))
    show(title, ("stage", "figure", *columns), figure_rows(figures, ratios=True), names=2)
    write_json(options.json, {"night": count, "archive": total - count, "figures": figures})


def nights(
    job: Job, lines: Lines, count: int, factors: Sequence[int], rounds: int, work: Path
) -> dict[int, list[Figures]]:
    """Score an archive, multiply it by each factor, and measure the same night on each, ``rounds`` times."""
    rest, tonight = hold_back(lines, count)
    archive, last_night = hold_back(rest, count)
    base, before, night = work / "lake", write_lines(last_night, work / "before"), write_lines(tonight, work / "night")
    progress(f"scoring {sum(map(len, archive.values())):,} records as the archive")
    job.run(base, write_lines(archive, work / "archive"))
    measured: dict[int, list[Figures]] = {}
    for factor in factors:
        progress(f"{factor}x: writing the archive, and a night before")
        lake = work / f"lake_{factor}"
        shutil.copytree(base, lake)
        if factor > 1:  # in a separate process, so that its JVM ends
            with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
                pool.submit(_multiply, str(lake), factor).result()
        job.run(lake, before)  # the measured night must not pay what only the first one does
        for number in range(rounds):
            progress(f"{factor}x: night {number + 1} of {rounds}")
            measured.setdefault(factor, []).append(one_night(job, lake, work / "copy", night))
        shutil.rmtree(lake)
    return measured


def one_night(job: Job, lake: Path, copy: Path, inputs: Inputs) -> Figures:
    """Measure a night on a copy of a lake, and remove the copy."""
    copy_lake(lake, copy)
    try:
        with tempfile.TemporaryDirectory() as folder:
            cost = job.run(copy, inputs, {**EVENT_LOG, "spark.eventLog.dir": f"file:{folder}"})
            return figures_of(cost, rows_read(Path(folder), copy))
    finally:
        shutil.rmtree(copy)


def medians(rounds: Sequence[Figures]) -> Figures:
    """Median of each figure."""
    return {
        part: {name: statistics.median(figures[part].get(name, 0) for figures in rounds) for name in values}
        for part, values in rounds[0].items()
    }


def _multiply(lake: str, factor: int) -> None:
    from quotelab.benchmarks.multiply import multiply
    from quotelake.spark.session import get_session

    spark = get_session("bench_night", spark__driver__memory="2g")
    spark.sparkContext.setLogLevel("ERROR")
    multiply(spark, lake, factor)
    spark.stop()
