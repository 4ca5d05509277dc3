"""Resolve surnames and pronouns of speakers to full names, only where nobody else can be meant.

A surname means the last full name before it that ends in it, unless two people share it without distinct titles.
*He* or *she* means the first of these whose gender fits: the subject of the latest sentence, the last speaker, the
only other person named nearby (centering theory, Grosz, Joshi & Weinstein 1995). It is left open
if that person's name is unknown. *Who* means the name before it, *the mayor* the one person of the article titled so.
"""

import re
from bisect import bisect_left
from collections import deque
from dataclasses import dataclass, field
from typing import Final

from quotelake.quotes.lexicon import EN, ENGLISH, SENTENCE_END, Tables
from quotelake.quotes.spans import Quote
from quotelake.quotes.speakers.clauses import Speaker
from quotelake.quotes.speakers.people import Mention, People, Person, plain

#: Most characters between a pronoun and the person it means: about three paragraphs of news.
REACH: Final = 900
#: Mentions kept; more than fit in :data:`REACH`.
_MENTIONS: Final = 24
#: Behind the last of these, a phrase describes the person anew (*the panel’s chairman, Ana Ruiz*).
_DESCRIPTION: Final = re.compile(r"[,;:()—–]")
_NEXT_WORD: Final = re.compile(r" ([a-z]+)")
_GENDERS: Final = {"he": "male", "she": "female", "his": "male", "her": "female"}
#: An empty alternative and possessive repetition cost the engine less than ``?`` and ``*``.
_CAPITALISED: Final = r"[A-Z\u00c0-\u00de][\w'’-]*+(?:\.(?= [A-Z])|)"
#: Capitalised words in a row, also across full stops of titles, initials and sentences. Each word is tried once.
#: The look at the next letter spares the engine most alternatives.
_PARTICLE: Final = r"(?>(?=[A-Z\u00c0-\u00de])|(?=[abdev])(?:van der|von der|van|von|de la|de|del|al|bin|el) )"
_RUN: Final = re.compile(rf"{_CAPITALISED}(?>(?: {_PARTICLE}{_CAPITALISED})*)")


def resolve_names(
    text: str, quotes: list[Quote], speakers: list[Speaker | None], table: Tables
) -> dict[tuple[int, int], tuple[int, int] | None]:
    """Span of the phrase of each speaker who is a person → span of the last full name before it, else a later one."""
    found = [one for one in speakers if one and one.type in ("person", "anonymous")]
    if not found:
        return {}
    phrases = {(one.end, one.start): one for one in found}
    heads = {one.text[: one.head_end - one.start] for one in found if one.type == "person"}
    named = {head for head in heads if head.isalpha() and head[0].isupper()}
    people = People(frozenset(head for head in named if head.lower() not in table.lists["pronouns"]), table)
    resolver = _Resolver(text, people)
    meant: dict[tuple[int, int], tuple[Person, tuple[int, int] | None]] = {}
    stop = max(phrases)[0]
    outer = [quote for quote in quotes if quote.depth == 0 and quote.start < stop]
    outside = zip([0, *(quote.end for quote in outer)], [*(quote.start for quote in outer), stop], strict=True)
    runs = [(run.start(), run[0]) for begin, end in outside for run in _RUN.finditer(text, begin, end)]
    read = 0
    for (end, start), one in sorted(phrases.items()):
        behind = bisect_left(runs, (end,), read)
        for at, words in runs[read:behind]:
            if " " in words or words in people.by_surname:
                resolver.recent.extend(people.read(text, words, at))
        read = behind
        person = resolver.resolve(one)
        if person:
            meant[start, end] = person, person.full
    alone = {person for person, _ in meant.values() if len(people.by_surname[person.surname]) == 1}
    return {place: full or (person.full if person in alone else None) for place, (person, full) in meant.items()}


@dataclass(slots=True)
class _Resolver:
    """People named so far, and the person in focus: the last speaker."""

    text: str
    people: People
    recent: deque[Mention] = field(default_factory=lambda: deque(maxlen=_MENTIONS))  # the last mentions outside quotes
    focus: Person | None = None  # None if the name is not known
    focus_at: int = -REACH

    def resolve(self, one: Speaker) -> Person | None:
        """The person whom the phrase of a speaker means, who is in focus from then on."""
        words = one.text[: one.head_end - one.start].split()
        gender = None if self.people.table is not ENGLISH else _GENDERS.get(" ".join(words).lower())
        person = self._of_pronoun(one.start, gender) if gender else self._of_phrase(one, words)
        self.focus, self.focus_at = person, one.start
        return person

    def _of_phrase(self, one: Speaker, words: list[str]) -> Person | None:
        table, text = self.people.table, self.text
        # Behind a description the apposition is the name (*the mayor, Ana Ruiz*), but not *an aide to the mayor, …*.
        described = words[-1][0].islower() or words[0].lower() in table.lists["determiners"]
        nested = words[-1] in table.lists["people"] and table.any_of(words, "prepositions")
        end = one.end if table.verb_first or (described and not nested) else one.head_end
        for mention in reversed(self.recent):
            if mention.start < one.start:
                break
            beside = mention.start < end and (table.verb_first or not text[one.head_end : mention.start].islower())
            if beside and self._names_speaker(text[one.start : mention.start], text[mention.end : end]):
                return _only(mention)
        phrase = " ".join(words).lower()
        if phrase == "who" and self.recent and not text[self.recent[-1].end : one.start].strip(" ,"):
            return _only(self.recent[-1])
        # The mayor, if one person of the article has this title.
        titled = self.people.by_title.get(phrase.removeprefix("the "), set()) if phrase.startswith("the ") else set()
        return next(iter(titled)) if len(titled) == 1 else None

    def _of_pronoun(self, at: int, gender: str) -> Person | None:
        """The first that fits of later subjects, the last speaker, the only other person."""
        low = max(at - REACH, self.focus_at + 1)
        pairs = zip([None, *self.recent], self.recent, strict=False)
        later = [one for ahead, one in pairs if one.start >= low and self._is_subject(one, ahead)]
        candidates = [_only(one) for one in reversed(later)]
        if at - self.focus_at <= REACH:
            candidates.append(self.focus)
        for person in candidates:
            if person is None:  # The person in focus has no known name.
                return None
            if person.gender in (gender, None):
                person.gender = gender
                return person
        near = (mention for mention in self.recent if mention.start >= at - REACH)
        others = {one for mention in near if self._can_be_meant(mention) for one in mention.persons}
        fitting = [one for one in others if one.gender in (gender, None)]
        return fitting[0] if len(fitting) == 1 else None

    def _is_subject(self, mention: Mention, before: Mention | None) -> bool:
        """Whether the person speaks, or is the first one named in a sentence and can be its subject."""
        if not self._can_be_meant(mention):
            return False
        following = _NEXT_WORD.match(self.text, mention.end)
        if mention.before in ENGLISH.says or (following and following[1] in ENGLISH.says):
            return True
        return before is None or SENTENCE_END.search(self.text, before.end, mention.start + 1) is not None

    def _can_be_meant(self, mention: Mention) -> bool:
        """Whether a pronoun may refer to a mention: not to a possessor, nor to the object of a preposition or verb."""
        before, following = mention.before, self.text[mention.end : mention.end + 2]
        modifies = before in ("the", "a", "an", "this", "that") and following.strip().islower()  # the Ruiz campaign
        if modifies or following[:1] in ("'", "’") or before in EN["prepositions"] or before in EN["topic_free"]:
            return False
        if before not in ENGLISH.says:
            return True
        # The subject of the verb (“…,” said Ruiz), or the addressee?
        ahead = self.text[max(0, mention.start - 40) : mention.start].rstrip().rpartition(" ")[0].rstrip()
        return ahead[-1:] in ("”", '"', "’", "'", ",")

    def _names_speaker(self, ahead: str, behind: str) -> bool:
        """Whether a name between these words of a phrase is the speaker's: not in *a Ruiz aide*, *an aide to Ruiz*."""
        lists = self.people.table.lists
        following = plain(behind.split(None, 1)[0]) if behind[:1].isspace() and behind.strip() else ""
        if behind[:1] in ("'", "’") or (following[:1].isalpha() and following not in lists["behind_names"]):
            return False  # a noun that the name only modifies, or somebody else who speaks too
        words = _DESCRIPTION.split(ahead)[-1].split()
        while words and plain(words[-1]) in lists["describing"] and words[-2:-1] != ["in"]:  # Editor in Chief
            words.pop()
        return not words or not (plain(words[-1]) in lists["prepositions"] or words[-1] in ("and", "&"))


def _only(mention: Mention) -> Person | None:
    return mention.persons[0] if len(mention.persons) == 1 else None
