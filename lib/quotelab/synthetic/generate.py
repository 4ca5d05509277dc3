"""Write a synthetic news corpus of any size, with its truth: which quotes are the same, and where each stands.

    quotelab generate --out corpus --articles 100000
    quotelake score --lake lake --input 'synthetic=corpus/news-*.jsonl.gz'
    quotelab evaluate reuse --data corpus/truth-quotes.jsonl.gz

docs/LAB.md says how quotes are used and what the files hold; offsets count characters of the field as it is in the
record. --viral plants further quotes with as many uses as given, one after another; every second story has one of them.
A use is one story: its wire copies do not count. --trimmed writes truth-trimmed.jsonl.gz, articles about further quotes
of which some outlets cut a negation, condition, hedge or contrast, for `evaluate trimmed`.

The same arguments give the same files, and more articles begin with the same articles. Memory does not grow with the
number of articles.
"""

import gzip
import json
import shutil
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from datetime import date
from pathlib import Path
from typing import Any, Final

from quotelab.report import progress, show
from quotelab.synthetic.groups import MANY, Group, Plan
from quotelab.synthetic.mutations import OTHER
from quotelab.synthetic.stories import stories
from quotelab.synthetic.trimmed import articles as trimmed_articles
from quotelake.errors import InputError

PROGRESS_STEP: Final = 10_000  # articles after which progress is reported
_COMPRESSION: Final = 3  # fast, and a tenth larger than the smallest


def generate(
    plan: Plan, articles: int, out: Path, shard_rows: int, progress: Callable[[int], None], trimmed: int = 0
) -> dict[str, Any]:
    """Write a corpus; the folder appears when all of it is written. Returned are the counts of the corpus.

    ``progress`` is called with the number of articles written, every :data:`PROGRESS_STEP` articles.
    """
    plan.check()
    for name, value, least in (("articles", articles, 1), ("shard_rows", shard_rows, 1), ("trimmed", trimmed, 0)):
        if value < least:
            raise InputError(f"{name} is {value}: give {least} or more")
    part = out.with_name(f"{out.name}.part")
    for folder in (out, part):
        if folder.exists():
            raise InputError(f"{folder} exists: name another folder, or delete it")
    try:
        part.mkdir(parents=True)
    except OSError as error:
        raise InputError(f"{part}: cannot be made ({error.strerror}); name another folder") from None
    try:
        totals = _write(plan, articles, part, shard_rows, progress)
        if trimmed:
            with JsonLines(part / "truth-trimmed.jsonl.gz") as file:
                for each in trimmed_articles(trimmed, plan.seed):
                    file.add(each._asdict())
        made = {"plan": {**plan._asdict(), "start": plan.start.isoformat()}, "totals": totals}
        (part / "corpus.json").write_text(json.dumps(made, indent=1) + "\n", "utf-8")
        part.rename(out)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    return totals


def _write(plan: Plan, articles: int, folder: Path, shard_rows: int, progress: Callable[[int], None]) -> dict[str, Any]:
    totals = dict.fromkeys(("articles", "stories", "wire_copies", "groups", "largest", "files"), 0)
    topics, kinds, behaviours = Counter[str](), Counter[str](), Counter[str]()
    unfinished: dict[str, Group] = {}  # groups in the order of their first use
    with ExitStack() as files, ExitStack() as shard:
        truth = {
            name: files.enter_context(JsonLines(folder / f"truth-{name}.jsonl.gz"))
            for name in ("quotes", "articles", "groups")
        }
        for story in stories(plan):
            for article in story.articles[: articles - totals["articles"]]:
                if totals["articles"] % shard_rows == 0:
                    shard.close()
                    news = shard.enter_context(JsonLines(folder / f"news-{totals['files']:05}.jsonl.gz"))
                    totals["files"] += 1
                outlet, published = article.outlet, article.published.isoformat()
                url = f"https://{outlet.host}/{article.published:%Y/%m/%d}/{article.id}"
                texts = {"title": article.headline, "text": article.body}
                news.add({"id": article.id, "outlet": outlet.name, "url": url, "published": published, **texts})
                known = {"id": article.id, "story": article.story, "topic": article.topic, "outlet": outlet.name}
                truth["articles"].add({**known, "published": published, "wire_copy": article.copy > 0})
                for quote in article.planted:
                    truth["quotes"].add({**quote._asdict(), "article": article.id})
                    kinds[quote.kind] += 1
                bodies = [quote for quote in article.planted if quote.field == "body"]
                for group, quote in zip(story.groups, bodies, strict=True):
                    unfinished[group.name] = group
                    group.counts[quote.group, "articles"] += 1
                    group.counts[quote.group, "uses"] += article.copy == 0
                totals["articles"] += 1
                totals["wire_copies" if article.copy else "stories"] += 1
                topics[article.topic] += 1
                if not totals["articles"] % PROGRESS_STEP:
                    progress(totals["articles"])
            done = totals["articles"] == articles
            for group in list(unfinished.values()) if done else [each for each in story.groups if not each.left]:
                unfinished.pop(group.name, None)
                for row in _rows(group):
                    truth["groups"].add(row)
                    totals["groups"] += 1
                    totals["largest"] = max(totals["largest"], row["uses"])
                    behaviours[row["behaviour"] or "not a quote of its own"] += 1
            if done:
                break
    return {**totals, "topics": topics, "kinds": kinds, "behaviours": behaviours}


def _rows(group: Group) -> list[dict[str, Any]]:
    """Rows of a group that gets no more uses, and of the texts made from it that were used."""
    rows = []
    topics = [each for each in (group.topic, group.later_topic) if each]
    for kind in ("base", *OTHER):
        name, itself = group.name_of(kind), kind == "base"
        sources = [each for each in (group.name, group.joined_with if kind == "joined" else None) if each]
        row = {
            "group": name,
            "kind": kind,
            "text": group.texts[kind],
            "made_from": None if itself else sources,
            "uses": group.counts[name, "uses"],
            "articles": group.counts[name, "articles"],
            "planned": group.planned if itself else None,
            "behaviour": group.behaviour if itself else None,
            "topics": topics if itself and group.behaviour != MANY else None,
            "shift_at": group.shift_at.isoformat() if itself and group.shift_at else None,
        }
        rows += [row] if row["articles"] else []
    return rows


class JsonLines(ExitStack):
    """A file, gzipped without time and name, so that the bytes depend on the records alone; closed as a context."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._file = self.enter_context(
            gzip.GzipFile("", "wb", _COMPRESSION, self.enter_context(path.open("xb")), mtime=0)
        )

    def add(self, record: dict[str, Any]) -> None:
        """Write a record as one line."""
        self._file.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")


def run(options: Namespace) -> None:
    """Write the corpus and print what it holds."""
    plan = Plan(**{name: getattr(options, name) for name in Plan._fields})
    started = time.monotonic()

    def report(done: int) -> None:
        progress(f"{done:>13,} of {options.articles:,} articles, {time.monotonic() - started:,.0f} s")

    totals = generate(plan, options.articles, options.out, options.shard_rows, report, options.trimmed)
    rows: list[tuple[str, ...] | None] = []
    for name, value in totals.items():
        if isinstance(value, Counter):
            rows += [None, *((name, kind, f"{number:,}") for kind, number in value.most_common())]
        else:
            shown = "most uses of a group" if name == "largest" else name.replace("_", " ")
            rows.append(("corpus", shown, f"{value:,}"))
    show(f"Synthetic corpus in {options.out}", ("", "", "number"), rows, names=2)
    print(f"Score it: quotelake score --lake LAKE --input 'synthetic={options.out}/news-*.jsonl.gz'")


def sizes(text: str) -> tuple[int, ...]:
    """Read numbers with commas between them; argparse reports a ValueError."""
    return tuple(int(part) for part in text.split(","))


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    usual = Plan()
    add = parser.add_argument
    add("--out", type=Path, required=True, metavar="DIR", help="folder to write; must not exist")
    add("--articles", type=int, default=10_000, metavar="N", help="number of articles (default: 10000)")
    add("--shard-rows", type=int, default=50_000, metavar="N", help="most articles of a file (default: 50000)")
    add("--seed", type=int, default=usual.seed, help="another seed gives other articles (default: %(default)s)")
    add("--start", type=date.fromisoformat, default=usual.start, metavar="DATE", help="first date (%(default)s)")
    add("--days", type=int, default=usual.days, metavar="N", help="length of the period (default: %(default)s)")
    add("--exponent", type=float, default=usual.exponent, metavar="X", help="uses per quote: P(n) ~ n^-X (%(default)s)")
    add("--copies-max", type=int, default=usual.copies_max, metavar="N", help="most uses of a quote (%(default)s)")
    add("--viral", type=sizes, default=usual.viral, metavar="N,N", help="further quotes: uses, such as 60,1000")
    add("--changed", type=float, default=usual.changed, metavar="SHARE", help="changed uses (default: %(default)s)")
    add("--other", type=float, default=usual.other, metavar="SHARE", help="joined, negated, renumbered (%(default)s)")
    add("--wire", type=float, default=usual.wire, metavar="SHARE", help="stories with wire copies (%(default)s)")
    add("--trimmed", type=int, default=0, metavar="N", help="quotes that outlets trim or not, in a file of their own")
