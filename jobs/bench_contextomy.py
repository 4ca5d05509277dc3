"""Measure the shipped detector: headline quotes scored per second on one core, each against N body quotes.

    .venv/bin/python jobs/bench_contextomy.py [--data LABELLED.jsonl] [--body-quotes N] [--rounds N]

LABELLED holds headline_quote, body_quotes and label; without it the sample corpus is used. Each headline quote is
scored against N body quotes: those of its article first, then those of other articles. Normalisation, features and
score are measured, cosines are not. Processor time, best of the rounds.
"""

import argparse
import time
from itertools import cycle, islice
from pathlib import Path

from quotelab.labels.headline_quotes import read_labelled
from quotelake.contextomy.detector import Detector, load
from quotelake.errors import InputError, exit_with
from quotelake.files.jsonl import json_lines
from quotelake.quotes.spans import find_quotes
from quotelake.sample import sample_path

GOAL = 1_000  # headline quotes per second
LEAST = 400  # headline quotes scored in a round

Case = tuple[str, list[str]]


def main() -> int:
    """Print the figures; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, metavar="FILE", help="labelled headline quotes; the labels are not used")
    parser.add_argument("--body-quotes", type=int, default=20, metavar="N", help="for each of them (default: 20)")
    parser.add_argument("--rounds", type=int, default=3, help="number of rounds; the best one counts (default: 3)")
    options = parser.parse_args()
    if options.rounds < 1 or options.body_quotes < 1:
        raise InputError("--rounds and --body-quotes must be 1 at least")
    cases = widened(labelled(options.data) if options.data else sampled(), options.body_quotes)
    detector = load()
    best = min(seconds(detector, cases) for _ in range(options.rounds))
    letters = sum(len(text) for _, quotes in cases for text in quotes) / (len(cases) * options.body_quotes)
    rate = len(cases) / best
    print(f"{detector.version}: {len(cases):,} headline quotes, {options.body_quotes} body quotes each")
    print(f"  {letters:.0f} characters a body quote")
    print(f"  {rate:,.0f} headline quotes a second on one core{'' if rate >= GOAL else ' (!)'}")
    return 0


def labelled(path: Path) -> list[Case]:
    """Headline quotes and body quotes of a labelled file."""
    return [(row.headline_quote, list(row.body_quotes)) for row in read_labelled(path)]


def sampled() -> list[Case]:
    """Headline quotes and body quotes of the sample corpus."""
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


def seconds(detector: Detector, cases: list[Case]) -> float:
    """Processor time of scoring all cases."""
    start = time.process_time()
    for headline, quotes in cases:
        detector.score(headline, quotes)
    return time.process_time() - start


if __name__ == "__main__":
    exit_with(main)
