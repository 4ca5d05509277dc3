"""The kind of a quote in a language that has a table: speech, or a name, a term, a word that the writer doubts.

The surest evidence comes first: a noun that introduces a name (*der Film „…“*), a sign of a whole sentence, length, the
place of the words in the writer's sentence, and a verb of saying nearby. Words of a speaker inside reported speech (*er
sprach von einer „absurden Idee“*) are direct. docs/CODEBOOK.md lists the reasons. A fixed number of characters is read
around a quote.
"""

import re
from itertools import pairwise
from typing import Final

from quotelake.quotes.lexicon import Tables

#: Characters read before a quote and after it: a reporting clause, and the rest of its sentence.
_BEFORE: Final = 200
_AFTER: Final = 160
_WORD: Final = re.compile(r"\w++(?>(?:['’-]\w++)*)")
_SENTENCE: Final = re.compile(r"(?:(?<!\d)|(?<=\d\d\d))[.!?…][\"“”»«]?\s++(?=[^\W\d_a-z])|\n")
#: A word with a digit, a point or capitals inside is a name (*iPod*, *8Ball*, *tagesschau.de*).
_NAMED: Final = re.compile(r"\d|[^\W\d_A-Z][A-Z]|\w\.\w")
#: A bracket that explains a name, open in front of the quote: *UDD (etwa: „…“)*.
_GLOSS: Final = re.compile(r"\([^()]{0,20}\Z")
_SURNAME: Final = re.compile(r" [^\W\d_a-z]\w")
_PAUSE: Final = re.compile(r"\s?[,–—-]")
#: Least words of a sentence or part of one; most of a term or name, and of a piece of a sentence.
_LONG: Final = 9
_FEW: Final = 3
_PIECE: Final = 2
#: Words before a quote among which a noun introduces it (*Parolen wie zum Beispiel „…“*).
_NEAR: Final = 4


def classify_by_tables(text: str, start: int, end: int, closing: str, words: Tables) -> tuple[str, str]:
    """Kind and reason of the short quote ``text[start:end]`` with its ``closing`` mark; see ``kinds.classify``.

    >>> from quotelake.quotes.lexicon import tables_of
    >>> classify_by_tables("Der Film „Nachtzug“ läuft an.", 10, 18, "“", tables_of("de"))
    ('title', 'work_noun')
    """
    before, after = _sentence(text, start, end, closing)
    quote = text[start:end]
    quoted, ahead, behind = _WORD.findall(quote), _WORD.findall(before), _WORD.findall(after)
    lows = [word.lower() for word in quoted]
    around = [word.lower() for word in (*ahead, *behind)]
    beside = ahead[-1] if ahead and before[-1:].isalnum() else ""
    piece, few = quote[0].islower(), len(quoted) <= _FEW
    if words.any_of((word.lower() for word in ahead[-_NEAR:]), "quoting_nouns") and not (piece and len(quoted) == 1):
        return "direct", "attributed"
    if words.has(beside.lower(), "scare_cues"):
        return "scare", "distancing_cue"
    if behind and words.has(behind[0].lower(), "naming"):
        return "nickname", "nickname_cue"
    name = few and quote[0].isupper() and quote[-1] not in ".,!?…"
    if name and words.has(beside.lower(), "nickname_cues"):
        return "nickname", "nickname_cue"
    if words.is_noun(beside, "name_nouns") or (after[:1] == "-" and after[1:2].isalpha()):
        return "title", "work_noun"
    if name and beside[:1].isupper() and _SURNAME.match(after) and not words.is_noun(beside, "roles"):
        return "nickname", "between_names"
    spoken = quote[-1] in "!?" or (quote[-1] in ".…" and len(lows) > 1) or words.any_of(lows[:1], "subject_pronouns")
    if spoken or words.any_of(lows, "finite"):
        return "direct", "utterance"
    if _GLOSS.search(before) and (few or not piece):
        return "title", "gloss"
    capitals = [word[0].isupper() or word[0].isdigit() for word in quoted]
    medium = all(capitals) and words.any_of(lows, "media")
    if len(quoted) <= (_PIECE if piece else _FEW) and (medium or _NAMED.search(quote)):
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
    is_part = attributed and (len(quoted) >= _FEW or words.has(beside.lower(), "predicating"))
    is_part = is_part or (words.has(beside.lower(), "of") and words.any_of(around, "speaking_of"))
    name = any(capitals[:1]) and any(one and other for one, other in pairwise(capitals))
    if (len(quoted) >= _LONG and (attributed or not name)) or (leads and len(quoted) > _PIECE):
        return "direct", "words"
    if not any(capitals[:1]):
        if len(quoted) >= (_PIECE if words.capitalised_nouns else _FEW + 1):
            return "direct", "words"
        return ("direct", "attributed") if attributed else ("scare", "few_words")
    if leads or (is_part and words.capitalised_nouns and not name):
        return "direct", "attributed"
    return ("title", "title_case") if name or not words.capitalised_nouns else ("scare", "few_words")


def is_claim(speaker: list[str], claimed: list[str], words: Tables) -> bool:
    """Whether the words before a headline's colon name a speaker, and those after it, in lower case, are speech."""
    labels = any(words.is_noun(word, "headline_labels") for word in speaker)
    closed = ("joining", "determiners")
    named = all(word[0].isupper() or words.has(word, *closed) or words.is_noun(word, "roles") for word in speaker)
    asks = words.has(claimed[0], "question_words")
    return named and not labels and not asks and words.any_of(claimed, "claim_cues")


def _sentence(text: str, start: int, end: int, closing: str) -> tuple[str, str]:
    """The text before and after a quote, without marks, up to the ends of its sentence."""
    before = text[max(0, start - _BEFORE) : start].rstrip(" \u00a0\u202f\"“„»«‚‘'`")
    after = text[end : end + _AFTER].removeprefix(closing).lstrip("\u00a0\u202f\"“”»«'’‘")
    cut = max((found.end() for found in _SENTENCE.finditer(before)), default=0)
    stop = _SENTENCE.search(after)
    return before[cut:], after[: stop.start()] if stop else after
