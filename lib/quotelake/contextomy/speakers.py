"""Right words, wrong speaker: whether a headline names the speaker who says a quote in the body. Pure.

Answered only where it is sure: a headline names people by surname, role or office, and a role may be anybody's.
"""

import re
from typing import Final, NamedTuple

from quotelake.text.people import name_words

#: Between two names of one person: nothing, or one name more.
_NEXT_TO: Final = r"\s++(?:[A-Z]\S*+\s++)?"
#: Or a comma, bracket or quotation mark, then at most four words with no sign that ends a clause. Possessive, and words
#: of bounded length, for a name may be repeated without a blank: linear.
_APPOSITION: Final = r"[^\w.!?;,(“\"'‘]*+[,(“\"'‘]([^\w.!?;]*+(?:\w[\w'’-]{0,40}+[^\w.!?;]*+){0,4}+)"


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
        own, name = headline_words, name_words(body.name or "")
        is_namesake = len(own) > 1 < len(name) and own[-1] == name[-1] and own[-2][0] != name[-2][0]
        return None if is_namesake else True
    if headline.type != "person" or body.type != "person" or body.name is None or body.how == "continued":
        return None
    surname, other = (headline.name or headline.head).split()[-1], body.name.split()[-1]
    is_sure = other in body.text and set(headline_words).isdisjoint(body_words) and _only_a_name(surname, text)
    return False if is_sure and not _side_by_side(surname, other, text) else None


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
    for first, second in ((re.escape(one), re.escape(other)), (re.escape(other), re.escape(one))):
        if re.search(rf"(?<!\w){first}{_NEXT_TO}{second}(?!\w)", text):
            return True
        behind = re.compile(rf"(?<!\w){second}(?!\w)")
        for found in re.finditer(rf"(?<!\w)(?={first}{_APPOSITION})", text):
            start, end = found.span(1)
            nearest = behind.search(text, start + 1, end + len(second) + 1)
            if nearest and nearest.start() <= end:
                return True
    return False
