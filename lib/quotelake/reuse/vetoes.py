"""Differences that make two texts two quotes, however alike they are: a negation, a number. Pure.

Both are looked for where the alignment of two texts has words that are not paired.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from quotelake.reuse.alignment import Pairs
from quotelake.reuse.words import KEPT, Words
from quotelake.text.lexicon import LANGUAGES, begins_cue, cue_pattern
from quotelake.text.numbers import Number, amount_of, is_amount, numbers
from quotelake.text.numbers import differ as amounts_differ

#: Words left over at an end of the longer text from which they are a part that the shorter one does not quote [ours].
_TRUNCATED: Final = 3
#: Contractions typed without the apostrophe.
_BARE: Final = re.compile(
    r"(?:do|does|did|is|are|was|were|ca|wo|could|would|should|have|has|had|ai|must|need)nt", re.IGNORECASE
)
#: Words of which it is remembered whether they may negate: as many as most corpora have, some ten megabytes.
_WORDS_KEPT: Final = 1 << 16
#: Before these at the beginning, *no* is an answer: "no, we won" [ours].
_SUBJECTS: Final = frozenset(
    (
        "i", "you", "he", "she", "it", "we", "they", "this", "that", "these", "those", "there", "who", "what", "my",
        "your", "his", "her", "its", "our", "their", "the", "a", "no", "not",
    )
)  # fmt: skip


class _Place(NamedTuple):
    """Unpaired words between two pairs: where they are in each text, and whether at an end of the texts."""

    a: range
    b: range
    is_end: bool


def differ(a: Words, b: Words, pairs: Pairs) -> bool:
    """Whether two aligned texts differ in a negation or a number.

    A text may leave out either where it shows so by a gap; a number also where the other text just does not have it;
    a negation also with two or more other words at an end.

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
    places = list(_places(len(a.words), len(b.words), pairs))
    negated = _negations(a.words), _negations(b.words)
    if any(_negation_differs(a, b, place, negated) for place in places):
        return True
    if any(
        _quantifiers_differ(a.words[place.a.start : place.a.stop], b.words[place.b.start : place.b.stop])
        for place in places
    ):
        return True
    return _numbers_differ(a, b, pairs, places)


def _places(n: int, m: int, pairs: Pairs) -> Iterator[_Place]:
    before = (-1, -1)
    for i, j in [*pairs, (n, m)]:
        if i - before[0] > 1 or j - before[1] > 1:
            yield _Place(range(before[0] + 1, i), range(before[1] + 1, j), before == (-1, -1) or (i, j) == (n, m))
        before = (i, j)


def _has_gap(text: Words, place: range) -> bool:
    """Whether a gap stands among unpaired words, or where there are none."""
    return any(place.start <= gap <= place.stop for gap in text.gaps)


def _negation_differs(a: Words, b: Words, place: _Place, negated: tuple[frozenset[int], frozenset[int]]) -> bool:
    in_a, in_b = not negated[0].isdisjoint(place.a), not negated[1].isdisjoint(place.b)
    if in_a == in_b:
        return False
    text, lacking, having = (a, place.a, place.b) if in_b else (b, place.b, place.a)
    is_truncated = place.is_end and not lacking and len(having) >= _TRUNCATED
    return not is_truncated and not _has_gap(text, lacking)


@lru_cache(KEPT)
def _negations(words: tuple[str, ...]) -> frozenset[int]:
    """Places of the words that negate, of a phrase its last word; not of an answer at the beginning."""
    if not any(map(_may_negate, words)):
        return frozenset()
    text = " ".join(words)
    found = {at for at, word in enumerate(words) if _BARE.fullmatch(word)}
    for script in LANGUAGES:
        if pattern := cue_pattern("NEGATION", script):
            found |= {text.count(" ", 0, match.end()) for match in pattern.finditer(text)}
    is_answer = words[:1] == ("no",) and len(words) > 1 and words[1].partition("'")[0] in _SUBJECTS
    return frozenset(found - {0} if is_answer else found)


@lru_cache(_WORDS_KEPT)
def _may_negate(word: str) -> bool:
    """Whether a word may negate, or be the first word of a phrase that does: most texts have none, and end here."""
    return bool(
        _BARE.fullmatch(word)
        or begins_cue(word, "NEGATION")
        or any(pattern.search(word) for script in LANGUAGES if (pattern := cue_pattern("NEGATION", script)))
    )


@lru_cache(KEPT)
def _numbers(words: tuple[str, ...]) -> tuple[Number, ...]:
    return tuple(numbers(words))


def _quantifiers_differ(a: Sequence[str], b: Sequence[str]) -> bool:
    """Whether both have an amount, one at least a quantifier, and none of one can mean one of the other."""
    in_a, in_b = ([amount_of([word]) for word in words if is_amount(word)] for words in (a, b))
    if not any(amount.rank for amount in (*in_a, *in_b)):
        return False
    return bool(in_a and in_b) and all(amounts_differ(one, other) for one in in_a for other in in_b)


def _numbers_differ(a: Words, b: Words, pairs: Pairs, places: Sequence[_Place]) -> bool:
    """Whether each text has a number that the other lacks and does not leave out."""
    in_a, in_b = _numbers(a.words), _numbers(b.words)
    if not (in_a and in_b):
        return False
    to = dict(pairs)
    spans = {(number.start, number.end) for number in in_b}
    same = {
        (number.start, number.end): span
        for number in in_a
        if (span := (to.get(number.start, -1), to.get(number.end - 1, -2) + 1)) in spans
    }
    cut_a = {i for place in places if _is_left_out(b, place.b, place) for i in place.a}
    cut_b = {j for place in places if _is_left_out(a, place.a, place) for j in place.b}
    only_a = {n.value for n in in_a if (n.start, n.end) not in same and not cut_a.issuperset(range(n.start, n.end))}
    matched = set(same.values())
    only_b = {n.value for n in in_b if (n.start, n.end) not in matched and not cut_b.issuperset(range(n.start, n.end))}
    return bool(only_a - only_b and only_b - only_a)


def _is_left_out(text: Words, here: range, place: _Place) -> bool:
    """Whether a text has no word at a place, because it is cut or visibly leaves something out there."""
    return not here and (place.is_end or _has_gap(text, here))
