"""Rows of the corpus and of its truth, and the counts of uses that a group's row needs."""

from collections import Counter
from typing import Any

from quotelake.evaluation.synthetic.articles import Article, Planted
from quotelake.evaluation.synthetic.groups import MANY, Group
from quotelake.evaluation.synthetic.stories import Story


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
            for name in sorted({name for name, _ in counts}):
                made.append(_row(group, name, counts))
        return made


def _row(group: Group, name: str, counts: Counter[tuple[str, str]]) -> dict[str, Any]:
    row = {"group": name, "uses": counts[name, "uses"], "articles": counts[name, "articles"]}
    kind = name.removeprefix(group.name).removeprefix("-")
    if kind:
        sources = [group.name, *([group.joined_with] if kind == "joined" and group.joined_with else [])]
        return {**row, "kind": kind, "made_from": sources, "behaviour": None, "topics": None, "planned": None}
    topics = None if group.behaviour == MANY else [each for each in (group.topic, group.later_topic) if each]
    shift_at = group.shift_at.isoformat() if group.shift_at else None
    of_quote = {"behaviour": group.behaviour, "topics": topics, "shift_at": shift_at, "planned": group.planned}
    return {**row, "kind": "base", "made_from": None, **of_quote}
