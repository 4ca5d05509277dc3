"""Measure the shipped detector: headline quotes scored per second on one core, each against N body quotes.

--data LABELLED holds headline_quote, body_quotes and label; without it the sample corpus is used. Each headline quote
is scored against N body quotes: those of its article first, then those of other articles. Normalisation, features and
score are measured, cosines are not. Processor time, best of the rounds.
"""

from argparse import ArgumentParser
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from quotelab.benchmarks.extraction import best_of
from quotelab.labels.headlines import read_labelled
from quotelake.contextomy.detector import load
from quotelake.errors import InputError
from quotelake.files.jsonl import json_lines
from quotelake.quotes.spans import find_quotes
from quotelake.sample import sample_path

GOAL = 1_000  # headline quotes per second
LEAST = 400  # headline quotes scored in a round

Case = tuple[str, list[str]]


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add("--data", type=Path, metavar="FILE", help="labelled headline quotes; the labels are not used")
    add("--body-quotes", type=int, default=20, metavar="N", help="for each of them (default: 20)")
    add("--rounds", type=int, default=3, help="number of rounds; the best one counts (default: 3)")


def run(options: Any) -> None:
    """Print the figures."""
    if options.rounds < 1 or options.body_quotes < 1:
        raise InputError("--rounds and --body-quotes must be 1 at least")
    cases = widened(cases_of(options.data), options.body_quotes)
    rate = rate_of(cases, options.rounds)
    print(f"{load().version}: {len(cases):,} headline quotes, {options.body_quotes} body quotes each")
    print(f"  {rate:,.0f} headline quotes a second on one core{'' if rate >= GOAL else ' (!)'}")


def rate_of(cases: list[Case], rounds: int) -> float:
    """Headline quotes scored per CPU second."""
    detector = load()
    [(seconds, _)] = best_of({"": lambda: [detector.score(*case) for case in cases]}, rounds).values()
    return len(cases) / seconds


def cases_of(path: Path | None = None) -> list[Case]:
    """Headline quotes and body quotes of a labelled file, or of the sample corpus."""
    if path is not None:
        return [(row.headline_quote, list(row.body_quotes)) for row in read_labelled(path)]
    cases = []
    for _, record in json_lines(Path(sample_path("news.jsonl"))):
        body = [quote.text for quote in find_quotes(record.get("text") or "")]
        cases += [(quote.text, body) for quote in find_quotes(record.get("title") or "", "headline")]
    return cases


def widened(cases: list[Case], wanted: int) -> list[Case]:
    """Give each headline quote ``wanted`` body quotes, those of its article first; repeat cases up to :data:`LEAST`."""
    pool = cycle([quote for _, quotes in cases for quote in quotes])
    many = islice(cycle(cases), max(len(cases), LEAST))
    return [(headline, [*quotes, *islice(pool, max(wanted - len(quotes), 0))][:wanted]) for headline, quotes in many]
