"""What the rules of attribution return."""

from typing import NamedTuple

from quotelake.quotes.speakers.english.clauses import Phrase


class Found(NamedTuple):
    """An attribution: the speaker's words, the position of the cue if there is one, and ``how`` of the speaker."""

    speaker: Phrase
    cue: int | None
    how: str
