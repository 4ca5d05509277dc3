"""Measure each kind of alerts on real headlines and on written ones: which of them a budget of alerts allows.

    quotelab train alerts --texts REAL.jsonl.gz --data WRITTEN.jsonl [--articles CORPUS.jsonl.gz] --out alerts.json

REAL are corpora of news that nobody read, with ``id`` or ``ID``, ``title`` and ``text``, in English unless a
``language`` is stated: nearly all headlines are fair, so what is found there counts as false. WRITTEN are headlines as
for ``quotelab evaluate headlines_written``; those that mislead count. The shipped file is
lib/quotelake/contextomy/alerts.json.
"""

from argparse import ArgumentParser, Namespace
from collections import Counter
from pathlib import Path

from quotelab.labels.texts import read_articles
from quotelab.protocols import headlines_written
from quotelab.report import show
from quotelake import check_article
from quotelake.contextomy.budget import Alarms, Measured
from quotelake.contextomy.differences import Kind
from quotelake.files.outputs import write_atomically
from quotelake.settings import load_settings

#: A budget that allows every kind.
_NO_LIMIT = "contextomy.alerts_per_1000=1000"


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add("--texts", action="extend", nargs="+", required=True, metavar="PATH", help="corpora of real news")
    add("--data", action="extend", nargs="+", required=True, metavar="PATH", help="written headlines")
    add("--articles", action="extend", nargs="+", default=[], metavar="PATH", help="corpora of those without a body")
    add("--out", type=Path, required=True, metavar="FILE", help="file to write")


def run(options: Namespace) -> None:
    """Judge all, count, write, show."""
    settings = load_settings(None, [_NO_LIMIT])
    quotes, real = 0, Counter[str]()
    for _, _, record in read_articles(options.texts):
        language = record.get("language") or "en"
        for one in check_article(record["title"], record["text"], language=language, settings=settings):
            quotes += 1
            real.update({each.kind for each in one.differences if each.tier == "alert"})
    agreed, _ = headlines_written.judged(options.data, options.articles, settings)
    rows = [row for row in agreed if row[0].label == "M"]
    written = Counter[str]()
    for _, judgements in rows:
        written.update({each.kind for one in judgements for each in one.differences if each.tier == "alert"})
    kinds = [kind for kind in Kind if getattr(settings.contextomy.kinds, kind) == "alert"]
    alarms = Alarms(
        real=_names(options.texts),
        real_quotes=quotes,
        written=_names(options.data),
        written_headlines=len(rows),
        kinds={kind: Measured(real=real[kind], written=written[kind]) for kind in kinds},
    )
    write_atomically(options.out, alarms.model_dump_json(indent=1) + "\n")
    allowed = alarms.within(load_settings().contextomy.alerts_per_1000)
    title = f"{quotes:,} real headline quotes, {len(rows):,} misleading headlines; written to {options.out}"
    head = ("kind", "per 1,000 real", "found of written", "within the budget")
    shares = [(f"{1000 * real[kind] / quotes:.2f}", f"{written[kind] / len(rows):.3f}") for kind in kinds]
    show(title, head, [(kind, *of, str(kind in allowed)) for kind, of in zip(kinds, shares, strict=True)])


def _names(paths: list[str]) -> str:
    return ", ".join(Path(path).name.partition(".")[0] for path in paths)
