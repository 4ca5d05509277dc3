"""How many letters of a headline quote stand in body quotes: by n-grams, in order, and in blocks. Pure.

Letters are those of folded texts, without spaces. Sets of places are integers: bit i is place i.

Containment [Song et al. 2023's task; measured on their 1,600 labelled articles]: the share of the headline quote's
n-grams that stand in a text, each place counted. n is 4 for alphabets and 2 for Hangul, Han and kana, where a character
is a syllable or a word.
"""

import heapq
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from rapidfuzz.distance import LCSseq

from quotelake.contextomy.quotes import Text
from quotelake.text.align import Block
from quotelake.text.fold import Folded, Span, fold
from quotelake.text.language import SYLLABIC, dominant_script
from quotelake.text.omissions import negates

ALPHABETIC_N = 4  # AUC .92 on English headline quotes [measured]
SYLLABIC_N = 2  # on the Korean file AUC .854, .863, .811, .762 for n = 1 to 4 [measured, best two quotes together]
#: More n-grams than this are looked up in a set instead of searched for one by one: linear for any length.
_SEARCHED = 256
#: Length of a stretch in headline quotes, and its minimum in n-grams [measured: 2 to 4 are alike; with whole quotes
#: AUC -.002 on the articles of Song et al. (2023): a long quote has anything in any order].
STRETCH, SHORTEST_STRETCH = 3, 12
#: Replaces a used letter of a text; and keeps blocks from reaching over from one quote into the other. Folded text has
#: neither character.
_USED, _WALL = "\0", "\1"
#: Letters of a headline quote that are tiled: more are no quote but a missing closing mark.
LONGEST = 2000
#: An omission marked as such: three dots or more, spaced or not.
_ELLIPSIS = re.compile(r"…|\.(?>(?:\s?\.){2,})")


@dataclass(frozen=True, slots=True)
class Containment:
    """How much of a headline quote stands where, 0 to 1, and which parts of it, in code points of its text."""

    best: int | None  #: place of the body quote that carries most, None without body quotes
    second: int | None  #: place of the body quote that adds most to it, None if none adds anything
    in_best: float | None
    in_second: float | None
    in_union: float | None  #: containment in both together
    in_body: float  #: containment in the whole body
    matched: tuple[Span, ...]  #: longest runs found in the best
    matched_second: tuple[Span, ...]  #: what only the second has
    unmatched: tuple[Span, ...]  #: what neither has


def parts(text: Text) -> list[Folded]:
    """A quote part by part: an ellipsis inside it stands between two parts.

    >>> [part.letters for part in parts(Text("We lost … but we learned."))]
    ['welost', 'butwelearned']
    """
    pieces = _ELLIPSIS.split(text.text)
    folded = [text.folded] if len(pieces) == 1 else map(fold, pieces)
    return [part for part in folded if part.words]


def containment(headline: Text, quotes: Sequence[Text], body: Text, best: int | None = None) -> Containment:
    """Hold a headline quote against the body quotes and the body; of equals the first is the best.

    Args:
        headline: the headline quote.
        quotes: the body quotes.
        body: not read where a body quote, a part of it, holds everything.
        best: place of the body quote to take for the best one.
    """
    letters = headline.folded.letters
    size = min(ngram_size(letters), len(letters))
    grams = ngrams(letters, size) if letters else []
    total = max(len(grams), 1)
    found = [found_bits(grams, quote.folded.letters) for quote in quotes]
    if best is None:
        best = max(range(len(found)), key=lambda place: found[place].bit_count(), default=None)
    in_best = in_both = 0
    second = None
    if best is not None:
        in_best = in_both = found[best]
        second = max(range(len(found)), key=lambda place: (in_best | found[place]).bit_count())
        if found[second] & ~in_best and len(headline.folded.words) > 1:  # one word is not made from two quotes
            in_both |= found[second]
        else:
            second = None
    holds_all = bool(grams) and in_best.bit_count() == total
    by_best, by_both = letters_under(in_best, size), letters_under(in_both, size)
    return Containment(
        best=best,
        second=second,
        in_best=None if best is None else in_best.bit_count() / total,
        in_second=None if second is None else found[second].bit_count() / total,
        in_union=None if best is None else in_both.bit_count() / total,
        in_body=1.0 if holds_all else found_bits(grams, body.folded.letters).bit_count() / total if grams else 0.0,
        matched=_runs(by_best, headline.spans),
        matched_second=_runs(by_both & ~by_best, headline.spans),
        unmatched=_runs(~by_both, headline.spans),
    )


def _runs(letters: int, spans: Sequence[Span]) -> tuple[Span, ...]:
    """Spans of the text under runs of letters."""
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
    """All n-grams of a text in order, or the text itself where it is shorter.

    >>> ngrams("abcd", 3), ngrams("ab", 3)
    (['abc', 'bcd'], ['ab'])
    """
    return [letters[place : place + size] for place in range(len(letters) - size + 1)] or [letters]


def found_bits(grams: Sequence[str], text: str) -> int:
    """Places of the n-grams that occur in a text; all n-grams have one length."""
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
    """Places of the letters that found n-grams cover.

    >>> bin(letters_under(0b1001, 3))
    '0b111111'
    """
    bits = 0
    for shift in range(size):
        bits |= grams << shift
    return bits


def covered(letters: str, texts: Sequence[str], size: int) -> list[int]:
    """Of each text, the places of the letters under n-grams that stand in it."""
    grams = ngrams(letters, size)
    return [letters_under(found_bits(grams, text), min(size, len(letters))) for text in texts]


def best_pair(bits: Sequence[int]) -> int:
    """Most places in the union of two of the sets, or in one if there is only one; 0 for none.

    >>> best_pair([0b0011, 0b0110, 0b1100])
    4
    """
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

    >>> in_order("abcd", ["xaybxczd", "dcba"], 1), in_order("abcd", ["dcba"], 1)
    (1.0, 0.25)
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


@dataclass(frozen=True, slots=True)
class Blocks:
    """Tiling of a headline quote by two body quotes; a block has 4 letters or more, or 2 syllables."""

    tiled: float  #: share of its letters under blocks, 0 to 1
    blocks: int  #: their number
    longest_block: int  #: letters of the longest
    inversions: int  #: pairs of blocks that stand in the other order in their body quote (Kendall's tau distance)
    #: Either the headline quote or those sentences of the best quote that share blocks with it negate, but not both.
    negation_differs: bool


def blocks_of(headline: Text, best: Text, second: Text | None = None) -> Blocks:
    """Tile a headline quote with its best body quote and, if there is one, the second.

    >>> blocks_of(Text("We will never pay"), Text("Never will we pay for it"))
    Blocks(tiled=0.6428571428571429, blocks=2, longest_block=5, inversions=1, negation_differs=False)
    """
    letters, first = headline.folded.letters[:LONGEST], best.folded.letters
    if not letters:
        return Blocks(0.0, 0, 0, 0, False)
    both = first if second is None else first + _WALL + second.folded.letters
    found = tile(letters, both, shortest=ngram_size(letters))
    in_best = [block for block in found if block.second < len(first)]
    in_second = [block for block in found if block.second >= len(first)]
    spans = [best.place(block.second, block.second + block.size) for block in in_best]
    sharing = [best.text[a:b] for a, b in best.sentences if any(start < b and a < end for start, end in spans)]
    return Blocks(
        tiled=sum(block.size for block in found) / len(letters),
        blocks=len(found),
        longest_block=max((block.size for block in found), default=0),
        inversions=sum(b.second < a.second for side in (in_best, in_second) for a, b in combinations(side, 2)),
        negation_differs=bool(in_best) and negates(headline.text) != negates(" ".join(sharing)),
    )


def tile(pattern: str, text: str, shortest: int) -> list[Block]:
    """Tile a pattern with blocks of a text, longest first, the leftmost of equal ones, each letter used once; in order.

    Wise, *String Similarity via Greedy String Tiling and Running Karp-Rabin Matching* (1993). Tiling ignores order: a
    passage that moved gives two blocks and no loss.

    >>> tile("neverwewillpay", "wewillneverpay", 2)
    [Block(first=0, second=6, size=5), Block(first=5, second=0, size=6), Block(first=11, second=11, size=3)]
    """
    waiting = [(-size, start) for start, size in enumerate(common_lengths(pattern, text)) if size >= shortest]
    heapq.heapify(waiting)
    free = [True] * len(pattern)
    blocks: list[Block] = []
    while waiting:
        known, start = heapq.heappop(waiting)
        # Free letters only become fewer, so the known length is an upper bound.
        size = next((n for n in range(-known) if not free[start + n]), -known)
        while size >= shortest and (place := text.find(pattern[start : start + size])) < 0:
            size -= 1
        if size < shortest:
            continue
        if size < -known:
            heapq.heappush(waiting, (-size, start))
            continue
        blocks.append(Block(start, place, size))
        free[start : start + size] = [False] * size
        text = text[:place] + _USED * size + text[place + size :]
    return sorted(blocks)


def common_lengths(pattern: str, text: str) -> list[int]:
    """Length of the longest block that begins at each letter of the pattern and occurs anywhere in the text.

    These are the *matching statistics* of Chang and Lawler (1994): from one letter to the next the length falls by one
    at most, so a search needs about two look-ups for each letter of the pattern.

    >>> common_lengths("abcxbc", "abc")
    [3, 2, 1, 0, 2, 1]
    """
    lengths: list[int] = []
    length = 0
    for start in range(len(pattern)):
        length = max(length - 1, 0)
        while start + length < len(pattern) and pattern[start : start + length + 1] in text:
            length += 1
        lengths.append(length)
    return lengths
