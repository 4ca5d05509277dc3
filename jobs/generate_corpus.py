"""Write a synthetic news corpus of any size, with its truth: which quotes are the same, and where each stands.

    .venv/bin/python jobs/generate_corpus.py --out corpus --articles 100000
    .venv/bin/quotelake score --lake lake --input 'synthetic=corpus/news-*.jsonl.gz'
    .venv/bin/quotelake evaluate reuse --data corpus/truth-quotes.jsonl.gz

Quotes are used as often as a power law says: verbatim, or with words substituted, truncated, dropped, in brackets or
left out, or with other punctuation. Beside them stand texts that only look like them: joined of two quotes, negated, or
with another number; in the truth these are groups by themselves. Quotes are used in one topic, in many, or in one until
a date and in another from then on. Stories have wire copies in other outlets. All texts are invented.

--viral plants further quotes with as many uses as given, one after another; every second story has one of them. A use
is one story: its wire copies do not count.

--trimmed writes articles about further quotes of which some outlets cut a negation, condition, hedge or contrast, for
`evaluate trimmed`.

The same arguments give the same files, and more articles begin with the same articles. Memory does not grow with the
number of articles. Needs no Java. The files of the truth are described in lib/quotelab/synthetic/files.py.
"""

import argparse
import time
from datetime import date
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from quotelab.synthetic.files import Totals, generate
from quotelab.synthetic.shards import ENDINGS
from quotelab.synthetic.stories import Plan
from quotelake.commands import command
from quotelake.errors import exit_with


def main() -> None:
    """Write the corpus and print what it holds."""
    options = _options()
    plan = Plan(**{name: getattr(options, name) for name in Plan._fields})
    errors = Console(stderr=True)
    started = time.monotonic()

    def progress(done: int) -> None:
        errors.print(f"{done:>13,} of {options.articles:,} articles, {time.monotonic() - started:,.0f} s")

    totals = generate(
        plan, options.articles, options.out, options.format, options.shard_rows, progress, options.trimmed
    )
    Console().print(_table(totals, options.out))
    files = options.out / f"news-*{ENDINGS[options.format]}"
    print(f"Score it: {command('score')} --lake LAKE --input 'synthetic={files}'")


def _table(totals: Totals, out: Path) -> Table:
    table = Table("", "", "number", title=f"Synthetic corpus in {out}")
    table.columns[2].justify = "right"
    counts = {
        "articles": totals.articles,
        "wire copies among them": totals.wire_copies,
        "stories": totals.stories,
        "files": totals.files,
        "groups of quotes": totals.groups,
        "most uses of a group": totals.largest,
    }
    parts = (("corpus", counts), ("quotes, by kind", totals.kinds), ("groups, by topics", totals.behaviours))
    for title, values in (*parts, ("articles, by topic", totals.topics)):
        rows = list(values.items()) if values is counts else sorted(values.items(), key=lambda row: (-row[1], row[0]))
        for number, (name, value) in enumerate(rows):
            table.add_row("" if number else title, name, f"{value:,}", end_section=number == len(rows) - 1)
    return table


def _sizes(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: expected numbers of uses, such as 60,1000") from None


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a date such as 2024-01-31") from None


def _options() -> Any:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    usual = Plan()
    add = parser.add_argument
    add("--out", type=Path, required=True, metavar="DIR", help="folder to write; must not exist")
    add("--articles", type=int, default=10_000, metavar="N", help="number of articles (default: 10000)")
    add("--format", choices=ENDINGS, default="jsonl", help="of the articles (default: jsonl, gzipped)")
    add("--shard-rows", type=int, default=50_000, metavar="N", help="most articles of a file (default: 50000)")
    add("--seed", type=int, default=usual.seed, help="another seed gives other articles (default: %(default)s)")
    add("--start", type=_date, default=usual.start, metavar="DATE", help="first date (%(default)s)")
    add("--days", type=int, default=usual.days, metavar="N", help="length of the period (default: %(default)s)")
    add("--exponent", type=float, default=usual.exponent, metavar="X", help="uses per quote: P(n) ~ n^-X (%(default)s)")
    add("--copies-max", type=int, default=usual.copies_max, metavar="N", help="most uses of a quote (%(default)s)")
    add("--viral", type=_sizes, default=usual.viral, metavar="N,N", help="further quotes: uses, such as 60,1000")
    add("--changed", type=float, default=usual.changed, metavar="SHARE", help="changed uses (default: %(default)s)")
    add("--other", type=float, default=usual.other, metavar="SHARE", help="joined, negated, renumbered (%(default)s)")
    add("--wire", type=float, default=usual.wire, metavar="SHARE", help="stories with wire copies (%(default)s)")
    add("--trimmed", type=int, default=0, metavar="N", help="quotes that outlets trim or not, in a file of their own")
    return parser.parse_args()


if __name__ == "__main__":
    exit_with(main)
