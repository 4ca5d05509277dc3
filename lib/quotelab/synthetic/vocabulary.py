"""The words of the synthetic corpus, by topic. Data and its reader."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Final, NamedTuple

#: Words in each list that quotes draw from: a prime number, see :mod:`~quotelab.synthetic.wording`.
LIST_SIZE: Final = 17
#: Lists of a topic, and those of any topic, by the name of their slot in a quote.
TOPIC_SLOTS: Final = ("thing", "goods", "roles", "verb", "quality")
GENERAL_SLOTS: Final = ("time", "manner", "number")
SLOTS: Final = (*TOPIC_SLOTS, *GENERAL_SLOTS)

_LISTS: Final = ("things", "goods", "roles", "verbs", "qualities", "times", "manners", "numbers")

Words = tuple[str, ...]


class Vocabulary(NamedTuple):
    """All words.

    Attributes:
        lists: topic → slot → its words, for every slot of :data:`SLOTS`.
        other_numbers: for each number of the list, the number that replaces it in a renumbered quote.
        substitutes: words that replace words of a quote.
        given: given names.
        family: family names.
        places: names of places.
        papers: last words of the names of outlets.
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


@cache
def vocabulary() -> Vocabulary:
    """Load the vocabulary, once.

    Raises:
        ValueError: a list has another number of words than :data:`LIST_SIZE`, or a word stands in two lists.

    >>> vocabulary().lists["oceans"]["thing"][:3]
    ('reef', 'harbour', 'trawler')
    """
    data = tomllib.loads(resources.files(__package__).joinpath("vocabulary.toml").read_text("utf-8"))
    general, names = data["general"], data["names"]
    numbers = tuple(general["numbers"].split())
    lists = {
        topic: {slot: tuple({**general, **own}[name].split()) for slot, name in zip(SLOTS, _LISTS, strict=True)}
        for topic, own in data["topics"].items()
    }
    made = Vocabulary(
        lists,
        dict(zip(numbers, general["other_numbers"].split(), strict=True)),
        tuple(general["substitutes"].split()),
        tuple(names["given"].split()),
        tuple(names["family"].split()),
        tuple(names["places"].split("|")),
        tuple(names["papers"].split()),
    )
    _check(made)
    return made


def _check(made: Vocabulary) -> None:
    places: dict[str, str] = dict.fromkeys((*made.substitutes, *made.other_numbers.values()), "the general lists")
    for topic, slots in made.lists.items():
        for slot, words in slots.items():
            if len(words) != LIST_SIZE:
                raise ValueError(f"vocabulary.toml: {topic}, {slot}: {len(words)} words; give {LIST_SIZE}")
            place = slot if slot in GENERAL_SLOTS else f"{topic}, {slot}"
            for word in words:
                if places.setdefault(word, place) != place or words.count(word) > 1:
                    raise ValueError(f"vocabulary.toml: {word!r} stands in {places[word]} and in {place}; keep one")
