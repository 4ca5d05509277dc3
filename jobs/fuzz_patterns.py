"""Measure how the time of each regular expression of the library grows with hostile texts.

    .venv/bin/python jobs/fuzz_patterns.py [--size N] [--factor N] [--only TEXT]

For each repeat in a pattern, texts are made of a match of what precedes it, then repeated characters of each class that
it matches, alone and in pairs, then an end that fails. All are measured at --size characters, and the three slowest
again at --factor times as many, with each method that is used on the pattern. The power says how the time grows: 1 is
linear, 2 quadratic, "-" too short to measure. Exit status 1 if a pattern is more than linear without a stated reason.
"""

import argparse

import quotelake
from quotelab.benchmarks.patterns import BOUNDED, find_patterns
from quotelab.benchmarks.pumping import STEEP, worst_growth
from quotelake.errors import InputError, exit_with


def main() -> int:
    """Find, measure, print; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=5_000, metavar="N", help="characters of the smaller texts")
    parser.add_argument("--factor", type=int, default=10, metavar="N", help="ratio of the larger size to the smaller")
    parser.add_argument("--only", default="", metavar="TEXT", help="only patterns whose place contains TEXT")
    options = parser.parse_args()
    if options.size < 100 or options.factor < 2:
        raise InputError("--size must be 100 at least, --factor 2 at least")
    found, unread = find_patterns(quotelake)
    chosen = [each for each in found if options.only in each.place]
    measured = [(worst_growth(each.pattern, sorted(each.uses), options.size, options.factor), each) for each in chosen]
    measured.sort(key=lambda pair: (-pair[0].exponent, pair[1].place))
    print(f"{'power':>5} {'ms':>8}  {'use':<9} {'pattern':<52} text")
    steep = 0
    for growth, each in measured:
        reason = BOUNDED.get(each.place, "")
        steep += growth.exponent > STEEP and not reason
        power = f"{growth.exponent:.2f}" if growth.pump else "-"
        text = (
            f"{growth.pump.prefix[:20]!r} + {growth.pump.unit[:20]!r} × n + {growth.pump.suffix!r}"
            if growth.pump
            else ""
        )
        place = each.place.removeprefix("quotelake.")
        print(f"{power:>5} {growth.seconds * 1e3:>8.2f}  {growth.use:<9} {place:<52} {text}  {reason}".rstrip())
    for call in unread:
        print(f"not measured, made while running: {call.module}:{call.function}, line {call.line}")
    print(f"{len(measured)} patterns, {steep} more than linear without a stated reason")
    return 1 if steep else 0


if __name__ == "__main__":
    exit_with(main)
