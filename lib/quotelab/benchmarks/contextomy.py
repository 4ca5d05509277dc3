"""Measure the shipped detector: headline quotes scored per second on one core, each against 20 body quotes.

Headline quotes are those of the sample corpus, each with the body quotes of its article first, then those of others.
Normalisation, features and score are measured, cosines are not. Processor time, best of three rounds.
"""

from argparse import ArgumentParser
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final

from quotelab.benchmarks.timing import best_of
from quotelake.contextomy.detector import load
from quotelake.files.jsonl import json_lines
from quotelake.quotes.spans import find_quotes
from quotelake.sample import sample_path

GOAL: Final = 1_000  # headline quotes per second
BODY_QUOTES: Final = 20
_LEAST: Final = 400  # headline quotes scored in a round
_ROUNDS: Final = 3


def configure(parser: ArgumentParser) -> None:
    """There are no arguments."""


def run(options: Any) -> None:
    """Print the figure."""
    rate = headline_quotes_per_second()
    print(f"{load().version}: {BODY_QUOTES} body quotes for each headline quote")
    print(f"  {rate:,.0f} headline quotes a second on one core{'' if rate >= GOAL else ' (!)'}")


def headline_quotes_per_second() -> float:
    """Headline quotes scored per CPU second."""
    found = []
    for _, record in json_lines(Path(sample_path("news.jsonl"))):
        body = [quote.text for quote in find_quotes(record.get("text") or "")]
        found += [(quote.text, body) for quote in find_quotes(record.get("title") or "", "headline")]
    others = cycle([quote for _, quotes in found for quote in quotes])
    cases = [
        (headline, [*quotes, *islice(others, max(BODY_QUOTES - len(quotes), 0))][:BODY_QUOTES])
        for headline, quotes in islice(cycle(found), max(len(found), _LEAST))
    ]
    detector = load()
    [(seconds, _)] = best_of({"": lambda: [detector.score(*case) for case in cases]}, _ROUNDS).values()
    return len(cases) / seconds
