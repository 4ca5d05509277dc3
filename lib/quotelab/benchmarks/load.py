"""Measure the first load of a corpus, and of the corpus multiplied by copies in other words.

A copy has most of its words replaced by others of the same length, and its ids and URLs marked. So each copy has other
documents, quotes and contexts, and texts of the same lengths to embed. Each size is loaded into a new lake by
`spark-submit jobs/score_corpus.py`. The 4,176 articles of us_news with `--multiply 1,10` give loads of 4,176 and
41,760. CPU and memory are of all processes, memory as proportional set size.

With --without SETTING=VALUE, such as reuse.compare=false, each size is loaded with that setting too, in turn.
"""

import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from quotelab.benchmarks.corpora import copies, parse_numbers, read_lines, write_lines
from quotelab.benchmarks.cost import check_machine
from quotelab.benchmarks.runs import Figures, Job, add_arguments, figure_rows, figures_of
from quotelab.report import progress, show, write_json
from quotelake.sample import sample_inputs
from quotelake.settings import load_settings


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    add_arguments(parser)
    parser.add_argument("--multiply", type=parse_numbers, default=(1, 10), metavar="K,K", help="sizes (default: 1,10)")
    parser.add_argument("--without", metavar="KEY=VALUE", help="setting that switches a part of the run off")


def run(options: Any) -> None:
    """Load, print the table."""
    check_machine()
    settings = load_settings(options.config)
    lines = read_lines(options.input or sample_inputs(), settings)
    figures: dict[str, Figures] = {}
    for times in options.multiply:
        records = times * sum(map(len, lines.values()))
        for without in (options.without, None) if options.without else (None,):
            name = f"{records:,}" + (f" {without}" if without else "")
            progress(f"loading {name}")
            with tempfile.TemporaryDirectory(prefix="bench_load_", dir=options.work) as folder:
                inputs = write_lines(copies(lines, settings, times), Path(folder) / "input")
                job = Job.of(options, Path(folder), *([without] if without else []))
                figures[name] = figures_of(job.run(Path(folder) / "lake", inputs))
            spent = figures[name]["all"]
            spent["records/s"], spent["records/CPU s"] = (records / spent[each] for each in ("seconds", "CPU seconds"))
    show("First load, by number of records", ("stage", "figure", *figures), figure_rows(figures), names=2)
    write_json(options.json, figures)
