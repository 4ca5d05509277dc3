"""Measure the first load of a corpus, and of the corpus multiplied by copies in other words.

A copy has most of its words replaced by others of the same length, and its ids and URLs marked. So each copy has other
documents, quotes and contexts, and texts of the same lengths to embed. Each size is loaded into a new lake by
`spark-submit jobs/score_corpus.py`. The 4,176 articles of us_news with `--multiply 1,10` give loads of 4,176 and
41,760. CPU and memory are of all processes, memory as proportional set size.
"""

import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from quotelab.benchmarks.corpora import copies, parse_numbers, read_lines, write_lines
from quotelab.benchmarks.runs import FIGURES, add_arguments, figures_of, inputs_of, score
from quotelab.report import progress, show, write_json
from quotelake.settings import load_settings


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    add_arguments(parser)
    parser.add_argument("--multiply", type=parse_numbers, default=(1, 10), metavar="K,K", help="sizes (default: 1,10)")


def run(options: Any) -> None:
    """Load, print the table."""
    settings = load_settings(options.config)
    lines = read_lines(inputs_of(options), settings)
    figures: dict[int, dict[str, float]] = {}
    for times in options.multiply:
        records = times * sum(map(len, lines.values()))
        progress(f"loading {records:,} records")
        with tempfile.TemporaryDirectory(prefix="bench_load_", dir=options.work) as folder:
            inputs = write_lines(copies(lines, settings, times), Path(folder) / "input")
            figures[records] = figures_of(score(options, Path(folder) / "lake", inputs))
        figures[records]["records/CPU s"] = records / figures[records]["CPU s"]
    rows = [(f"{records:,}", *(f"{value:,.1f}" for value in each.values())) for records, each in figures.items()]
    show("First load, by number of records", ("records", *FIGURES, "records/CPU s"), rows, names=0)
    write_json(options.json, figures)
