"""Which person a speaker is: full names for surnames and pronouns, given only where nobody else competes.

A surname means the last full name before it that ends in it, unless two people share it and no title tells them apart.
*He* or *she* means the latest subject of a sentence, else who spoke last, else an earlier subject, else the only other
person named nearby: the first of these whose gender fits. Left open is a pronoun for somebody whose name is not known,
and one that may mean the speaker so far as well as a subject of another paragraph since. A subject is the first person
named in a sentence, in front of its verb; not the object of a preposition or verb, nor an owner (*Ruiz met with Ms.
Odell. “…,” she said*). The order is that of centering (Grosz, Joshi & Weinstein 1995): subjects and topics are taken up
by pronouns before others are.
"""

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Iterator
from typing import Final

from quotelake.quotes.lexicon import SENTENCE_END
from quotelake.quotes.spans import Quote
from quotelake.quotes.speakers.people import Mention, NameReader, People, Person, load_names, word_before
from quotelake.quotes.speakers.runs import find_runs
from quotelake.quotes.speakers.speaker import Speaker

#: Characters within which a pronoun looks for its person: about three paragraphs of news.
REACH: Final = 900
#: Mentions kept; more than stand within :data:`REACH`.
_KEPT: Final = 24
_NEXT_WORD: Final = re.compile(r" ([a-z]+)")
#: Words between the beginning of a clause and its subject's name: roles and titles (*Former city clerk Ana Ruiz*).
_MODIFIERS: Final = 8
#: Up to the last sign that begins a clause; then what else begins one.
_CLAUSE_SIGN: Final = re.compile(r".*[,;:()\n–—\"“”]", re.DOTALL)
_CLAUSE_START: Final = re.compile(r"\s-\s|[.!?]\s")
_DETERMINERS: Final = frozenset(("the", "a", "an", "this", "that"))
#: Behind these the subject of a clause within a sentence, which is not what the sentence is about.
_SUBORDINATORS: Final = frozenset(
    ("if", "that", "whether", "as", "when", "because", "since", "although", "though", "while", "unless", "than", "and")
)
#: Longest stretch that is searched for the end of a sentence.
_SENTENCE: Final = 300
#: Speakers that are no person.
_NAMELESS: Final = frozenset(("organisation", "document", "crowd"))
_GENDERS: Final = {"he": "male", "she": "female", "his": "male", "her": "female"}


def resolve_names(
    text: str, quotes: list[Quote], speakers: list[Speaker | None], language: str = "en"
) -> dict[tuple[int, int], tuple[int, int] | None]:
    """Find the full names of the speakers of an article, in one pass over its capitalised words outside quotes.

    Returns:
        For the phrase of each speaker that can be a person, as (start, end), where the full name stands, or None.
    """
    reader = load_names(language)
    phrases = sorted({(one.end, one.start, one.head_end) for one in speakers if one and _may_be_named(text, one)})
    heads = {one.text[: one.head_end - one.start] for one in speakers if one and one.type == "person"}
    speaking = frozenset(
        head for head in heads if head.isalpha() and head[0].isupper() and head.lower() not in reader.pronouns
    )
    people = People(reader, speaking)
    resolver = _Resolver(text, reader)
    names: dict[tuple[int, int], tuple[int, int] | None] = {}
    last = max((one.end for one in speakers if one), default=0)
    runs = find_runs(text, quotes, _windows(text, phrases), last, speaking, reader)
    read = 0
    for end, start, head_end in phrases:
        behind = bisect_left(runs, (end,), read)
        for at, words in runs[read:behind]:
            resolver.recent.extend(people.read(text, words, at))
        read = behind
        names[start, end] = resolver.resolve(end, start, head_end)
    return names


def _may_be_named(text: str, speaker: Speaker) -> bool:
    """Whether a speaker can be a person with a name; *they* is a crowd, and *he* a person, whatever it stands for."""
    return speaker.type not in _NAMELESS or text[speaker.start : speaker.head_end].lower() in _GENDERS


def _windows(text: str, phrases: list[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """What must be read to resolve phrases, (end, start, head_end): their own words, and what is before a pronoun.

    The earliest subject within :data:`REACH` is told by what stands in front of it.
    """
    windows = []
    for end, start, head_end in phrases:
        pronoun = text[start:head_end].lower() in _GENDERS
        windows.append((max(0, start - REACH - _SENTENCE) if pronoun else start, end))
    return sorted(windows)


class _Resolver:
    """Who was named and who is in focus, going through an article."""

    def __init__(self, text: str, reader: NameReader) -> None:
        self.text = text
        self.says = reader.says
        self.prepositions = reader.prepositions
        self.verbal = reader.verbal
        #: Who was named outside quotes.
        self.recent: deque[Mention] = deque(maxlen=_KEPT)
        #: Whether the mention that begins there is a subject.
        self.judged: dict[int, bool] = {}
        #: Who is in focus, None for somebody not known by name; and since where.
        self.focus: Person | None = None
        self.focus_at = -REACH

    def resolve(self, end: int, start: int, head_end: int) -> tuple[int, int] | None:
        """Full name of the speaker at ``start``, who is in focus afterwards."""
        gender = _GENDERS.get(self.text[start:head_end].lower())
        person = self._of_pronoun(start, gender) if gender else self._of_phrase(start, head_end)
        if head_end < end:  # Who is named in an apposition does not speak.
            while self.recent and self.recent[-1].start >= head_end:
                self.recent.pop()
        self.focus, self.focus_at = person, start
        return person.full if person else None

    def _of_phrase(self, start: int, head_end: int) -> Person | None:
        for mention in reversed(self.recent):
            if start <= mention.start < head_end:
                return mention.persons[0] if len(mention.persons) == 1 else None
            if mention.start < start:
                break
        return None

    def _of_pronoun(self, at: int, gender: str) -> Person | None:
        """Who is meant: whoever fits of the latest subject, the latest speaker, earlier subjects, the only other."""
        subjects = list(self._subjects(at - REACH))
        since = [one for one in subjects if one.start > self.focus_at]
        before = subjects[: len(subjects) - len(since)]
        candidates: list[Person | None] = [_only(one) for one in reversed(since)]
        if at - self.focus_at <= REACH:
            if self._compete(since, at, gender):
                return None
            candidates.append(self.focus)
        candidates += [_only(one) for one in reversed(before)]
        for person in candidates:
            if person is None:  # Somebody is in focus whose name is not known.
                return None
            if person.gender in (gender, None):
                person.gender = gender
                return person
        near = (mention for mention in self.recent if mention.start >= at - REACH)
        others = {one for mention in near if self._can_be_meant(mention) for one in mention.persons}
        fitting = [one for one in others if one.gender in (gender, None)]
        return fitting[0] if len(fitting) == 1 else None

    def _compete(self, since: list[Mention], at: int, gender: str) -> bool:
        """Whether the speaker so far and a subject of another paragraph since could both be meant."""
        latest = _only(since[-1]) if since else None
        if latest is None or self.focus is None or latest is self.focus:
            return False
        fit = latest.gender in (gender, None) and self.focus.gender in (gender, None)
        return fit and self.text.find("\n", since[-1].end, at) >= 0

    def _subjects(self, low: int) -> Iterator[Mention]:
        """Mentions from ``low`` on of somebody as a subject; each is looked at once."""
        before: Mention | None = None
        for mention in self.recent:
            if mention.start >= low:
                subject = self.judged.get(mention.start)
                if subject is None:
                    subject = self.judged[mention.start] = self._is_subject(mention, before)
                if subject:
                    yield mention
            before = mention

    def _is_subject(self, mention: Mention, before: Mention | None) -> bool:
        """Whether somebody says something, or is the first who is named in a sentence, in front of its verb."""
        if not self._can_be_meant(mention):
            return False
        if self._says(mention):
            return True
        low = max(0, mention.start - _SENTENCE)
        if before is not None and before.end > low:
            low = before.end
            if not SENTENCE_END.search(self.text, low, mention.start + 1):
                return False
        sign = _CLAUSE_SIGN.match(self.text, low, mention.start)
        clause = _CLAUSE_START.split(self.text[sign.end() if sign else low : mention.start])[-1].lower().split()
        return len(clause) <= _MODIFIERS and self.verbal.isdisjoint(clause)

    def _can_be_meant(self, mention: Mention) -> bool:
        """Whether a pronoun may take somebody up: no owner, no object of a preposition or verb of saying."""
        if self.text[mention.end : mention.end + 1] in ("'", "’"):
            return False
        before = word_before(self.text, mention.start)
        if before in _DETERMINERS and self.text[mention.end : mention.end + 2].strip().islower():
            return False  # the Ruiz campaign
        if before in self.prepositions or before in _SUBORDINATORS:
            return False
        return before not in self.says or self._inverts(mention)

    def _says(self, mention: Mention) -> bool:
        following = _NEXT_WORD.match(self.text, mention.end)
        return (following is not None and following[1] in self.says) or (
            word_before(self.text, mention.start) in self.says and self._inverts(mention)
        )

    def _inverts(self, mention: Mention) -> bool:
        """Whether a verb of saying in front belongs to who follows (*said Ruiz*), not to who is told."""
        before = self.text[max(0, mention.start - 40) : mention.start].rstrip().rpartition(" ")[0].rstrip()
        return before[-1:] in ("”", '"', "’", "'", ",")


def _only(mention: Mention) -> Person | None:
    return mention.persons[0] if len(mention.persons) == 1 else None
