"""Measure topic variation at scale, on groups and vectors that are made for it.

    .venv/bin/python jobs/bench_topics.py ranking  [--groups 1000000]
    .venv/bin/python jobs/bench_topics.py contexts [--contexts 1000000,10000000] [--dimension 64]

ranking writes a lake of scored groups and ranks all of them by `rank_topics.py --out`, as CSV and as Parquet.
contexts scores vectors by the step of the chain that scores groups, in Spark on this machine, over all time, per month
and per kind of source; each size in a process of its own, and the cost of a thousand contexts, which is starting Spark,
is subtracted. CPU and memory are of all processes, memory as proportional set size.
"""

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from quotelab.benchmarks.corpora import parse_numbers
from quotelab.benchmarks.cost import Cost, check_machine, measure
from quotelab.benchmarks.eventlog import CONF, moved
from quotelab.benchmarks.submitted import environment
from quotelake.errors import InputError, exit_with
from quotelake.topics.details import Explain, Thresholds

JOBS = Path(__file__).parent
_MIB = 2**20


def main() -> None:
    """Measure, print."""
    options = _options()
    if options.groups < 1 or options.dimension < 1:
        raise InputError("--groups and --dimension must be 1 at least")
    if options.what == "score":
        _score(options.contexts[0], options.dimension)
        return
    check_machine()
    with tempfile.TemporaryDirectory(prefix="bench_topics_", dir=options.work) as folder:
        table = (
            _ranking(Path(folder), options.groups) if options.what == "ranking" else _contexts(Path(folder), options)
        )
    Console().print(table)


def _ranking(folder: Path, groups: int) -> Table:
    lake = folder / "lake"
    _make_lake(lake, groups)
    table = Table("file", "seconds", "CPU seconds", "peak memory, MiB", title=f"Ranking of {groups:,} groups")
    for ending in ("csv", "parquet"):
        out = folder / f"ranking.{ending}"
        ranked = ("--min-contexts", "3", "--top", "3", "--out", str(out))
        cost = measure([sys.executable, str(JOBS / "rank_topics.py"), "--lake", str(lake), *ranked], env=environment())
        table.add_row(ending, f"{cost.seconds:,.1f}", f"{cost.cpu:,.1f}", f"{cost.peak / _MIB:,.0f}")
    return table


def _make_lake(lake: Path, groups: int) -> None:
    from quotelab.benchmarks.synthetic_topics import write_scored_lake
    from quotelake.spark.session import end_session, get_session

    spark = get_session("bench_topics")
    write_scored_lake(spark, str(lake), groups)
    end_session(spark)


def _contexts(folder: Path, options: Any) -> Table:
    start = _measured(folder / "start", 1000, options.dimension)[0]
    title = (
        f"Scoring contexts, vectors of {options.dimension} numbers; {start.cpu:,.0f} CPU seconds of start subtracted"
    )
    table = Table(
        "contexts",
        "CPU seconds",
        "contexts per CPU second",
        "peak memory, MiB",
        "shuffled, MiB",
        "spilled, MiB",
        title=title,
    )
    for contexts in options.contexts:
        cost, log = _measured(folder / str(contexts), contexts, options.dimension)
        spent = cost.cpu - start.cpu
        bytes_moved = moved(log)
        sizes = (cost.peak, bytes_moved.shuffled, bytes_moved.spilled)
        table.add_row(
            f"{contexts:,}", f"{spent:,.0f}", f"{contexts / spent:,.0f}", *(f"{size / _MIB:,.0f}" for size in sizes)
        )
    return table


def _measured(log: Path, contexts: int, dimension: int) -> tuple[Cost, Path]:
    log.mkdir()
    conf = {**CONF, "spark.eventLog.dir": f"file://{log}", "spark.local.dir": str(log.parent / "local")}
    given = [part for name, value in conf.items() for part in ("--conf", f"{name}={value}")]
    job = [str(JOBS / "bench_topics.py"), "score", "--contexts", str(contexts), "--dimension", str(dimension)]
    return measure(["spark-submit", *given, *job], env=environment()), log


def _score(contexts: int, dimension: int) -> None:
    """Score made contexts, and throw the scores away."""
    from quotelab.benchmarks.synthetic_topics import context_vectors, counts_of
    from quotelake.spark.session import fit, get_session
    from quotelake.topics.representation import Representation
    from quotelake.topics.score import Scoring, score_groups

    spark = get_session("bench_topics")
    fit(spark, contexts * dimension * 4)
    tasks = max(contexts // 100_000, 1)
    if tasks > 1:
        spark.conf.set("spark.sql.shuffle.partitions", str(tasks))
    weighted, vectors = context_vectors(spark, contexts, dimension, tasks)
    texts = spark.createDataFrame([], "text_hash STRING, text STRING")
    explain = Explain(contexts + 1, 0, Thresholds(0.5, 0.3), set().__contains__)
    scoring = Scoring("bench", "f" * 32, Representation(), explain)
    scored = score_groups(weighted, vectors, counts_of(weighted), texts, scoring)
    scored.write.format("noop").mode("overwrite").save()


def _options() -> Any:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("ranking", "contexts", "score"), help="score: one size, in this process")
    parser.add_argument("--groups", type=int, default=1_000_000, metavar="N", help="groups (default: 1000000)")
    parser.add_argument(
        "--contexts",
        type=parse_numbers,
        default=(1_000_000, 10_000_000),
        metavar="N,N",
        help="sizes (1000000,10000000)",
    )
    parser.add_argument("--dimension", type=int, default=64, metavar="D", help="numbers of a vector (default: 64)")
    parser.add_argument("--work", type=Path, metavar="DIR", help="folder for temporary files")
    return parser.parse_args()


if __name__ == "__main__":
    exit_with(main)
