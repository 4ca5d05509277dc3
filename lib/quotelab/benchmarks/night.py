"""Measure the same night on archives of growing size: the cost should depend on the new records only.

The input, by default the sample corpus, is split. The last N records (N: 30, or 5 % if that is more) are the measured
night, the N before them an earlier night, and the rest is scored as the archive. A larger archive is made of copies of
the scored tables with other ids, texts and vectors (`quotelab.benchmarks.multiply`), so that it need not be scored.
Each night is a run of `spark-submit jobs/score_corpus.py` on a copy of the lake; the median of each figure counts.

CPU and bytes read are of all processes. Bytes are those passed to `read` calls, from disk or cache, and include the
JVM's files and data sent between processes: the difference to 1x is due to the archive.
"""

import multiprocessing
import shutil
import tempfile
from argparse import ArgumentParser
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import median
from typing import Any, Final

from quotelab.benchmarks.corpora import hold_back, parse_numbers, read_lines, write_lines
from quotelab.benchmarks.runs import FIGURES, add_arguments, copy_lake, figures_of, score
from quotelab.report import progress, show, write_json
from quotelake.errors import InputError
from quotelake.sample import sample_inputs
from quotelake.settings import load_settings

#: A night of 30 records may hold many of the few broken ones: no reason to end the measurement.
_BROKEN: Final = "ingest.reject_share=1"


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    add_arguments(parser)
    add = parser.add_argument
    add("--factors", type=parse_numbers, default=(1, 10, 100), help="sizes of the archive (default: 1,10,100)")
    add("--night", type=int, metavar="N", help="records of the night (default: 30, or 5 %% if more)")
    add("--rounds", type=int, default=3, help="nights at each size (default: 3)")


def run(options: Any) -> None:
    """Score an archive, multiply it by each factor, measure the same night on each, print the table."""
    if options.rounds < 1 or (options.night is not None and options.night < 1):
        raise InputError("--rounds and --night must be 1 at least")
    lines = read_lines(options.input or sample_inputs(), load_settings(options.config))
    count = options.night or max(30, sum(map(len, lines.values())) // 20)
    rest, tonight = hold_back(lines, count)
    archive, last_night = hold_back(rest, count)
    records = sum(map(len, archive.values()))
    figures: dict[int, dict[str, float]] = {}
    with tempfile.TemporaryDirectory(prefix="bench_night_", dir=options.work) as folder:
        work = Path(folder)
        before, night = write_lines(last_night, work / "before"), write_lines(tonight, work / "night")
        progress(f"scoring {records:,} records as the archive")
        score(options, work / "lake", write_lines(archive, work / "archive"), _BROKEN)
        for factor in options.factors:
            progress(f"{factor}x: writing the archive, and a night before")
            lake = work / f"lake_{factor}"
            shutil.copytree(work / "lake", lake)
            with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:  # so that its JVM ends
                pool.submit(_multiply, str(lake), factor).result()
            score(options, lake, before, _BROKEN)  # the measured night must not pay what only the first one does
            rounds = []
            for number in range(options.rounds):
                progress(f"{factor}x: night {number + 1} of {options.rounds}")
                copy_lake(lake, work / "copy")
                rounds.append(figures_of(score(options, work / "copy", night, _BROKEN)))
                shutil.rmtree(work / "copy")
            figures[factor] = {name: median(each[name] for each in rounds) for name in FIGURES}
            shutil.rmtree(lake)
    least, *others = figures
    columns = ("figure", *(f"{factor}x" for factor in figures), *(f"{factor}x : {least}x" for factor in others))
    rows = [
        (
            name,
            *(f"{each[name]:,.1f}" for each in figures.values()),
            *(f"{figures[factor][name] / figures[least][name]:.2f}" for factor in others),
        )
        for name in FIGURES
    ]
    show(f"A night of {count:,} records on an archive of {records:,}, and on larger ones", columns, rows)
    write_json(options.json, {"night": count, "archive": records, "figures": figures})


def _multiply(lake: str, factor: int) -> None:
    from quotelab.benchmarks.multiply import multiply
    from quotelake.spark.session import get_session

    spark = get_session("bench_night", spark__driver__memory="2g")
    spark.sparkContext.setLogLevel("ERROR")
    multiply(spark, lake, factor)
    spark.stop()
