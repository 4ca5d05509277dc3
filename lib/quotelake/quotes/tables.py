"""The words of a language that the rules of kinds and speakers read from a table, ``LANGUAGE.toml`` beside this file.

English and Korean have rules of their own. Every other language shares one frame of rules
(:mod:`~quotelake.quotes.table_kinds`, :mod:`~quotelake.quotes.speakers.table_rules`) and brings only its words;
docs/LANGUAGES.md says what each list is for, and how a language is added.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from quotelake.text.lexicon import load_lexicon, word_set

_ROOM: Final = "quotelake.quotes"


@dataclass(frozen=True, eq=False)
class Tables:
    """The words of a language, in lower case.

    Attributes:
        lists: name of a list → its words; a list that the file lacks is missing, so that a misspelt name fails.
        cues: form of a verb of saying or thought → its lemma.
        says: forms of verbs of saying; they also stand behind their quote.
        particles: form → the particle without which it does not report (*teilte … mit*).
        phrases: name of a list of phrases → the words of each.
        capitalised_nouns: whether nouns begin with a capital, so that a capital is no sign of a name.
        ordinal_points: whether a full stop after a number makes it an ordinal.
    """

    lists: Mapping[str, frozenset[str]]
    cues: Mapping[str, str]
    says: frozenset[str]
    particles: Mapping[str, frozenset[str]]
    phrases: Mapping[str, tuple[tuple[str, ...], ...]]
    capitalised_nouns: bool
    ordinal_points: bool

    def ends(self, name: str, word: str) -> bool:
        """Whether a word is in a list; where nouns are capitalised also as the last part of a compound."""
        words = self.lists[name]
        low = word.lower()
        if low in words or not (self.capitalised_nouns and word[:1].isupper()):
            return low in words
        return any(low[k:] in words for k in range(2, len(low) - 2))

    def holds(self, name: str, words: Iterable[str]) -> bool:
        """Whether one of some words, in lower case, is in a list."""
        return not self.lists[name].isdisjoint(words)


@cache
def tables_of(language: str | None) -> Tables | None:
    """The words of a language by its ISO 639-1 code; None for a language without a table.

    >>> tables_of("de").cues["sagte"], tables_of("en")
    ('sagen', None)
    """
    file = load_lexicon(language, _ROOM) if language else {}
    if not file:
        return None
    cues: dict[str, str] = {}
    particles: dict[str, set[str]] = {}
    for group in file["reporting"].values():
        for lemma, forms in group.items():
            for form in forms.split():
                form, _, particle = form.partition("+")
                cues.setdefault(form, lemma)
                particles.setdefault(form, set()).add(particle)
    return Tables(
        {name: word_set(words) for name, words in file["words"].items()},
        cues,
        frozenset(form.partition("+")[0] for forms in file["reporting"]["say"].values() for form in forms.split()),
        {form: frozenset(some) for form, some in particles.items() if "" not in some},
        {name: tuple(tuple(phrase.split()) for phrase in some) for name, some in file["phrases"].items()},
        **file["style"],
    )
