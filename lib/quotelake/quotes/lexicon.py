"""The words that the rules of kinds and speakers read, as :class:`Tables`.

``text/lexicon/en.toml`` documents each English list; every other language brings its words in a table,
``LANGUAGE.toml`` beside this file: see docs/LANGUAGES.md. A missing word may misclassify a quote; one missing from the
clipped or reporting words may also misplace its end.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from quotelake.text.lexicon import load_lexicon, reporting, word_set

#: The end of a sentence before the next one; not abbreviated titles, initials and short abbreviations (*Sen.*).
SENTENCE_END: Final = re.compile(
    r"\n|[.!?][\"'”’]?"
    r"(?<!\bMr\.)(?<!\bMs\.)(?<!\bDr\.)(?<!\bSt\.)(?<!\b[A-Z]\.)(?<!\b[A-Z][a-z]{2}\.)\s+(?=[A-ZÀ-Þ“\"„«])"
)
#: What follows the surname in a full name; and in English what else may follow a name that nothing modifies.
SUFFIXES: Final = frozenset(("jr", "sr", "ii", "iii", "iv"))
BEHIND_SURNAMES: Final = SUFFIXES | {"himself", "herself", "earlier"}
#: Name of a list → the lists that it joins.
_JOINED: Final = {
    "people": "roles titles crowd sources",
    "speaking": "people documents organisations",
    "bodies": "organisations name_nouns",
    "describing": "titles roles determiners",
    "no_phrase": "breaks auxiliaries",
    "behind_phrase": "no_phrase adverbs prepositions",
    "beside_verbs": "auxiliaries adverbs",
    "times": "adverbs time_words around_times",
    "openers": "adverbs coordinating",
    "introducing": "around_times prepositions breaks",
    "closed": "relatives prepositions adverbs determiners",
    "no_name": "breaks prepositions adverbs determiners pronouns",
    "before_names": "no_name titles roles time_words coordinating",
}
Lists = dict[str, frozenset[str]]


@dataclass(frozen=True, eq=False)
class Tables:
    """The words of a language, in lower case."""

    lists: Lists  #: name of a list → its words
    phrases: Mapping[str, Mapping[str, list[list[str]]]]  #: list of phrases → first word → the words of each phrase
    cues: Mapping[str, str]  #: form of a verb of saying or thought → its lemma
    says: frozenset[str]  #: forms of verbs of saying; they also follow their quote
    weak: frozenset[str]  #: forms of verbs of thought; they report only if their sentence has no other cue
    particles: Mapping[str, frozenset[str]]  #: form → the particles of which it needs one to report (*teilte … mit*)
    capitalised_nouns: bool = False  #: so that a capital is no sign of a name
    verb_first: bool = True  #: whether a verb behind a quote stands before its subject

    def has(self, word: str, *names: str) -> bool:
        """Whether one of the named lists has the word."""
        return any(word in self.lists[name] for name in names)

    def any_of(self, words: Iterable[str], name: str) -> bool:
        """Whether the named list has one of the words."""
        return not self.lists[name].isdisjoint(words)

    def is_noun(self, word: str, *names: str) -> bool:
        """Whether a word as written is in a named list of nouns, or a German compound that ends in one of it."""
        compound = self.capitalised_nouns and word[:1].isupper()
        return any(_ends_in(word.lower(), self.lists[name], compound) for name in names)


@lru_cache(100_000)
def _ends_in(word: str, nouns: frozenset[str], compound: bool) -> bool:
    return word in nouns or (compound and any(word[k:] in nouns for k in range(2, len(word) - 2)))


def _with_unions(lists: Lists, cues: Iterable[str], of_saying: Iterable[str]) -> Lists:
    """The lists of a language, those empty that only others have, and unions of them."""
    joining = {"joining_roles": lists["joining"], "joining_names": lists["joining"]}
    lists = dict.fromkeys((*load_lexicon("en")["words"], "reported", "name_nouns"), frozenset[str]()) | joining | lists
    for name, joined in _JOINED.items():
        lists[name] = frozenset[str]().union(*(lists[part] for part in joined.split()))
    return lists | {
        "finite_cues": frozenset(form for form in cues if form[-3:] != "ing"),
        "finite_says": frozenset(form for form in of_saying if form[-3:] != "ing"),
        "behind_names": (lists["no_name"] | lists["joining"] | BEHIND_SURNAMES) - lists["coordinating"],
        "no_names": lists["organisations"] | lists["not_names"] | lists["documents"] | {*cues},
        "articles": lists["determiners"] - lists["alone"],  # no noun phrase by themselves
        "no_start": (lists["breaks"] | lists["prepositions"]) - lists["pronouns"] - lists["determiners"],
    }


def _read(language: str, room: str) -> Tables:
    file = load_lexicon(language, room)
    cues, says, weak = (reporting(language, *groups, room=room) for groups in ((), ("say",), ("think",)))
    lists = {name: word_set(words + " " + words.replace("'", "’")) for name, words in file["words"].items()}
    by_first: dict[str, dict[str, list[list[str]]]] = {name: {} for name in file["phrases"]}
    for name, phrase in ((name, phrase.split()) for name, phrases in file["phrases"].items() for phrase in phrases):
        by_first[name].setdefault(phrase[0], []).append(phrase)
    return Tables(
        _with_unions(lists, cues, says),
        by_first,
        cues,
        frozenset(says),
        frozenset(weak),
        {form: word_set(particles) for form, particles in file["particles"].items()},
        **file["style"],
    )


ENGLISH: Final = _read("en", "quotelake.text.lexicon")
#: Name of a list → its words, in English.
EN: Final = ENGLISH.lists


@cache
def tables_of(language: str | None) -> Tables | None:
    """The words of a language by its ISO 639-1 code; None for a language without a table.

    >>> tables_of("de").cues["sagte"], tables_of("en")
    ('sagen', None)
    """
    return _read(language, "quotelake.quotes") if language and load_lexicon(language, "quotelake.quotes") else None
