"""How many letters of a headline quote body quotes contain: by n-grams, in any order and in order. Pure.

Letters are those of folded texts, without spaces. Sets of places are integers: bit i is place i.

Containment [Song et al. 2023's task; measured on their 1,600 labelled articles]: the share of the headline quote's
n-grams found in a text, each place counted. n is 4 for alphabets and 2 for Hangul, Han and kana, where a character
is a syllable or a word.
"""

from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz.distance import LCSseq

from quotelake.contextomy.quotes import Text
from quotelake.text.fold import Span
from quotelake.text.language import SYLLABIC, dominant_script

ALPHABETIC_N = 4  # AUC .92 on English headline quotes [measured]
SYLLABIC_N = 2  # on the Korean file AUC .854, .863, .811, .762 for n = 1 to 4 [measured, best two quotes together]
#: More n-grams than this are looked up in a set instead of searched for one by one: linear for any length.
_SEARCHED = 256
#: Length of a stretch in headline quotes, and its minimum in n-grams [measured: 2 to 4 are alike; with whole quotes
#: AUC -.002 on the articles of Song et al. (2023): a long quote has anything in any order].
STRETCH, SHORTEST_STRETCH = 3, 12


class Containment(NamedTuple):
    """How much of a headline quote the best two body quotes contain, as shares from 0 to 1."""

    best: int | None  #: place of the body quote that contains most, None without body quotes
    second: int | None  #: place of the body quote that adds most to it, None if none adds anything
    in_best: float | None
    in_union: float | None  #: containment in both together
    matched: tuple[Span, ...]  #: longest runs found in the best, in code points of the headline quote


def shared_ngrams(headline: Text, quotes: Sequence[Text]) -> list[int]:
    """Of each body quote, the places of the headline quote's n-grams that it has."""
    letters = headline.folded.letters
    grams = ngrams(letters, ngram_size(letters)) if letters else []
    return [found_bits(grams, quote.folded.letters) for quote in quotes]


def containment(headline: Text, shared: Sequence[int], best: int | None = None) -> Containment:
    """Measure containment from :func:`shared_ngrams`; ``best`` is the body quote to take for the best one."""
    if best is None:
        best = max(range(len(shared)), key=lambda place: shared[place].bit_count(), default=None)
    if best is None:
        return Containment(None, None, None, None, ())
    letters = headline.folded.letters
    size = min(ngram_size(letters), len(letters))
    total = max(len(letters) - size + 1, 1)
    in_best = in_both = shared[best]
    second: int | None = max(range(len(shared)), key=lambda place: (in_best | shared[place]).bit_count())
    if second is not None and shared[second] & ~in_best and len(headline.folded.words) > 1:
        in_both |= shared[second]
    else:
        second = None  # it adds nothing, or one word would be made from two quotes
    matched = _runs(letters_under(in_best, size), headline.folded.spans)
    return Containment(best, second, in_best.bit_count() / total, in_both.bit_count() / total, matched)


def _runs(letters: int, spans: Sequence[Span]) -> tuple[Span, ...]:
    runs: list[Span] = []
    before = False
    for place, span in enumerate(spans):
        inside = bool(letters >> place & 1)
        if inside:
            runs.append((runs.pop()[0], span[1]) if before else span)
        before = inside
    return tuple(runs)


def ngram_size(letters: str) -> int:
    """Length of the n-grams a text is compared by, by its dominant script.

    >>> ngram_size("welost"), ngram_size("졌다")
    (4, 2)
    """
    return SYLLABIC_N if dominant_script(letters) in SYLLABIC else ALPHABETIC_N


def ngrams(letters: str, size: int) -> list[str]:
    """All n-grams of a text in order, or the text itself where it is shorter."""
    return [letters[place : place + size] for place in range(len(letters) - size + 1)] or [letters]


def found_bits(grams: Sequence[str], text: str) -> int:
    """Places of the n-grams that occur in a text; all n-grams have one length."""
    where: str | set[str] = text if len(grams) <= _SEARCHED else set(ngrams(text, len(grams[0])))
    bits, bit = 0, 1
    for gram in grams:
        if gram in where:
            bits |= bit
        bit <<= 1
    return bits


def letters_under(grams: int, size: int) -> int:
    """Places of the letters that found n-grams cover."""
    bits = 0
    for shift in range(size):
        bits |= grams << shift
    return bits


def covered(letters: str, texts: Sequence[str], size: int) -> list[int]:
    """Of each text, the places of the letters under n-grams found in it."""
    grams = ngrams(letters, size)
    return [letters_under(found_bits(grams, text), min(size, len(letters))) for text in texts]


def best_pair(bits: Sequence[int]) -> int:
    """Most places in the union of two of the sets, or in one if there is only one; 0 for none."""
    ordered = sorted(((found.bit_count(), found) for found in set(bits)), reverse=True)
    best = ordered[0][0] if ordered else 0
    for place, (count, found) in enumerate(ordered):  # a pair that could not win even without overlap ends a row
        if 2 * count <= best:
            break
        for other_count, other in ordered[place + 1 :]:
            if count + other_count <= best:
                break
            best = max(best, (found | other).bit_count())
    return best


def in_order(letters: str, texts: Sequence[str], size: int) -> float:
    """Share of the n-grams of ``letters`` that occur in this order within one stretch: the highest over all texts.

    It is the longest common subsequence, of n-grams instead of letters. A stretch begins at every multiple of the
    headline quote's length, so text added at the end of a body quote never lowers the share.
    """
    size = min(size, len(letters))
    grams = ngrams(letters, size)
    wanted = frozenset(grams)
    stretch = max(STRETCH * len(grams), SHORTEST_STRETCH)
    best = 0
    # The n-grams found in any order are an upper bound: most texts need no closer look.
    for most, text in sorted(((found_bits(grams, text).bit_count(), text) for text in texts), reverse=True):
        if most <= best:
            break
        text_grams = ngrams(text, size)
        for start in range(0, max(len(text_grams) - stretch, 0) + len(grams), len(grams)):
            inside = [gram for gram in text_grams[start : start + stretch] if gram in wanted]
            if len(inside) > best:
                best = max(best, LCSseq.similarity(grams, inside))
    return best / len(grams)
