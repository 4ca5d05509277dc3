"""Claims of headlines without marks: a speaker, a colon and what they say (*Bank chief: We will not cut rates*)."""

import re
from typing import Final

from quotelake.quotes.lexicon import ENGLISH, tables_of
from quotelake.text.words import WORD

#: Most words of a speaker before a colon (*Author of original act*), and of a name.
_MAX_SPEAKER_WORDS: Final = 6
_MAX_NAME_WORDS: Final = 3
_MIN_CLAIM_WORDS: Final = 2
_COLON: Final = re.compile(r":\s+(?=\S)")
#: Ends the speaker: *Union to mayor*, *Critics on tolls*.
_ADDRESSED: Final = re.compile(r"\s(?:(?P<told>[Tt]o)\s(?=[A-Z])|[Oo]n\s)")
#: Words that a speaker before a colon does not have; *of* may be part of a title of office.
_NO_SPEAKER: Final = (
    ENGLISH.lists["function_words"] | ENGLISH.lists["reporting_verbs"] | {"no", "gets", "goes", "calls", "it's"}
) - frozenset(("of", "and", "off", "reports"))


def find_colon_claim(headline: str, language: str | None = None) -> tuple[int, int] | None:
    """Span of the claim of a headline without marks (*Bank chief: We will not cut rates*), or None.

    The part before the first colon must be a speaker: a role, an organisation or document that speaks (*police*,
    *report*), or a name. A name looks like a topic (*Hurricane Irma: Florida reopens*), so after a name the claim must
    have a first or second person, a modal verb or a request, unless the name addresses another. Labels (*Opinion:*,
    *Live:*) are never speakers.

    >>> find_colon_claim("Bank chief: We will not cut rates")
    (12, 33)
    """
    colon, table = _COLON.search(headline), tables_of(language) or ENGLISH
    if colon is None:
        return None
    speaker, claim = headline[: colon.start()].strip(), headline[colon.end() :].rstrip()
    addressed = None if table.verb_first else _ADDRESSED.search(speaker)
    if addressed:
        speaker = speaker[: addressed.start()]
    words = WORD.findall(speaker)
    lower, claimed = ([word.lower().replace("’", "'") for word in some] for some in (words, WORD.findall(claim)))
    if not 0 < len(words) <= _MAX_SPEAKER_WORDS or len(claimed) < _MIN_CLAIM_WORDS:
        return None
    asks = table.has(claimed[0], "question_words") and claimed[1] not in ("i", "we")
    labels = any(table.is_noun(word, "headline_labels") for word in words[: None if table.verb_first else 1])
    topic = not table.verb_first and not _NO_SPEAKER.isdisjoint(lower)
    if asks or labels or topic or table.has(lower[-1], "topic_nouns") or not speaker[-1].isalnum() or "," in speaker:
        return None
    if not (table.has(lower[-1], "speaking_nouns") or table.has(lower[0], "honorifics")):
        inside = ("joining", "determiners", "roles") if table.verb_first else ()
        named = all(word[0].isupper() or any(table.is_noun(word, name) for name in inside) for word in words)
        short = table.verb_first or len(words) <= _MAX_NAME_WORDS
        speaks = (addressed is not None and addressed["told"] is not None) or table.any_of(claimed, "claim_cues")
        if not (named and short and speaks) or table.any_of(lower, "common_words"):  # Hard reality: …
            return None
    return colon.end(), colon.end() + len(claim)
