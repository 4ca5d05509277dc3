"""Claims of headlines without marks: a speaker, a colon and what they say (*Bank chief: We will not cut rates*)."""

import re
from typing import Final

from quotelake.quotes.lexicon import WORDS as en
from quotelake.quotes.lexicon import Tables, tables_of
from quotelake.text.words import WORD

#: Most words of a speaker before a colon (*Author of original act*).
_MAX_SPEAKER_WORDS: Final = 6
_MAX_NAME_WORDS: Final = 3
_MIN_CLAIM_WORDS: Final = 2
_COLON: Final = re.compile(r":\s+(?=\S)")
#: Ends the speaker: *Union to mayor*, *Critics on tolls*.
_ADDRESSED: Final = re.compile(r"\s(?:(?P<told>[Tt]o)\s(?=[A-Z])|[Oo]n\s)")
#: Words that a speaker before a colon does not have; *of* may be part of a title of office.
_NO_SPEAKER: Final = (
    en["function_words"] | en["reporting_verbs"] | {"no", "gets", "goes", "calls", "it's"}
) - frozenset(("of", "and", "off", "reports"))


def find_colon_claim(headline: str, language: str | None = None) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Spans of the speaker and the claim of a headline without marks (*Bank chief: We will not cut rates*), or None.

    The part before the first colon must be a speaker: a role, an organisation or document that speaks (*police*,
    *report*), or a name. A name looks like a topic (*Hurricane Irma: Florida reopens*), so after a name the claim must
    have a first or second person, a modal verb or a request, unless the name addresses another. Labels (*Opinion:*,
    *Live:*) are never speakers.

    >>> find_colon_claim("Bank chief: We will not cut rates")
    ((0, 10), (12, 33))
    """
    colon = _COLON.search(headline)
    if colon is None:
        return None
    left, claim = headline[: colon.start()], headline[colon.end() :].rstrip()
    speaker = left.strip()
    addressed = _ADDRESSED.search(speaker)
    if addressed:
        speaker = speaker[: addressed.start()]
    words = WORD.findall(speaker)
    lower = [word.lower().replace("’", "'") for word in words]
    claimed = [word.lower().replace("’", "'") for word in WORD.findall(claim)]
    if not 0 < len(words) <= _MAX_SPEAKER_WORDS or len(claimed) < _MIN_CLAIM_WORDS:
        return None
    table = tables_of(language)
    if table:
        place = (len(left) - len(left.lstrip()), len(left.rstrip()))
        return (place, (colon.end(), colon.end() + len(claim))) if _is_claim(words, claimed, table) else None
    if not _NO_SPEAKER.isdisjoint(lower) or lower[0] in en["headline_labels"] or lower[-1] in en["topic_nouns"]:
        return None
    if "," in speaker or speaker[-1] in "!?" or (claimed[0] in en["question_words"] and claimed[1] not in ("i", "we")):
        return None
    if not (lower[-1] in en["speaking_nouns"] or lower[0] in en["honorifics"]):
        named = len(words) <= _MAX_NAME_WORDS and all(word[0].isupper() for word in words)
        speaks = (addressed is not None and addressed["told"] is not None) or not en["claim_cues"].isdisjoint(claimed)
        if not (named and speaks and en["common_words"].isdisjoint(lower)):  # Hard reality: …
            return None
    start = len(left) - len(left.lstrip())
    return (start, start + len(speaker)), (colon.end(), colon.end() + len(claim))


def _is_claim(speaker: list[str], claimed: list[str], words: Tables) -> bool:
    """Whether the words before a headline's colon name a speaker, and those after it, in lower case, are speech."""
    labels = any(words.is_noun(word, "headline_labels") for word in speaker)
    closed = ("joining", "determiners")
    named = all(word[0].isupper() or words.has(word, *closed) or words.is_noun(word, "roles") for word in speaker)
    asks = words.has(claimed[0], "question_words")
    return named and not labels and not asks and words.any_of(claimed, "claim_cues")
