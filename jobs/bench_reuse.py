"""Measure the grouping of reused quotes: beside public tools, by the number of texts, and as a part of a run.

    make bench-reuse                      # installs the public tools in .bench, then runs compare
    .venv/bin/python jobs/bench_reuse.py compare [--data FILE …] [--rows N] [--sets mixed,copies,words] [--json FILE]
    .venv/bin/python jobs/bench_reuse.py texts --out FILE.jsonl --rows 39000
    .venv/bin/python jobs/bench_reuse.py scale [--rows 1000000,10000000] [--set mixed | --input NAME=GLOB]
    .venv/bin/python jobs/bench_reuse.py watch --data FILE.jsonl [--watched 0,42,10000]
    .venv/bin/python jobs/bench_reuse.py chain --without SETTING=VALUE [--input NAME=GLOB …]

compare groups the same texts by Quotelake, in one process and on Spark, and by datasketch, datatrove and
distributed-curator, each at its defaults and tuned. Each is a program of its own that is given the texts without the
truth. Its groups are compared with the truth as `evaluate reuse` does. A tool that fails, is not installed or has no
answer after --limit-s is listed with the reason. CPU and memory are of all processes, memory as proportional set size.
Without --data, three sets are generated: mixed (--rows uses of quotes in all kinds), copies (verbatim copies, by their
number) and words (one substituted word, by the length of the text). --data takes any file of the protocol `reuse`,
such as the truth-quotes.jsonl.gz of jobs/generate_corpus.py.

texts writes a generated set as such a file. scale measures our grouping on Spark on the first texts of one stream, and
subtracts start-up. The stream is generated, of words as frequent as in natural language, which have no end; with --set
mixed, of the quotes of that set, which are of some thousand words. With --input it is the quotes of a corpus, then of
copies of the corpus in other words, as of jobs/bench_load.py. watch runs the
kernels of the pass over the first articles of a file, without a watch-list and with lists of quotes of the file. chain
runs the main job in turn as it is and with the setting that switches grouping off.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from quotelab.benchmarks.corpora import parse_input, parse_numbers, quotes_in_copies, read_lines
from quotelab.benchmarks.cost import Cost, check_machine
from quotelab.benchmarks.peers.running import Outcome, compare
from quotelab.benchmarks.peers.scale import Size, measure_sizes, scale_table
from quotelab.benchmarks.peers.tables import (
    WITH,
    WITHOUT,
    as_rows,
    by_number,
    compared,
    failures,
    numbered_kinds,
    settings,
    with_and_without,
)
from quotelab.benchmarks.peers.tools import OURS, TOOLS, choose, python_of
from quotelab.benchmarks.submitted import Job
from quotelab.synthetic.stories import Plan
from quotelab.synthetic.texts import Use, copies, everyday, mixed, substitutions
from quotelake.errors import InputError, exit_with
from quotelake.files.outputs import whole, write_whole
from quotelake.sample import sample_inputs
from quotelake.settings import load_settings

MIXED, COPIES, WORDS = SETS = ("mixed", "copies", "words")
EVERYDAY = "everyday"
WIDTH = 220  # characters of the widest table


def main() -> None:
    """Run the chosen benchmark."""
    options = _options()
    check_machine()
    {"compare": compare_tools, "texts": write_set, "scale": scale, "chain": chain, "watch": watch}[options.what](
        options
    )


def _console() -> Console:
    """Standard output, as wide as the tables: a line is rather broken by a terminal than cut."""
    return Console(width=max(WIDTH, Console().width))


def compare_tools(options: Any) -> None:
    """Print the tables of all tools on each file or generated set."""
    console, told = _console(), Console(stderr=True)
    tools = choose(options.tools)
    found: dict[str, list[dict[str, Any]]] = {}
    with tempfile.TemporaryDirectory(prefix="bench_reuse_", dir=options.work) as folder:
        for name, path in _files(options, Path(folder)).items():
            outcomes: list[Outcome] = []
            for tool in tools:
                told.print(f"{name}: {tool.label}, {tool.setting}")
                python = python_of(tool, options.peers, Path(sys.executable))
                outcomes.append(compare(path, tool, python, options.limit_s, options.work))
            _show(console, name, outcomes)
            found[name] = as_rows(outcomes)
            if options.json:  # after each set, because the next one may take long
                write_whole(options.json, json.dumps(found, indent=1) + "\n")
    for line in settings(tools):
        print(line)


def _show(console: Console, name: str, outcomes: Sequence[Outcome]) -> None:
    console.print(compared(outcomes, name))
    for kind in numbered_kinds(outcomes):
        console.print(by_number(outcomes, kind))
    for line in failures(outcomes):
        print(f"failed: {line}")


def _files(options: Any, folder: Path) -> dict[str, Path]:
    """Files to compare on, by name: those given, else the generated sets."""
    if options.data:
        return {str(path): path for path in options.data}
    for name in options.sets:
        _write(_uses(name, options), folder / f"{name}.jsonl")
    return {name: folder / f"{name}.jsonl" for name in options.sets}


def _uses(name: str, options: Any) -> Iterator[Use]:
    if name == MIXED:
        return mixed(options.rows, Plan(seed=options.seed))
    if name == COPIES:
        return copies(options.copies, options.seed)
    return substitutions(options.words, options.pairs, options.seed)


def _write(uses: Iterator[Use], path: Path) -> None:
    with whole(path) as partial, partial.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(use._asdict(), ensure_ascii=False) + "\n" for use in uses)


def write_set(options: Any) -> None:
    """Write a generated set as a file of the protocol ``reuse``."""
    if options.out.exists():
        raise InputError(f"{options.out} exists: name another file, or delete it")
    _write(_uses(options.set, options), options.out)


def scale(options: Any) -> None:
    """Print how our grouping on Spark scales."""
    ours = next(tool for tool in TOOLS if tool.name == OURS and tool.spark)
    plan = Plan(seed=options.seed)

    declared = load_settings()
    lines = read_lines(options.input, declared) if options.input else None

    def texts() -> Iterator[str]:
        if lines is not None:
            return quotes_in_copies(lines, declared)
        return (use.text for use in {EVERYDAY: everyday, MIXED: mixed}[options.set](max(options.sizes), plan))

    given = ("--memory", options.memory)
    told, measured = Console(stderr=True), list[Size]()
    sizes = measure_sizes(ours, Path(sys.executable), options.sizes, texts, given, options.limit_s, options.work)
    try:
        for size in sizes:
            told.print(f"{size.texts:,} texts: {size.cost.seconds:,.0f} s, {size.cost.cpu:,.0f} CPU s")
            measured.append(size)
    finally:  # a larger one may fail or be stopped
        if measured:
            _console().print(scale_table(measured))


def chain(options: Any) -> None:
    """Print what a run costs with and without grouping; the two take turns, and medians count."""
    inputs = options.input or sample_inputs()
    ways: dict[str, tuple[str, ...]] = {WITHOUT: ("--set", options.without), WITH: ()}
    costs: dict[str, list[Cost]] = {name: [] for name in ways}
    with tempfile.TemporaryDirectory(prefix="bench_chain_", dir=options.work) as folder:
        for number in range(options.rounds):
            for name, arguments in ways.items():
                job = Job(Path(__file__).with_name("score_corpus.py"), arguments)
                costs[name].append(job.run(Path(folder) / f"{name}_{number}", inputs))
    _console().print(with_and_without(costs, f"A run; without grouping: {options.without}"))


def watch(options: Any) -> None:
    """Print how much longer the pass over texts takes with watch-lists."""
    # The pass is beside its Spark shell, which the other parts do without.
    from quotelab.benchmarks.watch_speed import measure_passes, quotes_to_watch, read_articles, table_of_passes

    articles = read_articles(options.data)
    watched = quotes_to_watch(articles, max(options.watched))
    articles = articles[: options.articles]
    sizes = sorted({min(size, len(watched)) for size in options.watched})
    passes = measure_passes(articles, watched, sizes, options.rounds, load_settings())
    _console().print(table_of_passes(passes, len(articles)))


def _watched(text: str) -> tuple[int, ...]:
    """Numbers of watched texts; 0 is no list."""
    with_zero = text.startswith("0,")
    return (0,) * with_zero + parse_numbers(text.removeprefix("0,"))


def _sets(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    if not set(names) <= set(SETS):
        raise argparse.ArgumentTypeError(f"{text!r}: expected some of {', '.join(SETS)} with commas between them")
    return names


def _options() -> Any:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_subparsers(dest="what", required=True, metavar="compare | texts | scale | watch | chain")
    names = ("compare", "texts", "scale", "watch", "chain")
    comparing, writing, scaling, watching, chaining = (parts.add_parser(name) for name in names)
    for part in (comparing, writing):
        part.add_argument("--rows", type=int, default=39_000, metavar="N", help="of the set mixed (default: 39000)")
        part.add_argument("--copies", type=parse_numbers, default=(2, 60, 150, 1_000, 100_000), metavar="N,N")
        part.add_argument(
            "--words", type=parse_numbers, default=(7, 12, 18, 25), metavar="N,N", help="lengths of texts"
        )
        part.add_argument("--pairs", type=int, default=500, metavar="N", help="of each length (default: 500)")
    for part in (comparing, scaling, chaining):
        part.add_argument("--work", type=Path, metavar="DIR", help="folder for temporary files")
    for part, limit in ((comparing, 600.0), (scaling, 7_200.0)):
        part.add_argument("--limit-s", type=float, default=limit, help="of each run (default: %(default)s)")
    for part in (comparing, writing, scaling):
        part.add_argument("--seed", type=int, default=Plan().seed, help="of the generated texts (default: %(default)s)")
    comparing.add_argument("--data", type=Path, nargs="+", metavar="FILE", help="instead of generated sets")
    comparing.add_argument("--sets", type=_sets, default=SETS, metavar="SET,SET", help=f"of {', '.join(SETS)}")
    comparing.add_argument("--tools", metavar="NAME,NAME", help="beside ours (default: all)")
    comparing.add_argument("--peers", type=Path, default=Path(".bench"), metavar="DIR", help="environments of tools")
    comparing.add_argument("--json", type=Path, metavar="FILE", help="write all figures there too")
    writing.add_argument("--out", type=Path, required=True, metavar="FILE")
    writing.add_argument("--set", choices=SETS, default=MIXED)
    scaling.add_argument("--rows", dest="sizes", type=parse_numbers, default=(1_000_000, 10_000_000), metavar="N,N")
    scaling.add_argument("--set", choices=(EVERYDAY, MIXED), default=EVERYDAY, help="generated (default: %(default)s)")
    scaling.add_argument("--memory", default="4g", help="of Spark's driver (default: %(default)s)")
    chaining.add_argument("--without", required=True, metavar="KEY=VALUE", help="setting that switches grouping off")
    for part in (scaling, chaining):
        part.add_argument("--input", type=parse_input, action="append", metavar="NAME=GLOB", help="of a source")
    watching.add_argument("--data", type=Path, required=True, metavar="FILE", help="JSON Lines of news: title, text")
    watching.add_argument("--articles", type=int, default=2_000, metavar="N", help="that are searched (default: 2000)")
    watching.add_argument("--watched", type=_watched, default=(0, 42, 10_000), metavar="N,N", help="texts on the lists")
    for part in (watching, chaining):
        part.add_argument("--rounds", type=int, default=3, help="of each (default: 3)")
    return parser.parse_args()


if __name__ == "__main__":
    exit_with(main)
