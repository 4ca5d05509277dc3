"""Writes a corpus and its truth to a folder.

======================== ==============================================================================================
file                     one row per
======================== ==============================================================================================
news-*.jsonl.gz          article, as the source ``synthetic`` of ``conf/base.toml`` reads it
truth-quotes.jsonl.gz    quote in an article: text, group, kind, article, field, start, end
truth-articles.jsonl.gz  article: id, story, topic, outlet, published, wire_copy
truth-groups.jsonl.gz    group: what it is made of, its topics, uses (stories) and articles
truth-trimmed.jsonl.gz   article of further ones, where asked for: group, outlet, text, start, end, kind, trimmed
corpus.json              (one object) the plan and the counts
======================== ==============================================================================================

Offsets count characters of the field as it is in the record. ``evaluate reuse`` reads ``truth-quotes.jsonl.gz``,
``evaluate trimmed`` ``truth-trimmed.jsonl.gz``.
"""

import gzip
import json
import shutil
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from quotelab.synthetic.articles import Article, Planted
from quotelab.synthetic.groups import MANY, Group
from quotelab.synthetic.mutations import OTHER
from quotelab.synthetic.stories import Plan, Story, stories
from quotelab.synthetic.trimmed import articles as trimmed_articles
from quotelake.errors import InputError

#: Articles after which progress is reported.
PROGRESS_STEP: Final = 10_000


@dataclass
class Totals:
    """Counts of a corpus, kept while it is written.

    Attributes:
        articles: written.
        stories: of these articles.
        wire_copies: articles that are copies of a story's first.
        groups: of quotes, those of joined, negated and renumbered texts included.
        largest: most uses of a group.
        files: with articles.
        topics: articles by topic.
        kinds: quotes by kind, in headlines and wire copies too.
        behaviours: groups by behaviour.
    """

    articles: int = 0
    stories: int = 0
    wire_copies: int = 0
    groups: int = 0
    largest: int = 0
    files: int = 0
    topics: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    behaviours: Counter[str] = field(default_factory=Counter)


def generate(
    plan: Plan,
    articles: int,
    out: Path,
    shard_rows: int,
    progress: Callable[[int], None],
    trimmed: int = 0,
) -> Totals:
    """Write a corpus; the folder appears when all of it is written.

    Args:
        plan: decides the articles.
        articles: their number.
        out: folder that does not exist yet.
        shard_rows: most articles of a file.
        progress: called with the number of articles written, every :data:`PROGRESS_STEP` articles.
        trimmed: quotes that outlets trim or do not, in a file of their own; none with 0.

    Raises:
        InputError: a number is too small, the plan is out of its bounds, or the folder exists.
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
            file = JsonLines(part / "truth-trimmed.jsonl.gz")
            for each in trimmed_articles(trimmed, plan.seed):
                file.add(each._asdict())
            file.close()
        made = {"plan": {**plan._asdict(), "start": plan.start.isoformat()}, "totals": vars(totals)}
        (part / "corpus.json").write_text(json.dumps(made, indent=1) + "\n", "utf-8")
        part.rename(out)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    return totals


def _write(plan: Plan, articles: int, folder: Path, shard_rows: int, progress: Callable[[int], None]) -> Totals:
    totals = Totals()
    news = Shards(folder, "news", shard_rows)
    truth = {name: JsonLines(folder / f"truth-{name}.jsonl.gz") for name in ("quotes", "articles", "groups")}
    used = Uses()
    for story in stories(plan):
        for article in story.articles[: articles - totals.articles]:
            news.add(record(article))
            truth["articles"].add(article_row(article))
            for quote in article.text.planted:
                truth["quotes"].add(quote_row(article, quote))
                totals.kinds[quote.kind] += 1
            used.count(article, story)
            totals.articles += 1
            totals.stories += article.copy == 0
            totals.wire_copies += article.copy > 0
            totals.topics[article.topic] += 1
            if not totals.articles % PROGRESS_STEP:
                progress(totals.articles)
        done = totals.articles == articles
        for row in used.rows([*used.groups.values()] if done else [each for each in story.groups if not each.left]):
            truth["groups"].add(row)
            totals.groups += 1
            totals.largest = max(totals.largest, row["uses"])
            totals.behaviours[row["behaviour"] or "not a quote of its own"] += 1
        if done:
            break
    news.close()
    for file in truth.values():
        file.close()
    totals.files = news.files
    return totals


#: Fast, and a tenth larger than the smallest.
_COMPRESSION: Final = 3

Record = Mapping[str, Any]


class JsonLines:
    """A file, gzipped without time and name, so that the bytes depend on the records alone."""

    def __init__(self, path: Path) -> None:
        self._raw = path.open("xb")
        self._file = gzip.GzipFile("", "wb", _COMPRESSION, self._raw, mtime=0)

    def add(self, record: Record) -> None:
        """Write a record as one line."""
        self._file.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        self._raw.close()


class Shards:
    """Files ``NAME-00000.jsonl.gz`` and so on, with at most ``rows`` records each; ``files`` is their number."""

    def __init__(self, folder: Path, name: str, rows: int) -> None:
        self._folder, self._name, self._rows = folder, name, rows
        self._file: JsonLines | None = None
        self._left = self.files = 0

    def add(self, record: Record) -> None:
        """Write a record to the current file, or to the next one if that is full."""
        if self._file is None or not self._left:
            self.close()
            self._file = JsonLines(self._folder / f"{self._name}-{self.files:05}.jsonl.gz")
            self._left = self._rows
            self.files += 1
        self._file.add(record)
        self._left -= 1

    def close(self) -> None:
        """Close the current file."""
        if self._file is not None:
            self._file.close()
            self._file = None


def record(article: Article) -> dict[str, str]:
    """An article as the source ``synthetic`` reads it."""
    day = article.published.strftime("%Y/%m/%d")
    return {
        "id": article.id,
        "outlet": article.outlet.name,
        "url": f"https://{article.outlet.host}/{day}/{article.id}",
        "published": article.published.isoformat(),
        "title": article.text.headline,
        "text": article.text.body,
    }


def article_row(article: Article) -> dict[str, Any]:
    """Row of ``truth-articles``."""
    return {
        "id": article.id,
        "story": article.story,
        "topic": article.topic,
        "outlet": article.outlet.name,
        "published": article.published.isoformat(),
        "wire_copy": article.copy > 0,
    }


def quote_row(article: Article, quote: Planted) -> dict[str, Any]:
    """Row of ``truth-quotes``."""
    return {**quote._asdict(), "article": article.id}


class Uses:
    """Counts of the uses of groups that are not complete yet."""

    def __init__(self) -> None:
        self.groups: dict[str, Group] = {}
        self._counts: dict[str, Counter[tuple[str, str]]] = {}

    def count(self, article: Article, story: Story) -> None:
        """Count the quotes in the body of an article of a story."""
        bodies = [quote for quote in article.text.planted if quote.field == "body"]
        for group, quote in zip(story.groups, bodies, strict=True):
            self.groups[group.name] = group
            counts = self._counts.setdefault(group.name, Counter())
            counts[quote.group, "articles"] += 1
            counts[quote.group, "uses"] += article.copy == 0

    def rows(self, groups: list[Group]) -> list[dict[str, Any]]:
        """Rows of groups that get no more uses, and of the texts made from them; the groups are forgotten."""
        made = []
        for group in groups:
            counts = self._counts.pop(group.name, Counter())
            self.groups.pop(group.name, None)
            made += [_row(group, kind, counts) for kind in ("base", *OTHER) if counts[group.name_of(kind), "articles"]]
        return made


def _row(group: Group, kind: str, counts: Counter[tuple[str, str]]) -> dict[str, Any]:
    """Row of a group, or of the text of another kind that was made from it."""
    name = group.name_of(kind)
    itself = kind == "base"
    sources = [each for each in (group.name, group.joined_with if kind == "joined" else None) if each]
    one = [each for each in (group.topic, group.later_topic) if each]
    return {
        "group": name,
        "kind": kind,
        "text": group.text_of(kind),
        "made_from": None if itself else sources,
        "uses": counts[name, "uses"],
        "articles": counts[name, "articles"],
        "planned": group.planned if itself else None,
        "behaviour": group.behaviour if itself else None,
        "topics": one if itself and group.behaviour != MANY else None,
        "shift_at": group.shift_at.isoformat() if itself and group.shift_at else None,
    }
