"""Texts of quotes, made so that two of them are never nearly the same by accident.

A quote is a template of :data:`TEMPLATES` with eight slots, each filled from a list of 17 words. The choice of words is
a code word of a Reed–Solomon code over the field of 17 elements (Reed & Solomon 1960): the digits of the quote's number
are the coefficients of a polynomial, and slot *s* gets the value of the polynomial at *s*. Two polynomials of degree
below *k* are equal in fewer than *k* places. So two quotes of one topic share at most 2 of 8 slots while the topic has
no more than 17³ = 4,913 quotes, 3 up to 17⁴ = 83,521, which are a million quotes over 12 topics, and so on; all are
different up to 17⁸. Quotes of two topics share words of the three general slots at most.
"""

import random
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Final, NamedTuple

LIST_SIZE: Final = 17  # words in each list that quotes draw from: a prime number
#: Slots of a quote, and the list of the vocabulary that fills each: those of a topic, then those of any topic.
_LISTS: Final = {
    "thing": "things", "goods": "goods", "roles": "roles", "verb": "verbs", "quality": "qualities",
    "time": "times", "manner": "manners", "number": "numbers",
}  # fmt: skip
SLOTS: Final = tuple(_LISTS)

#: Quotes with each slot once. ``{no}`` is where a negation goes; each has a pronoun of the first person.
#: At most ten different words are no slots: two quotes that share 3 of 8 slots have a token Jaccard index below .6.
TEMPLATES: Final = (
    "We will{no} {verb} the {quality} {thing} before {time}, and our {number} {roles} will {manner} count the {goods}",
    "I could{no} {manner} tell {number} {roles} that one {quality} {thing} will {verb} our {goods} by {time}",
    "My {roles} have{no} paid for {number} {goods} since {time}, they {manner} want us to {verb} one {quality} {thing}",
    "Our {quality} {goods} are{no} worth {number} dollars, by {time} I will {manner} {verb} the {thing} with {roles}",
    "By {time} we should{no} {verb} {number} {goods}, because the {roles} around our {thing} are {manner} {quality}",
    "I do{no} believe {number} {quality} {goods} fit our {thing}, so let the {roles} {manner} {verb} them by {time}",
    "Until {time} our {roles} did{no} {verb} {number} {quality} {goods}, and they {manner} left the {thing} to us",
    "You should{no} {manner} {verb} one {thing} for {number} {roles} and send me the {quality} {goods} before {time}",
)
HIGHEST: Final = LIST_SIZE ** len(SLOTS) - 1  # highest number of a quote of a topic

Words = tuple[str, ...]


class Vocabulary(NamedTuple):
    """All words: of each topic and slot, and of names; ``papers`` are last words of the names of outlets.

    ``other_numbers`` has the number that replaces each one in a renumbered quote, ``substitutes`` replace other words.
    """

    lists: Mapping[str, Mapping[str, Words]]
    other_numbers: Mapping[str, str]
    substitutes: Words
    given: Words
    family: Words
    places: Words
    papers: Words

    @property
    def topics(self) -> Sequence[str]:
        """Names of the topics, in the order of the file."""
        return tuple(self.lists)

    def draw(self, topic: str, rng: random.Random) -> dict[str, str]:
        """A word for each slot of a topic, and a ``place`` and a ``name`` of a person."""
        words = {slot: rng.choice(self.lists[topic][slot]) for slot in SLOTS}
        words["place"] = rng.choice(self.places)
        words["name"] = f"{rng.choice(self.given)} {rng.choice(self.family)}"
        return words


@cache
def vocabulary() -> Vocabulary:
    """Load the vocabulary, once."""
    data = tomllib.loads(resources.files(__package__).joinpath("vocabulary.toml").read_text("utf-8"))
    general, names = data["general"], data["names"]
    lists = {
        topic: {slot: tuple({**general, **own}[name].split()) for slot, name in _LISTS.items()}
        for topic, own in data["topics"].items()
    }
    return Vocabulary(
        lists,
        dict(zip(general["numbers"].split(), general["other_numbers"].split(), strict=True)),
        tuple(general["substitutes"].split()),
        tuple(names["given"].split()),
        tuple(names["family"].split()),
        tuple(names["places"].split("|")),
        tuple(names["papers"].split()),
    )


class Wording(NamedTuple):
    """The text of a quote, without punctuation at its end, and texts that are not the same quote."""

    text: str
    negated: str
    renumbered: str


class Phrasebook:
    """Makes the quotes of each topic by their numbers; the seed decides which word stands for which symbol."""

    def __init__(self, seed: int) -> None:
        self._lists: dict[str, dict[str, list[str]]] = {}
        for topic, lists in vocabulary().lists.items():
            rng = random.Random(f"{seed} {topic}")
            self._lists[topic] = {slot: rng.sample(lists[slot], LIST_SIZE) for slot in SLOTS}

    def wording(self, topic: str, number: int) -> Wording:
        """The quote of a topic with this number, from 0 to :data:`HIGHEST`; another number gives another quote."""
        lists, template = self._lists[topic], TEMPLATES[number % len(TEMPLATES)]
        chosen = {slot: lists[slot][symbol] for slot, symbol in zip(SLOTS, codeword(number), strict=True)}
        other = chosen | {"number": vocabulary().other_numbers[chosen["number"]]}
        return Wording(
            template.format(no="", **chosen), template.format(no=" not", **chosen), template.format(no="", **other)
        )


def codeword(number: int) -> list[int]:
    """Symbols of the slots: values of the polynomial whose coefficients are the digits of a number to base 17.

    A ValueError: the number is negative, or not below 17⁸.
    """
    if not 0 <= number <= HIGHEST:
        raise ValueError(f"quote number {number}: must be from 0 to {HIGHEST}")
    digits = [number // LIST_SIZE**power % LIST_SIZE for power in range(len(SLOTS))]
    return [sum(digit * place**power for power, digit in enumerate(digits)) % LIST_SIZE for place in range(len(SLOTS))]
