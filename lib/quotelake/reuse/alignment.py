"""Word alignment of two texts, and whether a negation or number among unpaired words makes them two quotes. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from rapidfuzz.distance import LCSseq

from quotelake.factuality.reading import Reading
from quotelake.reuse.words import CACHED_TEXTS, Words, least_contained
from quotelake.text.align import Block, common_blocks, gaps
from quotelake.text.lexicon import LANGUAGES, cue_pattern
from quotelake.text.numbers import all_differ, amount_of

#: Places of equal words, in the shorter and in the longer text, both ascending.
WordPairs = list[tuple[int, int]]

#: An excerpt may leave out, unmarked, one word of the longer text per so many of its words, at least one [ours].
_SLACK: Final = 5
#: Unpaired words at an end of the longer text from which they are a part that the shorter one does not quote [ours].
_TRUNCATED: Final = 3
#: Contractions typed without the apostrophe.
_BARE: Final = re.compile(
    r"(?:do|does|did|is|are|was|were|ca|wo|could|would|should|have|has|had|ai|must|need)nt", re.IGNORECASE
)
#: Keys of numbers, ordinals and decades; Korean powers of ten belong to the digits before them.
_NUMBER: Final = re.compile(r"decade:\d+|\d+(?:\.\d+)?(?:(?:st|nd|rd|th)(?!\w)|[십백천만억조]+)?")


def align(short: Words, long: Words) -> WordPairs:
    """Pair the words of a longest common subsequence, of those from either end that in the shorter stretch.

    >>> from quotelake.reuse.words import tokenize
    >>> align(tokenize("we won the vote"), tokenize("but we won on the vote"))
    [(0, 1), (1, 2), (2, 4), (3, 5)]
    """
    ends = len(short.words) - 1, len(long.words) - 1
    back = [(ends[0] - i, ends[1] - j) for i, j in reversed(_pairs(short.words[::-1], long.words[::-1]))]
    return min(_pairs(short.words, long.words), back, key=lambda pairs: pairs[-1][1] - pairs[0][1] if pairs else 0)


def _pairs(one: Sequence[str], other: Sequence[str]) -> WordPairs:
    return [(i + k, j + k) for i, j, size in common_blocks(one, other) for k in range(size)]


def align_contained(short: Words, long: Words) -> WordPairs | None:
    """Pair the words of an excerpt with those of the passage it is taken from; None if no such passage is found.

    The passage may lack one word in ten, and have few more where the excerpt has no gap (:data:`_SLACK`); one that does
    may be missed where words repeat. Of several passages it is the one with the fewest such words, then the first.

    >>> from quotelake.reuse.words import tokenize
    >>> whole = tokenize("i came i looked around the old town for a while and i saw it")
    >>> align_contained(tokenize("i came … and i saw it"), whole)
    [(0, 0), (1, 1), (2, 11), (3, 12), (4, 13), (5, 14)]
    >>> align_contained(tokenize("i came and i saw it"), whole)
    """
    n = len(short.words)
    pairs: WordPairs = []
    slack, left_out, start = max(1, n // _SLACK), 0, 0
    for first, end in pairwise((0, *sorted({*short.gaps} - {0, n}), n)):
        found = _tightest(short.words[first:end], long.words, start, end - first + slack)
        if found:
            pairs += [(first + i, j) for i, j in found]
            left_out, start = left_out + _left_out(found), found[-1][1] + 1
    return pairs if len(pairs) >= least_contained(n) and left_out <= slack else None


def _tightest(piece: Sequence[str], long: Sequence[str], start: int, width: int) -> WordPairs:
    """Pair most words of a piece with those of a stretch of ``width`` words; of several such stretches the tightest."""
    stretches = [(at, long[at : at + width]) for at in range(start, len(long)) if long[at] in piece]
    shared = [LCSseq.similarity(piece, words) for _, words in stretches]
    most = max(shared, default=0)
    found = [
        [(i, at + j) for i, j in _pairs(piece, words)]
        for (at, words), number in zip(stretches, shared, strict=True)
        if number == most
    ]
    return min(found, key=_left_out, default=[])


def _left_out(pairs: WordPairs) -> int:
    """Number of words of the longer text between pairs, beyond those of the shorter."""
    return sum(max(0, (y - x) - (j - i)) for (i, x), (j, y) in pairwise(pairs))


def differ(a: Words, b: Words, pairs: WordPairs) -> bool:
    """Whether two aligned texts differ in a negation or a number.

    A text may leave out either at a gap, a number also if the other text has none, and a negation also with two or more
    other words at an end.
    """
    places = list(_places(len(a.words), len(b.words), pairs))
    negated = _negations(a.words), _negations(b.words)
    for place in places:
        in_a, in_b = not negated[0].isdisjoint(place.a), not negated[1].isdisjoint(place.b)
        if in_a != in_b:
            text, lacking, having = (a, place.a, place.b) if in_b else (b, place.b, place.a)
            is_truncated = place.is_end and not lacking and len(having) >= _TRUNCATED
            if not is_truncated and not _has_gap(text, lacking):
                return True
        if _quantifiers_differ([a.words[i] for i in place.a], [b.words[j] for j in place.b]):
            return True
    return _numbers_differ(a, b, places)


class _Place(NamedTuple):
    """Unpaired words between two pairs, as ranges in each text."""

    a: range
    b: range
    is_end: bool


def _places(n: int, m: int, pairs: WordPairs) -> Iterator[_Place]:
    for a, b in gaps([Block(i, j, 1) for i, j in pairs], n, m):
        yield _Place(a, b, a.start == b.start == 0 or (a.stop, b.stop) == (n, m))


def _has_gap(text: Words, place: range) -> bool:
    return any(place.start <= gap <= place.stop for gap in text.gaps)


@lru_cache(CACHED_TEXTS)
def _negations(words: tuple[str, ...]) -> frozenset[int]:
    """Places of negating words, of a phrase its last word."""
    text = " ".join(words)
    found = {at for at, word in enumerate(words) if _BARE.fullmatch(word)}
    for script in LANGUAGES:
        if pattern := cue_pattern("NEGATION", script):
            found |= {text.count(" ", 0, match.end()) for match in pattern.finditer(text)}
    return frozenset(found)


@lru_cache(CACHED_TEXTS)
def _numbers(words: tuple[str, ...]) -> Mapping[str, int]:
    """Each number, as a text is compared, and the word that it begins in."""
    text = " ".join(words)
    found = ((_NUMBER.match(token.key), token.start) for token in Reading(text).tokens)
    return {number[0]: text.count(" ", 0, start) for number, start in found if number}


def _quantifiers_differ(a: Sequence[str], b: Sequence[str]) -> bool:
    """Whether both have amounts, one of them a quantifier, and no amount of one can mean one of the other."""
    in_a, in_b = ([amount for word in words if (amount := amount_of(word))] for words in (a, b))
    return any(amount.rank for amount in (*in_a, *in_b)) and all_differ(in_a, in_b)


def _numbers_differ(a: Words, b: Words, places: Sequence[_Place]) -> bool:
    """Whether each text has a number that the other lacks and does not visibly leave out."""
    in_a, in_b = _numbers(a.words), _numbers(b.words)
    if in_a.keys() <= in_b.keys() or in_b.keys() <= in_a.keys():
        return False
    # A text visibly leaves out a number where it is cut, or has a gap and no word.
    cut_a = {i for place in places if not place.b and (place.is_end or _has_gap(b, place.b)) for i in place.a}
    cut_b = {j for place in places if not place.a and (place.is_end or _has_gap(a, place.a)) for j in place.b}
    only_a = any(at not in cut_a for number, at in in_a.items() if number not in in_b)
    return only_a and any(at not in cut_b for number, at in in_b.items() if number not in in_a)
