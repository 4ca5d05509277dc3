"""The corpus as a stream of stories, made one by one in memory that does not grow with their number.

An article is written around quotes, with the place of each.
"""

import random
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import accumulate, count, cycle
from typing import Final, NamedTuple

from quotelab.synthetic.groups import MANY, ONE, SHIFT, Group, GroupMaker, Lanes, Plan, Use
from quotelab.synthetic.wording import Phrasebook, vocabulary

#: Sentences of the text around quotes, with words of its topic. None has a quotation mark or a colon.
_SENTENCES: Final = (
    "The {thing} in {place} has kept {roles} busy since {time}.",
    "Officials counted {number} {goods} there, most of them {quality}.",
    "Few {roles} expected the {thing} to become so {quality}.",
    "The town wants to {verb} more {goods} next year.",
    "The most {quality} {thing} stood at the centre of the dispute.",
    "Two {roles} from {place} spoke about {goods} for an hour.",
    "The plan to {verb} the {thing} will be discussed again on the last day of the month.",
    "In {place}, {roles} have begun to {verb} {goods} {manner}.",
    "Critics call the {goods} {quality} and ask who will pay for the {thing}.",
    "More than {number} {roles} signed a letter about the {quality} {goods}.",
    "Nobody could say when the {thing} would be ready.",
    "Around {place} the {goods} and the {thing} are what {roles} talk about.",
)
_HEADLINES: Final = (
    "{Roles} in {place} to {verb} {goods}",
    "{Quality} {thing} divides {place}",
    "{Number} {goods} and one {quality} {thing} in {place}",
    "Why {roles} {verb} {goods} in {place}",
    "{Place} waits for its {thing}",
)
#: Sentences with a quote. The quote stands between two marks; a comma or full stop inside belongs to it.
_FRAMES: Final = (
    ("", ",", " said {name}, who speaks for the {roles} of {place}."),
    ("{name} told the {roles}, ", ".", ""),
    ("Asked about the {thing}, {name} answered, ", ".", ""),
    ("", ",", " {name} said when the {goods} were counted."),
)
#: Marks of an outlet, by how many outlets use them.
_MARKS: Final = (("“", "”"), ("“", "”"), ('"', '"'), ("‘", "’"))
_PARAGRAPH: Final = "\n\n"


class Planted(NamedTuple):
    """A quote in an article, as it is printed between the marks, with punctuation at its end.

    ``kind`` is one of :data:`~quotelab.synthetic.mutations.SAME` or ``OTHER``, ``field`` headline or body; ``start``
    and ``end`` (one past the last) count characters of the field.
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


class Article(NamedTuple):
    """An article of the corpus; ``id`` counts the articles, ``story`` is the id of the story's first one.

    ``topic`` is that of the text around the quotes, ``copy`` 0 or the number of the wire copy, ``published`` in UTC.
    """

    id: str
    story: str
    topic: str
    outlet: Outlet
    published: datetime
    copy: int
    headline: str
    body: str
    planted: tuple[Planted, ...]


class Framed(NamedTuple):
    """A use with the sentence around it: text before, punctuation inside the marks, text after."""

    use: Use
    before: str
    inside: str
    after: str


class Draft(NamedTuple):
    """An article without the style of an outlet: headlines, for the first outlet and copies in turn, and paragraphs."""

    headlines: tuple[str | Framed, ...]
    paragraphs: tuple[str | Framed, ...]


def outlets() -> tuple[Outlet, ...]:
    """All outlets: each place with each last word of a name."""
    words = vocabulary()
    names = [f"{place} {paper}" for paper in words.papers for place in words.places]
    hosts = [f"{name.lower().replace(' ', '-')}.example" for name in names]
    return tuple(map(Outlet, names, hosts, cycle(_MARKS)))


def draft(topic: str, uses: Sequence[Use], quoted: bool, rng: random.Random) -> Draft:
    """Draft an article with uses two paragraphs apart; where ``quoted``, the headline quotes the first use."""
    headlines: list[str | Framed] = [_sentence(each, topic, rng) for each in rng.sample(_HEADLINES, 2)]
    paragraphs: list[str | Framed] = [_prose(topic, rng)]
    for number, use in enumerate(uses):
        words = vocabulary().draw(topic, rng)
        before, inside, after = (part.format(**words) for part in rng.choice(_FRAMES))
        paragraphs += [Framed(use, before, inside, after), _prose(topic, rng), _prose(topic, rng)]
        if quoted and not number:
            headlines[0] = Framed(use, "", ",", f" says {words['name']}")
    return Draft(tuple(headlines), tuple(paragraphs))


def write(made: Draft, outlet: Outlet, copy: int) -> tuple[str, str, tuple[Planted, ...]]:
    """Write a draft in the style of an outlet; a wire copy, from 1 on, loses its last paragraph."""
    planted: list[Planted] = []
    headline = _add("", made.headlines[copy % len(made.headlines)], "headline", outlet, planted)
    body = ""
    for part in made.paragraphs[: len(made.paragraphs) - (copy > 0)]:
        body = _add(body + _PARAGRAPH * bool(body), part, "body", outlet, planted)
    return headline, body, tuple(planted)


def _add(text: str, part: str | Framed, field: str, outlet: Outlet, planted: list[Planted]) -> str:
    """The text with a part at its end; a quote of the part is added to ``planted``."""
    if isinstance(part, str):
        return text + part
    opening, closing = outlet.marks
    text += part.before + opening
    printed = part.use.text + ("" if part.use.text.endswith("!") else part.inside)
    planted.append(Planted(printed, *part.use[1:], field, len(text), len(text) + len(printed)))
    return text + printed + closing + part.after


def _prose(topic: str, rng: random.Random) -> str:
    return " ".join(_sentence(each, topic, rng) for each in rng.sample(_SENTENCES, rng.randint(2, 3)))


def _sentence(template: str, topic: str, rng: random.Random) -> str:
    words = vocabulary().draw(topic, rng)
    return template.format(**words, **{name.capitalize(): word[0].upper() + word[1:] for name, word in words.items()})


#: Shares of stories by the behaviour of their first quote's group, and by the number of their quotes.
_BEHAVIOURS: Final = {ONE: 0.6, MANY: 0.2, SHIFT: 0.2}
_QUOTES: Final = {1: 0.45, 2: 0.35, 3: 0.2}
_QUOTED: Final = 0.2  # of stories whose headline quotes the first quote
_VIRAL: Final = 0.5  # of those that also quote a viral quote, as long as there is one
#: Groups in use at a time: of one topic, for each topic; of many topics; with a topic shift.
_WIDTH: Final = {ONE: 4, MANY: 8, SHIFT: 8}
_MOST_COPIES: Final = 6  # wire copies of a story
_COPY_HOURS: Final = 48  # most hours until the last


class Story(NamedTuple):
    """An article with its wire copies, and the groups of its quotes in their order."""

    articles: tuple[Article, ...]
    groups: tuple[Group, ...]


def stories(plan: Plan) -> Iterator[Story]:
    """Yield stories without end, the same for the same plan: a larger corpus begins with the smaller one."""
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
