"""The corpus as a stream of stories, made one by one in memory that does not grow with their number."""

import random
from collections.abc import Iterator
from datetime import timedelta
from itertools import accumulate, count
from typing import Final, NamedTuple

from quotelab.synthetic.groups import MANY, ONE, SHIFT, Group, GroupMaker, Lanes, Plan
from quotelab.synthetic.wording import Phrasebook, vocabulary
from quotelab.synthetic.writing import Article, Outlet, draft, outlets, write

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
    maker = GroupMaker(Phrasebook(plan.seed).wording, plan)
    topics = vocabulary().topics
    lanes = {topic: Lanes(maker, ONE, [topic], _WIDTH[ONE]) for topic in topics}
    lanes |= {behaviour: Lanes(maker, behaviour, topics, _WIDTH[behaviour]) for behaviour in (MANY, SHIFT)}
    sizes, viral = list(plan.viral), None
    papers = outlets()
    readers = list(accumulate(1 / rank for rank in range(1, len(papers) + 1)))
    ids = count()
    while True:
        when = plan.begin + timedelta(seconds=rng.randrange(plan.days * 86_400))
        behaviour = rng.choices(tuple(_BEHAVIOURS), tuple(_BEHAVIOURS.values()))[0]
        first = lanes[rng.choice(topics) if behaviour == ONE else behaviour].draw(rng)
        topic = first.topic_at(when, rng)
        groups = [first]
        for _ in range(rng.choices(tuple(_QUOTES), tuple(_QUOTES.values()))[0] - 1):
            group = lanes[MANY if rng.random() < _BEHAVIOURS[MANY] else topic].draw(rng)
            groups += [] if group in groups else [group]  # by identity
        if plan.viral and rng.random() < _VIRAL:
            if (viral is None or not viral.left) and sizes:
                viral = maker.make(MANY, topic, rng, sizes.pop(0))
            groups += [viral] if viral is not None and viral.left else []
        uses = [group.use(rng, plan) for group in groups]
        made = draft(topic, uses, rng.random() < _QUOTED, rng)
        copies = rng.randint(1, _MOST_COPIES) if rng.random() < plan.wire else 0
        chosen: dict[Outlet, None] = {}  # different outlets, the first ones of all more often
        while len(chosen) < copies + 1:
            chosen[rng.choices(papers, cum_weights=readers)[0]] = None
        articles: list[Article] = []
        for copy, outlet in enumerate(chosen):
            number = f"a{next(ids):09}"
            at = when + timedelta(seconds=rng.randrange(_COPY_HOURS * 3600)) * (copy > 0)
            story = articles[0].id if articles else number
            articles.append(Article(number, story, topic, outlet, at, copy, *write(made, outlet, copy)))
        yield Story(tuple(articles), tuple(groups))
