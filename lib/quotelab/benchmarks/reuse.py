"""Measure the grouping of reused quotes: beside public tools, and by the number of texts.

    make bench-reuse                # installs the public tools in .bench, then runs compare
    quotelab bench reuse compare [--data FILE …] [--rows N] [--sets mixed,copies,words] [--json FILE]
    quotelab bench reuse texts --out FILE.jsonl --rows 39000
    quotelab bench reuse scale [--sizes 1000000,10000000] [--set mixed | --input NAME=GLOB]

compare groups the same texts by Quotelake, in one process and on Spark, and by datasketch, datatrove and
distributed-curator, each at its defaults and tuned. Each is a program of its own that is given the texts without the
truth. Its groups are compared with the truth as `evaluate reuse` does. A tool that fails, is not installed or has no
answer after --limit-s is listed with the reason. CPU and memory are of all processes, memory as proportional set size.
Without --data, three sets are generated: mixed (--rows uses of quotes in all kinds), copies (verbatim copies, by their
number) and words (one substituted word, by the length of the text). --data takes any file of the protocol `reuse`,
such as the truth-quotes.jsonl.gz of `quotelab generate`.

texts writes a generated set as such a file. scale measures our grouping on Spark on the first texts of one stream, and
subtracts start-up. The stream is generated, of words as frequent as in natural language, which have no end; with --set
mixed, of the quotes of that set, which are of some thousand words. With --input it is the quotes of a corpus, then of
copies of the corpus in other words, as of `bench load`.
"""

import json
import tempfile
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from quotelab.benchmarks.corpora import parse_input, parse_numbers, quotes_in_copies, read_lines
from quotelab.benchmarks.cost import Cost, check_machine
from quotelab.benchmarks.peers import comparing
from quotelab.benchmarks.peers.adapters import write_texts
from quotelab.benchmarks.peers.comparing import OURS, Outcome, Tool
from quotelab.report import progress, show, write_json
from quotelab.synthetic.groups import Use
from quotelab.synthetic.texts import copies, everyday, mixed, substitutions
from quotelake.errors import InputError, QuotelakeError
from quotelake.files.outputs import whole
from quotelake.settings import load_settings

MIXED, COPIES, WORDS = SETS = ("mixed", "copies", "words")
EVERYDAY = "everyday"
#: Texts of the run that start-up is measured by.
START_TEXTS = 1_000


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add("what", choices=("compare", "texts", "scale"), help="see above")
    add("--rows", type=int, default=39_000, metavar="N", help="of the set mixed (default: 39000)")
    add("--copies", type=parse_numbers, default=(2, 60, 150, 1_000, 100_000), metavar="N,N", help="of the set copies")
    add("--words", type=parse_numbers, default=(7, 12, 18, 25), metavar="N,N", help="lengths of texts of the set words")
    add("--pairs", type=int, default=500, metavar="N", help="of each length (default: 500)")
    add("--seed", type=int, default=7, help="of the generated texts (default: %(default)s)")
    add("--work", type=Path, metavar="DIR", help="folder for temporary files")
    add("--limit-s", type=float, help="of each run (default: compare 600, scale 7200)")
    comparing_ = parser.add_argument_group("compare").add_argument
    comparing_("--data", type=Path, nargs="+", metavar="FILE", help="instead of generated sets")
    comparing_("--sets", type=_sets, default=SETS, metavar="SET,SET", help=f"of {', '.join(SETS)}")
    comparing_("--tools", metavar="NAME,NAME", help="beside ours (default: all)")
    comparing_("--peers", type=Path, default=Path(".bench"), metavar="DIR", help="environments of tools")
    comparing_("--json", type=Path, metavar="FILE", help="write all figures there too")
    parser.add_argument_group("texts").add_argument("--out", type=Path, metavar="FILE")
    add("--set", choices=(*SETS, EVERYDAY), help="texts: default mixed; scale: default everyday")
    scaling = parser.add_argument_group("scale").add_argument
    scaling("--sizes", type=parse_numbers, default=(1_000_000, 10_000_000), metavar="N,N", help="numbers of texts")
    scaling("--memory", default="4g", help="of Spark's driver (default: %(default)s)")
    scaling("--input", type=parse_input, action="append", metavar="NAME=GLOB", help="of a source")


def run(options: Any) -> None:
    """Run the chosen part."""
    check_machine()
    {"compare": compare_tools, "texts": write_set, "scale": scale}[options.what](options)


def compare_tools(options: Any) -> None:
    """Print the tables of all tools on each file or generated set."""
    chosen = comparing.tools(options.tools)
    found: dict[str, list[dict[str, Any]]] = {}
    with tempfile.TemporaryDirectory(prefix="bench_reuse_", dir=options.work) as folder:
        for name, path in _files(options, Path(folder)).items():
            outcomes: list[Outcome] = []
            for tool in chosen:
                progress(f"{name}: {tool.label}, {tool.setting}")
                python = tool.python(options.peers)
                outcomes.append(comparing.compare(path, tool, python, options.limit_s or 600, options.work))
            comparing.show_outcomes(outcomes, name)
            found[name] = [outcome.as_row() for outcome in outcomes]
            write_json(options.json, found)  # after each set, because the next one may take long
    for each in chosen:
        if each.why:
            print(f"{each.label}, {each.setting}: {json.dumps(each.options)} ({each.why})")


def _files(options: Any, folder: Path) -> dict[str, Path]:
    """Files to compare on, by name: those given, else the generated sets."""
    if options.data:
        return {str(path): path for path in options.data}
    for name in options.sets:
        _write(_uses(name, options), folder / f"{name}.jsonl")
    return {name: folder / f"{name}.jsonl" for name in options.sets}


def _uses(name: str, options: Any) -> Iterator[Use]:
    if name in (MIXED, EVERYDAY):
        return {MIXED: mixed, EVERYDAY: everyday}[name](options.rows, options.seed)
    if name == COPIES:
        return copies(options.copies, options.seed)
    return substitutions(options.words, options.pairs, options.seed)


def _write(uses: Iterator[Use], path: Path) -> None:
    with whole(path) as partial, partial.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(use._asdict(), ensure_ascii=False) + "\n" for use in uses)


def write_set(options: Any) -> None:
    """Write a generated set as a file of the protocol ``reuse``."""
    if options.out is None or options.out.exists():
        raise InputError(f"--out {options.out}: name a file that does not exist")
    _write(_uses(options.set or MIXED, options), options.out)


@dataclass(frozen=True)
class Size:
    """Our grouping of a number of texts, and the cost of the same on :data:`START_TEXTS` texts."""

    texts: int
    outcome: Outcome
    cost: Cost
    start: Cost

    @property
    def rates(self) -> tuple[float, float]:
        """Texts a second and a CPU second, of those and of the time beyond start-up; 0 where there are none.

        >>> from quotelab.benchmarks.cost import Sample
        >>> start, whole = (Cost((Sample(0, 0, 0), Sample(*each)), 0, ()) for each in ((5, 2, 0), (15, 22, 0)))
        >>> Size(11_000, Outcome(Tool("", "")), whole, start).rates
        (1000.0, 500.0)
        """
        more = max(self.texts - START_TEXTS, 0)
        spent = (self.cost.seconds - self.start.seconds, self.cost.cpu - self.start.cpu)
        wall, cpu = (more / each if each > 0 else 0.0 for each in spent)
        return wall, cpu


def scale(options: Any) -> None:
    """Print how our grouping on Spark scales."""
    ours = next(tool for tool in comparing.tools(OURS) if tool.spark)
    declared = load_settings()
    lines = read_lines(options.input, declared) if options.input else None

    def texts() -> Iterator[str]:
        if lines is not None:
            return quotes_in_copies(lines, declared)
        made = mixed if options.set == MIXED else everyday
        return (use.text for use in made(max(options.sizes), options.seed))

    measured = list[Size]()
    try:
        for size in measure_sizes(ours, options, texts):
            progress(f"{size.texts:,} texts: {size.cost.seconds:,.0f} s, {size.cost.cpu:,.0f} CPU s")
            measured.append(size)
    finally:  # a larger one may fail or be stopped
        if measured:
            show_sizes(measured)


def measure_sizes(tool: Tool, options: Any, texts: Callable[[], Iterator[str]]) -> Iterator[Size]:
    """Run a tool on the first texts of a stream: on few for its start-up, then on each number of them.

    Raises:
        QuotelakeError: a run failed; the reason is in the message.
    """
    start = None
    for size in (START_TEXTS, *sorted(options.sizes)):
        with tempfile.TemporaryDirectory(prefix="bench_scale_", dir=options.work) as folder:
            path, groups = Path(folder) / "texts.jsonl", Path(folder) / "groups"
            number, limit = write_texts(islice(texts(), size), path), options.limit_s or 7_200
            outcome = comparing.run(tool, path, groups, tool.python(Path()), limit, memory=options.memory)
        if outcome.cost is None:
            raise QuotelakeError(f"{tool.label}, {tool.setting}, {size:,} texts: {outcome.failure}")
        if start is None:
            start = outcome.cost
        else:
            yield Size(number, outcome, outcome.cost, start)


def show_sizes(sizes: Sequence[Size]) -> None:
    """Print texts per second, and their ratio to those of the smallest size."""
    rows = []
    for size in sizes:
        cost, moved = size.cost, size.outcome.moved
        rates = []
        for rate, first in zip(size.rates, sizes[0].rates, strict=True):
            rates += [f"{rate:,.0f}", f"{rate / first:.2f}" if first else ""]
        sizes_moved = (cost.peak, moved.shuffled if moved else 0, moved.spilled if moved else 0)
        spent = (f"{each:,.1f}" for each in (cost.seconds, size.start.seconds, cost.cpu))
        rows.append((f"{size.texts:,}", *spent, *rates, *(f"{each / 1e6:,.1f}" for each in sizes_moved)))
    columns = (
        "texts", "wall s", "start-up s", "CPU s", "texts/s", "ratio", "texts/CPU s", "ratio",
        "peak MB", "shuffled MB", "spilled MB",
    )  # fmt: skip
    show("Our grouping by number of texts; texts/s without start-up", columns, rows, names=0)


def _sets(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    if not set(names) <= set(SETS):
        raise ArgumentTypeError(f"{text!r}: expected some of {', '.join(SETS)} with commas between them")
    return names
