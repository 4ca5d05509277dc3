"""The words of a language that the rules of kinds and speakers read from a table, ``LANGUAGE.toml`` beside this file.

English and Korean have rules of their own. Every other language shares one frame of rules
(:mod:`~quotelake.quotes.table_kinds`, :mod:`~quotelake.quotes.speakers.table_rules`) and brings only its words:
docs/LANGUAGES.md says what each list is for, and how a language is added.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from quotelake.text.lexicon import load_lexicon, reporting, word_set


@dataclass(frozen=True, eq=False)
class Tables:
    """The words of a language, in lower case.

    Attributes:
        lists: name of a list → its words.
        phrases: name of a list of phrases → the words of each.
        cues: form of a verb of saying or thought → its lemma.
        says: forms of verbs of saying; they also stand behind their quote.
        particles: form → the particles of which it needs one to report (*teilte … mit*).
        capitalised_nouns: whether nouns begin with a capital, so that a capital is no sign of a name.
    """

    lists: Mapping[str, frozenset[str]]
    phrases: Mapping[str, tuple[tuple[str, ...], ...]]
    cues: Mapping[str, str]
    says: frozenset[str]
    particles: Mapping[str, frozenset[str]]
    capitalised_nouns: bool

    def holds(self, word: str, *names: str) -> bool:
        """Whether a word is in one of some lists."""
        return any(word in self.lists[name] for name in names)

    def any_of(self, words: Iterable[str], name: str) -> bool:
        """Whether one of some words is in a list."""
        return not self.lists[name].isdisjoint(words)

    def is_noun(self, word: str, *names: str) -> bool:
        """Whether a word as written is in one of some lists of nouns, or a German compound that ends in one."""
        compound = self.capitalised_nouns and word[:1].isupper()
        return any(_ends_in(word.lower(), self.lists[name], compound) for name in names)


@lru_cache(100_000)
def _ends_in(word: str, nouns: frozenset[str], compound: bool) -> bool:
    return word in nouns or (compound and any(word[k:] in nouns for k in range(2, len(word) - 2)))


@cache
def tables_of(language: str | None) -> Tables | None:
    """The words of a language by its ISO 639-1 code; None for a language without a table.

    >>> tables_of("de").cues["sagte"], tables_of("en")
    ('sagen', None)
    """
    file = load_lexicon(language, __package__) if language else {}
    if not language or not file:
        return None
    return Tables(
        {name: word_set(words) for name, words in file["words"].items()},
        {name: tuple(tuple(phrase.split()) for phrase in some) for name, some in file["phrases"].items()},
        reporting(language, room=__package__),
        frozenset(reporting(language, "say", room=__package__)),
        {form: word_set(some) for form, some in file["particles"].items()},
        **file["style"],
    )
