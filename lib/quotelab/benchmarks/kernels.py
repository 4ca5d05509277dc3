"""Measure the kernels that run in a worker, on one core and without a lake: what ``bench extraction`` and others share.

The ways of a measurement take turns, so that other load affects all alike, and the best round of each counts.
"""

import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Mapping
from itertools import cycle, islice
from pathlib import Path
from typing import Any, TypeVar

from quotelab.labels.headlines import read_labelled
from quotelake.contextomy.detector import load
from quotelake.errors import InputError
from quotelake.files.jsonl import json_lines
from quotelake.quotes.spans import find_quotes
from quotelake.sample import sample_path

K = TypeVar("K")
R = TypeVar("R")
#: Bytes of text in a measurement, at least.
LEAST = 2_000_000


def best_of(
    ways: Mapping[K, Callable[[], R]], rounds: int, clock: Callable[[], float] = time.process_time
) -> dict[K, tuple[float, R]]:
    """Seconds and result of the best round of each way."""
    best: dict[K, tuple[float, R]] = {}
    for _ in range(rounds):
        for name, way in ways.items():
            start = clock()
            result = way()
            spent = clock() - start
            if name not in best or spent < best[name][0]:
                best[name] = spent, result
    return best


def news(path: Path | None) -> list[dict[str, Any]]:
    """Articles of a file, or those of the sample corpus, repeated up to :data:`LEAST` bytes: ``headline``, ``body``.

    Raises:
        InputError: the file cannot be read, or has no record with a text.
    """
    records = [record for _, record in json_lines(path or Path(sample_path("news.jsonl"))) if isinstance(record, dict)]
    articles: list[dict[str, Any]] = [
        {"headline": record.get("title") or record.get("headline"), "body": text}
        for record in records
        if isinstance(text := record.get("text"), str) and text
    ]
    if not articles:
        raise InputError(f"{path}: found no record with a field text; name a JSON Lines file of news")
    return articles * (1 if path else -(-LEAST // size_of(article["body"] for article in articles)))


def size_of(texts: Iterable[str]) -> int:
    """Size of texts in bytes of UTF-8."""
    return sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)


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
    letters = sum(len(text) for _, quotes in cases for text in quotes) / (len(cases) * options.body_quotes)
    print(f"{load().version}: {len(cases):,} headline quotes, {options.body_quotes} body quotes each")
    print(f"  {letters:.0f} characters a body quote")
    print(f"  {rate:,.0f} headline quotes a second on one core{'' if rate >= GOAL else ' (!)'}")


def rate_of(cases: list[Case], rounds: int) -> float:
    """Headline quotes scored per CPU second."""
    detector = load()
    [(seconds, _)] = best_of({"": lambda: [detector.score(*case) for case in cases]}, rounds).values()
    return len(cases) / seconds


def cases_of(path: Path | None) -> list[Case]:
    """Headline quotes and body quotes of a labelled file, or of the sample corpus."""
    if path is not None:
        return [(row.headline_quote, list(row.body_quotes)) for row in read_labelled(path)]
    cases = []
    for _, record in json_lines(Path(sample_path("news.jsonl"))):
        title, text = record.get("title") or "", record.get("text") or ""
        body = [quote.text for quote in find_quotes(text)]
        cases += [(quote.text, body) for quote in find_quotes(title, "headline")]
    return cases


def widened(cases: list[Case], wanted: int) -> list[Case]:
    """Give each headline quote ``wanted`` body quotes, those of its article first; repeat cases up to :data:`LEAST`."""
    pool = cycle([quote for _, quotes in cases for quote in quotes])
    many = list(islice(cycle(cases), max(len(cases), LEAST)))
    return [(headline, [*quotes[:wanted], *islice(pool, max(wanted - len(quotes), 0))]) for headline, quotes in many]
