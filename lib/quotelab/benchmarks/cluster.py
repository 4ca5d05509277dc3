"""Measure a first load on a cluster beside the same on one machine: two executors of one core, and `local[2]`.

Both run by `spark-submit jobs/score_corpus.py` on this machine, in turns; the cluster is a standalone one on loopback.
The median counts. `quotelake digest` shows whether both made the same tables. Of Spark's stages of five seconds and
more, on the cluster in the last round, the one is named that left the cores idle most.
"""

import shutil
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from statistics import median
from typing import Any, Final

from quotelab.benchmarks.corpora import copies, parse_numbers, read_lines, write_lines
from quotelab.benchmarks.event_log import EVENT_LOG, busy
from quotelab.benchmarks.load import add_arguments, inputs_of, job, score
from quotelab.benchmarks.standalone import spark_arguments, standalone
from quotelab.report import positive, progress, show, write_json
from quotelake.settings import load_settings

_LOCAL: Final = "local[2]"
_CLUSTER: Final = "two executors"


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    add_arguments(parser)
    add = parser.add_argument
    add("--multiply", type=parse_numbers, default=(1,), metavar="K,K", help="sizes (default: 1)")
    add("--rounds", type=positive, default=3, help="loads of each size (default: 3)")


def run(options: Any) -> None:
    """Load in turns, print the table."""
    settings = load_settings(options.config)
    lines = read_lines(inputs_of(options), settings)
    rows, figures = [], {}
    with tempfile.TemporaryDirectory(prefix="bench_cluster_", dir=options.work) as name:
        folder = Path(name)
        (folder / "cluster").mkdir()
        with standalone(folder / "cluster") as cluster:
            log = folder / "events"
            logged = spark_arguments({**EVENT_LOG, "spark.eventLog.dir": f"file:{log}"})
            where = {_LOCAL: spark_arguments({"spark.master": _LOCAL}), _CLUSTER: cluster.job()}
            for times in options.multiply:
                records = times * sum(map(len, lines.values()))
                inputs = write_lines(copies(lines, settings, times), folder / f"input_{times}")
                seconds: dict[str, list[float]] = {each: [] for each in where}
                tables = set()
                for number in range(options.rounds):
                    for each, spark in where.items():
                        progress(f"{records:,} records, {each}: round {number + 1} of {options.rounds}")
                        lake = folder / "lake"
                        shutil.rmtree(log, ignore_errors=True)
                        log.mkdir()
                        seconds[each].append(score(options, lake, inputs, spark=[*spark, *logged]).seconds)
                        tables.add(tuple(line for _, line in job("digest.py", lake).lines))
                        shutil.rmtree(lake)
                one, many = (median(seconds[each]) for each in where)
                figures[records] = {_LOCAL: one, _CLUSTER: many}
                same = "equal" if len(tables) == 1 else "NOT EQUAL"
                idle = next((f"{least.share:.0%} in {least.stage}" for least in busy(log, 2)), "none so long")
                rows.append((f"{records:,}", f"{one:.1f}", f"{many:.1f}", f"{many / one:.2f}", same, idle))
    head = ("records", _LOCAL, _CLUSTER, "ratio", "tables", "cores busy at least")
    show("First load, wall seconds", head, rows, names=0)
    write_json(options.json, figures)
