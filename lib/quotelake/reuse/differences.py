"""Differences between a use of a quote and its reference, the fullest wording of the same quote. Pure.

Words are aligned one by one, without case, marks and contractions, and any negation equals another. Words of the
reference alone are omitted, words of the use alone are added, words in place of others are changed. An omission has the
class of the cue in it that may affect the kept words (:mod:`quotelake.text.omissions`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from operator import itemgetter
from typing import Final, NamedTuple

from quotelake.text.align import Block
from quotelake.text.fold import Span, fold_words
from quotelake.text.lexicon import NOT, sign_negations, table
from quotelake.text.numbers import amount_of, differ, is_amount
from quotelake.text.omissions import CUES, Cue, cues_in, cues_left_out, omissions, script_of

#: Words up to which texts are aligned: an unclosed mark can make a quote of several pages [ours].
LONGEST: Final = 500
#: A run of this many small words and no other, between words that differ, is the same by chance [ours].
_CHANCE: Final = 2
_WORD_END: Final = re.compile(r"[\w'’]*+")
#: Words without content beside tense, mood and degree; articles; sounds.
_SMALL: Final = table("small")
#: Endings after an apostrophe and stems before *n't*, as the words they stand for.
_WHOLE: Final = {
    "re": "are", "ll": "will", "ve": "have", "m": "am", "s": "is", "d": "would", "ca": "can", "wo": "will",
    "sha": "shall", "ai": "is",
}  # fmt: skip
#: Replacements before words are read, in this order; an empty one stands for as many blanks.
_APART: Final = [
    (re.compile(pattern, re.IGNORECASE), instead)
    for pattern, instead in (
        # Negations that deny nothing said here.
        (r"(?<!\w)(?:not\s(?:only|just|merely|simply|least)|(?:no|without)\s(?:doubt|question))(?!\w)", ""),
        (r"(?<!\w)a\sfew(?!\w)", " some"),
        # Words beside a negation that add only the time.
        (r"(?:(?<=\bno\s)longer|(?<=\bany\s)(?:longer|more))(?!\w)", ""),
        (r"(?<!\w)cannot(?!\w)", f"can {NOT} "),
        (r"n['’]t(?!\w)", f" {NOT} "),
        (r"(?<=\w)['’](?=(?:re|ll|ve|m|s|d)(?!\w))", " "),
    )
]
#: Negations that are the end of another word.
_SPLIT: Final = frozenset(("not", "n't", "n’t"))
_CANNOT: Final = re.compile(r"(?<=can)not(?!\w)", re.IGNORECASE)
#: A cue of any class in the replacing words may have the same meaning.
_ANY: Final = ("NEGATION", "CONDITION", "HEDGE", "CONTRAST", "CONCESSION")


class Kind(StrEnum):
    """What a difference is."""

    OMITTED_NEGATION = "omitted_negation"
    OMITTED_CONDITION = "omitted_condition"
    OMITTED_HEDGE = "omitted_hedge"
    OMITTED_CONTRAST = "omitted_contrast"
    OMITTED_QUESTION = "omitted_question"  #: a question quoted as a statement
    OMITTED = "omitted"  #: words left out, none of the above
    ADDED = "added"  #: words the reference has not
    NUMBER_CHANGED = "number_changed"
    NEGATION_CHANGED = "negation_changed"  #: only the use negates here
    WORDING_CHANGED = "wording_changed"


#: Lists of cues (:mod:`quotelake.text.lexicon`) of the risky omissions.
LISTS: Final = {
    Kind.OMITTED_NEGATION: ("NEGATION",),
    Kind.OMITTED_CONDITION: ("CONDITION",),
    Kind.OMITTED_HEDGE: ("HEDGE",),
    Kind.OMITTED_CONTRAST: ("CONTRAST", "CONCESSION"),
}


@dataclass(frozen=True, slots=True)
class Difference:
    """A place where a use and the reference differ. Spans are code points of the two texts."""

    kind: Kind
    span: Span  #: in the use; empty, at the place of the missing words, for an omission
    reference: Span  #: in the reference; empty for an addition
    cue: Span | None = None  #: of a risky omission, the word in the reference that gives the class
    beside: tuple[Span, ...] = ()  #: of a risky omission, the kept words of the reference before and after it


@dataclass(frozen=True, slots=True)
class Alignment:
    """A use beside the reference."""

    differences: tuple[Difference, ...] = ()  #: in the reference's order; a question quoted as a statement comes last
    kept: tuple[Span, ...] = ()  #: each word of the reference that the use has too, in order


def align(reference: str, text: str) -> Alignment:
    """Align a use with the reference.

    A gap with cues of several classes gives one difference of each class. Texts of more than :data:`LONGEST` words are
    not compared: nothing is kept then.

    >>> found = align("We will not sell, but we may rent it in May.", "We will sell").differences
    >>> [(one.kind.value, one.span, one.cue) for one in found[:2]]
    [('omitted_negation', (8, 8), (8, 11)), ('omitted_contrast', (12, 12), (18, 21))]
    """
    whole, part = _words_of(reference), _words_of(text)
    if not whole or not part or max(len(whole), len(part)) > LONGEST:
        return Alignment()
    forms = [word.form for word in whole]
    # Ratcliff and Obershelp (1988), where a longest common subsequence may scatter an excerpt.
    matcher = SequenceMatcher(None, forms, [word.form for word in part], autojunk=False)
    blocks = [Block(*block) for block in matcher.get_matching_blocks() if block.size]
    if len(blocks) > 1:
        runs = [(block, forms[block.first : block.first + block.size]) for block in blocks]
        blocks = [block for block, run in runs if len(run) > _CHANCE or NOT in run or not _SMALL.issuperset(run)]
    kept = [(whole[a].start, whole[a + size - 1].end) for a, _, size in blocks]
    if not kept:
        everything = Difference(Kind.WORDING_CHANGED, _span_of(part, 0, len(part)), _span_of(whole, 0, len(whole)))
        return Alignment((everything,))
    script, cues = script_of(text), cues_left_out(reference, kept, CUES)
    gaps = list(_gaps_between(whole, part, blocks))
    alone = {gap.reference for gap in gaps}
    cues += [Cue("negation", found.span()) for found in _CANNOT.finditer(reference) if found.span() in alone]
    found = [each for gap in gaps for each in _judged(gap, text, script, cues)]
    if "question" in omissions(reference, kept, text).classes:
        at = max((mark.start() for mark in re.finditer(r"[?？؟]", reference)), default=len(reference))
        found.append(Difference(Kind.OMITTED_QUESTION, (len(text), len(text)), (at, min(at + 1, len(reference)))))
    words = tuple((word.start, word.end) for a, _, size in blocks for word in whole[a : a + size])
    return Alignment(tuple(found), words)


def is_carried(omission: Difference, other: Alignment) -> bool:
    """Whether another use has the cue that one omits, and a word next to the omission."""
    cue = omission.cue
    if cue is None or not any(start < cue[1] and cue[0] < end for start, end in other.kept):
        return False
    return any(word in other.kept for word in omission.beside)


class _Word(NamedTuple):
    """A word as it is compared, and its span: in *can't* the negation is *n't*, in *cannot* it is *not*."""

    form: str
    start: int
    end: int


def _words_of(text: str) -> list[_Word]:
    """Folded words with contractions apart, any negation as :data:`NOT`. For Latin script; small words are English."""
    spelled = text
    for pattern, instead in _APART:
        spelled = pattern.sub(instead or (lambda found: " " * len(found[0])), spelled)
    found = []
    for form, (start, end) in fold_words(sign_negations(spelled)):
        if form == NOT:
            start -= text[start - 1 : start + 2].lower() in _SPLIT if start else 0
            rest = _WORD_END.match(text, end)
            end = rest.end() if rest else end
        found.append(_Word(_WHOLE.get(form, form), start, end))
    return found


class _Gap(NamedTuple):
    """Words that differ: their spans in both texts, their forms, and the spans of the adjacent reference words."""

    reference: Span
    span: Span
    reference_words: Sequence[str]
    use_words: Sequence[str]
    beside: tuple[Span, ...]


def _gaps_between(whole: Sequence[_Word], part: Sequence[_Word], blocks: Sequence[Block]) -> Iterator[_Gap]:
    first = second = 0
    for a, b, size in [*blocks, Block(len(whole), len(part), 0)]:
        if first < a or second < b:
            forms = [word.form for word in whole[first:a]], [word.form for word in part[second:b]]
            beside = tuple(_span_of(whole, at, at + 1) for at in (first - 1, a) if 0 <= at < len(whole))
            yield _Gap(_span_of(whole, first, a), _span_of(part, second, b), *forms, beside)
        first, second = a + size, b + size


def _span_of(words: Sequence[_Word], first: int, last: int) -> Span:
    """Span from the first word to before the last; empty at the place of missing words."""
    if first < last:
        return words[first].start, words[last - 1].end
    at = words[first].start if first < len(words) else words[-1].end
    return at, at


def _judged(gap: _Gap, text: str, script: str, cues: Sequence[Cue]) -> list[Difference]:
    """Differences of a gap: one per class of omitted cues, by the cue nearest to a kept word; else one."""

    def to_kept(cue: Cue) -> int:
        return min((max(start - cue.span[1], cue.span[0] - end) for start, end in gap.beside), default=0)

    first, last = gap.reference
    here = [cue for cue in cues if first <= cue.span[0] and cue.span[1] <= last]
    nearest = {Kind(f"omitted_{cue.name}"): cue.span for cue in sorted(here, key=to_kept, reverse=True)}
    if nearest and not any(cues_in(name, text, script, [gap.span]) for name in _ANY):
        found = sorted(nearest.items(), key=itemgetter(1))
        return [Difference(kind, gap.span, gap.reference, cue, gap.beside) for kind, cue in found]
    return [Difference(_plain_kind(gap), gap.span, gap.reference)]


def _plain_kind(gap: _Gap) -> Kind:
    if not gap.use_words:
        return Kind.OMITTED
    if NOT in gap.use_words and NOT not in gap.reference_words:
        return Kind.NEGATION_CHANGED
    if not gap.reference_words:
        return Kind.ADDED
    amounts = [[form for form in forms if is_amount(form)] for forms in (gap.reference_words, gap.use_words)]
    if all(amounts) and differ(*map(amount_of, amounts)):
        return Kind.NUMBER_CHANGED
    return Kind.WORDING_CHANGED
