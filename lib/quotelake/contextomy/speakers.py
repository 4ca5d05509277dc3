"""Whether headline and body name the same speaker of a quote. Pure.

Undecided where it is not sure: a headline names people by surname, role or office, and a role may be anybody's.
"""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from quotelake.factuality.reading import WORDS
from quotelake.quotes.extract import Row
from quotelake.text.forms import name_words
from quotelake.text.lexicon import table
from quotelake.text.words import words

_WORD: Final = re.compile(r"\w")
_REPORTING: Final = table("reporting_verbs")
#: Words of such a topic; more are rarely one.
_TOPIC_WORDS: Final = 5


class SpeakerMention(NamedTuple):
    """A speaker as a text names them; see :class:`quotelake.quotes.speakers.clauses.Speaker`."""

    text: str  #: the phrase with titles, roles and apposition
    head: str  #: the phrase without the apposition
    type: str  #: ``person``, ``organisation``, ``document``, ``anonymous`` or ``crowd``
    name: str | None  #: full name, None where the text has none that is safe
    how: str = ""  #: where the speaker is named relative to the quote

    @property
    def display_name(self) -> str:
        """The head, with a full name from elsewhere bracketed; the whole phrase where it alone has a name, or none."""
        if self.name is None or (self.name in self.text and self.name not in self.head):
            return self.text
        return self.head if self.name in self.head else f"{self.head} ({self.name})"


def same_speaker(headline: SpeakerMention | None, body: SpeakerMention | None, text: str) -> bool | None:
    """Whether the speakers that headline and body name are the same; None if undecided. ``text`` is the whole body.

    True: the body's phrase or name for its speaker has all words of the headline's phrase, or the last of them.
    False: the headline names a person whom the body names too; and the body credits another person whose name it knows,
    which is nowhere beside the first one's, or somebody who speaks for another, such as an aide.
    """
    if headline is None or body is None:
        return None
    headline_words, body_words = name_words(headline.head), name_words(f"{body.text} {body.name or ''}")
    if not headline_words or not body_words:
        return None
    if headline_words[-1] in body_words or set(headline_words) <= set(body_words):
        one, two = headline_words, name_words(body.name or "")
        is_namesake = len(one) > 1 < len(two) and one[-1] == two[-1] and one[-2][0] != two[-2][0]
        both = all(name in text for name in (headline.head, body.name or headline.head))
        return (False if both else None) if is_namesake else True
    titles, for_others = WORDS["titles"], WORDS["for_others"]
    name = headline.name or headline.head
    names = set(name_words(name)) - titles
    is_sure = (
        headline.type == "person" and body.type in ("person", "crowd") and name.split()[-1].casefold() not in titles
    )
    if not (is_sure and names and not names & set(body_words) and _is_a_person(name, text)):
        return None
    if body.type == "crowd":
        return False
    if body.name is None:
        speaks_for_another = not for_others.isdisjoint(body_words) and for_others.isdisjoint(headline_words)
        return False if speaks_for_another else None
    return False


@lru_cache(8)
def _is_a_person(name: str, text: str) -> bool:
    """Whether a text has a first name before a name, and its last word as a name alone: no plural, no title."""
    word = name.split()[-1]
    if word.endswith("s") and re.search(rf"(?<!\w){re.escape(word[:-1])}(?!\w)", text):
        return False
    first_names = re.findall(rf"(?<![\w’'-])([A-Z][\w’'-]*+\.?)\s++{re.escape(name)}(?!\w)", text)
    if " " not in name and WORDS["function"].issuperset(each.casefold() for each in first_names):
        return False  # no first name, as organisations have none
    found = re.findall(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE)
    is_title = 3 * len(re.findall(rf"(?<!\w){re.escape(word)}\s+[A-Z]", text)) > len(found)
    return bool(found) and word[:1].isupper() and not is_title and all(each[:1].isupper() for each in found)


def is_credited(headline: str, start: int, end: int, speaker: Row | None) -> bool:
    """Whether a headline plainly credits its quote from ``start`` to ``end`` to the speaker found in it.

    Headlines put names everywhere: *Reyes on collision course with council: “…”* credits nobody, and in *Bell: Reyes
    found “…”* or *Bell calls it “…”, ally says* one person reports another. A statement that can be false is only there
    where name, reporting word and quote touch, the name opens the headline or follows the quote, and no other word of
    the headline reports. Behind a name that opens it may be what was spoken about (*Bell on taxes: “…”*), and what
    is called so (*Bell calls the plan “…”*).

    >>> bell = {"start": 0, "end": 4, "cue_start": 4, "cue_end": 5}
    >>> is_credited("Bell: “We lost”", 7, 14, bell), is_credited("Bell: report tells “We lost”", 20, 27, bell)
    (True, False)
    """
    if speaker is None or speaker["cue_start"] is None:
        return False
    name, cue = (speaker["start"], speaker["end"]), (speaker["cue_start"], speaker["cue_end"])
    if name[1] <= start:
        opens = not _WORD.search(headline, 0, name[0])
        to_cue, to_quote = headline[name[1] : cue[0]], headline[cue[1] : start]
        topic = words(to_cue)
        is_topic = 1 < len(topic) <= _TOPIC_WORDS and not _WORD.search(to_quote)
        is_topic = is_topic and topic[0] in WORDS["headline_topics"]
        is_named = headline[slice(*cue)].casefold() in WORDS["headline_naming"] and ":" not in to_quote
        is_object = ":" in to_quote and len(words(to_quote)) <= _TOPIC_WORDS  # *Bell slams the council: “…”*
        is_behind = not _WORD.search(to_quote) or is_named or is_object or headline[cue[0]] == ":"
        is_touching = not _WORD.search(to_cue) and is_behind
        if not (opens and (is_touching or is_topic)):
            return False
    else:
        first, second = sorted((name, cue))
        if _WORD.search(headline, end, first[0]) or _WORD.search(headline, first[1], second[0]):
            return False
    others = (headline[: cue[0]], headline[cue[1] : start], headline[max(end, cue[1]) :])
    return all(_REPORTING.isdisjoint(words(other)) for other in others)
