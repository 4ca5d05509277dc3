"""Right words, wrong speaker: whether a headline names the speaker who says a quote in the body. Pure.

Answered only where it is sure: a headline names people by surname, role or office, and a role may be anybody's.
"""

import re
from bisect import bisect_left
from typing import Final, NamedTuple

from quotelake.text.people import name_words, other_first_name

#: Between two names of one person: nothing, or one name more.
_NEXT_TO: Final = r"\s++(?:[A-Z]\S*+\s++)?"
#: Or a comma, bracket or quotation mark, then at most four words with no sign that ends a clause.
_OPENING: Final = re.compile(r"([^\w.!?;,(“\"'‘]*+)([,(“\"'‘]?)")
_FEW_WORDS: Final = re.compile(r"[^\w.!?;]*+(?:\w[\w'’-]*+[^\w.!?;]*+){0,4}+")


class Who(NamedTuple):
    """A speaker as a text names them; see :class:`quotelake.quotes.speakers.speaker.Speaker`."""

    text: str  #: the phrase with titles, roles and apposition
    head: str  #: the phrase without the apposition
    type: str  #: ``person``, ``organisation``, ``document``, ``anonymous`` or ``crowd``
    name: str | None  #: full name, None where the text has none that is safe
    how: str = ""  #: where the speaker stands relative to the quote

    @property
    def shown(self) -> str:
        """The head, with the full name in brackets if it is elsewhere; without a known full name, the whole phrase.

        The apposition of the phrase may name them.
        """
        if self.name is None:
            return self.text
        return self.head if self.name in self.head else f"{self.head} ({self.name})"


def same_speaker(headline: Who | None, body: Who | None, text: str) -> bool | None:
    """Say whether both are the same: True, False, or None where that cannot be told.

    True: the body's phrase or name for its speaker has all words of the headline's phrase, or the last of them.
    False: both are persons known by name, in the body by the phrase itself (whom a pronoun means is not sure enough)
    and at this quote (a speaker taken over from the quote before is not either); the two share no word, and the body
    has the headline's name too but nowhere puts the two names side by side.

    Args:
        headline: who says it according to the headline.
        body: who says it according to the body.
        text: the whole body.

    >>> ana, rita = (Who(name, name, "person", name) for name in ("Ana Ruiz", "Rita Bell"))
    >>> ruiz = Who("Ruiz", "Ruiz", "person", None)
    >>> body = "Councillor Rita Bell and Mayor Ana Ruiz spoke. Later Ruiz left."
    >>> same_speaker(ruiz, ana, body), same_speaker(ruiz, rita, body), same_speaker(None, ana, body)
    (True, False, None)
    """
    if headline is None or body is None:
        return None
    headline_words, body_words = name_words(headline.head), name_words(f"{body.text} {body.name or ''}")
    if not headline_words or not body_words:
        return None
    if headline_words[-1] in body_words or set(headline_words) <= set(body_words):
        return None if other_first_name(headline_words, name_words(body.name or "")) else True
    if (
        headline.type != "person"
        or body.type != "person"
        or body.name is None
        or not set(headline_words).isdisjoint(body_words)
    ):
        return None
    surname, other = (headline.name or headline.head).split()[-1], body.name.split()[-1]
    if body.how == "continued" or other not in body.text:
        return None
    if not _only_a_name(surname, text) or _side_by_side(surname, other, text):
        return None
    return False


def _only_a_name(word: str, text: str) -> bool:
    """Whether the text has the word only with a capital, never as a plural, and never before a name as titles stand."""
    if re.search(rf"(?<!\w){re.escape(word)}\s+[A-Z]", text):
        return False
    if word.endswith("s") and re.search(rf"(?<!\w){re.escape(word[:-1])}(?!\w)", text):
        return False
    found = re.findall(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE)
    return bool(found) and word[:1].isupper() and all(each[:1].isupper() for each in found)


def _side_by_side(one: str, other: str, text: str) -> bool:
    """Whether the two stand side by side, as names of one person may."""
    pairs = ((one, other), (other, one))
    return any(_next_to(a, b, text) or _in_apposition(a, b, text) for a, b in pairs)


def _next_to(first: str, second: str, text: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(first)}{_NEXT_TO}{re.escape(second)}(?!\w)", text))


def _in_apposition(first: str, second: str, text: str) -> bool:
    """Whether a comma, bracket or mark and at most four words part the first from a second.

    A second is compared with the nearest opening before it, and an opening with the nearest second behind it: farther
    ones have more words between them. So each character is read once, however often the names stand in the text.
    """
    openings = _openings(first, text)
    failed = -1
    for found in re.finditer(rf"(?<!\w)(?={re.escape(second)}(?!\w))", text):
        at = bisect_left(openings, found.start()) - 1
        if at < 0 or at == failed:
            continue
        if _FEW_WORDS.fullmatch(text, openings[at], found.start()):
            return True
        failed = at
    return False


def _openings(name: str, text: str) -> list[int]:
    """Where the commas, brackets and marks end that follow a name with no word or end of a clause between, in order."""
    openings: list[int] = []
    read: re.Match[str] | None = None
    for found in re.finditer(rf"(?<!\w)(?=({re.escape(name)}))", text):
        if read is None or found.end(1) > read.end(1):  # otherwise the name stands in what was read, before that sign
            read = _OPENING.match(text, found.end(1))
        if read and read[2]:
            openings.append(read.end())
    return openings
