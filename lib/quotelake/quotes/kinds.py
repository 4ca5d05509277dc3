"""The kind of a quote and why, by small rules on its words, its marks and the text around it.

The first rule that applies decides; docs/CODEBOOK.md lists them all. The kind ``colon_claim`` (reason
``speaker_colon``) has no marks: see :func:`find_colon_claim`.

The last rule for *scare* is after Newell et al. 2018 (PolNeAR), on whose news "four words, or a verb of saying nearby,
or closing punctuation inside" keeps 96 % of the attributed spans, a plain minimum of four words 80 %; here a full stop
or comma counts only at the end of a sentence, since American typography sets it inside the marks after any quoted word.
A fixed number of characters on either side is read. Tests that settle most quotes come first.
"""

import re
from typing import Final

from quotelake.quotes import lexicon as en
from quotelake.quotes.lexicon import tables_of
from quotelake.quotes.marks import FAMILY
from quotelake.quotes.table_kinds import classify_by_tables, is_claim
from quotelake.text.words import WORD

KINDS: Final = ("direct", "scare", "title", "nickname", "claim", "colon_claim")
#: Characters read on either side: about ten words, as long as a reporting clause.
NEARBY: Final = 60
#: A quote of more characters is direct, unless its marks are 《》.
_LONGEST: Final = 160
#: Characters of a quote that are split into words: more than the rules for few words need.
_FEW: Final = 60
_MAX_CLAIM_WORDS: Final = 4
_MAX_PREDICATE_WORDS: Final = 8
_MAX_SCARE_WORDS: Final = 3
_MAX_NICKNAME_WORDS: Final = 3
#: Characters of a headline on either side of the quote from which title case is recognised.
_HEADLINE: Final = 300

_GIVEN_NAME: Final = re.compile(r"(?<!\w)([A-Z\u00c0-\u00de][^\W\d_A-Z]+) \Z")
_SURNAME: Final = re.compile(r" ([A-Z\u00c0-\u00de][^\W\d_A-Z]+)")
_AUTHOR: Final = re.compile(r"\s*by (?:the )?[A-Z\u00c0-\u00de]")
_NOT_NAMES: Final = en.FUNCTION_WORDS | en.SMALL_WORDS | en.REPORTING_VERBS | en.DAYS_AND_MONTHS | en.WORK_NOUNS
#: Letters from Greek on, without Latin letters with diacritics in later blocks and without punctuation.
_OTHER_SCRIPT: Final = re.compile(r"[\u0370-\u1dff\u2c00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]")
#: A word that title case would capitalise: four letters or more, and none of the small words of that length.
_LOWER: Final = re.compile(r"(?<![\w'’])(?!(?:from|into|over|upon|with)\b)[a-z]{4}")
_ENGLISH_MARKS: Final = frozenset(('"', "“", "''", "``", "‘‘", "'", "‘"))
_CLOSING_PUNCTUATION: Final = frozenset(".,!?…;:—。！？")
#: Words of distance before a quote; like those before a nickname they end the text before it.
_SCARE_CUES: Final = re.compile(
    r"(?i)\b(?:so[- ]called|self[- ](?:styled|described|proclaimed|professed)|would-be|supposed(?:ly)?|purported(?:ly)?"
    r"|quote[- ]unquote)\Z"
)
_NICKNAME_CUES: Final = re.compile(
    r"(?i)\b(?:nicknamed|known (?:simply |locally |widely |better )?as|a\.?k\.?a\.?|alias)\Z"
)
#: Most characters of such a cue, and one before it.
_CUE: Final = 17
_TITLE_END: Final = frozenset(";:—…")
#: Last character before a quote that begins a sentence.
_SENTENCE_BEFORE: Final = frozenset('.!?:…\n”"')

#: Most words of a speaker before a colon (*Author of original act*).
_MAX_SPEAKER_WORDS: Final = 6
_MAX_NAME_WORDS: Final = 3
_MIN_CLAIM_WORDS: Final = 2
_COLON: Final = re.compile(r":\s+(?=\S)")
#: Ends the speaker: *Union to mayor*, *Critics on tolls*.
_ADDRESSED: Final = re.compile(r"\s(?:(?P<told>[Tt]o)\s(?=[A-Z])|[Oo]n\s)")
#: Words that a speaker before a colon does not have; *of* may be part of a title of office.
_NO_SPEAKER: Final = (en.FUNCTION_WORDS | en.REPORTING_VERBS | {"no", "gets", "goes", "calls", "it's"}) - frozenset(
    ("of", "and", "off", "reports")
)


def classify(text: str, start: int, end: int, marks: str, mode: str, language: str | None = None) -> tuple[str, str]:
    """Kind of a quote, one of :data:`KINDS`, and its reason, the rule that decided.

    The quote is ``text[start:end]``, without its opening and closing ``marks``; ``mode`` is body, headline or tweet. A
    ``language`` (ISO 639-1) that has a table is classified by :mod:`~quotelake.quotes.table_kinds`, another as English.

    >>> classify('Rita "Red" Gomez said', 6, 9, '""', "body")
    ('nickname', 'between_names')
    >>> classify("Firm 'to cut' 450 jobs", 6, 12, "''", "headline")
    ('claim', 'few_words')
    """
    opening = marks[0]
    if marks[:2] in ("``", "''", "‘‘") and text[max(0, start - NEARBY) : start].rstrip().endswith(marks[:2]):
        opening = marks[:2]  # ``marks`` alone may be two single ones
    if opening == "《":
        return "title", "title_marks"
    length = end - start
    if length > _LONGEST:
        return "direct", "long"
    quote = text[start:end]
    if not quote.isascii() and _OTHER_SCRIPT.search(quote):
        return "direct", "other_script"
    table = tables_of(language)
    if table:
        return classify_by_tables(text, start, end, marks[len(opening) :], table)
    before, after = _around(text, start, end, NEARBY)
    before = before.rstrip().removesuffix(opening)
    after = after.lstrip().removeprefix(marks[len(opening) :])
    words = WORD.findall(quote, 0, _FEW)
    if len(words) <= _MAX_NICKNAME_WORDS and length <= _FEW:
        reason = _nickname(words, quote, before, after)
        if reason == "nickname_cue" or (reason and not _in_title_case(text, start, end, mode)):
            return "nickname", reason
    if _SCARE_CUES.search(before.rstrip()[-_CUE:]):
        return "scare", "distancing_cue"
    if words and _capital(words[0]):
        reason = _title(words, quote, before, after)
        if reason and (reason != "title_case" or not _in_title_case(text, start, end, mode)):
            return "title", reason
    if quote[-1] in "!?" or (words and words[0].lower().replace("’", "'") in en.SUBJECT_PRONOUNS):
        return "direct", "utterance"
    if mode == "headline":
        if FAMILY[opening] == "single" and length <= _FEW:
            if len(words) <= _MAX_CLAIM_WORDS:
                return "claim", "few_words"
            if len(words) <= _MAX_PREDICATE_WORDS and words[0].lower() in en.PREDICATE_STARTS:
                return "claim", "predicate"
        return "direct", "words"
    if len(words) > _MAX_SCARE_WORDS or length > _FEW or opening not in _ENGLISH_MARKS:
        return "direct", "words"
    # Most verbs of saying come after the quote; then the text before it need not be split into words.
    if any(not en.REPORTING_VERBS.isdisjoint(WORD.findall(near.lower())) for near in (after, before)):
        return "direct", "attributed"
    sentence = quote[-1] in _CLOSING_PUNCTUATION and quote[0].isupper() and _at_sentence_start(before)
    return ("direct", "words") if sentence else ("scare", "few_words")


def _around(text: str, start: int, end: int, reach: int) -> tuple[str, str]:
    """The text before and after the quote on its line, at most ``reach`` characters each."""
    left = start - reach if start > reach else 0
    newline = text.rfind("\n", left, start)
    right = text.find("\n", end, end + reach)
    return text[left if newline < 0 else newline + 1 : start], text[end : end + reach if right < 0 else right]


def _nickname(words: list[str], quote: str, before: str, after: str) -> str | None:
    """Reason why the quote is a nickname: a cue, or a place between the parts of a name; else None."""
    if not words or quote[-1] in _CLOSING_PUNCTUATION:
        return None
    if _NICKNAME_CUES.search(before.rstrip()[-_CUE:]):
        return "nickname_cue"
    surname = _SURNAME.match(after)
    given = _GIVEN_NAME.search(before) if surname and words[0][0].isupper() else None
    if not given or not surname or {given.group(1).lower(), surname.group(1).lower()} & _NOT_NAMES:
        return None
    return "between_names"


def _title(words: list[str], quote: str, before: str, after: str) -> str | None:
    """Reason why the quote, which begins with a capital or digit, is the title of a work; else None."""
    if quote[-1] in _TITLE_END or before.rstrip()[-1:] in (":", "："):  # Somebody speaks.
        return None
    if quote[-1] == "," and _AUTHOR.match(after):
        return "author_follows"
    # Titles in all capitals, or broken over lines, are too rare to justify the cost.
    if words[0].lower() in en.SUBJECT_PRONOUNS and not _is_capitalised(quote):  # Somebody speaks.
        return None
    around = [] if _at_sentence_start(before) else [word.lower() for word in WORD.findall(before[-_FEW // 2 :])[-2:]]
    behind = WORD.search(after, 0, _FEW // 2)
    if behind:
        around.append(behind[0].lower())
    if not en.REPORTING_VERBS.isdisjoint(around[-2:]):
        return None
    if not en.WORK_NOUNS.isdisjoint(around):
        return "work_noun"
    return "title_case" if len(words) > 1 and ". " not in quote and _is_capitalised(quote) else None


def _is_capitalised(quote: str) -> bool:
    """Whether a quote is in title case: two words or more that begin with a capital or digit, small ones aside."""
    if _LOWER.search(quote):
        return False
    large = [word for word in WORD.findall(quote) if word.lower() not in en.SMALL_WORDS]
    return len(large) > 1 and not all(map(str.isupper, large)) and all(map(_capital, large))


def _capital(word: str) -> bool:
    return word[0].isupper() or word[0].isdecimal()


def _at_sentence_start(before: str) -> bool:
    """Whether a sentence or paragraph ends before the quote, or the text begins with it."""
    ahead = before.rstrip(" ")
    return not ahead or ahead[-1] in _SENTENCE_BEFORE


def _in_title_case(text: str, start: int, end: int, mode: str) -> bool:
    """Whether the text around is in title case: under a quarter of its longer words begin in lower case."""
    reach = _HEADLINE if mode == "headline" else NEARBY
    around = " ".join(_around(text, start, end, reach))
    large = [word for word in WORD.findall(around) if len(word) > 3 and word.lower() not in en.SMALL_WORDS]
    return len(large) > 2 and sum(word[0].islower() for word in large) * 4 < len(large)


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
        return (place, (colon.end(), colon.end() + len(claim))) if is_claim(words, claimed, table) else None
    if not _NO_SPEAKER.isdisjoint(lower) or lower[0] in en.HEADLINE_LABELS or lower[-1] in en.TOPIC_NOUNS:
        return None
    if "," in speaker or speaker[-1] in "!?" or (claimed[0] in en.QUESTION_WORDS and claimed[1] not in ("i", "we")):
        return None
    if not (lower[-1] in en.SPEAKING_NOUNS or lower[0] in en.HONORIFICS):
        named = len(words) <= _MAX_NAME_WORDS and all(word[0].isupper() for word in words)
        speaks = (addressed is not None and addressed["told"] is not None) or not en.CLAIM_CUES.isdisjoint(claimed)
        if not (named and speaks and en.COMMON_WORDS.isdisjoint(lower)):  # Hard reality: …
            return None
    start = len(left) - len(left.lstrip())
    return (start, start + len(speaker)), (colon.end(), colon.end() + len(claim))
