"""The corpus as a stream of stories, made one by one in memory that does not grow with their number."""

import random
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta
from itertools import accumulate, count
from typing import Final, NamedTuple

from quotelab.synthetic.articles import Article, Outlet, Use
from quotelab.synthetic.groups import MANY, ONE, SHIFT, Group, GroupMaker, Lanes, PowerLaw, Viral
from quotelab.synthetic.wording import Phrasebook, vocabulary
from quotelab.synthetic.writing import draft, outlets, write
from quotelake.errors import InputError

#: Shares of stories by the behaviour of their first quote's group.
_BEHAVIOURS: Final = {ONE: 0.6, MANY: 0.2, SHIFT: 0.2}
#: Quotes of a story, by their shares.
_QUOTES: Final = {1: 0.45, 2: 0.35, 3: 0.2}
#: Share of stories whose headline quotes the first quote.
_QUOTED: Final = 0.2
#: Share of stories that also quote a viral quote, as long as there is one.
_VIRAL: Final = 0.5
#: Groups in use at a time: of one topic, for each topic; of many topics; with a topic shift.
_WIDTH: Final = {ONE: 4, MANY: 8, SHIFT: 8}
#: Most wire copies of a story, and most hours until the last.
_MOST_COPIES: Final = 6
_COPY_HOURS: Final = 48


class Plan(NamedTuple):
    """What decides the stories. None of it says how many there are.

    Attributes:
        seed: the same plan gives the same stories.
        start: first date.
        days: length of the period; dates are spread evenly over it, in no order.
        exponent: of the power law of uses per quote, see :mod:`~quotelab.synthetic.groups`.
        copies_max: most uses of a quote.
        changed: share of changed variants among the uses of a quote after the first.
        other: share of joined, negated and renumbered texts among them.
        wire: share of stories with wire copies.
        viral: uses of quotes that are planted one after another beside those of the power law.
    """

    seed: int = 7
    start: date = date(2024, 1, 1)
    days: int = 366
    exponent: float = 2.0
    copies_max: int = 10_000
    changed: float = 0.4
    other: float = 0.06
    wire: float = 0.1
    viral: tuple[int, ...] = ()

    def check(self) -> None:
        """Check the bounds.

        Raises:
            InputError: a value is out of its bounds.
        """
        for name, least, most in _BOUNDS:
            value = getattr(self, name)
            for each in value if isinstance(value, tuple) else (value,):
                if not least <= each <= most:
                    raise InputError(f"{name} is {each}: give a value from {least} to {most}")


_BOUNDS: Final = (
    ("start", date(1900, 1, 1), date(2100, 1, 1)),
    ("days", 1, 36_500),
    ("exponent", 0.0, 10.0),
    ("copies_max", 1, 10_000_000),
    ("changed", 0.0, 1.0),
    ("other", 0.0, 0.9),
    ("wire", 0.0, 1.0),
    ("viral", 1, 10_000_000),
)


class Story(NamedTuple):
    """An article with its wire copies.

    Attributes:
        articles: the first article, then the copies.
        groups: of the quotes, in their order.
    """

    articles: tuple[Article, ...]
    groups: tuple[Group, ...]


def stories(plan: Plan) -> Iterator[Story]:
    """Yield stories without end, the same for the same plan: a larger corpus begins with the smaller one.

    Raises:
        InputError: a value of the plan is out of its bounds.

    >>> [story.articles[0].id for story, _ in zip(stories(Plan()), range(2))][0]
    'a000000000'
    """
    plan.check()
    rng = random.Random(plan.seed)
    start, period = datetime.combine(plan.start, time(), UTC), timedelta(days=plan.days)
    maker = GroupMaker(Phrasebook(plan.seed), PowerLaw(plan.exponent, plan.copies_max), start, period)
    lanes, viral = _lanes(maker), Viral(maker, plan.viral)
    papers = outlets()
    readers = list(accumulate(1 / rank for rank in range(1, len(papers) + 1)))
    ids = count()
    while True:
        when = start + timedelta(seconds=rng.randrange(int(period.total_seconds())))
        topic, groups = _groups(lanes, when, rng)
        if plan.viral and rng.random() < _VIRAL and (group := viral.draw(topic, rng)) is not None:
            groups.append(group)
        uses = [Use(*group.use(rng, plan.changed, plan.other)) for group in groups]
        made = draft(topic, uses, rng.random() < _QUOTED, rng)
        copies = rng.randint(1, _MOST_COPIES) if rng.random() < plan.wire else 0
        articles: list[Article] = []
        for copy, outlet in enumerate(_outlets(papers, readers, copies + 1, rng)):
            number = f"a{next(ids):09}"
            first = articles[0].id if articles else number
            at = when + timedelta(seconds=rng.randrange(_COPY_HOURS * 3600)) * (copy > 0)
            articles.append(Article(number, first, topic, outlet, at, copy, write(made, outlet, copy)))
        yield Story(tuple(articles), tuple(groups))


def _lanes(maker: GroupMaker) -> Mapping[str, Lanes]:
    """Lanes by topic, for groups of one topic, and by the other behaviours."""
    topics = vocabulary().topics
    made = {topic: Lanes(maker, ONE, [topic], _WIDTH[ONE]) for topic in topics}
    return made | {behaviour: Lanes(maker, behaviour, topics, _WIDTH[behaviour]) for behaviour in (MANY, SHIFT)}


def _groups(lanes: Mapping[str, Lanes], when: datetime, rng: random.Random) -> tuple[str, list[Group]]:
    """Topic of a story and the groups it quotes, each once; the topic follows from the first of them."""
    topics = vocabulary().topics
    behaviour = rng.choices(tuple(_BEHAVIOURS), tuple(_BEHAVIOURS.values()))[0]
    first = lanes[rng.choice(topics) if behaviour == ONE else behaviour].draw(rng)
    topic = first.topic_at(when, rng)
    groups = [first]
    for _ in range(rng.choices(tuple(_QUOTES), tuple(_QUOTES.values()))[0] - 1):
        group = lanes[MANY if rng.random() < _BEHAVIOURS[MANY] else topic].draw(rng)
        if group not in groups:  # by identity
            groups.append(group)
    return topic, groups


def _outlets(papers: tuple[Outlet, ...], readers: list[float], number: int, rng: random.Random) -> list[Outlet]:
    """Different outlets, the first ones of all more often."""
    chosen: dict[Outlet, None] = {}
    while len(chosen) < number:
        chosen[rng.choices(papers, cum_weights=readers)[0]] = None
    return list(chosen)
