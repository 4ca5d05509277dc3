"""Measure the first load of a corpus, and of a corpus multiplied by copies in other words.

    .venv/bin/python jobs/bench_load.py [--input NAME=GLOB …] [--multiply 1,10] [--json FILE]

A copy has most of its words replaced by others of the same length, and its ids and URLs marked. So each copy has
other documents, quotes and contexts, and texts of the same lengths to embed. Each size is loaded into a new lake by
`spark-submit jobs/score_corpus.py`. The 4,176 articles of us_news with `--multiply 1,10` give loads of 4,176 and
41,760. CPU and memory are of all processes, memory as proportional set size.
"""

import argparse
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from quotelab.benchmarks.corpora import copies, parse_input, parse_numbers, read_lines, write_lines
from quotelab.benchmarks.cost import Cost, check_machine
from quotelab.benchmarks.submitted import Job, stages
from quotelake.errors import exit_with
from quotelake.files.outputs import write_whole
from quotelake.sample import sample_inputs
from quotelake.settings import load_settings

#: From the name of a stage, or "all", and the name of a figure to its value.
Figures = dict[str, dict[str, float]]


def main() -> int:
    """Print the table; return the exit code."""
    options = _options()
    check_machine()
    settings = load_settings(options.config)
    lines = read_lines(options.input or sample_inputs(), settings)
    config = ("--config", str(options.config)) if options.config else ()
    figures = {}
    for times in options.multiply:
        records = times * sum(map(len, lines.values()))
        Console(stderr=True).print(f"loading {records:,} records")
        with tempfile.TemporaryDirectory(prefix="bench_load_", dir=options.work) as folder:
            inputs = write_lines(copies(lines, settings, times), Path(folder) / "input")
            key = ("--set", f"ingest.author_key_file={folder}/author.key")
            job = Job(Path(__file__).with_name("score_corpus.py"), (*config, *key))
            figures[records] = figures_of(job.run(Path(folder) / "lake", inputs), records)
    Console().print(table(figures))
    if options.json:
        write_whole(options.json, json.dumps(figures, indent=1) + "\n")
    return 0


def figures_of(cost: Cost, records: int) -> Figures:
    """Figures of a load by stage and in total."""
    figures: Figures = {}
    for name, begin, end in stages(cost):
        spent = cost.between(begin, end)
        figures[name] = {"seconds": end - begin, "CPU seconds": spent.cpu, "records/s": records / max(end - begin, 0.1)}
    figures["all"] = {
        "seconds": cost.seconds,
        "CPU seconds": cost.cpu,
        "records/s": records / cost.seconds,
        "records/CPU s": records / cost.cpu,
        "peak memory, GiB": cost.peak / 2**30,
    }
    return figures


def table(figures: Mapping[int, Figures]) -> Table:
    """Table of the stages of a load at each size."""
    made = Table("stage", "figure", *(f"{records:,}" for records in figures), title="First load, by number of records")
    for column in made.columns[2:]:
        column.justify = "right"
    for part, values in next(iter(figures.values())).items():
        for number, name in enumerate(values):
            shown = [f"{each[part][name]:,.1f}" for each in figures.values()]
            made.add_row("" if number else part, name, *shown, end_section=number == len(values) - 1)
    return made


def _options() -> Any:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--input", type=parse_input, action="append", metavar="NAME=GLOB", help="JSON Lines of a source"
    )
    parser.add_argument("--multiply", type=parse_numbers, default=(1, 10), metavar="K,K", help="sizes (default: 1,10)")
    parser.add_argument("--config", type=Path, metavar="FILE", help="TOML over conf/base.toml")
    parser.add_argument("--work", type=Path, metavar="DIR", help="folder for temporary lakes")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    return parser.parse_args()


if __name__ == "__main__":
    exit_with(main)
