"""What an excerpt left out of the sentences it was taken from: a negation, a condition, a hedge, the question mark.

Containment is not fidelity: an excerpt has all its words from the body and may still say the opposite. Only sentences
that hold a part of the excerpt are searched: any other sentence can be left out without harm. In these, a negation or
hedge counts only where it may govern the excerpt: where no sign or conjunction between them begins another clause.
[ours: of 50 excerpts of real headlines from whose sentence anything of the kind was left out, readers called none
distorted; docs/FIGURES.md]
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from quotelake.compare.cues import QUESTION, cue_pattern
from quotelake.compare.folding import Span, dominant_script, fold
from quotelake.compare.sentences import sentences

#: Risky omissions; the columns are these with ``omitted_`` in front.
CLASSES = ("negation", "condition", "hedge", "question")
_QUESTION = re.compile(r"[?？؟]")
_QUESTION_END = re.compile(r"[?？؟][\s!.…\"'”’»)\]」』]*$")
_WORD = re.compile(r"\w")
_LEADING_MARKS = re.compile(r"^[^\w]+")
#: What begins another clause, which no negation or hedge of this one reaches.
_CLAUSE = re.compile(
    r"[,;:()–—…]|\s-+\s|(?<!\w)(?:and|but|because|so|while|which|who|und|aber|weil|et|mais|parce)(?!\w)", re.IGNORECASE
)
#: How many words may stand between a negation and a fragment it turns (*not a 'disaster'*), and in how many words
#: behind an excerpt a hedge is looked for (*…, I think*) [ours].
_NEAR, _BEHIND = 2, 4


@dataclass(frozen=True, slots=True)
class Omissions:
    """Parts of a quote an excerpt leaves out, as (start, end) in code points, and what is among them."""

    spans: tuple[Span, ...] = ()
    negation: bool = False
    condition: bool = False
    hedge: bool = False
    question: bool = False

    @property
    def classes(self) -> tuple[str, ...]:
        """Those of :data:`CLASSES` that were found."""
        return tuple(name for name in CLASSES if getattr(self, name))


#: Those of a quote that leaves nothing out.
NO_OMISSIONS = Omissions()


def omissions(
    text: str, kept: Sequence[Span], excerpt: str, *, is_fragment: bool = False, around: str = ""
) -> Omissions:
    """Say what of a quote an excerpt leaves out.

    Args:
        text: the quote the excerpt was taken from.
        kept: where the excerpt stands in it, in order and without overlaps, in code points.
        excerpt: the excerpt as the headline gives it: it may keep the question mark.
        is_fragment: it states nothing by itself (*plan a 'disaster'*): only a negation right before it can turn it,
            unless the headline negates too.
        around: the headline without the excerpt.

    >>> omissions("We will cut taxes if we win. No doubt.", [(0, 17)], "We will cut taxes").classes
    ('condition',)
    """
    held = sentences_with(text, kept)
    script = dominant_script(fold(text).letters) or "latin"
    spans = tuple(trimmed for gap in _gaps(0, len(text), kept) if (trimmed := _trim(text, gap)) is not None)
    governing = [part for start, end, inside in held for part in _governing(text, start, end, inside, is_fragment)]
    negation = _any_cue("NEGATION", script, governing)
    if is_fragment:
        return Omissions(spans, negation and not _any_cue("NEGATION", script, [around]))
    left = [text[first:last] for start, end, inside in held for first, last in _gaps(start, end, inside)]
    asked = sum(_is_question(text[start:end], script) for start, end, _ in held)
    behind = [_first_words(text[kept[-1][1] : end], _BEHIND) for _, end, _ in held[-1:]]
    return Omissions(
        spans=spans,
        negation=negation,
        condition=_any_cue("CONDITION", script, left),
        hedge=_any_cue("HEDGE", script, [*governing, *behind]),
        question=asked > _questions_in(excerpt, script),
    )


def sentences_with(text: str, kept: Sequence[Span]) -> list[tuple[int, int, list[Span]]]:
    """Sentences that hold something kept: (start, end, what is kept of it), in order.

    Both are in order, so each part is found by halving: a search through all parts for each sentence would cost the
    product of the two.
    """
    starts, ends = [start for start, _ in kept], [end for _, end in kept]
    held = []
    for start, end in sentences(text):
        inside = kept[bisect_right(ends, start) : bisect_left(starts, end)]
        if inside:
            held.append((start, end, [(max(first, start), min(last, end)) for first, last in inside]))
    return held


def _governing(text: str, start: int, end: int, inside: Sequence[Span], is_fragment: bool) -> list[str]:
    """Parts of a sentence that are left out and may govern what is kept of it: up to the next clause on each side."""
    before, behind = text[start : inside[0][0]], text[inside[-1][1] : end]
    clauses = _CLAUSE.split(before)
    if is_fragment:
        return [_last_words(clauses[-1], _NEAR + 1)]
    between = [text[first:last] for first, last in _gaps(inside[0][0], inside[-1][1], inside)]
    return [clauses[-1], *between, _CLAUSE.split(behind)[0]]


def _first_words(text: str, n: int) -> str:
    return " ".join(text.split()[:n])


def _last_words(text: str, n: int) -> str:
    return " ".join(text.split()[-n:])


def _gaps(start: int, end: int, kept: Sequence[Span]) -> list[Span]:
    """What of [start, end) is not kept."""
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


def _trim(text: str, gap: Span) -> Span | None:
    """A gap without what is no word at its edges; None if it holds no word."""
    inside = [found.start() for found in _WORD.finditer(text, *gap)]
    return (inside[0], inside[-1] + 1) if inside else None


def _is_question(sentence: str, script: str) -> bool:
    return bool(_QUESTION_END.search(sentence)) or (script == "hangul" and _ends_as_question(sentence))


def _questions_in(excerpt: str, script: str) -> int:
    marks = len(_QUESTION.findall(excerpt))
    if marks:
        return marks
    if script == "hangul":
        return int(_ends_as_question(excerpt))
    pattern = cue_pattern("QUESTION", script)
    return int(pattern is not None and pattern.match(_LEADING_MARKS.sub("", excerpt)) is not None)


def _ends_as_question(text: str) -> bool:
    return fold(text).letters.endswith(QUESTION["ko"])


def _any_cue(name: str, script: str, texts: Sequence[str]) -> bool:
    pattern = cue_pattern(name, script)
    return pattern is not None and any(pattern.search(text) for text in texts)
