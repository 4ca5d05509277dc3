"""The people of an article as they come up: full names, who shares a surname, and what is known of their gender."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from quotelake.quotes.languages import Language, load_language

_CAPITALISED: Final = r"[A-Z\u00c0-\u00de][\w'’-]*(?:\.(?= [A-Z]))?"
#: Capitalised words in a row, over points of titles, initials and sentences. Every word is tried once.
NAME_RUN: Final = re.compile(rf"{_CAPITALISED}(?: {_CAPITALISED})*")
_POSSESSIVE: Final = ("'s", "’s")
_SUFFIXES: Final = frozenset(("jr", "sr", "ii", "iii", "iv"))
_LONGEST: Final = 60
#: Letters and point of an abbreviated title (*Sens.*, *Pres.*).
_LONGEST_ABBREVIATION: Final = 5
#: How nouns for people by what they do end; in front of a name of two words more they are no part of it.
_AGENT: Final = ("er", "or", "ist", "ian", "man", "ant", "eer")
_RELATIVES: Final = frozenset(("who", "which", "that", "whom", "to"))
#: Words of a full name at most.
_WORDS: Final = 5
#: Names kept between articles; then the memory is emptied.
_MEMORY: Final = 20_000


class Name(NamedTuple):
    """A run of capitalised words read as a name: where it begins and ends within the run."""

    start: int
    end: int
    given: str | None
    surname: str
    title: str


@dataclass(slots=True, eq=False)
class Person:
    """A person: surname as it stands, and given name and last place of the full name once that came up."""

    surname: str
    given: str | None
    full: tuple[int, int] | None
    gender: str | None = None


class Mention(NamedTuple):
    """Where somebody is named: from there to before ``end``; several persons if the name could be any of theirs."""

    start: int
    end: int
    persons: tuple[Person, ...]


class NameReader:
    """Reads names out of capitalised words; remembers what it read, for names come again and again."""

    def __init__(self, language: Language) -> None:
        words = language.words
        closed = words["breaks"] | words["prepositions"] | words["adverbs"] | words["determiners"] | words["pronouns"]
        self.leading = words["titles"] | words["roles"] | words["time_words"] | closed | {"and", "but", "or"}
        self.foreign = words["organisations"] | words["not_names"] | words["documents"] | frozenset(language.cues)
        self.abbreviations = words["abbreviations"]
        self.titles = words["titles"] - words["ranks"]
        self.pronouns = words["pronouns"]
        self.prepositions = words["prepositions"]
        self.says = language.inverted
        #: A clause that holds one of these has its subject and its verb already.
        self.verbal = words["pronouns"] | words["auxiliaries"] | self.says | _RELATIVES
        self.genders = dict.fromkeys(words["male_titles"], "male") | dict.fromkeys(words["female_titles"], "female")
        self.given = dict.fromkeys(words["male_names"], "male") | dict.fromkeys(words["female_names"], "female")
        self._memory: dict[str, tuple[Name, ...]] = {}

    def read(self, run: str) -> tuple[Name, ...]:
        """Read a run of several words: a name, none, or one from each sentence that it goes over.

        A role in the middle parts an organisation from its member (*Harbour Watch President Lee Odell*).

        >>> load_names("en").read("But Congresswoman Ana B. Ruiz's")
        (Name(start=18, end=29, given='ana', surname='Ruiz', title='congresswoman'),)
        """
        found = self._memory.get(run)
        if found is None:
            if len(self._memory) >= _MEMORY:
                self._memory.clear()
            found = self._memory[run] = tuple(self._read(run)) if len(run) <= _LONGEST else ()
        return found

    def gender(self, given: str, title: str) -> str | None:
        """Gender that a title or a given name shows."""
        return self.genders.get(title) or self.given.get(given)

    def _read(self, run: str) -> Iterator[Name]:
        parts: list[tuple[int, int, str]] = []
        for word in re.finditer(r"\S+", run):
            parts.append((word.start(), word.end(), plain(word.group())))
            low = parts[-1][2]
            if run[word.end() - 1] == "." and len(low) > 1 and low not in self.abbreviations:
                yield from self._of_sentence(run, parts)
                parts = []
        yield from self._of_sentence(run, parts)

    def _of_sentence(self, run: str, parts: list[tuple[int, int, str]]) -> Iterator[Name]:
        first = next((k + 1 for k in range(len(parts) - 1, -1, -1) if parts[k][2] in self.leading), 0)
        names = parts[first:]
        if len(names) > 2 and names[0][2].endswith(_AGENT) and names[0][2] not in self.given:
            first, names = first + 1, names[1:]  # Skipper Ana Ruiz
        while len(names) > 1 and names[-1][2] in _SUFFIXES:
            names.pop()
        if not 0 < len(names) <= _WORDS or any(word in self.foreign for _, _, word in names):
            return
        if len(names) > 1 and run[names[0][0] : names[-1][1]].isupper():
            return
        start, end, low = names[0][0], names[-1][1], names[-1][2]
        end = names[-1][0] + len(low)
        title = parts[first - 1][2] if first else ""
        yield Name(start, end, names[0][2] if len(names) > 1 else None, run[names[-1][0] : end], title)


class People:
    """Everybody named so far.

    Attributes:
        by_surname: persons by surname; empty for one that speaks but was not met yet.
        known: what a run of words surely means: persons, where the name begins and ends in it, whether it is full.
    """

    def __init__(self, reader: NameReader, speaking: frozenset[str]) -> None:
        """Begin an article; ``speaking`` are the surnames that speak somewhere in it without a given name."""
        self.reader = reader
        self.by_surname: dict[str, tuple[Person, ...]] = dict.fromkeys(speaking, ())
        self.known: dict[str, tuple[tuple[Person, ...], int, int, bool]] = {}
        self.speaking = speaking

    def read(self, text: str, run: str, start: int) -> list[Mention]:
        """Take note of whom the capitalised words at ``start`` name."""
        if " " not in run:
            mention = self._of_surname(run, start, "") if run in self.by_surname else None
            return [mention] if mention else []
        found = []
        names = self.reader.read(run)
        if not names:
            self.known[run] = ((), 0, 0, False)
        for begin, end, given, surname, title in names:
            if given is None:
                mention = self._of_surname(surname, start + begin, title)
                if mention:
                    found.append(mention)
                continue
            person = self._full(given, surname, (start + begin, start + end))
            if person.gender is None:
                person.gender = self.reader.gender(given, title) or self.reader.genders.get(word_before(text, start))
            if len(names) == 1:
                self.known[run] = ((person,), begin, end, True)
            found.append(Mention(start + begin, start + end, (person,)))
        return found

    def _full(self, given: str, surname: str, span: tuple[int, int]) -> Person:
        """The person of a full name, new or known."""
        alike = self.by_surname.get(surname, ())
        for person in alike:
            if person.given == given or person.given is None:
                person.given, person.full = given, span
                return person
        return self._add(Person(surname, given, span))

    def _of_surname(self, surname: str, start: int, title: str) -> Mention | None:
        """Whom a surname may name; a title of men or women tells a couple apart."""
        alike = self.by_surname.get(surname, ())
        end = start + len(surname)
        gender = self.reader.genders.get(title)
        fitting = tuple(one for one in alike if not gender or one.gender in (gender, None))
        if len(fitting) == 1 and gender:
            fitting[0].gender = gender
        if fitting:
            if not title and len(fitting) == 1:
                self.known[surname] = (fitting, 0, len(surname), False)
            return Mention(start, end, fitting)
        if title not in self.reader.titles and surname not in self.speaking:
            return None
        return Mention(start, end, (self._add(Person(surname, None, None, gender)),))

    def _add(self, person: Person) -> Person:
        self.by_surname[person.surname] = (*self.by_surname.get(person.surname, ()), person)
        self.known.pop(person.surname, None)
        return person


@cache
def load_names(code: str) -> NameReader:
    """Reader for a language that has a file."""
    language = load_language(code)
    if language is None:
        raise ValueError(f"no rules for language {code!r}")
    return NameReader(language)


def plain(word: str) -> str:
    """A word in lower case without possessive ending, apostrophe and point."""
    word = word.lower().rstrip(".'’")
    return word[:-2] if word[-2:] in _POSSESSIVE else word


def word_before(text: str, start: int) -> str:
    """The word in front in the same sentence, in lower case and without its point: a title or role (*Mr.*, *aide*).

    A longer word with a point ends a sentence, so it is no word in front.
    """
    before = text[max(0, start - 16) : start]
    words = before.split()
    if not words or "\n" in before[len(before.rstrip()) :]:
        return ""
    word = words[-1].lower()
    return "" if word[-1] in ".!?" and len(word) > _LONGEST_ABBREVIATION else word.rstrip(".")
