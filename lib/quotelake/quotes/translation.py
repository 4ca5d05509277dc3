"""Quotes that the text itself says are translated: *he said in Spanish*, *through an interpreter*.

The flag ``translated`` goes to the quote nearest before the cue and the nearest behind it, as far as both stand in the
sentence of the cue. English cues; quoted words in another language stay unflagged, for they are no translation.
"""

import re
from collections.abc import Iterator
from typing import Final

from quotelake.quotes.lexicon import FOREIGN_LANGUAGES, REPORTING_VERBS, SENTENCE_END, table
from quotelake.quotes.pairing import Span
from quotelake.text import WORD

FLAG: Final = "translated"
#: Characters between a cue and its quote: a reporting clause with a role and a place.
_REACH: Final = 120
#: Characters before *in Spanish* that hold its verb.
_VERB_REACH: Final = 60
#: Begins with literal text, which the engine finds at the speed of a plain search.
_LANGUAGE: Final = re.compile(rf" in (?:{'|'.join(sorted(FOREIGN_LANGUAGES))})(?!\w)")
_TRANSLATION: Final = re.compile(r"ranslat(?:ed from|ed by|ed as|or|ion)|hrough (?:an|a|his|her|their) [a-z]*terpreter")
_OTHER_VERBS: Final = table("speaking spoke speaks chanting shouting praying sang sings singing reading")


def mark_translated(text: str, spans: list[Span]) -> None:
    """Flag the spans that are translated; spans in the order they end."""
    if not spans:
        return
    for start, end in _cues(text):
        before = max((span for span in spans if start - _REACH <= span.closed_at <= start), key=_end, default=None)
        behind = min((span for span in spans if end <= span.opened_at <= end + _REACH), key=_begin, default=None)
        if before is not None and not SENTENCE_END.search(text, before.closed_at, start):
            _flag(before)
        if behind is not None and not SENTENCE_END.search(text, end, behind.opened_at + 1):
            _flag(behind)


def _cues(text: str) -> Iterator[tuple[int, int]]:
    if "ranslat" in text or "terpreter" in text:
        yield from (cue.span() for cue in _TRANSLATION.finditer(text))
    for cue in _LANGUAGE.finditer(text):
        words = {word.lower() for word in WORD.findall(text, max(0, cue.start() - _VERB_REACH), cue.start())}
        if not words.isdisjoint(REPORTING_VERBS) or not words.isdisjoint(_OTHER_VERBS):
            yield cue.span()


def _flag(span: Span) -> None:
    if FLAG not in span.flags:
        span.flags = (*span.flags, FLAG)


def _end(span: Span) -> int:
    return span.closed_at


def _begin(span: Span) -> int:
    return span.opened_at
