"""The people of an article in order of mention: full names, namesakes, gender."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from quotelake.quotes.lexicon import ENGLISH
from quotelake.quotes.lexicon import WORDS as en
from quotelake.quotes.speakers.clauses import POSSESSIVE

SUFFIXES: Final = frozenset(("jr", "sr", "ii", "iii", "iv"))
#: Most characters of a run of capitalised words that is read.
_LONGEST: Final = 60
#: Letters and point of an abbreviated title (*Sens.*, *Pres.*).
_LONGEST_ABBREVIATION: Final = 5
#: Endings of nouns for occupations; before a name of two more words such a noun is not part of it.
_AGENT: Final = ("er", "or", "ist", "ian", "man", "ant", "eer")
#: Most words of a full name.
_WORDS: Final = 5
#: Most persons with one surname; only garbage text has more, and each mention is compared with all of them.
_NAMESAKES: Final = 64
#: A name in a run of capitalised words: its start and end within the run, given name, surname and title.
Name = tuple[int, int, str | None, str, str]

CLOSED: Final = en["breaks"] | en["prepositions"] | en["adverbs"] | en["determiners"] | en["pronouns"]
#: Words before a name.
_LEADING: Final = en["titles"] | en["roles"] | en["time_words"] | CLOSED | {"and", "but", "or"}
#: Parts of names of something other than a person.
_FOREIGN: Final = en["organisations"] | en["not_names"] | en["documents"] | ENGLISH.cues.keys()
#: Titles whose surname makes a person known.
_SURE_TITLES: Final = en["titles"] - en["ranks"]
_GENDERS: Final = dict.fromkeys(en["male_titles"], "male") | dict.fromkeys(en["female_titles"], "female")
_GIVEN: Final = dict.fromkeys(en["male_names"], "male") | dict.fromkeys(en["female_names"], "female")


@dataclass(slots=True, eq=False)
class Person:
    """A person; ``full`` is the last span of the full name, if it was mentioned."""

    surname: str
    given: str | None
    full: tuple[int, int] | None
    gender: str | None = None


class Mention(NamedTuple):
    """A span that names a person; several persons if the name can mean each of them."""

    start: int
    end: int
    persons: tuple[Person, ...]
    before: str  #: see :func:`word_before`


@lru_cache(20_000)  # Names recur from article to article.
def read_names(run: str) -> tuple[Name, ...]:
    """Names in a run of capitalised words, at most one per sentence; a role separates an organisation from its member.

    >>> read_names("But Congresswoman Ana B. Ruiz's")
    ((18, 29, 'ana', 'Ruiz', 'congresswoman'),)
    """
    words = run.split(" ")
    lows = [plain(word) for word in words]
    pointed = (k for k, low in enumerate(lows) if words[k][-1] == "." and len(low) > 1)
    ends = [*(k + 1 for k in pointed if lows[k] not in en["abbreviations"]), len(words)]
    names = [_of_sentence(run, words, lows, low, high) for low, high in zip([0, *ends], ends, strict=False)]
    return tuple([name for name in names if name])


def _of_sentence(run: str, words: list[str], lows: list[str], low: int, high: int) -> Name | None:
    """The name, if any, that the words of a run from ``low`` to ``high`` end in."""
    first = high - (high - low > 1 and lows[high - 2] in _GIVEN)  # Steve King
    while first > low and lows[first - 1] not in _LEADING and (first == high or not _is_owner(words[first - 1])):
        first -= 1
    if high - first > 2 and lows[first].endswith(_AGENT) and lows[first] not in _GIVEN:
        first += 1  # Skipper Ana Ruiz
    while high - first > 1 and lows[high - 1] in SUFFIXES:
        high -= 1
    named = first + (first < high and lows[first] in _GIVEN)  # Bill Ruiz
    if not first < high <= first + _WORDS or not _FOREIGN.isdisjoint(lows[named:high]):
        return None
    several = high - first > 1
    name = " ".join(words[first:high])
    start = len(" ".join(words[:first])) + 1 if first else 0
    at = start + len(name) - len(words[high - 1])
    end = at + len(lows[high - 1])
    title = lows[first - 1] if first > low else ""
    return start, end, lows[first] if several else None, run[at:end], title


def _is_owner(word: str) -> bool:
    """Whether a word is a possessive: *Avalon College's Ana Ruiz*."""
    return word[-2:] in POSSESSIVE


class People:
    """The people of an article so far, by surname; ``known``: run of words → person, start and end of the name."""

    def __init__(self, speaking: frozenset[str]) -> None:
        """Begin an article; ``speaking``: surnames of its speakers without a given name."""
        self.by_surname: dict[str, tuple[Person, ...]] = dict.fromkeys(speaking, ())
        self.known: dict[str, tuple[Person, int, int]] = {}
        self.by_title: dict[str, set[Person]] = {}
        self.speaking = speaking

    def read(self, text: str, run: str, start: int) -> list[Mention]:
        """Record and return the mentions in the capitalised words at ``start``."""
        known = self.known.get(run)
        if known:
            person, begin, end = known
            person.full = (start + begin, start + end)
            return [Mention(start + begin, start + end, (person,), word_before(text, start + begin))]
        if " " not in run:
            return self._of_surname(text, run, start, "")
        found = []
        names = read_names(run) if len(run) <= _LONGEST else ()
        for begin, end, given, surname, title in names:
            if given is None:
                found += self._of_surname(text, surname, start + begin, title)
                continue
            alike = self.by_surname.get(surname, ())
            same = (person for person in alike if person.given in (given, None))
            person = next(same, None) or self._add(Person(surname, given, None))
            person.given, person.full = given, (start + begin, start + end)
            if en["ranks"].isdisjoint(plain(word) for word in run[:begin].split()[:-1]):  # no Vice President
                self.by_title.setdefault(title, set()).add(person)
            if person.gender is None:
                person.gender = _GENDERS.get(title) or _GIVEN.get(given) or _GENDERS.get(word_before(text, start))
            if len(names) == 1:
                self.known[run] = (person, begin, end)
            found.append(Mention(start + begin, start + end, (person,), word_before(text, start + begin)))
        return found

    def _of_surname(self, text: str, surname: str, start: int, title: str) -> list[Mention]:
        """People of a surname; a title of men or women distinguishes two of them."""
        fitting = self.by_surname.get(surname, ())
        gender = _GENDERS.get(title)
        if gender:
            fitting = tuple([one for one in fitting if one.gender in (gender, None)])
            if len(fitting) == 1:
                fitting[0].gender = gender
        if not fitting and (title in _SURE_TITLES or surname in self.speaking):
            fitting = (self._add(Person(surname, None, None, gender)),)
        return [Mention(start, start + len(surname), fitting, word_before(text, start))] if fitting else []

    def _add(self, person: Person) -> Person:
        alike = self.by_surname.get(person.surname, ())
        if len(alike) < _NAMESAKES:
            self.by_surname[person.surname] = (*alike, person)
        return person


def plain(word: str) -> str:
    """A word in lower case without possessive ending, final apostrophes and full stops."""
    word = word.lower().rstrip(".'’")
    return word[:-2] if word[-2:] in POSSESSIVE else word


def word_before(text: str, start: int) -> str:
    """The word before ``start`` in the same sentence, in lower case without full stop (*Mr.*, *aide*), or empty."""
    before = text[max(0, start - 16) : start]
    words = before.rsplit(None, 1)
    if not words or ("\n" in before and "\n" in before[len(before.rstrip()) :]):
        return ""
    word = words[-1].lower()
    return "" if word[-1] in ".!?" and len(word) > _LONGEST_ABBREVIATION else word.rstrip(".")
