"""Find colon claims: *Bank chief: We will not cut rates*, a headline that says who claims what without any marks.

The part before the first colon must be a speaker: a role, an organisation or document that speaks (*police*, *report*),
or a name. A name looks like a topic (*Hurricane Irma: Florida reopens*), so after a name the claim must show that
somebody speaks: by a first or second person, a modal verb or a request. Labels (*Opinion:*, *Live:*) are never
speakers. The tables are English. Whether a body supports a claim in single marks is another question:
:mod:`quotelake.contextomy.outside_quotes`.
"""

import re
from typing import Final

from quotelake.quotes.lexicon import (
    CLAIM_CUES,
    COMMON_WORDS,
    FUNCTION_WORDS,
    HEADLINE_LABELS,
    HONORIFICS,
    QUESTION_WORDS,
    REPORTING_VERBS,
    SPEAKING_NOUNS,
    TOPIC_NOUNS,
)
from quotelake.text.words import WORD

#: Most words of a left side that can be a speaker (*Author of original act*).
_MAX_SPEAKER_WORDS: Final = 6
_MAX_NAME_WORDS: Final = 3
_MIN_CLAIM_WORDS: Final = 2
_COLON: Final = re.compile(r":\s+(?=\S)")
#: *Union to mayor*, *Critics on tolls*: the speaker is in front of this.
_ADDRESSED: Final = re.compile(r"\s(?:(?P<told>[Tt]o)\s(?=[A-Z])|[Oo]n\s)")
#: With one of these the left side is a sentence or a phrase and no speaker; *of* may be part of a title of office.
_NO_SPEAKER: Final = (FUNCTION_WORDS | REPORTING_VERBS | {"no", "gets", "goes", "calls", "it's"}) - {
    "of",
    "and",
    "off",
    "reports",
}


def find_colon_claim(headline: str) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Find the speaker and the claim of a headline without quotation marks.

    Returns:
        (start, end) of the speaker and of the claim, in code points of the headline, or None.

    >>> find_colon_claim("Bank chief: We will not cut rates")
    ((0, 10), (12, 33))
    >>> find_colon_claim("Opinion: We should not cut rates") is None
    True
    """
    colon = _COLON.search(headline)
    if colon is None:
        return None
    left, claim = headline[: colon.start()], headline[colon.end() :].rstrip()
    speaker = left.strip()
    addressed = _ADDRESSED.search(speaker)
    if addressed:
        speaker = speaker[: addressed.start()]
    has_addressee = addressed is not None and addressed["told"] is not None
    if not _speaks(speaker, claim, has_addressee):
        return None
    start = len(left) - len(left.lstrip())
    return (start, start + len(speaker)), (colon.end(), colon.end() + len(claim))


def _speaks(speaker: str, claim: str, has_addressee: bool) -> bool:
    """Whether the left side is somebody who says the right side; ``has_addressee``: the left side names one."""
    words = WORD.findall(speaker)
    lower = [word.lower().replace("’", "'") for word in words]
    said = [word.lower().replace("’", "'") for word in WORD.findall(claim)]
    if not 0 < len(words) <= _MAX_SPEAKER_WORDS or len(said) < _MIN_CLAIM_WORDS:
        return False
    if not _NO_SPEAKER.isdisjoint(lower) or lower[0] in HEADLINE_LABELS or lower[-1] in TOPIC_NOUNS:
        return False
    if "," in speaker or speaker[-1] in "!?" or (said[0] in QUESTION_WORDS and said[1] not in ("i", "we")):
        return False
    if lower[-1] in SPEAKING_NOUNS or lower[0] in HONORIFICS:
        return True
    if not COMMON_WORDS.isdisjoint(lower):  # Hard reality: …
        return False
    named = len(words) <= _MAX_NAME_WORDS and all(word[0].isupper() for word in words)
    return named and (has_addressee or not CLAIM_CUES.isdisjoint(said))
