"""Measure topic variation at scale, on groups and vectors that are made for it.

`ranking` writes a lake of scored groups and ranks all of them by `rank_topics.py --out`, as CSV and as Parquet.
`contexts` scores vectors by the step of the chain that scores groups, in Spark on this machine, over all time, a month
and a kind of source; each size in a process of its own, and the cost of a thousand contexts, which is starting Spark,
is subtracted. CPU and memory are of all processes, memory as proportional set size.
"""

import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from quotelab.benchmarks.corpora import parse_numbers
from quotelab.benchmarks.cost import Cost, check_machine, measure
from quotelab.benchmarks.runs import EVENT_LOG, environment, job_file, moved
from quotelab.report import show
from quotelake.errors import InputError

_MIB = 2**20
_SIZES = (1_000_000, 10_000_000)


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add("what", choices=("ranking", "contexts", "score"), help="score: one size, in this process")
    add("--groups", type=int, default=1_000_000, metavar="N", help="groups (default: 1000000)")
    add("--contexts", type=parse_numbers, default=_SIZES, metavar="N,N", help="sizes (1000000,10000000)")
    add("--dimension", type=int, default=64, metavar="D", help="numbers of a vector (default: 64)")
    add("--work", type=Path, metavar="DIR", help="folder for temporary files")


def run(options: Any) -> None:
    """Measure, print."""
    if options.groups < 1 or options.dimension < 1:
        raise InputError("--groups and --dimension must be 1 at least")
    if options.what == "score":
        from quotelab.benchmarks.made_topics import score_made_contexts

        score_made_contexts(options.contexts[0], options.dimension)
        return
    check_machine()
    with tempfile.TemporaryDirectory(prefix="bench_topics_", dir=options.work) as folder:
        if options.what == "ranking":
            show_ranking(Path(folder), options.groups)
        else:
            show_contexts(Path(folder), options)


def show_ranking(folder: Path, groups: int) -> None:
    """Print the cost of ranking so many groups."""
    from quotelab.benchmarks.made_topics import write_scored_lake
    from quotelake.spark.session import end_session, get_session

    lake, rows = folder / "lake", []
    spark = get_session("bench_topics")
    write_scored_lake(spark, str(lake), groups)
    end_session(spark)
    for ending in ("csv", "parquet"):
        ranked = ("--min-contexts", "3", "--top", "3", "--out", str(folder / f"ranking.{ending}"))
        job = str(job_file("rank_topics.py"))
        cost = measure([sys.executable, job, "--lake", str(lake), *ranked], env=environment())
        rows.append((ending, f"{cost.seconds:,.1f}", f"{cost.cpu:,.1f}", f"{cost.peak / _MIB:,.0f}"))
    show(f"Ranking of {groups:,} groups", ("file", "seconds", "CPU seconds", "peak memory, MiB"), rows)


def show_contexts(folder: Path, options: Any) -> None:
    """Print the cost of scoring each number of contexts."""
    start, _ = _scored(folder / "start", 1000, options.dimension)
    rows = []
    for contexts in options.contexts:
        cost, log = _scored(folder / str(contexts), contexts, options.dimension)
        spent, bytes_moved = cost.cpu - start.cpu, moved(log)
        sizes = (cost.peak, bytes_moved.shuffled, bytes_moved.spilled)
        rates = (f"{contexts:,}", f"{spent:,.0f}", f"{contexts / spent:,.0f}")
        rows.append((*rates, *(f"{size / _MIB:,.0f}" for size in sizes)))
    title = f"Scoring contexts, {options.dimension} numbers a vector; {start.cpu:,.0f} CPU seconds of start subtracted"
    columns = ("contexts", "CPU seconds", "contexts per CPU second", "peak, MiB", "shuffled, MiB", "spilled, MiB")
    show(title, columns, rows, names=0)


def _scored(log: Path, contexts: int, dimension: int) -> tuple[Cost, Path]:
    log.mkdir()
    conf = {**EVENT_LOG, "spark.eventLog.dir": f"file://{log}", "spark.local.dir": str(log.parent / "local")}
    given = [part for name, value in conf.items() for part in ("--conf", f"{name}={value}")]
    program = log.parent / "score.py"
    program.write_text("from quotelab.cli import main\nmain()\n", "utf-8")
    asked = ("bench", "topics", "score", "--contexts", str(contexts), "--dimension", str(dimension))
    return measure(["spark-submit", *given, str(program), *asked], env=environment()), log
