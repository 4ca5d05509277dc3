"""Who speaks: the type of a speaker by the words of its phrase, and the people of an article in order of mention."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from quotelake.quotes.lexicon import EN, ENGLISH, SUFFIXES, Tables
from quotelake.quotes.speakers.clauses import POSSESSIVE
from quotelake.text.lexicon import word_set

#: Most characters of a run of capitalised words that is read.
_LONGEST: Final = 60
#: Most words of a full name.
_WORDS: Final = 5
#: Most persons with one surname; only garbage text has more, and each mention is compared with all of them.
_NAMESAKES: Final = 64
#: A name in a run of capitalised words: its start and end within the run, given name, surname and title.
Name = tuple[int, int, str | None, str, str]

_GENDERS: Final = dict.fromkeys(EN["male_titles"], "male") | dict.fromkeys(EN["female_titles"], "female")
_GIVEN: Final = dict.fromkeys(EN["male_names"], "male") | dict.fromkeys(EN["female_names"], "female")

#: Lists of nouns and the type of speaker that they are, the surest first.
_TYPES: Final = (
    ("anonymous", "anonymous"), ("roles", "person"), ("documents", "document"), ("organisations", "organisation"),
    ("crowd", "crowd"),
)  # fmt: skip
#: Types of pronouns that are no person.
_PRONOUNS: Final = {"it": "organisation", "they": "crowd", "we": "crowd", "everyone": "crowd"} | dict.fromkeys(
    word_set("another others somebody someone nobody one some many"), "anonymous"
)


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
def read_names(run: str, table: Tables) -> tuple[Name, ...]:
    """Names in a run of capitalised words, at most one per sentence; a role separates an organisation from its member.

    >>> read_names("But Congresswoman Ana B. Ruiz's", ENGLISH)
    ((18, 29, 'ana', 'Ruiz', 'congresswoman'),)
    """
    words = run.split(" ")
    lows = [word[0] if word[1:] == "." else plain(word) for word in words]  # an initial is no word of a list
    pointed = (k for k, low in enumerate(lows) if words[k][-1] == "." and len(low) > 1)
    ends = [*(k + 1 for k in pointed if lows[k] not in table.lists["abbreviations"]), len(words)]
    names = [_of_sentence(words, lows, low, high, table) for low, high in zip([0, *ends], ends, strict=False)]
    return tuple([name for name in names if name])


def _of_sentence(words: list[str], lows: list[str], low: int, high: int, table: Tables) -> Name | None:
    """The name, if any, that the words of a run from ``low`` to ``high`` end in."""
    first = high - (high - low > 1 and lows[high - 2] in _GIVEN)  # Steve King
    first -= table.capitalised_nouns and first == high  # Gerhard Richter
    no_names = table.lists["no_names"]
    while first > low and not _leads(words[first - 1], lows[first - 1], first == high, table):
        begins = high - first > 1 and lows[first] in _GIVEN and lows[first - 1] not in _GIVEN
        if begins and not no_names.isdisjoint(lows[low:first]):
            break  # Secretary of State Ana Ruiz, House Whip Ana Ruiz
        first -= 1
    while high - first > 1 and lows[high - 1] in SUFFIXES:
        high -= 1
    named = first + (first < high and lows[first] in _GIVEN)  # Bill Ruiz
    body = table.capitalised_nouns and any(table.is_noun(one, "bodies") or one.isupper() for one in words[named:high])
    if not first < high <= first + _WORDS or body or not no_names.isdisjoint(lows[named:high]):
        return None
    start = len(" ".join(words[:first])) + 1 if first else 0
    end = start + len(" ".join(words[first:high])) - len(words[high - 1]) + len(lows[high - 1])
    given = lows[first] if high - first > 1 else None
    title = lows[first - 1] if first > low else ""
    return start, end, given, words[high - 1][: len(lows[high - 1])], title


def _leads(word: str, low: str, last: bool, table: Tables) -> bool:
    """Whether a word is none of the name behind it: a title, role or possessor (*Avalon College's Ana Ruiz*)."""
    owner = word[-2:] in POSSESSIVE and not last
    listed = low in table.lists["before_names"] or low in table.cues  # Added Ana Ruiz
    return owner or listed or (table.capitalised_nouns and table.is_noun(word, "roles"))


class People:
    """The people of an article so far, by surname and by title."""

    def __init__(self, speaking: frozenset[str], table: Tables) -> None:
        """Begin an article; ``speaking``: surnames of its speakers without a given name."""
        self.by_surname: dict[str, tuple[Person, ...]] = dict.fromkeys(speaking, ())
        self.by_title: dict[str, set[Person]] = {}
        self.speaking = speaking
        self.table = table

    def read(self, text: str, run: str, start: int) -> list[Mention]:
        """Record and return the mentions in the capitalised words at ``start``."""
        lists = self.table.lists
        before = word_before(text, start)
        noun, _, rest = run.partition(" ")
        if self.table.capitalised_nouns and (before in lists["determiners"] or before in lists["joining"]) and rest:
            return self.read(text, rest, start + len(noun) + 1)  # die Rentnerin Ute Bell
        if not rest:
            return self._of_surname(text, run, start, "")
        found = []
        for begin, end, given, surname, title in read_names(run, self.table) if len(run) <= _LONGEST else ():
            if given is None:
                found += self._of_surname(text, surname, start + begin, title)
                continue
            alike = self.by_surname.get(surname, ())
            same = (person for person in alike if person.given in (given, None))
            person = next(same, None) or self._add(Person(surname, given, None))
            person.given, person.full = given, (start + begin, start + end)
            if EN["ranks"].isdisjoint(plain(word) for word in run[:begin].split()[:-1]):  # no Vice President
                self.by_title.setdefault(title, set()).add(person)
            person.gender = person.gender or _GENDERS.get(title) or _GIVEN.get(given)
            found.append(Mention(start + begin, start + end, (person,), word_before(text, start + begin)))
        return found

    def _of_surname(self, text: str, surname: str, start: int, title: str) -> list[Mention]:
        """People of a surname; a title of men or women distinguishes two of them."""
        gender = _GENDERS.get(title)
        fitting = self.by_surname.get(surname, ())
        if gender:
            fitting = tuple([one for one in fitting if one.gender in (gender, None)])
        is_sure = title in EN["titles"] and title not in EN["ranks"]
        if not fitting and (is_sure or surname in self.speaking):
            fitting = (self._add(Person(surname, None, None, gender)),)
        return [Mention(start, start + len(surname), fitting, word_before(text, start))] if fitting else []

    def _add(self, person: Person) -> Person:
        self.by_surname[person.surname] = (*self.by_surname.get(person.surname, ()), person)[:_NAMESAKES]
        return person


@lru_cache(maxsize=16_384)
def speaker_type(words: tuple[str, ...], table: Tables = ENGLISH) -> str:
    """Type of a speaker by the words of its phrase without apposition: in English by its head, else by the first noun.

    >>> [speaker_type(tuple(name.split())) for name in ("Ana Ruiz", "the Harbour Authority", "one aide")]
    ['person', 'organisation', 'anonymous']
    """
    if table is not ENGLISH:
        return next((kind for word in words for name, kind in _TYPES if table.is_noun(word, name)), "person")
    low = [word.lower().removesuffix("'s").removesuffix("’s").rstrip(".") for word in words]
    if len(low) == 1 and words[0] != "US" and low[0] in EN["pronouns"]:
        return _PRONOUNS.get(low[0], "person")
    end = next((k for k in range(1, len(low)) if low[k] in EN["joining"]), len(low))
    head, written = low[end - 1], words[end - 1]
    if head in EN["documents"] or head in EN["organisations"]:
        return "document" if head in EN["documents"] else "organisation"
    indefinite = low[0] in EN["indefinite"]
    if written[:1].isupper():
        nouns = {word for word, raw in zip(low, words, strict=True) if raw[:1].islower()} | (EN["titles"] & {*low})
        person = not nouns.isdisjoint(EN["roles"] | EN["titles"]) or any(word[-2:] in POSSESSIVE for word in words)
        acronym = end == 1 == len(words) and len(head) > 1 and written.isupper() and "." not in written
        return "organisation" if acronym or (low[0] == "the" and not person) else "person"
    several = head in EN["sources"] and (indefinite or head[-1:] == "s" or head == "people")
    if head in EN["crowd"] and not (indefinite and several):
        return "crowd"
    roles = head[-1:] == "s" and head[:-1] in EN["roles"]
    return "anonymous" if several or indefinite or roles else "person"


def plain(word: str) -> str:
    """A word in lower case without possessive ending, final apostrophes and full stops."""
    word = word.lower().rstrip(".'’")
    return word[:-2] if word[-2:] in POSSESSIVE else word


def word_before(text: str, start: int) -> str:
    """The word before ``start`` on its line, in lower case without full stop (*Mr.*, *aide*), or empty."""
    return (text[max(0, start - 16) : start].rpartition("\n")[2].split() or [""])[-1].lower().rstrip(".")
