"""The people of an article in order of mention: full names, who shares a surname, and what is known of gender."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from quotelake.text.lexicon import Language, load_language

_POSSESSIVE: Final = ("'s", "’s")
_SUFFIXES: Final = frozenset(("jr", "sr", "ii", "iii", "iv"))
_LONGEST: Final = 60
#: Letters and point of an abbreviated title (*Sens.*, *Pres.*).
_LONGEST_ABBREVIATION: Final = 5
#: Endings of nouns for occupations; before a name of two more words such a noun is not part of it.
_AGENT: Final = ("er", "or", "ist", "ian", "man", "ant", "eer")
_RELATIVES: Final = frozenset(("who", "which", "that", "whom", "to"))
#: Most words of a full name.
_WORDS: Final = 5
#: Most persons with one surname; only garbage text has more, and each mention is compared with all of them.
_NAMESAKES: Final = 64
#: Names and words remembered between articles; then the memory is emptied.
_MEMORY: Final = 20_000
#: What a capitalised word can be within a run, as bits: before a name (a title, a word of a closed class), part of a
#: name of something other than a person, a suffix of a surname, a noun for an occupation, the end of a sentence.
_LEADING, _FOREIGN, _SUFFIX, _AGENTIVE, _CLOSING = 1, 2, 4, 8, 16


#: A word of a run: its plain form, and the bits of what it can be.
_Part = tuple[str, int]


class Name(NamedTuple):
    """A name in a run of capitalised words: its start and end within the run, and its parts."""

    start: int
    end: int
    given: str | None
    surname: str
    title: str


@dataclass(slots=True, eq=False)
class Person:
    """A person: the surname as written and, once mentioned, the given name and the last place of the full name."""

    surname: str
    given: str | None
    full: tuple[int, int] | None
    gender: str | None = None


class Mention(NamedTuple):
    """A place [start, end) where a person is named; several persons if the name can mean each of them."""

    start: int
    end: int
    persons: tuple[Person, ...]


class NameReader:
    """Reads names from capitalised words, and remembers them because names recur."""

    def __init__(self, language: Language) -> None:
        words = language.words
        closed = words["breaks"] | words["prepositions"] | words["adverbs"] | words["determiners"] | words["pronouns"]
        self.closed = closed - {"and", "or", "nor"}
        self.describing = words["titles"] | words["roles"] | words["determiners"]
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
        self.memory: dict[str, tuple[Name, ...]] = {}
        self.words: dict[str, _Part] = {}

    def read(self, run: str) -> tuple[Name, ...]:
        """Read the names in a run of several words: at most one for each sentence that the run touches.

        A role in the middle separates an organisation from its member (*Harbour Watch President Lee Odell*).

        >>> load_names("en").read("But Congresswoman Ana B. Ruiz's")
        (Name(start=18, end=29, given='ana', surname='Ruiz', title='congresswoman'),)
        """
        found = self.memory.get(run)
        if found is None:
            if len(run) > _LONGEST:
                return ()
            if len(self.memory) >= _MEMORY:
                self.memory.clear()
            found = self.memory[run] = tuple(self._read(run))
        return found

    def gender(self, given: str, title: str) -> str | None:
        """Gender that a title or a given name shows."""
        return self.genders.get(title) or self.given.get(given)

    def _read(self, run: str) -> Iterator[Name]:
        known = self.words
        words = run.split(" ")
        parts = [known.get(word) or self._part(word) for word in words]
        low = 0
        if "." in run:  # Without a point it is one sentence, as most are.
            for k, (_, bits) in enumerate(parts, 1):
                if bits & _CLOSING:
                    yield from self._of_sentence(run, words, parts, low, k)
                    low = k
        yield from self._of_sentence(run, words, parts, low, len(parts))

    def _part(self, word: str) -> _Part:
        """A word in its plain form and what it can be; remembered, because a few words make up most runs."""
        low = plain(word)
        bits = _LEADING if low in self.leading else 0
        bits |= _FOREIGN if low in self.foreign else 0
        bits |= _SUFFIX if low in _SUFFIXES else 0
        bits |= _AGENTIVE if low.endswith(_AGENT) and low not in self.given else 0
        bits |= _CLOSING if word[-1] == "." and len(low) > 1 and low not in self.abbreviations else 0
        if len(self.words) >= _MEMORY:
            self.words.clear()
        self.words[word] = part = low, bits
        return part

    def _of_sentence(self, run: str, words: list[str], parts: list[_Part], low: int, high: int) -> tuple[Name, ...]:
        """The name, if any, that the words of a run from ``low`` to ``high`` end in."""
        first = high
        while first > low and not parts[first - 1][1] & _LEADING:
            first -= 1
        if high - first > 2 and parts[first][1] & _AGENTIVE:
            first += 1  # Skipper Ana Ruiz
        while high - first > 1 and parts[high - 1][1] & _SUFFIX:
            high -= 1
        if not first < high <= first + _WORDS:
            return ()
        for _, bits in parts[first:high]:
            if bits & _FOREIGN:
                return ()
        several = high - first > 1
        name = " ".join(words[first:high])
        if several and name.isupper():
            return ()
        start = len(" ".join(words[:first])) + 1 if first else 0
        at = start + len(name) - len(words[high - 1])
        end = at + len(parts[high - 1][0])
        given = parts[first][0] if several else None
        title = parts[first - 1][0] if first > low else ""
        return (Name(start, end, given, run[at:end], title),)


class People:
    """The people named so far in an article.

    Attributes:
        by_surname: surname → persons; none yet for a speaker who was not named before.
        known: run of words with a sure meaning → persons, start and end of the name in it, whether it is a full name.
    """

    def __init__(self, reader: NameReader, speaking: frozenset[str]) -> None:
        """Begin an article; ``speaking`` holds the surnames that occur in it as speakers without a given name."""
        self.reader = reader
        self.by_surname: dict[str, tuple[Person, ...]] = dict.fromkeys(speaking, ())
        self.known: dict[str, tuple[tuple[Person, ...], int, int, bool]] = {}
        self.speaking = speaking

    def read(self, text: str, run: str, start: int) -> list[Mention]:
        """Record and return whom the capitalised words at ``start`` name."""
        known = self.known.get(run)
        if known:  # The same words name the same person as before.
            persons, begin, end, full = known
            if full:
                persons[0].full = (start + begin, start + end)
            return [Mention(start + begin, start + end, persons)]
        if " " not in run:
            mention = self._of_surname(run, start, "") if run in self.by_surname else None
            return [mention] if mention else []
        found = []
        names = self.reader.read(run)
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
        """Whom a surname may name; a title of men or women tells two people apart."""
        alike = self.by_surname.get(surname, ())
        end = start + len(surname)
        gender = self.reader.genders.get(title)
        fitting = tuple([one for one in alike if one.gender in (gender, None)]) if gender else alike
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
        alike = self.by_surname.get(person.surname, ())
        if len(alike) < _NAMESAKES:
            self.by_surname[person.surname] = (*alike, person)
        self.known.pop(person.surname, None)
        return person


@cache
def load_names(code: str) -> NameReader:
    """Reader of names for a language; raises ValueError for one without a file."""
    language = load_language(code)
    if language is None:
        raise ValueError(f"no rules for language {code!r}")
    return NameReader(language)


def plain(word: str) -> str:
    """A word in lower case without possessive ending, final apostrophes and full stops."""
    word = word.lower().rstrip(".'’")
    return word[:-2] if word[-2:] in _POSSESSIVE else word


def word_before(text: str, start: int) -> str:
    """The word before ``start`` in the same sentence, in lower case without full stop: a title or role (*Mr.*, *aide*).

    Empty if there is none, as after a longer word with a full stop, which ends a sentence.
    """
    before = text[max(0, start - 16) : start]
    words = before.rsplit(None, 1)
    if not words or ("\n" in before and "\n" in before[len(before.rstrip()) :]):
        return ""
    word = words[-1].lower()
    return "" if word[-1] in ".!?" and len(word) > _LONGEST_ABBREVIATION else word.rstrip(".")
