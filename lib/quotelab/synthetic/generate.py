"""Write a synthetic news corpus of any size, with its truth: which quotes are the same, and where each stands.

    quotelab generate --out corpus --articles 100000
    quotelake score --lake lake --input 'synthetic=corpus/news-*.jsonl.gz'
    quotelab evaluate reuse --data corpus/truth-quotes.jsonl.gz

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

import time
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from datetime import date
from pathlib import Path

from quotelab.report import progress, show
from quotelab.synthetic.files import generate
from quotelab.synthetic.stories import Plan


def run(options: Namespace) -> None:
    """Write the corpus and print what it holds."""
    plan = Plan(**{name: getattr(options, name) for name in Plan._fields})
    started = time.monotonic()
    say = lambda done: progress(f"{done:>13,} of {options.articles:,} articles, {time.monotonic() - started:,.0f} s")  # noqa: E731
    totals = generate(plan, options.articles, options.out, options.shard_rows, say, options.trimmed)
    counts = {
        "articles": totals.articles,
        "wire copies among them": totals.wire_copies,
        "stories": totals.stories,
        "files": totals.files,
        "groups of quotes": totals.groups,
        "most uses of a group": totals.largest,
    }
    rows: list[tuple[str, ...] | None] = [("corpus", name, f"{value:,}") for name, value in counts.items()]
    parts = {
        "quotes, by kind": totals.kinds,
        "groups, by topics": totals.behaviours,
        "articles, by topic": totals.topics,
    }
    for title, values in parts.items():
        found = sorted(values.items(), key=lambda row: (-row[1], row[0]))
        rows += [None, *((title, name, f"{value:,}") for name, value in found)]
    show(f"Synthetic corpus in {options.out}", ("", "", "number"), rows, names=2)
    print(f"Score it: quotelake score --lake LAKE --input 'synthetic={options.out}/news-*.jsonl.gz'")


def _sizes(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise ArgumentTypeError(f"{text!r}: expected numbers of uses, such as 60,1000") from None


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r}: expected a date such as 2024-01-31") from None


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    usual = Plan()
    add = parser.add_argument
    add("--out", type=Path, required=True, metavar="DIR", help="folder to write; must not exist")
    add("--articles", type=int, default=10_000, metavar="N", help="number of articles (default: 10000)")
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
