"""Two texts aligned word by word: the runs of words that both have, and the gaps between them. Pure.

Longest run first, then on each side of it what is left (Ratcliff and Obershelp 1988, as :mod:`difflib` has it): so an
excerpt stands in one piece beside the words it was cut from, which a longest common subsequence may scatter.
"""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final, NamedTuple

from quotelake.text.cues import NOT
from quotelake.text.fold import Span
from quotelake.text.wording import SMALL, WHOLE, read_tokens

#: A run of this many small words and no other, between words that differ, is the same by chance [ours].
_CHANCE: Final = 2
_WORD_END: Final = re.compile(r"[\w'’]*+")
#: Negations that are the end of another word.
_SPLIT: Final = frozenset(("not", "n't", "n’t"))


class Word(NamedTuple):
    """A word as it is compared, and where it stands."""

    form: str
    start: int
    end: int


class Gap(NamedTuple):
    """Words that are not the same in both texts.

    Attributes:
        reference: where they stand in the first text; empty where it has none.
        span: the same in the second.
        ours: their forms in the first.
        theirs: their forms in the second.
        beside: places of the words before and behind them, in the first.
    """

    reference: Span
    span: Span
    ours: Sequence[str]
    theirs: Sequence[str]
    beside: tuple[Span, ...]


def read_words(text: str) -> list[Word]:
    """Folded words with their places. A negation has that of its letters: in *can't* of *n't*, in *cannot* of *not*."""
    found = []
    for form, start, end, _ in read_tokens(text)[0]:
        if form == NOT:
            start -= text[start - 1 : start + 2].lower() in _SPLIT if start else 0
            rest = _WORD_END.match(text, end)
            end = rest.end() if rest else end
        found.append(Word(WHOLE.get(form, form), start, end))
    return found


def blocks_of(whole: Sequence[Word], part: Sequence[Word]) -> list[tuple[int, int, int]]:
    """Runs of the same words as (place in the reference, place in the use, words), in order."""
    forms = [word.form for word in whole], [word.form for word in part]
    matcher = SequenceMatcher(None, *forms, autojunk=False)
    found = [(block.a, block.b, block.size) for block in matcher.get_matching_blocks() if block.size]
    if len(found) < 2:
        return found
    return [
        (a, b, size)
        for a, b, size in found
        if size > _CHANCE or NOT in forms[0][a : a + size] or not SMALL.issuperset(forms[0][a : a + size])
    ]


def gaps_between(whole: Sequence[Word], part: Sequence[Word], blocks: Sequence[tuple[int, int, int]]) -> list[Gap]:
    """What stands between the blocks, in order, and before and behind them all."""
    gaps = []
    first = second = 0
    for a, b, size in [*blocks, (len(whole), len(part), 0)]:
        if first < a or second < b:
            ours, theirs = [word.form for word in whole[first:a]], [word.form for word in part[second:b]]
            beside = tuple(span_of(whole, at, at + 1) for at in (first - 1, a) if 0 <= at < len(whole))
            gaps.append(Gap(span_of(whole, first, a), span_of(part, second, b), ours, theirs, beside))
        first, second = a + size, b + size
    return gaps


def span_of(words: Sequence[Word], first: int, last: int) -> Span:
    """From the first word to before the last; without words, the place where they would stand."""
    if first < last:
        return words[first].start, words[last - 1].end
    at = words[first].start if first < len(words) else words[-1].end
    return at, at
