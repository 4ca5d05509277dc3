"""The kind of a quote, by small rules on its words, its marks and what stands around it. The first that applies:

======== ======================================================================================================
title    in 《》
direct   in a script other than the Latin one, or longer than 160 characters
nickname one to three words between a given name and a surname; or behind *nicknamed*, *known as*
scare    behind *so-called* and its like
title    two words or more in title case, in running text that is not; or capitalised beside a noun for a work
claim    in a headline, up to four words in single marks that are no utterance complete in itself; up to eight if they
         begin with a verb without its subject (*'is set for US remake'*)
scare    outside headlines, up to three words in English marks, likewise no complete utterance, without a verb of
         saying nearby and without closing punctuation inside
direct   everything else
======== ======================================================================================================

The tables of words are English. The last rule for *scare* follows Newell et al. 2018 (PolNeAR): "four words, or a verb
of saying nearby, or closing punctuation inside" keeps 96 % of their attributed spans, a plain minimum of four words
80 %. Only a fixed stretch on either side is looked at, so the cost does not grow with the text.
"""

import re
from typing import Final

from quotelake.quotes.lexicon import (
    DAYS_AND_MONTHS,
    FUNCTION_WORDS,
    NICKNAME_CUES,
    PREDICATE_STARTS,
    REPORTING_VERBS,
    SCARE_CUES,
    SMALL_WORDS,
    SUBJECT_PRONOUNS,
    WORK_NOUNS,
)
from quotelake.quotes.marks import FAMILY
from quotelake.text import WORD

KINDS: Final = ("direct", "scare", "title", "nickname", "claim")
#: Characters looked at on either side: about ten words, the reach of a reporting clause.
NEARBY: Final = 60
#: More than any rule needs of a quote; longer ones are direct.
_LONGEST: Final = 160
_MAX_CLAIM_WORDS: Final = 4
_MAX_PREDICATE_WORDS: Final = 8
_MAX_SCARE_WORDS: Final = 3
_MAX_NICKNAME_WORDS: Final = 3
#: Characters of a headline that show whether it is set in title case.
_HEADLINE: Final = 300

_GIVEN_NAME: Final = re.compile(r"(?<!\w)([A-Z\u00c0-\u00de][^\W\d_A-Z]+) \Z")
_SURNAME: Final = re.compile(r" ([A-Z\u00c0-\u00de][^\W\d_A-Z]+)")
_NOT_NAMES: Final = FUNCTION_WORDS | SMALL_WORDS | REPORTING_VERBS | DAYS_AND_MONTHS | WORK_NOUNS
#: Letters from Greek on; Latin letters with diacritics further up, and punctuation, are left out.
_OTHER_SCRIPT: Final = re.compile(r"[\u0370-\u1dff\u2c00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]")
_ENGLISH_MARKS: Final = frozenset(('"', "“", "''", "``", "‘‘", "'", "‘"))
_CLOSING_PUNCTUATION: Final = frozenset(".,!?…;:—。！？")
_TITLE_END: Final = frozenset(";:—…")


def classify(text: str, start: int, end: int, marks: str, mode: str) -> str:
    """Tell the kind of a quote.

    Args:
        text: the raw field.
        start: first character of the quote, without its mark.
        end: one past its last character.
        marks: its opening and closing mark.
        mode: body, headline or tweet.

    Returns:
        One of :data:`KINDS`.

    >>> classify('Rita "Red" Gomez said', 6, 9, '""', "body")
    'nickname'
    >>> classify("Firm 'to cut' 450 jobs", 6, 12, "''", "headline")
    'claim'
    """
    opening = _opening(text, start, marks)
    if opening == "《":
        return "title"
    if end - start > _LONGEST:
        return "direct"
    quote = text[start:end]
    if _OTHER_SCRIPT.search(quote):
        return "direct"
    left = max(0, start - NEARBY)
    before = text[left:start].rstrip().removesuffix(opening)
    after = text[end : end + NEARBY].lstrip().removeprefix(marks.removeprefix(opening))
    words = WORD.findall(quote)
    reach = _HEADLINE if mode == "headline" else NEARBY
    title_case = _in_title_case(text[max(0, start - reach) : start] + " " + text[end : end + reach])
    if _is_nickname(words, quote, before, after, title_case):
        return "nickname"
    if SCARE_CUES.search(before):
        return "scare"
    if _is_title(words, quote, before, after, title_case):
        return "title"
    if quote[-1] in "!?" or (words and words[0].lower().replace("’", "'") in SUBJECT_PRONOUNS):
        return "direct"  # An utterance complete in itself.
    if mode == "headline":
        return "claim" if FAMILY[opening] == "single" and _is_claim(words) else "direct"
    if opening in _ENGLISH_MARKS and len(words) <= _MAX_SCARE_WORDS and quote[-1] not in _CLOSING_PUNCTUATION:
        nearby = WORD.findall(f"{before} | {after}".lower())
        return "scare" if REPORTING_VERBS.isdisjoint(nearby) else "direct"
    return "direct"


def _opening(text: str, start: int, marks: str) -> str:
    """Opening mark of a quote. ``''`` may be two single marks or a doubled one never closed: the text tells."""
    if marks[:2] in ("``", "''", "‘‘") and text[max(0, start - NEARBY) : start].rstrip().endswith(marks[:2]):
        return marks[:2]
    return marks[0]


def _is_nickname(words: list[str], quote: str, before: str, after: str, title_case: bool) -> bool:
    """Whether the quote stands between the parts of a name, or is said to be a nickname."""
    if not 0 < len(words) <= _MAX_NICKNAME_WORDS or quote[-1] in _CLOSING_PUNCTUATION:
        return False
    if NICKNAME_CUES.search(before):
        return True
    given, surname = _GIVEN_NAME.search(before), _SURNAME.match(after)
    if title_case or not (given and surname and words[0][0].isupper()):
        return False
    return not {given.group(1).lower(), surname.group(1).lower()} & _NOT_NAMES


def _is_title(words: list[str], quote: str, before: str, after: str, title_case: bool) -> bool:
    """Whether the quote reads like the title of a work."""
    if not words or quote[-1] in _TITLE_END or not (words[0][0].isupper() or words[0][0].isdecimal()):
        return False
    if before.rstrip()[-1:] in (":", "："):  # Somebody speaks.
        return False
    around = [word.lower() for word in (*WORD.findall(before)[-2:], *WORD.findall(after)[:1])]
    if REPORTING_VERBS.intersection(around[-2:]):
        return False
    if WORK_NOUNS.intersection(around):
        return words[0].lower() not in SUBJECT_PRONOUNS or _capitalised(words)
    return not title_case and len(words) > 1 and _capitalised(words)


def _is_claim(words: list[str]) -> bool:
    """Whether the words are short enough for a claim, or go on with the sentence of the headline."""
    longest = _MAX_PREDICATE_WORDS if words and words[0].lower() in PREDICATE_STARTS else _MAX_CLAIM_WORDS
    return len(words) <= longest


def _capitalised(words: list[str]) -> bool:
    """Whether every word but the small ones begins with a capital or digit, and two of them at least."""
    large = [word for word in words if word.lower() not in SMALL_WORDS]
    if all(word.isupper() for word in large):  # Capitals throughout show nothing.
        return False
    return len(large) > 1 and all(word[0].isupper() or word[0].isdecimal() for word in large)


def _in_title_case(around: str) -> bool:
    """Whether a text is set in title case: hardly any of its longer words begin in lower case."""
    large = [word for word in WORD.findall(around) if len(word) > 3 and word.lower() not in SMALL_WORDS]
    return len(large) > 2 and sum(word[0].islower() for word in large) * 4 < len(large)
