"""Measure the first load of a corpus, and of the corpus multiplied by copies in other words.

A copy has most of its words replaced by others of the same length, and its ids and URLs marked: other documents, quotes
and contexts, and texts of the same lengths to embed. Each size is loaded into a new lake by `spark-submit
jobs/score_corpus.py`. CPU and memory are of all processes, memory as proportional set size.

--night N measures a night of N more records on each loaded lake, and `quotelake maintain`. With `--multiply 10,100`,
4,176 articles and two cores that takes some two hours.

--plan prints what first loads of other sizes would cost here, on the line through the smallest and the largest measured
load. It knows no limit that none of them met; a later night costs more than its share (`quotelab bench night`).
"""

import os
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

from quotelab.benchmarks.corpora import Inputs, Lines, copies, in_other_words, parse_numbers, read_lines, write_lines
from quotelab.benchmarks.cost import Cost, measure
from quotelab.report import positive, progress, show, write_json
from quotelake.errors import InputError
from quotelake.sample import sample_inputs
from quotelake.settings import Settings, load_settings

JOBS: Final = Path(__file__).parents[3] / "jobs"
#: Names of the figures of a run.
FIGURES: Final = ("CPU s", "wall s", "MB read", "peak GiB")
_LAKE: Final = "lake MB"
_SERVER_CORES: Final = 32  # cores of a machine that ``--plan`` counts hours of, beside this one


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    add_arguments(parser)
    parser.add_argument("--multiply", type=parse_numbers, default=(1, 10), metavar="K,K", help="sizes (default: 1,10)")
    parser.add_argument("--night", type=positive, metavar="N", help="records of a night on each loaded lake")
    parser.add_argument("--plan", type=parse_numbers, default=(), metavar="N,N", help="records of loads to be planned")


def run(options: Any) -> None:
    """Load, print the table."""
    settings = load_settings(options.config)
    lines = read_lines(inputs_of(options), settings)
    figures: dict[int, dict[str, float]] = {}
    nights: dict[int, dict[str, float]] = {}
    for times in options.multiply:
        records = times * sum(map(len, lines.values()))
        progress(f"loading {records:,} records")
        with tempfile.TemporaryDirectory(prefix="bench_load_", dir=options.work) as folder:
            inputs = write_lines(copies(lines, settings, times), Path(folder) / "input")
            lake = Path(folder) / "lake"
            figures[records] = figures_of(score(options, lake, inputs))
            figures[records] |= _left(lake)
            progress(_line(figures[records]))  # the next size may take hours
            if options.night:
                progress(f"a night of {options.night:,} records on them")
                more = write_lines(_further(lines, settings, times, options.night), Path(folder) / "night")
                nights[records] = figures_of(score(options, lake, [*inputs, *more]))
                nights[records]["MB written"] = _left(lake)[_LAKE] - figures[records][_LAKE]
                nights[records]["maintain CPU s"] = job("maintain.py", lake).cpu
                nights[records] |= _left(lake)
                progress(_line(nights[records]))
        figures[records]["records/CPU s"] = records / figures[records]["CPU s"]
    tables = {"First load, by number of records": figures}
    if nights:
        tables[f"A night of {options.night:,} records behind it, and upkeep"] = nights
    if options.plan:
        plan = {size: planned(figures, size, len(os.sched_getaffinity(0))) for size in options.plan}
        tables["First loads, on the line through those measured"] = plan
    for title, found in tables.items():
        rows = [(f"{records:,}", *(f"{value:,.1f}" for value in each.values())) for records, each in found.items()]
        show(title, ("records", *next(iter(found.values()))), rows, names=0)
    write_json(options.json, {"loads": figures, "nights": nights} if nights else figures)


def _line(figures: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:,.1f}" for name, value in figures.items())


def _left(lake: Path) -> dict[str, float]:
    """What a run left: bytes and files of the lake."""
    files = [path for path in lake.rglob("*") if path.is_file()]
    return {_LAKE: sum(path.stat().st_size for path in files) / 1e6, "files": float(len(files))}


def _further(lines: Lines, settings: Settings, copy: int, count: int) -> dict[str, Iterator[bytes]]:
    """Records of a night: the first of a further copy of each source, in proportion to its size."""
    total = sum(map(len, lines.values()))
    shares = {source: -(-count * len(records) // total) for source, records in lines.items()}
    return {
        source: islice(in_other_words(records, settings.sources[source], copy), shares[source])
        for source, records in lines.items()
    }


def planned(figures: Mapping[int, Mapping[str, float]], size: int, cores: int) -> dict[str, float]:
    """Cost of a first load of ``size`` records on the line through those measured; core hours are of all ``cores``."""
    low, high = min(figures), max(figures)
    if low == high:
        raise InputError("--plan needs two measured loads, such as --multiply 1,10")

    def at_size(name: str) -> float:
        slope = (figures[high][name] - figures[low][name]) / (high - low)
        return figures[low][name] + slope * (size - low)

    hours, size_of_lake = at_size("wall s") * cores / 3600, at_size(_LAKE) / 1e3
    return {"core hours": hours, f"hours on {_SERVER_CORES} cores": hours / _SERVER_CORES, "lake GB": size_of_lake}


def add_arguments(parser: ArgumentParser) -> None:
    """Arguments of the benchmarks that run the main job."""
    add = parser.add_argument
    add("--input", action="append", metavar="NAME=GLOB", help="JSON Lines of a source")
    add("--config", type=Path, metavar="FILE", help="TOML over conf/base.toml")
    add("--work", type=Path, metavar="DIR", help="folder for temporary lakes")
    add("--json", type=Path, metavar="FILE", help="write the figures there too")


def inputs_of(options: Any) -> Inputs:
    """Sources and globs of ``--input``, or those of the sample corpus."""
    given = [text.partition("=") for text in options.input or ()]
    return [(name, pattern) for name, _, pattern in given] or sample_inputs()


def score(
    options: Any, lake: Path, inputs: Inputs, *settings: str, under: Sequence[str] = (), spark: Sequence[str] = ()
) -> Cost:
    """Run the main job, below the command ``under``, with arguments ``spark`` of spark-submit, and measure it."""
    command = ("spark-submit", *spark, str(JOBS / "score_corpus.py"))
    return measure([*under, *command, *score_arguments(options, lake, inputs, *settings)], env=environment())


def score_arguments(options: Any, lake: Path, inputs: Inputs, *settings: str) -> list[str]:
    """Arguments of the main job."""
    config = ("--config", str(options.config)) if options.config else ()
    given = [part for source, path in inputs for part in ("--input", f"{source}={path}")]
    for each in (f"ingest.author_key_file={lake.parent}/author.key", *settings):
        given += ["--set", each]
    return ["--lake", str(lake), *given, *config]


def job(name: str, lake: Path, *arguments: str, stdin: str = "") -> Cost:
    """Run a file of ``jobs/`` in the checkout on a lake, by Python, and measure it."""
    command = [sys.executable, str(JOBS / name), "--lake", str(lake), *arguments]
    return measure(command, stdin=stdin, env=environment())


def environment() -> dict[str, str]:
    """Environment in which ``python`` and ``spark-submit`` are those of this process."""
    folder = str(Path(sys.executable).parent)
    return {**os.environ, "PATH": os.pathsep.join([folder, os.environ.get("PATH", os.defpath)])}


def figures_of(cost: Cost) -> dict[str, float]:
    """Figures of a run, by their names."""
    return dict(zip(FIGURES, (cost.cpu, cost.seconds, cost.read / 1e6, cost.peak / 2**30), strict=True))
