"""Differences that make two texts two quotes, however alike they are: a negation, a number. Pure.

Both are looked for where the alignment of two texts has words that are not paired.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from quotelake.compare.amounts import amount_of, is_amount
from quotelake.compare.amounts import differ as amounts_differ
from quotelake.compare.cues import cue_pattern
from quotelake.compare.folding import dominant_script
from quotelake.reuse.alignment import Pairs
from quotelake.reuse.words import Words

#: Words left over at an end of the longer text from which they are a part that the shorter one does not quote [ours].
_TRUNCATED: Final = 3
#: Contractions typed without the apostrophe.
_BARE: Final = re.compile(
    r"(?:do|does|did|is|are|was|were|ca|wo|could|would|should|have|has|had|ai|must|need)nt", re.IGNORECASE
)
_NUMBER: Final = re.compile(r"\d+(?:[.,:/⁄']\d+)*[십백천만억조]*")
_THOUSANDS: Final = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_ORDINALS: Final = {
    word: f"{place}."
    for place, word in enumerate(
        ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"), 1
    )
}


class _Place(NamedTuple):
    """Unpaired words at one place of the alignment: from and to in each text; whether it is an end of the texts."""

    a: slice
    b: slice
    is_end: bool


def differ(short: Words, long: Words, pairs: Pairs) -> bool:
    """Whether two aligned texts differ in a negation or a number.

    >>> from quotelake.reuse.alignment import align
    >>> from quotelake.reuse.words import words_of
    >>> def differing(one, other):
    ...     return differ(words_of(one), words_of(other), align(words_of(one), words_of(other)))
    >>> differing("we will cut the tax", "we will not cut the tax")
    True
    >>> differing("we will … cut the tax", "we will not cut the tax")
    False
    >>> differing("they found two of eleven men", "they found all eleven men")
    True
    """
    negated = _negations(short.words), _negations(long.words)
    numbers: tuple[set[str], set[str]] = set(), set()
    for place in _places(len(short.words), len(long.words), pairs):
        if _negation_differs(short, long, place, negated):
            return True
        here = short.words[place.a], long.words[place.b]
        if _is_left_out(short, place.a, here[1]) or _is_left_out(long, place.b, here[0]):
            continue
        if _amounts_differ(*here):
            return True
        if not (place.is_end and abs(len(here[0]) - len(here[1])) >= _TRUNCATED):
            numbers[0].update(_numbers(here[0]))
            numbers[1].update(_numbers(here[1]))
    return bool(numbers[0] - numbers[1] and numbers[1] - numbers[0])


def _places(n: int, m: int, pairs: Pairs) -> Iterator[_Place]:
    before = (-1, -1)
    for i, j in [*pairs, (n, m)]:
        if i - before[0] > 1 or j - before[1] > 1:
            is_end = before == (-1, -1) or (i, j) == (n, m)
            yield _Place(slice(before[0] + 1, i), slice(before[1] + 1, j), is_end)
        before = (i, j)


def _has_gap(text: Words, place: slice) -> bool:
    """Whether a gap stands among unpaired words, or where there might be some."""
    return any(place.start <= gap <= place.stop for gap in text.gaps)


def _is_left_out(text: Words, place: slice, other: Sequence[str]) -> bool:
    """Whether a text visibly leaves out what the other one has at a place."""
    return place.start == place.stop and bool(other) and _has_gap(text, place)


def _negation_differs(short: Words, long: Words, place: _Place, negated: tuple[set[int], set[int]]) -> bool:
    in_short, in_long = not negated[0].isdisjoint(_range(place.a)), not negated[1].isdisjoint(_range(place.b))
    if in_short == in_long:
        return False
    without, here, other = (short, place.a, place.b) if in_long else (long, place.b, place.a)
    if _has_gap(without, here):
        return False
    is_truncated = here.start == here.stop and other.stop - other.start >= _TRUNCATED
    return not (place.is_end and is_truncated)


def _range(place: slice) -> range:
    return range(place.start, place.stop)


def _negations(words: Sequence[str]) -> set[int]:
    """Places of the words that negate; of a phrase its last word."""
    text = " ".join(words)
    pattern = cue_pattern("NEGATION", dominant_script(text) or "latin")
    found = {at for at, word in enumerate(words) if _BARE.fullmatch(word)}
    if pattern is not None:
        found |= {text.count(" ", 0, match.end()) for match in pattern.finditer(text)}
    return found


def _amounts_differ(a: Sequence[str], b: Sequence[str]) -> bool:
    """Whether both have a number or quantifier, and none of one can mean one of the other."""
    ours, others = ([amount_of([word]) for word in words if is_amount(word)] for words in (a, b))
    return bool(ours and others) and all(amounts_differ(one, other) for one in ours for other in others)


def _numbers(words: Sequence[str]) -> Iterator[str]:
    """Each number in words, in digits without separators of thousands; ordinals up to ten end in a full stop."""
    for word in words:
        if word in _ORDINALS:
            yield _ORDINALS[word]
        for number in _NUMBER.findall(word):
            yield _THOUSANDS.sub("", number)
