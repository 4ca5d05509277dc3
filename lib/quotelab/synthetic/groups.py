"""Groups: a quote with all its uses, how many there are, and in which topics. Also the texts that only look like it.

The number of uses follows a power law: P(n) is proportional to n to the power of minus the exponent, for n from 1 to
the maximum (Clauset, Shalizi & Newman 2009, §2.1, discrete case, cut off at the maximum).
"""

import random
from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from itertools import accumulate
from typing import Final, NamedTuple

from quotelab.synthetic.mutations import CHANGES, OTHER, join
from quotelab.synthetic.wording import HIGHEST, Wording, vocabulary
from quotelake.errors import InputError

#: How the topic of a quote varies: always one; drawn for each use; another one from a date on.
ONE, MANY, SHIFT = BEHAVIOURS = ("one", "many", "shift")
_SHIFTS: Final = (0.35, 0.65)  # part of the period in which the dates of topic shifts lie


class Plan(NamedTuple):
    """What decides the stories, as the options of `quotelab generate`; the same plan gives the same stories.

    Dates are spread evenly over the period, in no order. ``exponent`` and ``copies_max`` are those of the power law of
    uses per quote; ``changed`` and ``other`` are shares of its uses after the first, ``wire`` of stories. ``viral`` are
    uses of quotes that are planted one after another beside those of the power law.
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
        """Check the bounds."""
        for name, least, most in _BOUNDS:
            value = getattr(self, name)
            for each in value if isinstance(value, tuple) else (value,):
                if not least <= each <= most:
                    raise InputError(f"{name} is {each}: give a value from {least} to {most}")

    @property
    def begin(self) -> datetime:
        """The first moment."""
        return datetime.combine(self.start, time(), UTC)


_BOUNDS: Final = (
    ("start", date(1900, 1, 1), date(2100, 1, 1)), ("days", 1, 36_500), ("exponent", 0.0, 10.0),
    ("copies_max", 1, 10_000_000), ("changed", 0.0, 1.0), ("other", 0.0, 0.9), ("wire", 0.0, 1.0),
    ("viral", 1, 10_000_000),
)  # fmt: skip


class Use(NamedTuple):
    """A use of a quote: text, name of its group (the quote), and kind: how the use differs from the quote."""

    text: str
    group: str
    kind: str


@dataclass(eq=False)
class Group:
    """A quote and its uses: ``planned`` ones in different stories, of which ``left`` are still to come.

    ``topic`` is of its words, and of its uses unless the behaviour is ``many``; from ``shift_at`` on, UTC, it is the
    ``later_topic``. ``texts`` are by kind; the joined one has its second half from the group ``joined_with``, None for
    the first of a topic. ``counts`` are uses and articles so far, by name of the group or of texts that are not it.
    """

    name: str
    behaviour: str
    topic: str
    later_topic: str | None
    shift_at: datetime | None
    planned: int
    texts: dict[str, str]
    joined_with: str | None
    left: int = field(init=False)
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.left = self.planned

    def topic_at(self, when: datetime, rng: random.Random) -> str:
        """Topic of a use at a date."""
        if self.behaviour == MANY:
            return rng.choice(vocabulary().topics)
        if self.later_topic is not None and self.shift_at is not None and when >= self.shift_at:
            return self.later_topic
        return self.topic

    def name_of(self, kind: str) -> str:
        """Name of the group itself, or of the group that its joined, negated or renumbered text is by itself."""
        return f"{self.name}-{kind}" if kind in OTHER else self.name

    def use(self, rng: random.Random, plan: Plan) -> Use:
        """Next use. One of the quote itself reduces ``left``; texts that are not the quote do not."""
        first = self.left == self.planned
        if not first and rng.random() < plan.other:
            kind = rng.choice(OTHER)
            return Use(self.texts[kind], self.name_of(kind), kind)
        self.left -= 1
        if first or rng.random() >= plan.changed:
            return Use(self.texts["base"], self.name, "base" if first else "copy")
        kind = rng.choice(tuple(CHANGES))
        return Use(CHANGES[kind](self.texts["base"], rng), self.name, kind)


class GroupMaker:
    """Makes one group after another, so that no two have nearly the same text; ``wording`` by topic and number."""

    def __init__(self, wording: Callable[[str, int], Wording], plan: Plan) -> None:
        self._wording, self._plan = wording, plan
        self._sums = array("d", accumulate(n**-plan.exponent for n in range(1, plan.copies_max + 1)))
        self._numbers = dict.fromkeys(vocabulary().topics, 0)
        # The quote made last in each topic; at first the one with the highest number, which no group gets.
        self._last: dict[str, tuple[str | None, str]] = {
            topic: (None, wording(topic, HIGHEST).text) for topic in self._numbers
        }

    def uses(self, rng: random.Random) -> int:
        """A number of uses, drawn by the power law."""
        return rng.choices(range(1, len(self._sums) + 1), cum_weights=self._sums)[0]

    def make(self, behaviour: str, topic: str, rng: random.Random, uses: int | None = None) -> Group:
        """Make a group of a topic; without a number of uses, one is drawn."""
        number = self._numbers[topic]
        self._numbers[topic] += 1
        name, wording = f"{topic}-{number:07}", self._wording(topic, number)
        later, shift_at = None, None
        if behaviour == SHIFT:
            later = rng.choice([each for each in vocabulary().topics if each != topic])
            period = timedelta(days=self._plan.days)
            shift_at = (self._plan.begin + rng.uniform(*_SHIFTS) * period).replace(microsecond=0)
        partner, text = self._last[topic]
        self._last[topic] = name, wording.text
        texts = dict(zip(("base", *OTHER), (wording.text, join(wording.text, text), *wording[1:]), strict=True))
        return Group(name, behaviour, topic, later, shift_at, uses or self.uses(rng), texts, partner)


class Lanes:
    """So many groups in use at a time, of topics in turn. One that is used up is replaced, so memory stays the same."""

    def __init__(self, maker: GroupMaker, behaviour: str, topics: Sequence[str], width: int) -> None:
        self._maker, self._behaviour, self._topics = maker, behaviour, topics
        self._made = 0
        self._groups: list[Group | None] = [None] * width

    def draw(self, rng: random.Random) -> Group:
        """A group with uses left."""
        lane = rng.randrange(len(self._groups))
        group = self._groups[lane]
        if group is None or not group.left:
            group = self._maker.make(self._behaviour, self._topics[self._made % len(self._topics)], rng)
            self._made += 1
            self._groups[lane] = group
        return group
