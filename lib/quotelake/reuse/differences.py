"""Differences between a use of a quote and its reference, the fullest wording of the same quote. Pure.

Both are read by :mod:`quotelake.factuality`, as headline and body are. Words of the reference alone are omitted, words
of the use alone are added, words in place of others are changed. An omission has the kind of the operator in it that
governs kept words.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from operator import itemgetter
from typing import Final

from quotelake.factuality.operators import Clause, Operator
from quotelake.factuality.reading import IGNORED_KEYS, Reading, Token, amounts_of, key_of
from quotelake.factuality.statements import governing
from quotelake.text.align import Block, gaps
from quotelake.text.fold import Span
from quotelake.text.lexicon import NOT, table
from quotelake.text.numbers import all_differ
from quotelake.text.words import sentences

#: Words up to which texts are aligned: an unclosed mark can make a quote of several pages [ours].
LONGEST: Final = 500
#: A run of this many small words and no other, between words that differ, is the same by chance [ours].
_CHANCE: Final = 2
#: Run of omitted words, the cue first or last, by which an article has the omission elsewhere [ours].
_RUN: Final = 3
_SMALL: Final = IGNORED_KEYS.union(map(key_of, table("small")))
_QUESTION: Final = re.compile(r"[?？؟]")


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


#: Kind of an operator → that of the risky omission of one.
RISKY: Final = {kind: Kind(f"omitted_{kind}") for kind in ("negation", "condition", "hedge", "contrast")}


@dataclass(frozen=True, slots=True)
class Difference:
    """A place where a use and the reference differ. Spans are code points of the two texts."""

    kind: Kind
    span: Span  #: in the use; empty, at the place of the missing words, for an omission
    reference: Span  #: in the reference; empty for an addition
    cue: Span | None = None  #: of a risky omission, the word in the reference that gives its kind
    beside: tuple[Span, ...] = ()  #: of a risky omission, the kept words of the reference before and after it


@dataclass(frozen=True, slots=True)
class Alignment:
    """A use beside the reference."""

    differences: tuple[Difference, ...] = ()  #: in the reference's order; a question quoted as a statement comes last
    kept: tuple[Span, ...] = ()  #: each word of the reference that the use has too, in order


def align(reference: str, text: str, language: str = "en") -> Alignment:
    """Align a use with the reference; ``language`` is that of both, in ISO 639-1.

    A gap with operators of several kinds gives one difference of each. Texts of more than :data:`LONGEST` words are not
    compared: nothing is kept then.

    >>> found = align("We will not sell, but we may rent it in May.", "We will sell").differences
    >>> [(one.kind.value, one.span, one.cue) for one in found[:2]]
    [('omitted_negation', (8, 8), (8, 11)), ('omitted_contrast', (12, 12), (18, 21))]
    """
    whole, part = Reading(reference), Reading(text)
    if not whole.tokens or not part.tokens or max(len(whole.tokens), len(part.tokens)) > LONGEST:
        return Alignment()
    blocks = _blocks([token.key for token in whole.tokens], [token.key for token in part.tokens])
    unequal = list(gaps(blocks, len(whole.tokens), len(part.tokens)))
    lost = _lost(whole, part, blocks, unequal, language)
    found = [each for gap in unequal for each in _judged(*gap, whole, part, lost)]
    if any(one.kind == "question" for one in lost):
        at = max((mark.start() for mark in _QUESTION.finditer(reference)), default=len(reference))
        found.append(Difference(Kind.OMITTED_QUESTION, (len(text), len(text)), (at, min(at + 1, len(reference)))))
    kept = (whole.span(at, at) for first, _, size in blocks for at in range(first, first + size))
    return Alignment(tuple(found), tuple(kept))


def is_carried(omission: Difference, other: Alignment) -> bool:
    """Whether another use has the cue that one omits, and a word next to the omission."""
    cue = omission.cue
    if cue is None or not any(start < cue[1] and cue[0] < end for start, end in other.kept):
        return False
    return any(word in other.kept for word in omission.beside)


def article_has_omission(
    reference: str, omission: Difference, before: str, text: str, after: str, language: str = "en"
) -> bool:
    """Whether an article has an omission beside its use: a run of its words, or an operator of its kind around it."""
    if omission.cue is None:
        return False
    whole, around = Reading(reference), Reading(f"{before} {after}")
    omitted = whole.within(*omission.reference)
    [cue, *_] = whole.within(*omission.cue)
    runs = ([at for at in omitted if at >= cue][:_RUN], [at for at in omitted if at <= cue][-_RUN:])
    run = next((" ".join(whole.tokens[at].key for at in run) for run in runs if len(run) == _RUN), None)
    beside = " ".join(token.key for token in around.tokens)
    if run is not None and f" {run} " in f" {beside} ":
        return True
    article = Reading(f"{before}{text}{after}")
    inside = article.within(len(before), len(before) + len(text))
    operators = governing(_clause(article, inside[0], inside[-1], inside[0]), language)
    return any(RISKY.get(one.kind) is omission.kind for one in operators)


def same_sentence(before: str, after: str) -> list[str]:
    """Parts of the sentence of a quote before and after it."""
    first, last = sentences(before)[-1:], sentences(after)[:1]
    return [before[start:end] for start, end in first] + [after[start:end] for start, end in last]


def _blocks(whole: Sequence[str], part: Sequence[str]) -> list[Block]:
    """Runs of equal keys: by Ratcliff and Obershelp (1988), as a longest common subsequence may scatter an excerpt."""
    found = SequenceMatcher(None, whole, part, autojunk=False).get_matching_blocks()
    blocks = [Block(*block) for block in found if block.size]
    if len(blocks) < 2:
        return blocks
    runs = [(block, whole[block.first : block.first + block.size]) for block in blocks]
    return [block for block, run in runs if len(run) > _CHANCE or NOT in run or not _SMALL.issuperset(run)]


def _clause(reading: Reading, first: int, last: int, begins: int = 0) -> Clause:
    """Tokens and their sentences; from ``begins`` on the speaker says all of it."""
    return Clause(reading, first, last, reading.sentences[first][0], reading.sentences[last][1], begins)


def _lost(
    whole: Reading, part: Reading, blocks: Sequence[Block], unequal: Sequence[tuple[range, range]], language: str
) -> list[Operator]:
    """Operators that govern kept words in the reference, where fewer of their kind govern them in the use.

    *I think we won* has lost nothing in *We won, I think*.
    """
    found, elsewhere = [], {part.tokens[at].key for _, places in unequal for at in places}
    for first, second, size in blocks:
        ours = governing(_clause(whole, first, first + size - 1), language)
        theirs = Counter(one.kind for one in governing(_clause(part, second, second + size - 1), language))
        number = Counter(one.kind for one in ours)
        found += [one for one in ours if number[one.kind] > theirs[one.kind]]
    return [one for one in found if (at := _token_at(whole, one.at)) is None or whole.tokens[at].key not in elsewhere]


def _token_at(reading: Reading, offset: int) -> int | None:
    return next(iter(reading.within(offset, offset + 1)), None)


def _judged(ours: range, theirs: range, whole: Reading, part: Reading, lost: Sequence[Operator]) -> list[Difference]:
    """Differences of a gap: one per kind of lost operators in it; else one."""
    span, reference = _span(part, theirs), _span(whole, ours)
    cues = dict[Kind, Span]()
    for one in sorted(lost, key=lambda one: one.at, reverse=True):
        at = _token_at(whole, one.at)
        if at is not None and at in ours and one.kind in RISKY:
            cues[RISKY[one.kind]] = whole.span(at, at)
    if not cues:
        kind = _plain_kind([whole.tokens[at] for at in ours], [part.tokens[at] for at in theirs])
        return [Difference(kind, span, reference)]
    places = (ours.start - 1, ours.stop)
    beside = tuple(whole.span(at, at) for at in places if 0 <= at < len(whole.tokens))
    found = sorted(cues.items(), key=itemgetter(1))
    return [Difference(kind, span, reference, cue, beside) for kind, cue in found]


def _span(reading: Reading, places: range) -> Span:
    """Span of tokens; empty at the place of missing ones."""
    if places:
        return reading.span(places[0], places[-1])
    tokens = reading.tokens
    at = tokens[places.start].start if places.start < len(tokens) else tokens[-1].end
    return at, at


def _plain_kind(ours: Sequence[Token], theirs: Sequence[Token]) -> Kind:
    if not theirs:
        return Kind.OMITTED
    negates = [any(token.key == NOT for token in side) for side in (ours, theirs)]
    if negates == [False, True]:
        return Kind.NEGATION_CHANGED
    if not ours:
        return Kind.ADDED
    return Kind.NUMBER_CHANGED if all_differ(amounts_of(ours), amounts_of(theirs)) else Kind.WORDING_CHANGED
