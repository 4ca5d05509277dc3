"""Measure the grouping of reused quotes: beside public tools, and by the number of texts.

    make bench-reuse                # installs the public tools in .bench, then runs compare
    quotelab bench reuse compare [--data FILE …] [--rows N] [--json FILE]
    quotelab bench reuse texts --out FILE.jsonl --rows 39000 [--set mixed|everyday|words]
    quotelab bench reuse texts --out FILE.jsonl --set quotes --lake LAKE [--quotes 1000]
    quotelab bench reuse scale [--sizes 1000000,10000000]

compare groups the same texts by Quotelake, in one process and on Spark, and by datasketch, datatrove and
distributed-curator, each at its defaults and tuned, as a program that is given the texts without the truth, and
compares the groups with the truth as `evaluate reuse` does. A tool that fails or has no answer after --limit-s is
listed with the reason. CPU and memory are of all processes, memory as proportional set size. --data takes files of the
protocol `reuse`; without it --rows uses of quotes in all kinds are generated.

texts writes a generated set as such a file: uses in all kinds (mixed; everyday: of words as frequent as in natural
language), one substituted word by the length of the text (words), or direct quotes of a lake's articles, each changed
in every way that its words allow (quotes). scale measures our grouping on Spark on the first texts of the set everyday.
"""

import json
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import quotelake
from quotelab.benchmarks.adapters import write_texts
from quotelab.benchmarks.comparing import OURS, Tool, compare, show_outcomes, tools
from quotelab.benchmarks.comparing import run as run_tool
from quotelab.benchmarks.corpora import parse_numbers
from quotelab.benchmarks.cost import Cost
from quotelab.benchmarks.event_log import Moved
from quotelab.report import progress, show, write_json
from quotelab.synthetic.groups import Use
from quotelab.synthetic.texts import changed, everyday, mixed, substitutions
from quotelake.errors import InputError
from quotelake.files.outputs import atomic_output

START_TEXTS: Final = 1_000  # texts of the run that start-up is measured by


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add("what", choices=("compare", "texts", "scale"), help="see above")
    add("--rows", type=int, default=39_000, metavar="N", help="of the sets mixed and everyday (default: 39000)")
    add("--seed", type=int, default=7, help="of the generated texts (default: %(default)s)")
    add("--work", type=Path, metavar="DIR", help="folder for temporary files")
    add("--limit-s", type=float, help="of each run (default: compare 600, scale 7200)")
    group = parser.add_argument_group("compare")
    group.add_argument("--data", type=Path, nargs="+", metavar="FILE", help="instead of generated texts")
    group.add_argument("--tools", metavar="NAME,NAME", help="beside ours (default: all)")
    group.add_argument("--peers", type=Path, default=Path(".bench"), metavar="DIR", help="environments of tools")
    group.add_argument("--json", type=Path, metavar="FILE", help="write all figures there too")
    group = parser.add_argument_group("texts")
    group.add_argument("--out", type=Path, metavar="FILE")
    group.add_argument("--set", choices=("mixed", "everyday", "words", "quotes"), default="mixed")
    group.add_argument("--words", type=parse_numbers, default=(7, 12, 18, 25), metavar="N,N", help="of words")
    group.add_argument("--pairs", type=int, default=500, metavar="N", help="of each length of words (default: 500)")
    group.add_argument("--lake", metavar="DIR", help="lake of the set quotes")
    group.add_argument("--quotes", type=int, default=1_000, metavar="N", help="of the set quotes (default: 1000)")
    group = parser.add_argument_group("scale")
    sizes = (1_000_000, 10_000_000)
    group.add_argument("--sizes", type=parse_numbers, default=sizes, metavar="N,N", help="numbers of texts")
    group.add_argument("--memory", default="4g", help="of Spark's driver (default: %(default)s)")


def run(options: Any) -> None:
    """Run the chosen part."""
    if options.what == "texts":
        if options.out is None or options.out.exists():
            raise InputError(f"--out {options.out}: name a file that does not exist")
        sets = {
            "mixed": lambda: mixed(options.rows, options.seed),
            "everyday": lambda: everyday(options.rows, options.seed),
            "words": lambda: substitutions(options.words, options.pairs, options.seed),
            "quotes": lambda: changed(_quotes_of(options.lake), options.quotes, options.seed),
        }
        _write(sets[options.set](), options.out)
    elif options.what == "compare":
        compare_tools(options)
    else:
        show_sizes(measure_sizes(next(tool for tool in tools(OURS) if tool.spark), options))


def _quotes_of(lake: str | None) -> list[str]:
    """Texts of the direct quotes of a lake's articles."""
    if lake is None:
        raise InputError("--set quotes: reads the quotes of a lake; give --lake DIR")
    statement = "SELECT DISTINCT text FROM quotes WHERE kind = 'direct' AND field = 'body' AND depth = 0"
    return [row["text"] for row in quotelake.open(lake).sql(statement)]


def _write(uses: Iterator[Use], path: Path) -> None:
    with atomic_output(path) as partial, partial.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(use._asdict(), ensure_ascii=False) + "\n" for use in uses)


def compare_tools(options: Any) -> None:
    """Print the tables of all tools on each file, or on generated uses."""
    chosen = tools(options.tools)
    found: dict[str, list[dict[str, Any]]] = {}
    with tempfile.TemporaryDirectory(prefix="bench_reuse_", dir=options.work) as folder:
        files = {str(path): path for path in options.data or ()}
        if not files:
            files = {"mixed": Path(folder) / "mixed.jsonl"}
            _write(mixed(options.rows, options.seed), files["mixed"])
        for name, path in files.items():
            outcomes = []
            for tool in chosen:
                progress(f"{name}: {tool.label}, {tool.setting}")
                outcomes.append(compare(path, tool, options.peers, options.limit_s or 600, options.work))
            show_outcomes(outcomes, name)
            found[name] = [outcome.as_row() for outcome in outcomes]
            write_json(options.json, found)  # after each file, because the next one may take long
    for each in chosen:
        if each.why:
            print(f"{each.label}, {each.setting}: {json.dumps(each.options)} ({each.why})")


#: Our grouping of a number of texts: their number, its cost, that of :data:`START_TEXTS` texts, and the bytes moved.
Size = tuple[int, Cost, Cost, Moved]


def measure_sizes(tool: Tool, options: Any) -> Iterator[Size]:
    """Run a tool on the first texts of a stream: on few for its start-up, then on each number of them."""
    start = None
    for size in (START_TEXTS, *options.sizes):
        with tempfile.TemporaryDirectory(prefix="bench_scale_", dir=options.work) as folder:
            path, groups = Path(folder) / "texts.jsonl", Path(folder) / "groups"
            write_texts((use.text for use in everyday(size, options.seed)), path)
            limit = options.limit_s or 7_200
            cost, moved = run_tool(tool, path, groups, Path(), limit, memory=options.memory)
        if start is None:
            start = cost
        else:
            yield size, cost, start, moved or Moved(0, 0)


def show_sizes(sizes: Iterable[Size]) -> None:
    """Print texts per second beyond start-up, and their ratio to those of the smallest size."""
    rows = []
    first: list[float] = []
    try:
        for texts, cost, start, moved in sizes:
            progress(f"{texts:,} texts: {cost.seconds:,.0f} s, {cost.cpu:,.0f} CPU s")
            beyond = (cost.seconds - start.seconds, cost.cpu - start.cpu)
            rates = [(texts - START_TEXTS) / max(spent, 1e-9) for spent in beyond]
            first = first or rates
            ratios = [f"{rate / one:.2f}" for rate, one in zip(rates, first, strict=True)]
            spent = [f"{each:,.1f}" for each in (cost.seconds, start.seconds, cost.cpu)]
            moved_sizes = [f"{each / 1e6:,.1f}" for each in (cost.peak, moved.shuffled, moved.spilled)]
            rows.append((f"{texts:,}", *spent, *(f"{rate:,.0f}" for rate in rates), *ratios, *moved_sizes))
    finally:  # a larger one may fail or be stopped
        columns = (
            "texts", "wall s", "start-up s", "CPU s", "texts/s", "texts/CPU s", "ratio", "ratio of CPU",
            "peak MB", "shuffled MB", "spilled MB",
        )  # fmt: skip
        show("Our grouping by number of texts; texts/s without start-up", columns, rows, names=0)
