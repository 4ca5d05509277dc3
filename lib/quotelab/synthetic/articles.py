"""What an article of the corpus holds: headline, body, and the quotes in them with their places."""

from collections import Counter
from datetime import datetime
from typing import Any, NamedTuple

from quotelab.synthetic.groups import MANY, Group
from quotelab.synthetic.mutations import OTHER
from quotelab.synthetic.stories import Story


class Use(NamedTuple):
    """A use of a quote, to be written into an article: name of its group, kind, text."""

    group: str
    kind: str
    text: str


class Planted(NamedTuple):
    """A quote in an article. Offsets count characters of the field.

    Attributes:
        text: as it is printed between the marks, with punctuation at its end.
        group: name of its group.
        kind: one of :data:`~quotelab.synthetic.mutations.SAME` or ``OTHER``.
        field: headline or body.
        start: first character.
        end: one past the last.
    """

    text: str
    group: str
    kind: str
    field: str
    start: int
    end: int


class Outlet(NamedTuple):
    """An outlet: its name, the host of its URLs, its opening and closing quotation mark."""

    name: str
    host: str
    marks: tuple[str, str]


class Text(NamedTuple):
    """Headline and body of an article, and the quotes in them."""

    headline: str
    body: str
    planted: tuple[Planted, ...]


class Article(NamedTuple):
    """An article of the corpus.

    Attributes:
        id: unique; counts the articles.
        story: id of the story's first article; wire copies have the same.
        topic: of the text around the quotes.
        outlet: who published it.
        published: when, UTC.
        copy: 0 for the first article of a story, then the number of the wire copy.
        text: headline, body, and the quotes in them.
    """

    id: str
    story: str
    topic: str
    outlet: Outlet
    published: datetime
    copy: int
    text: Text


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
