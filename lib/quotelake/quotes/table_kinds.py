"""The kind of a quote in a language that has a table: which of the quoted words somebody said.

Marks also enclose names, terms and words that the writer doubts. The rules look for evidence of one or the other, the
surest first: a noun that introduces a name (*der Film „…“*), a sign of a whole sentence, length, how the words are
built into the writer's sentence, and a verb of saying nearby. Words of a speaker inside reported speech (*er sprach von
einer „absurden Idee“*) are direct. docs/CODEBOOK.md lists the reasons, which are those of English where they mean the
same. A fixed number of characters is read around a quote.
"""

import re
from typing import Final

from quotelake.quotes.tables import Tables

#: Characters read before a quote and after it: a reporting clause, and the rest of its sentence.
_BEFORE: Final = 200
_AFTER: Final = 160
_WORD: Final = re.compile(r"\w++(?:['’-]\w++)*+")
_SENTENCE: Final = re.compile(r"[.!?…][\"“”»«]?\s++(?=[^\W\d_a-z])|\n")
#: A word with a digit, a point or capitals inside is a name (*iPod*, *8Ball*, *tagesschau.de*).
_NAMED: Final = re.compile(r"\d|[a-zäöüß][A-Z]|\w\.\w")
#: A bracket that explains a name, open in front of the quote: *UDD (etwa: „…“)*.
_GLOSS: Final = re.compile(r"\([^()]{0,20}\Z")
_SURNAME: Final = re.compile(r" [^\W\d_a-z]\w")
_PAUSE: Final = re.compile(r"\s?[,–—-]")
_LONG_WORDS: Final = 9
_FEW_WORDS: Final = 3
#: Words before a quote among which a noun introduces it (*Parolen wie zum Beispiel „…“*).
_NEAR: Final = 4
_MIN_PIECE: Final = 2


def classify_by_tables(text: str, start: int, end: int, closing: str, words: Tables) -> tuple[str, str]:
    """Tell kind and reason of the quote ``text[start:end]``, which is not long; see ``kinds.classify``.

    ``closing`` is its closing mark.

    >>> from quotelake.quotes.tables import tables_of
    >>> text = "Der Film „Nachtzug“ läuft an."
    >>> classify_by_tables(text, 10, 18, "“", tables_of("de"))
    ('title', 'work_noun')
    """
    before, after = _sentence(text, start, end, closing)
    quote = text[start:end]
    quoted, ahead, behind = _WORD.findall(quote), _WORD.findall(before), _WORD.findall(after)
    lows = [word.lower() for word in quoted]
    around = [word.lower() for word in (*ahead, *behind)]
    beside = ahead[-1] if ahead and before[-1:].isalnum() else ""
    piece = quote[0].islower()
    near = [word.lower() for word in ahead[-_NEAR:]]
    if words.holds("quoting_nouns", near) and not (piece and len(quoted) == 1):
        return "direct", "attributed"
    if beside.lower() in words.lists["scare_cues"]:
        return "scare", "distancing_cue"
    if behind and behind[0].lower() in words.lists["naming"]:
        return "nickname", "nickname_cue"
    if words.ends("name_nouns", beside) or (after[:1] == "-" and after[1:2].isalpha()):
        return "title", "work_noun"
    if len(quoted) <= _FEW_WORDS and quote[0].isupper() and quote[-1] not in ".,!?…":
        if beside.lower() in words.lists["nickname_cues"]:
            return "nickname", "nickname_cue"
        if beside[:1].isupper() and _SURNAME.match(after) and not words.ends("roles", beside):
            return "nickname", "between_names"
    spoken = lows[:1] and lows[0] in words.lists["subject_pronouns"]
    if quote[-1] in "!?" or spoken or (quote[-1] in ".…" and len(lows) > 1) or words.holds("finite", lows):
        return "direct", "utterance"
    if _GLOSS.search(before) and not (piece and len(quoted) > _FEW_WORDS):
        return "title", "gloss"
    medium = words.holds("media", lows) and all(word[0].isupper() for word in quoted)
    most = _MIN_PIECE if piece else _FEW_WORDS
    if len(quoted) <= most and (medium or _NAMED.search(quote)):
        return "title", "title_case"
    reported = not words.cues.keys().isdisjoint(around) or words.holds("reported", around)
    attributed = reported or words.holds("according", around) or before[-1:] == ":"
    # He called it a “mess”; she spoke of “mistakes”.
    said = beside.lower() in words.lists["predicating"] and attributed
    said = said or (beside.lower() in words.lists["of"] and words.holds("speaking_of", around))
    return _of_form(quoted, said, attributed, _leads(before, after, words), words)


def _of_form(quoted: list[str], said: bool, attributed: bool, leads: bool, words: Tables) -> tuple[str, str]:
    """Kind and reason by the form of the quoted words and what the sentence around them says of them."""
    capitals = [word[0].isupper() or word[0].isdigit() for word in quoted]
    named = any(one and other for one, other in zip(capitals, capitals[1:], strict=False))
    named = named and capitals[0]
    if (len(quoted) >= _LONG_WORDS and (attributed or not named)) or (leads and len(quoted) > _MIN_PIECE):
        return "direct", "words"
    if not any(capitals[:1]):
        long = len(quoted) >= _MIN_PIECE if words.capitalised_nouns else len(quoted) > _FEW_WORDS
        if long:
            return "direct", "words"
        return ("direct", "attributed") if attributed else ("scare", "few_words")
    if leads:
        return "direct", "attributed"
    if named or not words.capitalised_nouns:
        return "title", "title_case"
    if said or (attributed and len(quoted) >= _FEW_WORDS):
        return "direct", "attributed"
    return "scare", "few_words"


def _leads(before: str, after: str, words: Tables) -> bool:
    """Whether the quote follows a colon, or a pause and a verb of saying or attribution follow it."""
    pause = _PAUSE.match(after)
    first = [word.lower() for word in _WORD.findall(after, pause.end())[:3]] if pause else []
    quoting = first[:1] and (first[0] in words.says or first[0] in words.lists["according"])
    return before[-1:] == ":" or bool(quoting) or words.holds("quoting_nouns", first)


def _sentence(text: str, start: int, end: int, closing: str) -> tuple[str, str]:
    """The text before a quote and after it, without the marks, up to the ends of its sentence."""
    ahead = text[max(0, start - _BEFORE) : start].rstrip(" \u00a0\u202f\"“„»«‚‘'`")
    behind = text[end : end + _AFTER].removeprefix(closing).lstrip("\u00a0\u202f\"“”»«'’‘")
    cut = 0
    for found in _SENTENCE.finditer(ahead):
        if not ahead[: found.start()][-2:].strip().isdigit():
            cut = found.end()
    stop = _SENTENCE.search(behind)
    return ahead[cut:], behind[: stop.start()] if stop else behind
