"""Omissions of an excerpt from its sentences: a negation, a condition, a hedge, the question mark.

Only sentences with a part of the excerpt are searched, and a negation or hedge counts only if no sign or conjunction
between it and the excerpt begins another clause. [ours: of 50 excerpts of real headlines without such words of their
sentence, readers called none distorted]
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from itertools import islice
from typing import NamedTuple

from quotelake.text.fold import Span, fold, fold_case
from quotelake.text.language import dominant_script
from quotelake.text.lexicon import cue_pattern, cues_of
from quotelake.text.words import sentences

#: Risky omissions; the columns are these with ``omitted_`` in front.
CLASSES = ("negation", "condition", "hedge", "question")
#: Classes recognised by a cue word.
CUES = ("negation", "condition", "hedge", "contrast")
_QUESTION = re.compile(r"[?？؟]")
_QUESTION_END = re.compile(r"[?？؟][\s!.…\"'”’»)\]」』]*$")
_WORD = re.compile(r"\w")
_SPACED = re.compile(r"\S++")
_LEADING_MARKS = re.compile(r"^[^\w]+")
#: Begins another clause, beyond the scope of a negation or hedge; a clause with *dass* depends on this one.
_CLAUSE = re.compile(
    r"[;:()–—…]|,(?!\s*da(?:ss|ß)(?!\w))|\s-+\s|(?<!\w)(?:and|but|because|so|while|which|who|und|aber|weil|et|mais|parce)(?!\w)",
    re.IGNORECASE,
)
#: Words at most between a negation and a fragment (*not a 'disaster'*); words after an excerpt that are searched for a
#: hedge (*…, I think*) [ours].
_CUE_WORDS_BEFORE, _CUE_WORDS_AFTER = 2, 4


class Omissions(NamedTuple):
    """Parts of a quote that an excerpt omits, as spans of code points, and the classes of risk among them."""

    spans: tuple[Span, ...] = ()
    classes: tuple[str, ...] = ()  #: those of :data:`CLASSES` that were found


NO_OMISSIONS = Omissions()
#: A sentence with a kept part: its start, its end, and its kept spans.
KeptSentence = tuple[int, int, list[Span]]


def omissions(
    text: str, kept: Sequence[Span], excerpt: str, *, is_fragment: bool = False, around: str = ""
) -> Omissions:
    """Omissions of an excerpt.

    ``kept`` are the spans of the excerpt in the quote ``text``, in order and without overlaps, in code points.
    ``excerpt`` is as the headline gives it: it may keep the question mark. Of a fragment, which is no statement by
    itself (*plan a 'disaster'*), only a negation right before it counts, unless the headline ``around`` it negates too.
    """
    sentences_kept, script = sentences_with(text, kept), script_of(text)
    gaps = ([found.start() for found in _WORD.finditer(text, *gap)] for gap in _gaps(0, len(text), kept))
    spans = tuple((letters[0], letters[-1] + 1) for letters in gaps if letters)
    if is_fragment:
        before = []
        for start, _, inside in sentences_kept:
            first, last = last_clause(text, start, inside[0][0])
            words = [found.start() for found in _SPACED.finditer(text, first, last)]
            before.append((words[-_CUE_WORDS_BEFORE - 1] if len(words) > _CUE_WORDS_BEFORE else first, last))
        negated = cues_in("NEGATION", text, script, before) and not cues_in("NEGATION", around, script)
        return Omissions(spans, ("negation",) if negated else ())
    found = {cue.name for cue in cues_left_out(text, kept, CLASSES)}
    questions = [text[start:end] for start, end, _ in sentences_kept]
    questions = [each for each in questions if _QUESTION_END.search(each) or _ends_as_question(each, script)]
    in_excerpt = len(_QUESTION.findall(excerpt)) or int(_reads_as_question(excerpt, script))
    found |= {"question"} if len(questions) > in_excerpt else set()
    return Omissions(spans, tuple(name for name in CLASSES if name in found))


def _reads_as_question(excerpt: str, script: str) -> bool:
    """Whether an excerpt without a question mark begins, or in Korean ends, as a question does."""
    if script == "hangul":
        return _ends_as_question(excerpt, script)
    pattern = cue_pattern("QUESTION", script)
    return pattern is not None and pattern.match(_LEADING_MARKS.sub("", excerpt)) is not None


def _ends_as_question(text: str, script: str) -> bool:
    return script == "hangul" and fold(text).letters.endswith(cues_of("QUESTION", "ko"))


class Cue(NamedTuple):
    """A word that negates, limits, weakens or contrasts: the name of its class, and its span."""

    name: str
    span: Span


def cues_left_out(text: str, kept: Sequence[Span], classes: Collection[str]) -> list[Cue]:
    """Cues that an excerpt omits from its sentences and that may affect the kept words; by class, then place.

    A negation or hedge counts in the same clause, a hedge also in the first words after it; a condition or concession
    anywhere in the sentence; a contrast after kept words. ``text`` and ``kept`` are as for :func:`omissions`,
    ``classes`` of :data:`CUES`.

    >>> [cue.name for cue in cues_left_out("I think we will win, but not if it rains.", [(8, 19)], CUES)]
    ['condition', 'hedge', 'contrast']
    """
    sentences_kept, script = sentences_with(text, kept), script_of(text)
    governing: list[Span] = []  # left out of a sentence, up to the next clause on each side of what is kept
    left: list[Span] = []
    after_first: list[Span] = []
    for start, end, inside in sentences_kept:
        first, last = inside[0][0], inside[-1][1]
        sign = _CLAUSE.search(text[last:end])
        behind = (last, last + sign.start() if sign else end)
        governing += [last_clause(text, start, first), *_gaps(first, last, inside), behind]
        left += _gaps(start, end, inside)
        after_first += _gaps(inside[0][1], end, inside)
    weakening = governing[:]
    if sentences_kept:
        last, end = kept[-1][1], sentences_kept[-1][1]
        ends = [found.end() for found in islice(_SPACED.finditer(text, last, end), _CUE_WORDS_AFTER)]
        weakening.append((last, ends[-1] if ends else last))
    searched = {
        "negation": {"NEGATION": governing},
        "condition": {"CONDITION": left},
        "hedge": {"HEDGE": weakening},
        "contrast": {"CONTRAST": after_first, "CONCESSION": left},
    }
    return [
        Cue(name, span)
        for name in CUES
        if name in classes
        for span in sorted(
            {span for cues, parts in searched[name].items() for span in cues_in(cues, text, script, parts)}
        )
    ]


def sentences_with(text: str, kept: Sequence[Span]) -> list[KeptSentence]:
    """Sentences with a kept part, in order: (start, end, kept spans inside). Bisection keeps the time linear."""
    starts, ends = [start for start, _ in kept], [end for _, end in kept]
    sentences_kept = []
    for start, end in sentences(text):
        inside = kept[bisect_right(ends, start) : bisect_left(starts, end)]
        if inside:
            sentences_kept.append((start, end, [(max(first, start), min(last, end)) for first, last in inside]))
    return sentences_kept


def last_clause(text: str, start: int, end: int) -> Span:
    """The last clause that begins at or after ``start`` and ends at ``end``."""
    signs = [found.end() for found in _CLAUSE.finditer(text[start:end])]
    return start + (signs[-1] if signs else 0), end


def _gaps(start: int, end: int, kept: Sequence[Span]) -> list[Span]:
    """Spans of [start, end) that are not kept."""
    gaps = []
    for first, last in kept:
        if last <= start:
            continue
        if first >= end:
            break
        if first > start:
            gaps.append((start, first))
        start = max(start, last)
    if start < end:
        gaps.append((start, end))
    return gaps


def script_of(text: str) -> str:
    """Script whose cues are searched for in a text."""
    return dominant_script(fold_case(text)) or "latin"


def cues_in(name: str, text: str, script: str, parts: Sequence[Span] | None = None) -> list[Span]:
    """Spans of the cues of a class in parts of a text, or in all of it.

    >>> cues_in("NEGATION", "It is not so", "latin"), cues_in("NEGATION", "It is not so", "latin", [(0, 5)])
    ([(6, 9)], [])
    """
    pattern = cue_pattern(name, script)
    if pattern is None:
        return []
    whole = [(0, len(text))] if parts is None else parts
    return [
        (first + found.start(), first + found.end())
        for first, last in whole
        for found in pattern.finditer(text[first:last])  # a part begins and ends as words do, wherever it was cut
    ]
