"""Which n-grams of a headline quote occur in a text, in which letters and in which order. Positions are bits. Pure."""

from bisect import bisect_left
from collections.abc import Sequence

from rapidfuzz.distance import LCSseq

from quotelake.text.language import SYLLABIC, dominant_script

ALPHABETIC_N = 4  # AUC .92 on English headline quotes [measured]
SYLLABIC_N = 2  # on the Korean file AUC .854, .863, .811, .762 for n = 1 to 4 [measured, best two quotes together]
#: More n-grams than this are looked up in a set instead of searched for one by one: linear for any length.
_SEARCHED = 256
#: Length of a stretch in headline quotes, and its minimum in n-grams [measured: 2 to 4 are alike; with whole quotes
#: AUC -.002 on the articles of Song et al. (2023): a long quote has anything in any order].
STRETCH = 3
SHORTEST_STRETCH = 12


def ngram_size(letters: str) -> int:
    """Length of the n-grams a text is compared by, by its dominant script.

    >>> ngram_size("welost"), ngram_size("졌다")
    (4, 2)
    """
    return SYLLABIC_N if dominant_script(letters) in SYLLABIC else ALPHABETIC_N


def ngrams(letters: str, size: int) -> list[str]:
    """All n-grams of a text in order, or the text itself where it is shorter.

    >>> ngrams("abcd", 3), ngrams("ab", 3)
    (['abc', 'bcd'], ['ab'])
    """
    return [letters[place : place + size] for place in range(len(letters) - size + 1)] or [letters]


def found_bits(grams: Sequence[str], text: str) -> int:
    """Integer whose bit i says whether the i-th n-gram occurs in the text; all n-grams have one length."""
    where: str | set[str] = text
    if len(grams) > _SEARCHED:
        size = len(grams[0])
        where = {text[place : place + size] for place in range(len(text) - size + 1)}
    bits = 0
    bit = 1
    for gram in grams:
        if gram in where:
            bits |= bit
        bit <<= 1
    return bits


def letters_under(grams: int, size: int) -> int:
    """Bits of the letters that found n-grams cover; bit i of ``grams`` is the n-gram from letter i.

    >>> bin(letters_under(0b1001, 3))
    '0b111111'
    """
    bits = 0
    for shift in range(size):
        bits |= grams << shift
    return bits


def best_pair(bits: Sequence[int]) -> int:
    """Most bits in the union of two of the numbers, or in one if there is only one; 0 for none.

    Exact without trying all pairs: tried by falling count, a pair that could not win even without overlap ends a row.

    >>> best_pair([0b0011, 0b0110, 0b1100])
    4
    """
    ordered = sorted(((found.bit_count(), found) for found in set(bits)), reverse=True)
    best = ordered[0][0] if ordered else 0
    for place, (count, found) in enumerate(ordered):
        if 2 * count <= best:
            break
        for other_count, other in ordered[place + 1 :]:
            if count + other_count <= best:
                break
            together = (found | other).bit_count()
            if together > best:
                best = together
    return best


def in_order(letters: str, texts: Sequence[str], size: int) -> float:
    """Share of the n-grams of ``letters`` that occur in this order within one stretch: the highest over all texts.

    It is the longest common subsequence, of n-grams instead of letters. A stretch begins at every multiple of the
    headline quote's length, so text added at the end of a body quote never lowers the share.

    Args:
        letters: those of a headline quote, not empty.
        texts: letters of the body quotes.
        size: n; the number of letters where there are fewer.

    Returns:
        0 to 1.

    >>> in_order("abcd", ["xaybxczd", "dcba"], 1), in_order("abcd", ["dcba"], 1)
    (1.0, 0.25)
    """
    size = min(size, len(letters))
    grams = ngrams(letters, size)
    best = 0
    # The n-grams found in any order are an upper bound: most texts need no closer look.
    for most, text in sorted(((found_bits(grams, text).bit_count(), text) for text in texts), reverse=True):
        if most <= best:
            break
        best = max(best, _most_in_a_stretch(grams, ngrams(text, size)))
    return best / len(grams)


def _most_in_a_stretch(grams: Sequence[str], text_grams: Sequence[str]) -> int:
    wanted = frozenset(grams)
    known = [place for place, gram in enumerate(text_grams) if gram in wanted]
    stretch = max(STRETCH * len(grams), SHORTEST_STRETCH)
    best = 0
    for start in range(0, max(len(text_grams) - stretch, 0) + len(grams), len(grams)):
        inside = known[bisect_left(known, start) : bisect_left(known, start + stretch)]
        if len(inside) > best:
            best = max(best, LCSseq.similarity(grams, [text_grams[place] for place in inside]))
            if best == len(grams):
                break
    return best
