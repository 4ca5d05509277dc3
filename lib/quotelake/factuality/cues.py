"""Operators of a span in languages without rules of their own, by lists of cues alone. Pure.

A negation or hedge governs within its clause, a hedge also from the first words behind it; a condition or concession
anywhere in the sentence, a contrast from behind. [ours: of 50 excerpts of real headlines without such words of their
sentence, readers called none distorted]
"""

import re
from collections.abc import Iterator
from typing import Final

from quotelake.factuality.operators import Clause, Operator
from quotelake.text.fold import Span, fold, fold_case
from quotelake.text.language import dominant_script
from quotelake.text.lexicon import cue_pattern, cues_of

#: Kind of an operator → its lists of cues (:mod:`quotelake.text.lexicon`).
LISTS: Final = {
    "negation": ("NEGATION",),
    "condition": ("CONDITION",),
    "hedge": ("HEDGE",),
    "contrast": ("CONTRAST", "CONCESSION"),
}
#: Begins another clause, beyond the scope of a negation or hedge; a clause with *dass* depends on this one.
_CLAUSE: Final = re.compile(
    r"[;:()–—…]|,(?!\s*da(?:ss|ß)(?!\w))|\s-+\s|(?<!\w)(?:and|but|because|so|while|which|who|und|aber|weil|et|mais|parce)(?!\w)",
    re.IGNORECASE,
)
_QUESTION_END: Final = re.compile(r"[?？؟][\s!.…\"'”’»)\]」』]*$")
_SPACED: Final = re.compile(r"\S++")
_LEADING_MARKS: Final = re.compile(r"\A[^\w]+")
#: Words at most between a negation and a fragment (*not a 'disaster'*), and words behind a span that are searched for
#: a hedge (*…, I think*) [ours].
_BEFORE_FRAGMENT, _BEHIND = 2, 4


def cued_operators(clause: Clause) -> Iterator[Operator]:
    """Find what governs a span by the cues of its script: negation, condition, hedge, contrast and question."""
    tokens, text = clause.reading.tokens, clause.reading.text
    begin, first, last = tokens[clause.begin].start, tokens[clause.first].start, tokens[clause.last].end
    end = tokens[clause.end].start if clause.end < len(tokens) else len(text)
    script = script_of(text[begin:end])
    sign = _CLAUSE.search(text, last, end)
    lead = max((found.end() for found in _CLAUSE.finditer(text, begin, first)), default=begin), first
    near = last, sign.start() if sign else end
    words = [last, *(found.end() for found in _SPACED.finditer(text, last, end))]
    soon = last, max(near[1], words[: _BEHIND + 1][-1])
    everywhere = (begin, first), (last, end)
    reach: dict[str, tuple[Span, ...]] = {
        "NEGATION": (lead, near),
        "CONDITION": everywhere,
        "HEDGE": (lead, soon),
        "CONTRAST": ((last, end),),
        "CONCESSION": everywhere,
    }
    for kind, lists in LISTS.items():
        for name, part in ((each, part) for each in lists for part in reach[each]):
            for at, stop in cues_in(name, text, script, part):
                is_near = part == lead and len(text[stop:first].split()) <= _BEFORE_FRAGMENT
                words_around = " ".join(text[slice(*part)].split()).strip(' ,.“”"')
                yield Operator(kind, words_around, is_near and kind == "negation", at=at)
    if _QUESTION_END.search(text[begin:end]) or _ends_as_question(text[begin:end], script):
        yield Operator("question", " ".join(text[begin:end].split()).strip('“”"'), is_near=False, at=end)


def restores(kind: str, around: str, quote: str) -> bool:
    """Whether a headline has an operator itself: beside its quote, or in the form of a question."""
    script = script_of(quote)
    if kind != "question":
        return any(cues_in(name, around, script) for name in LISTS[kind])
    question = cue_pattern("QUESTION", script)
    begins = script != "hangul" and question is not None and question.match(_LEADING_MARKS.sub("", quote)) is not None
    return begins or _ends_as_question(quote, script) or _QUESTION_END.search(quote) is not None


def _ends_as_question(text: str, script: str) -> bool:
    return script == "hangul" and fold(text).letters.endswith(cues_of("QUESTION", "ko"))


def script_of(text: str) -> str:
    """Script whose cues are searched for in a text."""
    return dominant_script(fold_case(text)) or "latin"


def cues_in(name: str, text: str, script: str, part: Span | None = None) -> list[Span]:
    """Spans of the cues of a list in a part of a text, or in all of it.

    >>> cues_in("NEGATION", "It is not so", "latin"), cues_in("NEGATION", "It is not so", "latin", (0, 5))
    ([(6, 9)], [])
    """
    pattern, (first, last) = cue_pattern(name, script), part or (0, len(text))
    if pattern is None:
        return []
    # A part begins and ends as words do, wherever it was cut.
    return [(first + found.start(), first + found.end()) for found in pattern.finditer(text[first:last])]
