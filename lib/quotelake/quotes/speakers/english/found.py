"""What the rules of attribution return."""

from typing import NamedTuple

from quotelake.quotes.speakers.english.clauses import Phrase


class Found(NamedTuple):
    """An attribution.

    Attributes:
        speaker: the speaker's words.
        cue: position of the cue, if there is one.
        how: as of the speaker.
        rule: the rule that found it: the side of the quote it reads, and what it reads there.
    """

    speaker: Phrase
    cue: int | None
    how: str
    rule: str
