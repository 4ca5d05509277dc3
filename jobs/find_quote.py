"""Look up where a text has been said before: the nearest known quotes of a lake, with first use and uses.

find_quote.py --lake DIR "TEXT"
find_quote.py --lake DIR --format json < FILE   # each line is a text; the lake is opened once

Quotes are found by wording and by meaning. Their score is the greater of two measures, each at most 1:

  wording   1 for the same words. Else the share of the words of the shorter text that need not change for it to be a
            part of the longer one, times .8 (much longer) to 1 (as long). A misspelt word counts as part of a word,
            and an ellipsis or a bracket stands for any words.
  meaning   cosine of the vectors that the lake's model gives to both texts. Quotes of at least 4 words have one.

How a quote is near to the text: same (the same wording), longer (the text is a part of it), shorter (it is a part of
the text), near (some words differ), meaning (other words of a similar meaning). A group of quotes is listed once.
"""

import argparse
import csv
import os
import re
import sys
from collections.abc import Iterator

from rich.console import Console

from quotelake.commands import command, job_parser
from quotelake.errors import InputError, exit_with
from quotelake.query.lookup.find import LEAST, Lookup
from quotelake.query.lookup.opening import open_lookup
from quotelake.reporting.commands import spark_for
from quotelake.reporting.console import make_console
from quotelake.reporting.lookup import COLUMNS, ShownProgress, as_json, show_found, write_rows

#: Whether spark-submit started the job: it passes no input on.
SUBMITTED = "PYSPARK_GATEWAY_PORT" in os.environ


def main() -> None:
    """Open, look up, print."""
    arguments = _arguments()
    texts = _texts(arguments.text)

    lookup = open_lookup(
        arguments.lake,
        by_meaning=not arguments.no_meaning,
        index=arguments.index,
        progress=ShownProgress(Console(stderr=True)),
        spark=spark_for("find_quote", arguments.lake),
    )
    if arguments.format == "csv":
        csv.writer(sys.stdout).writerow(COLUMNS)
    for text in texts:
        answer(lookup, text, arguments)


def answer(lookup: Lookup, text: str, arguments: argparse.Namespace) -> None:
    """Look one text up and print what is found."""
    found = lookup.find(text, arguments.top, arguments.min_score, arguments.uses)
    if arguments.format == "json":
        print(as_json(text, found, lines=arguments.text is None))
    elif arguments.format == "csv":
        write_rows(text, found, sys.stdout)
    else:
        console = make_console()
        if arguments.text is None:
            console.rule(text, align="left")
        show_found(found, arguments.min_score, console)
    sys.stdout.flush()


def _texts(text: str | None) -> Iterator[str]:
    """The text, or each line of standard input that is not empty."""
    if text is not None:
        if not text.strip():
            raise InputError("the text to look up is empty")
        return iter([text])
    if SUBMITTED:
        raise InputError(f"spark-submit passes no input on; for a text a line, run: {command('lookup')} --lake DIR")
    if sys.stdin.isatty():
        print("reading texts from the keyboard, one a line: Ctrl-D on a line of its own ends", file=sys.stderr)
    return _lines()


def _lines() -> Iterator[str]:
    for number, line in enumerate(sys.stdin.buffer, 1):
        try:
            text = line.decode("utf-8-sig").strip()
        except UnicodeDecodeError as error:
            raise InputError(f"standard input, line {number:,}: byte {error.start} is not UTF-8") from None
        if text:
            yield text


def _uses(text: str) -> int | None:
    if text == "all":
        return None
    if not re.fullmatch(r"\d{1,9}", text):
        raise argparse.ArgumentTypeError(f"{text!r}: expected a number from 0 on, or all")
    return int(text)


def _arguments() -> argparse.Namespace:
    parser = job_parser("find_quote.py", __doc__)
    parser.add_argument("text", nargs="?", metavar="TEXT", help="a quote; none: each line of standard input is one")
    parser.add_argument("--lake", default="./lake", help="directory or address of the lake (default: ./lake)")
    parser.add_argument("--top", type=int, default=10, metavar="K", help="groups found at most (default: 10)")
    parser.add_argument(
        "--min-score", type=float, default=LEAST, metavar="S", help=f"least score, 0 to 1 (default: {LEAST})"
    )
    parser.add_argument(
        "--uses",
        type=_uses,
        default=3,
        metavar="N",
        help="uses listed of each group, or all; 0: the first only (default: 3)",
    )
    parser.add_argument("--format", choices=("table", "json", "csv"), default="table", help="default: table")
    parser.add_argument(
        "--no-meaning", action="store_true", help="look up by wording alone: at once, also the first time"
    )
    parser.add_argument(
        "--index", metavar="DIR", help="where the vectors of known quotes are kept (default: _lookup in the lake)"
    )
    arguments = parser.parse_args()
    if arguments.top < 1:
        raise InputError(f"--top {arguments.top}: must be 1 or more")
    if not 0 < arguments.min_score <= 1:
        raise InputError(f"--min-score {arguments.min_score:g}: must be above 0 and at most 1")
    return arguments


if __name__ == "__main__":
    exit_with(main)
