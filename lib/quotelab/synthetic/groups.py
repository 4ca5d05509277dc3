"""Groups: a quote with all its uses, how many there are, and in which topics. Also the texts that only look like it.

The number of uses follows a power law: P(n) is proportional to n to the power of minus the exponent, for n from 1 to
the maximum (Clauset, Shalizi & Newman 2009, §2.1, discrete case, cut off at the maximum).
"""

import random
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import accumulate
from typing import Final

from quotelab.synthetic.mutations import CHANGES, OTHER, join
from quotelab.synthetic.wording import HIGHEST, Phrases, Wording, vocabulary

#: How the topic of a quote varies: always one; drawn for each use; another one from a date on.
ONE, MANY, SHIFT = BEHAVIOURS = ("one", "many", "shift")
#: Part of the period in which the dates of topic shifts lie.
_SHIFTS: Final = (0.35, 0.65)


class PowerLaw:
    """Draws numbers of uses.

    Args:
        exponent: of the power law; larger means fewer viral quotes.
        most: largest number.
    """

    def __init__(self, exponent: float, most: int) -> None:
        self._sums = array("d", accumulate(n**-exponent for n in range(1, most + 1)))

    def draw(self, rng: random.Random) -> int:
        """A number from 1 to the largest one."""
        return min(bisect_left(self._sums, rng.random() * self._sums[-1]), len(self._sums) - 1) + 1


@dataclass(eq=False)
class Group:
    """A quote and its uses.

    Attributes:
        name: id of the group.
        behaviour: one of :data:`BEHAVIOURS`.
        topic: topic of its words, and of its uses unless the behaviour is ``many``.
        later_topic: topic of its uses from ``shift_at`` on; None unless the behaviour is ``shift``.
        shift_at: date of the topic shift, UTC.
        planned: number of uses, in different stories.
        wording: its text, and those with a negation and another number.
        joined: its first half with the second half of another quote.
        joined_with: name of the group of that other quote; None for the first group of a topic.
        left: uses still to come.
    """

    name: str
    behaviour: str
    topic: str
    later_topic: str | None
    shift_at: datetime | None
    planned: int
    wording: Wording
    joined: str
    joined_with: str | None
    left: int = field(init=False)

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

    def text_of(self, kind: str) -> str:
        """Text of the quote, or its joined, negated or renumbered one."""
        others = dict(zip(OTHER, (self.joined, self.wording.negated, self.wording.renumbered), strict=True))
        return others.get(kind, self.wording.text)

    def use(self, rng: random.Random, changed: float, other: float) -> tuple[str, str, str]:
        """Next use: name of its group, kind, text. One of the quote itself reduces ``left``.

        Args:
            rng: source of all choices.
            changed: share of changed variants among the uses after the first.
            other: share of texts that are not this quote, and so a group by themselves.
        """
        if self.left < self.planned and rng.random() < other:
            kind = rng.choice(OTHER)
            return self.name_of(kind), kind, self.text_of(kind)
        self.left -= 1
        if self.left == self.planned - 1:
            return self.name, "base", self.wording.text
        if rng.random() >= changed:
            return self.name, "copy", self.wording.text
        kind = rng.choice(tuple(CHANGES))
        return self.name, kind, CHANGES[kind](self.wording.text, rng)


class GroupMaker:
    """Makes one group after another, so that no two have nearly the same text.

    Args:
        phrases: texts of quotes.
        law: numbers of uses.
        start: first date of the corpus.
        period: its length.
    """

    def __init__(self, phrases: Phrases, law: PowerLaw, start: datetime, period: timedelta) -> None:
        self._phrases, self._law, self._start, self._period = phrases, law, start, period
        self._numbers = dict.fromkeys(vocabulary().topics, 0)
        # The quote made last in each topic; at first the one with the highest number, which no group gets.
        self._last: dict[str, tuple[str | None, str]] = {
            topic: (None, phrases.wording(topic, HIGHEST).text) for topic in self._numbers
        }

    def make(self, behaviour: str, topic: str, rng: random.Random, uses: int | None = None) -> Group:
        """Make a group of a topic; without a number of uses, one is drawn."""
        number = self._numbers[topic]
        self._numbers[topic] += 1
        name, wording = f"{topic}-{number:07}", self._phrases.wording(topic, number)
        later, shift_at = None, None
        if behaviour == SHIFT:
            later = rng.choice([each for each in vocabulary().topics if each != topic])
            shift_at = (self._start + rng.uniform(*_SHIFTS) * self._period).replace(microsecond=0)
        partner, text = self._last[topic]
        self._last[topic] = name, wording.text
        joined = join(wording.text, text)
        planned = uses or self._law.draw(rng)
        return Group(name, behaviour, topic, later, shift_at, planned, wording, joined, partner)


class Lanes:
    """Groups in use at the same time. A group that is used up is replaced by a new one, so memory stays the same.

    Args:
        maker: makes the groups.
        behaviour: of all groups.
        topics: topics of the groups; each new group gets the next one in turn.
        width: number of groups in use at a time.
    """

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


class Viral:
    """Groups of many topics with given numbers of uses, one after another.

    Args:
        maker: makes the groups.
        sizes: their numbers of uses.
    """

    def __init__(self, maker: GroupMaker, sizes: Sequence[int]) -> None:
        self._maker, self._sizes = maker, list(reversed(sizes))
        self._group: Group | None = None

    def draw(self, topic: str, rng: random.Random) -> Group | None:
        """The group in use; the next one, with words of a topic, where that is used up; None after the last."""
        if (self._group is None or not self._group.left) and self._sizes:
            self._group = self._maker.make(MANY, topic, rng, self._sizes.pop())
        return self._group if self._group is not None and self._group.left else None
