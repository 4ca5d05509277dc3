"""The kind of a quote and why, by small rules on its words, its marks and the text around it.

The first rule that applies decides; docs/CODEBOOK.md lists them all.

The last rule for *scare* is after Newell et al. 2018 (PolNeAR), but a full stop or comma inside the marks counts only
at the end of a sentence, since American typography sets it there after any quoted word.
"""

import re
from itertools import pairwise
from typing import Final

from quotelake.quotes.lexicon import EN, ENGLISH, Tables, tables_of
from quotelake.quotes.marks import FAMILY
from quotelake.text.words import WORD

KINDS: Final = ("direct", "scare", "title", "nickname", "claim", "colon_claim")
#: Characters read on either side: about ten words, as long as a reporting clause.
NEARBY: Final = 60
#: A quote of more characters is direct, unless its marks are 《》; the rules for few words read none of more.
_LONGEST: Final = 160
_FEW: Final = 60
_MAX_CLAIM_WORDS: Final = 4
_MAX_PREDICATE_WORDS: Final = 8
#: Characters on either side of the quote from which title case is recognised.
_CASE: Final = 300

_GIVEN_NAME: Final = re.compile(r"(?<!\w)[A-Z\u00c0-\u00de][^\W\d_A-Z]+ \Z")
_AUTHOR: Final = re.compile(r"\s*by (?:the )?[A-Z\u00c0-\u00de]")
#: Letters from Greek on, without Latin letters with diacritics in later blocks and without punctuation.
_OTHER_SCRIPT: Final = re.compile(r"[\u0370-\u1dff\u2c00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]")
#: A word that title case would capitalise: four letters or more, and none of the small words of that length.
_LOWER: Final = re.compile(r"(?<![\w'’])(?!(?:from|into|over|upon|with)\b)[a-z]{4}")
_ENGLISH_MARKS: Final = frozenset(('"', "“", "''", "``", "‘‘", "'", "‘"))
_CLOSING_PUNCTUATION: Final = frozenset(".,!?…;:—。！？")
#: Words of distance before a quote; like those before a nickname they end the text before it.
_SCARE_CUES: Final = re.compile(rf"(?i)\b(?:{'|'.join(sorted(EN['scare_cues']))}|so called|quote unquote)\Z")
_NICKNAME_CUES: Final = re.compile(
    r"(?i)\b(?:nicknamed|known (?:simply |locally |widely |better )?as|a\.?k\.?a\.?|alias)\Z"
)
#: Most characters of such a cue, and one before it.
_CUE: Final = 17
#: Last character before a quote that begins a sentence.
_SENTENCE_BEFORE: Final = frozenset('.!?:…\n”"')

#: Characters read before a quote and after it: a reporting clause, and the rest of its sentence.
_CHARACTERS_BEFORE: Final = 200
_CHARACTERS_AFTER: Final = 160
_COMPOUND_WORD: Final = re.compile(r"\w++(?>(?:-\w++)*)")
_SENTENCE_END: Final = re.compile(r"(?:(?<!\d)|(?<=\d\d\d))[.!?…][\"“”»«]?\s++(?=[^\W\d_a-z])|\n")
#: A word with a digit, a point or capitals inside is a name (*iPod*, *8Ball*, *tagesschau.de*).
_NAMED: Final = re.compile(r"\d|[^\W\d_A-Z][A-Z]|\w\.\w")
#: A bracket that explains a name, open in front of the quote: *UDD (etwa: „…“)*.
_GLOSS: Final = re.compile(r"\([^()]{0,20}\Z")
_CAPITAL_AFTER: Final = re.compile(r" [^\W\d_a-z]\w")
_PAUSE: Final = re.compile(r"\s?[,–—-]")
#: Least words of a sentence or part of one; most of a nickname, scare quote, term or name; and of a piece of one.
_LONG_WORDS: Final = 9
_FEW_WORDS: Final = 3
_PIECE_WORDS: Final = 2

#: Most words of a speaker before a colon (*Author of original act*).
_MAX_SPEAKER_WORDS: Final = 6
_COLON: Final = re.compile(r":\s+(?=\S)")
#: Ends the speaker: *Union to mayor*, *Critics on tolls*.
_ADDRESSED: Final = re.compile(r"\s(?:(?P<told>[Tt]o)\s(?=[A-Z])|[Oo]n\s)")
#: Words that a speaker before a colon does not have; *of* may be part of a title of office.
_NO_SPEAKER: Final = (
    ENGLISH.lists["function_words"] | ENGLISH.lists["reporting_verbs"] | {"no", "gets", "goes", "calls", "it's"}
) - frozenset(("of", "and", "off", "reports"))


def classify(text: str, start: int, end: int, marks: str, mode: str, language: str | None = None) -> tuple[str, str]:
    """Kind of a quote, one of :data:`KINDS`, and its reason, the rule that decided.

    The quote is ``text[start:end]``, without its opening and closing ``marks``; ``mode`` is body, headline or tweet. A
    ``language`` (ISO 639-1) that has a table is classified by its words, another as English.

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
        return _classify_by_tables(text, start, end, marks[len(opening) :], table)
    before, after = _around(text, start, end, NEARBY)
    before = before.rstrip().removesuffix(opening)
    after = after.lstrip().removeprefix(marks[len(opening) :])
    words = WORD.findall(quote, 0, _FEW)
    few = len(words) <= _FEW_WORDS and length <= _FEW
    if few and words and quote[-1] not in _CLOSING_PUNCTUATION:
        if _NICKNAME_CUES.search(before.rstrip()[-_CUE:]):
            return "nickname", "nickname_cue"
        between = words[0][0].isupper() and _CAPITAL_AFTER.match(after) and _GIVEN_NAME.search(before)
        if between and not _in_title_case(text, start, end):
            return "nickname", "between_names"
    if _SCARE_CUES.search(before.rstrip()[-_CUE:]):
        return "scare", "distancing_cue"
    if words and _capital(words[0]):
        reason = _title(words, quote, before, after)
        if reason and (reason != "title_case" or not _in_title_case(text, start, end)):
            return "title", reason
    if quote[-1] in "!?" or (words and words[0].lower().replace("’", "'") in EN["subject_pronouns"]):
        return "direct", "utterance"
    if mode == "headline":
        if FAMILY[opening] == "single" and length <= _FEW:
            if len(words) <= _MAX_CLAIM_WORDS:
                return "claim", "few_words"
            if len(words) <= _MAX_PREDICATE_WORDS and words[0].lower() in EN["predicate_starts"]:
                return "claim", "predicate"
        return "direct", "words"
    if not few or opening not in _ENGLISH_MARKS:
        return "direct", "words"
    # Most verbs of saying come after the quote; then the text before it need not be split into words.
    if any(not EN["reporting_verbs"].isdisjoint(WORD.findall(near.lower())) for near in (after, before)):
        return "direct", "attributed"
    sentence = quote[-1] in _CLOSING_PUNCTUATION and quote[0].isupper() and _at_sentence_start(before)
    return ("direct", "words") if sentence else ("scare", "few_words")


def _around(text: str, start: int, end: int, reach: int) -> tuple[str, str]:
    """The text before and after the quote on its line, at most ``reach`` characters each."""
    left = start - reach if start > reach else 0
    newline = text.rfind("\n", left, start)
    right = text.find("\n", end, end + reach)
    return text[left if newline < 0 else newline + 1 : start], text[end : end + reach if right < 0 else right]


def _title(words: list[str], quote: str, before: str, after: str) -> str | None:
    """Reason why the quote, which begins with a capital or digit, is the title of a work; else None."""
    if quote[-1] in ";:—…" or before.rstrip()[-1:] in (":", "："):  # Somebody speaks.
        return None
    if quote[-1] == "," and _AUTHOR.match(after):
        return "author_follows"
    around = [] if _at_sentence_start(before) else [word.lower() for word in WORD.findall(before[-_FEW // 2 :])[-2:]]
    behind = WORD.search(after, 0, _FEW // 2)
    if behind:
        around.append(behind[0].lower())
    if not EN["reporting_verbs"].isdisjoint(around[-2:]):
        return None
    if not EN["work_nouns"].isdisjoint(around):
        return "work_noun"
    if len(words) < 2 or ". " in quote or _LOWER.search(quote):
        return None
    large = [word for word in WORD.findall(quote) if word.lower() not in EN["small_words"]]
    is_capitalised = len(large) > 1 and not all(map(str.isupper, large)) and all(map(_capital, large))
    return "title_case" if is_capitalised else None


def _capital(word: str) -> bool:
    return word[0].isupper() or word[0].isdecimal()


def _at_sentence_start(before: str) -> bool:
    """Whether a sentence or paragraph ends before the quote, or the text begins with it."""
    ahead = before.rstrip(" ")
    return not ahead or ahead[-1] in _SENTENCE_BEFORE


def _in_title_case(text: str, start: int, end: int) -> bool:
    """Whether the text around is in title case: under a quarter of its longer words begin in lower case."""
    around = " ".join(_around(text, start, end, _CASE))
    large = [word for word in WORD.findall(around) if len(word) > 3 and word.lower() not in EN["small_words"]]
    return len(large) > 2 and sum(word[0].islower() for word in large) * 4 < len(large)


def _classify_by_tables(text: str, start: int, end: int, closing: str, words: Tables) -> tuple[str, str]:
    """Kind and reason of the short quote ``text[start:end]``, in a language with a table; the surest evidence first."""
    before, after = _sentence(text, start, end, closing)
    quote = text[start:end]
    quoted, ahead, behind = _COMPOUND_WORD.findall(quote), _COMPOUND_WORD.findall(before), _COMPOUND_WORD.findall(after)
    lows = [word.lower() for word in quoted]
    around = [word.lower() for word in (*ahead, *behind)]
    beside = ahead[-1] if ahead and before[-1:].isalnum() else ""
    piece, few = quote[0].islower(), len(quoted) <= _FEW_WORDS
    near = [word.lower() for word in ahead[-4:]]  # Parolen wie zum Beispiel „…“
    if words.any_of(near, "quoting_nouns") and not (piece and len(quoted) == 1):
        return "direct", "attributed"
    if words.has(beside.lower(), "scare_cues"):
        return "scare", "distancing_cue"
    name = few and quote[0].isupper() and quote[-1] not in ".,!?…"
    named = behind and words.has(behind[0].lower(), "naming")
    if named or (name and words.has(beside.lower(), "nickname_cues")):
        return "nickname", "nickname_cue"
    if words.is_noun(beside, "name_nouns") or (after[:1] == "-" and after[1:2].isalpha()):
        return "title", "work_noun"
    if name and beside[:1].isupper() and _CAPITAL_AFTER.match(after) and not words.is_noun(beside, "roles"):
        return "nickname", "between_names"
    spoken = quote[-1] in "!?" or (quote[-1] in ".…" and len(lows) > 1) or words.any_of(lows[:1], "subject_pronouns")
    if spoken or words.any_of(lows, "finite"):
        return "direct", "utterance"
    if _GLOSS.search(before) and (few or not piece):
        return "title", "gloss"
    capitals = list(map(_capital, quoted))
    medium = all(capitals) and words.any_of(lows, "media")
    if len(quoted) <= (_PIECE_WORDS if piece else _FEW_WORDS) and (medium or _NAMED.search(quote)):
        return "title", "title_case"
    colon = before[-1:] == ":"
    verbs = words.cues.keys() & set(around)
    attributed = colon or any(not words.particles.get(verb, verbs).isdisjoint(around) for verb in verbs)
    attributed = attributed or any(words.any_of(around, name) for name in ("reported", "according"))
    pause = _PAUSE.match(after)
    first = [word.lower() for word in behind[:3]] if pause else []
    leads = colon or words.any_of(first, "quoting_nouns")
    leads = leads or any(word in words.says or words.has(word, "according") for word in first[:1])
    # He called it a “mess”; she spoke of “mistakes”.
    is_part = attributed and (len(quoted) >= _FEW_WORDS or words.has(beside.lower(), "predicating"))
    is_part = is_part or (words.has(beside.lower(), "of") and words.any_of(around, "speaking_of"))
    name = any(capitals[:1]) and any(one and other for one, other in pairwise(capitals))
    if (len(quoted) >= _LONG_WORDS and (attributed or not name)) or (leads and len(quoted) > _PIECE_WORDS):
        return "direct", "words"
    if not any(capitals[:1]):
        if len(quoted) >= (_PIECE_WORDS if words.capitalised_nouns else _FEW_WORDS + 1):
            return "direct", "words"
        return ("direct", "attributed") if attributed else ("scare", "few_words")
    if leads or (is_part and words.capitalised_nouns and not name):
        return "direct", "attributed"
    return ("title", "title_case") if name or not words.capitalised_nouns else ("scare", "few_words")


def _sentence(text: str, start: int, end: int, closing: str) -> tuple[str, str]:
    """The text before and after a quote, without marks, up to the ends of its sentence."""
    before = text[max(0, start - _CHARACTERS_BEFORE) : start].rstrip(" \u00a0\u202f\"“„»«‚‘'`")
    after = text[end : end + _CHARACTERS_AFTER].removeprefix(closing).lstrip("\u00a0\u202f\"“”»«'’‘")
    cut = max((found.end() for found in _SENTENCE_END.finditer(before)), default=0)
    stop = _SENTENCE_END.search(after)
    return before[cut:], after[: stop.start()] if stop else after


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
    if not 0 < len(words) <= _MAX_SPEAKER_WORDS or len(claimed) < 2:
        return None
    asks = table.has(claimed[0], "question_words") and claimed[1] not in ("i", "we")
    labels = any(table.is_noun(word, "headline_labels") for word in words[: None if table.verb_first else 1])
    topic = not table.verb_first and not _NO_SPEAKER.isdisjoint(lower)
    if asks or labels or topic or table.has(lower[-1], "topic_nouns") or not speaker[-1].isalnum() or "," in speaker:
        return None
    if not (table.has(lower[-1], "speaking_nouns") or table.has(lower[0], "honorifics")):
        inside = ("joining", "determiners", "roles") if table.verb_first else ()
        named = all(word[0].isupper() or any(table.is_noun(word, name) for name in inside) for word in words)
        short = table.verb_first or len(words) <= _FEW_WORDS
        speaks = (addressed is not None and addressed["told"] is not None) or table.any_of(claimed, "claim_cues")
        if not (named and short and speaks) or table.any_of(lower, "common_words"):  # Hard reality: …
            return None
    return colon.end(), colon.end() + len(claim)
