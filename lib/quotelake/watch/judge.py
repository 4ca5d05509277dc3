"""Whether words of a text are a use of a watched wording: their alignment and its score. Pure.

The alignment is local (Smith & Waterman 1981), of weighted words that may be omitted and added but not exchanged. It is
computed as the best chain of pairs of like words, of which there are few.
"""

import re
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

from quotelake.watch.words import COMMON, NEGATIONS, Pattern, information, is_number, similarity, weight

#: Costs of an omitted and an added word, as shares of its weight [ours].
_OMITTED_COST: Final = 0.3
_ADDED_COST: Final = 0.3
#: Score from which words of a text are a use [measured, see docs/FIGURES.md].
MIN_SCORE: Final = 0.64
#: Weight of any wording that must be found.
MIN_FOUND_WEIGHT: Final = 2.5
#: Factors of an omitted word's weight: where the text has an ellipsis in its place, and at either end of the wording,
#: since a text that goes on otherwise is rather another one than a changed one [ours].
_ELIDED_SHARE: Final = 0.5
_END_FACTOR: Final = 2.5
#: Information of the words found, in bits, from which a changed use is sure [measured, see docs/FIGURES.md]: everyday
#: phrases are often changed into another saying, such as *another day, another party*.
SURE_BITS: Final = 40
#: Score from which a use with all words of the wording is sure, whatever their information [ours].
SURE_SCORE: Final = 0.85
#: Digits of a score: sums of weights in another order give the same one.
_DIGITS: Final = 4
_ELLIPSIS: Final = re.compile(r"…|\.\s?\.")
#: Gaps between the words of one phrase.
_WITHIN: Final = re.compile(r"[ \t\u00a0#@*_,]+")


class Stretch(NamedTuple):
    """Consecutive folded words of a text, the gap before each and behind the last, and whether each is in brackets."""

    words: Sequence[str]
    gaps: Sequence[str]
    is_bracketed: Sequence[bool]


class Use(NamedTuple):
    """A use of a wording, by its first and last word in the stretch."""

    first: int
    last: int
    score: float  #: 0 to 1, 1 for unchanged words
    sure: bool  #: its words are unchanged, or have :data:`SURE_BITS`, or are all there at :data:`SURE_SCORE`


def judge(pattern: Pattern, text: Stretch) -> Use | None:
    """Align a wording with the words of a text, and judge whether these are a use of it.

    The score is ``2 m / (w + t)``, the Dice coefficient of weighted words: ``m`` is what the words found weigh, ``t``
    those of the text from the first to the last of them, and ``w`` those of the wording. Words in square brackets count
    nothing, and other words added for which none is left out count twice; a word left out at an ellipsis counts half,
    one left out at either end two and a half times.

    Returns None where too little is found, or where the text is the reverse or has another number.
    """
    pairs, matched = _align(pattern, text)
    if matched < min(MIN_FOUND_WEIGHT, pattern.total) or _contradicts(pattern, pairs, text.words):
        return None
    (first, start), (last, end) = pairs[0], pairs[-1]
    wording = pattern.total + (_END_FACTOR - 1) * (sum(pattern.weights[:first]) + sum(pattern.weights[last + 1 :]))
    for (i, j), (next_i, next_j) in pairwise(pairs):
        if next_i - i > 1 and any(map(_ELLIPSIS.search, text.gaps[j + 1 : next_j + 1])):
            wording -= _ELIDED_SHARE * sum(pattern.weights[i + 1 : next_i])
    standing, aligned = {i for i, _ in pairs}, {j for _, j in pairs}
    lost = sum(pattern.weights[i] for i in range(first, last) if i not in standing)
    added = sum(weight(text.words[j]) for j in range(start, end) if j not in aligned and not text.is_bracketed[j])
    used = sum(weight(text.words[j]) for j in aligned) + added + max(added - lost, 0.0)
    score = round(min(2 * matched / (wording + used), 1.0), _DIGITS)
    if score < (1.0 if pattern.exact else MIN_SCORE):
        return None
    is_sure = score == 1 or (len(standing) == len(pattern.words) and score >= SURE_SCORE)
    is_sure = is_sure or information(pattern.words[i] for i in standing) >= SURE_BITS
    return Use(*_widened(pattern, pairs, text.gaps), score, is_sure)


class _Chain(NamedTuple):
    """The best chain that ends in the pair of words at positions ``i`` of the wording and ``j`` of the text."""

    i: int
    j: int
    gain: float
    score: float
    before: "_Chain | None"


#: Positions of like words in the wording and in the text, in order.
_Pairs = list[tuple[int, int]]


def _align(pattern: Pattern, text: Stretch) -> tuple[_Pairs, float]:
    """Align a wording with a text: like words, and their weight times similarity; of equally good chains the first."""
    left_out = [0.0, *accumulate(_OMITTED_COST * value for value in pattern.weights)]
    costs = zip(text.words, text.is_bracketed, strict=True)
    added = [0.0, *accumulate(0.0 if in_brackets else _ADDED_COST * weight(word) for word, in_brackets in costs)]
    places: dict[str, list[int]] = {}
    for j, word in enumerate(text.words):
        places.setdefault(word, []).append(j)
    by_letter: dict[str, list[str]] = {}
    for word in places:
        by_letter.setdefault(word[:1], []).append(word)
    chains: list[_Chain] = []
    for i, (word, value) in enumerate(zip(pattern.words, pattern.weights, strict=True)):
        # A function word has no other forms; those of a word of content begin with its letter.
        for other in (word,) if word in COMMON else by_letter.get(word[:1], ()):
            gain = value * similarity(word, other)
            for j in places.get(other, ()) if gain else ():
                best, before = 0.0, None
                for chain in chains:
                    if chain.i < i and chain.j < j:
                        score = chain.score - (left_out[i] - left_out[chain.i + 1]) - (added[j] - added[chain.j + 1])
                        if score > best:
                            best, before = score, chain
                chains.append(_Chain(i, j, gain, best + gain, before))
    link = max(chains, key=lambda chain: chain.score, default=None)
    pairs, matched = [], 0.0
    while link is not None:
        pairs.append((link.i, link.j))
        matched += link.gain
        link = link.before
    return pairs[::-1], matched


def _contradicts(pattern: Pattern, pairs: _Pairs, words: Sequence[str]) -> bool:
    """Whether the text lost a negation or has one more, or has another number in the place of one."""
    standing, aligned = {i for i, _ in pairs}, {j for _, j in pairs}
    (first, start), (last, end) = pairs[0], pairs[-1]
    lost = [word for i, word in enumerate(pattern.words) if i not in standing]
    # Where a word is left out at an end, the one in its place counts too.
    here = range(max(start - (first > 0), 0), min(end + 1 + (last < len(pattern.words) - 1), len(words)))
    added = [words[j] for j in here if j not in aligned]
    if sum(word in NEGATIONS for word in lost) != sum(word in NEGATIONS for word in added):
        return True
    numbers, others = ({word for word in side if is_number(word)} for side in (lost, added))
    return bool(numbers and others and numbers != others)


def _widened(pattern: Pattern, pairs: _Pairs, gaps: Sequence[str]) -> tuple[int, int]:
    """First and last word of the use; a word exchanged at either end belongs to it, if no mark parts it off."""
    (first, start), (last, end) = pairs[0], pairs[-1]
    if first == 1 and start > 0 and _WITHIN.fullmatch(gaps[start]):
        start -= 1
    if last == len(pattern.words) - 2 and end + 2 < len(gaps) and _WITHIN.fullmatch(gaps[end + 1]):
        end += 1
    return start, end
