"""Measure a lake that lives through many small nights: files, bytes and cost of a night must stay bounded.

A generated corpus is cut into nights of a few records each, in the order of publication. Each night is a run of
`spark-submit jobs/score_corpus.py`, followed by a question; `quotelake maintain` runs after every seventh. The last
seven nights are compared with those around the tenth: medians of a whole week, since files pile up between two runs
of `maintain`. With `--work DIR` the lake stays there and the measurement goes on from its last night.
"""

import json
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from statistics import median
from typing import Any, Final

from quotelab.benchmarks.corpora import read_lines, write_lines
from quotelab.benchmarks.load import add_arguments, figures_of, job, score
from quotelab.report import positive, progress, show, write_json
from quotelab.synthetic.generate import generate
from quotelab.synthetic.groups import Plan
from quotelake.errors import InputError
from quotelake.settings import load_settings

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


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    add_arguments(parser)
    parser.add_argument("--nights", type=positive, default=365, metavar="N", help="nights (default: 365)")
    parser.add_argument("--records", type=positive, default=30, metavar="N", help="records of a night (default: 30)")


def run(options: Any) -> None:
    """Run the nights that are not there yet, print the table."""
    with tempfile.TemporaryDirectory(prefix="bench_year_") as folder:
        work = options.work or Path(folder)
        nights = _records(work / "corpus", options.records)
        kept = work / "nights.jsonl"
        measured = [json.loads(line) for line in kept.read_text().splitlines()] if kept.exists() else []
        for number in range(len(measured), min(options.nights, len(nights))):
            measured.append(_night(options, work, number, nights[number]))
            progress(f"night {number + 1}: {measured[-1]['CPU s']:.1f} CPU s, {measured[-1]['files']:,} files")
            with kept.open("a") as file:
                file.write(json.dumps(measured[-1]) + "\n")
    if len(measured) < 2 * _TENTH:
        raise InputError(f"--nights {len(measured)}: the last nights are beside the tenth from {2 * _TENTH} on")
    first, last = measured[_TENTH - 4 : _TENTH + 3], measured[-_WEEK:]
    rows = []
    for name in {name: None for night in last for name in night}:
        tenth, now = (median(night[name] for night in week if name in night) for week in (first, last))
        rows.append((name, f"{tenth:,.1f}", f"{now:,.1f}", f"{now / tenth:.2f}" if tenth else ""))
    title = f"Nights of {options.records} records: those around the tenth, and the last seven of {len(measured)}"
    show(title, ("figure", "tenth", "last", "last : tenth"), rows)
    write_json(options.json, measured)


def _records(corpus: Path, count: int) -> list[list[bytes]]:
    """Records of each of the 365 nights."""
    if not corpus.exists():
        generate(Plan(), 365 * count, corpus, 365 * count, lambda done: None)
    lines = read_lines([(_SOURCE, f"{corpus}/news-*.jsonl.gz")], load_settings())[_SOURCE]
    lines.sort(key=lambda line: json.loads(line)["published"])
    return [lines[at : at + count] for at in range(0, len(lines), count)]


def _night(options: Any, work: Path, number: int, records: list[bytes]) -> dict[str, float]:
    """Figures of a night, and of what it leaves, before any upkeep."""
    lake, inputs = work / "lake", write_lines({_SOURCE: records}, work / "in" / f"{number + 1:03}")
    cost = score(options, lake, inputs)
    left = {kind: [path for path in lake.glob(pattern) if path.is_file()] for kind, pattern in _KINDS.items()}
    asked = job("query.py", lake, _QUESTION)
    figures = figures_of(cost) | {"question CPU s": asked.cpu} | {kind: len(paths) for kind, paths in left.items()}
    figures |= {f"MB of {kind}": sum(path.stat().st_size for path in paths) / 1e6 for kind, paths in left.items()}
    if (number + 1) % _WEEK == 0:
        figures["maintain CPU s"] = job("maintain.py", lake).cpu
    return figures
