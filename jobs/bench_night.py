"""Measure the same night on archives of growing size: the cost should depend on the new records only.

    .venv/bin/python jobs/bench_night.py [--input NAME=GLOB …] [--factors 1,10,100] [--night N] [--rounds N]
        [--json FILE]

The input, by default the sample corpus, is split. The last N records (N: 30, or 5 % if that is more) are the measured
night, the N before them an earlier night, and the rest is scored as the archive. A larger archive is made of copies of
the scored tables with other ids, texts and vectors (`quotelab.benchmarks.multiply`), so that it need not be scored.
Each night is a run of `spark-submit jobs/score_corpus.py` on a copy of the lake.

CPU and bytes read are of all processes. Bytes are those passed to `read` calls, from disk or cache, and include the
JVM's files and data sent between processes: the difference to 1x is due to the archive. Rows are those that Spark's
scans of tables return; rows that DuckDB reads for the summary and the page are not counted.
"""

import argparse
import json
import multiprocessing
import shutil
import statistics
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from quotelab.benchmarks.corpora import Inputs, Lines, hold_back, parse_input, parse_numbers, read_lines, write_lines
from quotelab.benchmarks.cost import Cost, check_machine
from quotelab.benchmarks.eventlog import CONF, RowsRead, rows_read
from quotelab.benchmarks.submitted import Job, copy_lake, stages
from quotelake.errors import InputError, exit_with
from quotelake.files.outputs import write_whole
from quotelake.sample import sample_inputs
from quotelake.settings import load_settings

ALL, BY_TABLE = "all", "rows by table"

#: From the name of a part of a run and the name of a figure to its value.
Figures = dict[str, dict[str, float]]


def main() -> int:
    """Print the table; return the exit code."""
    options = _options()
    check_machine()
    lines = read_lines(options.input or sample_inputs(), load_settings(options.config))
    total = sum(map(len, lines.values()))
    count = options.night or max(30, total // 20)
    with tempfile.TemporaryDirectory(prefix="bench_night_", dir=options.work) as folder:
        config = ("--config", str(options.config)) if options.config else ()
        key = ("--set", f"ingest.author_key_file={folder}/author.key")  # one key in all copies of the lake
        # A night of 30 records may hold many of the few broken ones: no reason to end the measurement.
        rejects = ("--set", "ingest.reject_share=1")
        job = Job(Path(__file__).with_name("score_corpus.py"), (*config, *key, *rejects))
        measured = nights(job, lines, count, options.factors, options.rounds, Path(folder))
    figures = {factor: medians(rounds) for factor, rounds in measured.items()}
    Console().print(
        table(figures, f"A night of {count:,} records on an archive of {total - count:,}, and on larger ones")
    )
    if options.json:
        found = {"night": count, "archive": total - count, "figures": figures}
        write_whole(options.json, json.dumps(found, indent=1) + "\n")
    return 0


def nights(
    job: Job, lines: Lines, count: int, factors: Sequence[int], rounds: int, work: Path
) -> dict[int, list[Figures]]:
    """Score an archive, multiply it by each factor, and measure the same night on each, ``rounds`` times."""
    told = Console(stderr=True)
    rest, tonight = hold_back(lines, count)
    archive, last_night = hold_back(rest, count)
    base, before, night = work / "lake", write_lines(last_night, work / "before"), write_lines(tonight, work / "night")
    told.print(f"scoring {sum(map(len, archive.values())):,} records as the archive")
    job.run(base, write_lines(archive, work / "archive"))
    measured: dict[int, list[Figures]] = {}
    for factor in factors:
        told.print(f"{factor}x: writing the archive, and a night before")
        lake = work / f"lake_{factor}"
        shutil.copytree(base, lake)
        if factor > 1:
            multiply_apart(lake, factor)
        job.run(lake, before)  # the measured night must not pay what only the first one does
        for number in range(rounds):
            told.print(f"{factor}x: night {number + 1} of {rounds}")
            measured.setdefault(factor, []).append(one_night(job, lake, work / "copy", night))
        shutil.rmtree(lake)
    return measured


def multiply_apart(lake: Path, factor: int) -> None:
    """Multiply a lake in a separate process, so that its JVM ends."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        pool.submit(_multiply, str(lake), factor).result()


def _multiply(lake: str, factor: int) -> None:
    from quotelab.benchmarks.multiply import multiply
    from quotelake.spark.session import get_session

    spark = get_session("bench_night", spark__driver__memory="2g")
    spark.sparkContext.setLogLevel("ERROR")
    multiply(spark, lake, factor)
    spark.stop()


def one_night(job: Job, lake: Path, copy: Path, inputs: Inputs) -> Figures:
    """Measure a night on a copy of a lake, and remove the copy."""
    copy_lake(lake, copy)
    try:
        with tempfile.TemporaryDirectory() as folder:
            cost = job.run(copy, inputs, {**CONF, "spark.eventLog.dir": f"file:{folder}"})
            return figures_of(cost, rows_read(Path(folder), copy))
    finally:
        shutil.rmtree(copy)


def figures_of(cost: Cost, rows: Sequence[RowsRead]) -> Figures:
    """Cost of a run by stage and in total; rows also by table."""
    figures: Figures = {}
    for name, begin, end in stages(cost):
        spent = cost.between(begin, end)
        read = sum(row.rows for row in rows if begin <= row.at < end)
        figures[name] = {"seconds": end - begin, "CPU seconds": spent.cpu, "MB read": spent.read / 1e6, "rows": read}
    read = sum(row.rows for row in rows)
    figures[ALL] = {"seconds": cost.seconds, "CPU seconds": cost.cpu, "MB read": cost.read / 1e6, "rows": read}
    tables = sorted({row.table for row in rows if row.table})
    figures[BY_TABLE] = {name: sum(row.rows for row in rows if row.table == name) for name in tables}
    return figures


def medians(rounds: Sequence[Figures]) -> Figures:
    """Median of each figure."""
    return {
        part: {name: statistics.median(figures[part].get(name, 0) for figures in rounds) for name in values}
        for part, values in rounds[0].items()
    }


def table(figures: Mapping[int, Figures], title: str) -> Table:
    """Table of a night by stage, and of rows by table, at each factor, with ratios to the smallest."""
    least, *others = figures
    made = Table("stage", "figure", *(f"{factor}x" for factor in figures), title=title)
    for factor in others:
        made.add_column(f"{factor}x : {least}x")
    for column in made.columns[2:]:
        column.justify = "right"
    for part, values in figures[least].items():
        for number, name in enumerate(values):
            found = [figures[factor][part].get(name, 0.0) for factor in figures]
            shown = [
                f"{value:,.1f}" if name in ("seconds", "CPU seconds", "MB read") else f"{value:,.0f}" for value in found
            ]
            ratios = [f"{value / found[0]:.2f}" if found[0] else "" for value in found[1:]]
            made.add_row("" if number else part, name, *shown, *ratios, end_section=number == len(values) - 1)
    return made


def _options() -> Any:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--input", type=parse_input, action="append", metavar="NAME=GLOB", help="JSON Lines of a source"
    )
    parser.add_argument(
        "--factors", type=parse_numbers, default=(1, 10, 100), help="sizes of the archive (default: 1,10,100)"
    )
    parser.add_argument("--night", type=int, metavar="N", help="records of the night (default: 30, or 5 %% if more)")
    parser.add_argument("--rounds", type=int, default=3, help="nights at each size; the median counts (default: 3)")
    parser.add_argument("--config", type=Path, metavar="FILE", help="TOML over conf/base.toml")
    parser.add_argument("--work", type=Path, metavar="DIR", help="folder for temporary lakes")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    options = parser.parse_args()
    if options.rounds < 1 or (options.night is not None and options.night < 1):
        raise InputError("--rounds and --night must be 1 at least")
    return options


if __name__ == "__main__":
    exit_with(main)
