"""Greedy string tiling: the longest blocks two texts have in common, each letter used once. Pure, linear in practice.

Wise, *String Similarity via Greedy String Tiling and Running Karp-Rabin Matching* (1993): take the longest common block
whose letters are still free on both sides, mark it, repeat. Tiling ignores order, so a moved passage gives two blocks
and no loss; :func:`inversions` measures order separately.
"""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from quotelake.contextomy.ngrams import ngram_size
from quotelake.text.cues import cue_pattern
from quotelake.text.fold import fold, letter_spans
from quotelake.text.language import dominant_script
from quotelake.text.sentences import sentences

#: Blocks of one letter match by chance [measured: blocks from 2 on help, Song et al.'s 1,600 articles].
SHORTEST = 2
#: Replaces a used letter of the text; and keeps blocks from reaching over from one quote into the other. Folded text
#: has neither character.
_USED, _WALL = "\0", "\1"
#: Letters of a headline quote that are tiled: more are no quote but a missing closing mark.
LONGEST = 2000


@dataclass(frozen=True, slots=True)
class Block:
    """A block of letters common to a pattern and a text: where it begins in each, and its length."""

    start: int
    place: int
    length: int

    @property
    def end(self) -> int:
        """One past the block's last letter in the pattern."""
        return self.start + self.length


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


def tile(pattern: str, text: str, shortest: int = SHORTEST) -> list[Block]:
    """Tile a pattern with blocks of a text, longest first, the leftmost of equal ones; sorted by ``start``.

    Args:
        pattern: letters to be explained, such as those of a headline quote.
        text: letters to explain them by.
        shortest: length of the shortest block, 1 or more.

    >>> tile("neverwewillpay", "wewillneverpay")
    [Block(start=0, place=6, length=5), Block(start=5, place=0, length=6), Block(start=11, place=11, length=3)]
    """
    lengths = common_lengths(pattern, text)
    waiting = [(-length, start) for start, length in enumerate(lengths) if length >= shortest]
    heapq.heapify(waiting)
    free = [True] * len(pattern)
    blocks: list[Block] = []
    while waiting:
        known, start = heapq.heappop(waiting)
        # Free letters only become fewer, so the known length is an upper bound.
        length = _free_length(free, start, -known)
        while length >= shortest and (place := text.find(pattern[start : start + length])) < 0:
            length -= 1
        if length < shortest:
            continue
        if length < -known:
            heapq.heappush(waiting, (-length, start))
            continue
        blocks.append(Block(start, place, length))
        free[start : start + length] = [False] * length
        text = text[:place] + _USED * length + text[place + length :]
    return sorted(blocks, key=lambda block: block.start)


def _free_length(free: Sequence[bool], start: int, longest: int) -> int:
    for length in range(longest):
        if not free[start + length]:
            return length
    return longest


def inversions(blocks: Sequence[Block]) -> int:
    """Number of pairs of blocks that are in the opposite order in the text (Kendall's tau distance).

    >>> inversions([Block(0, 6, 5), Block(5, 0, 6), Block(11, 11, 3)])
    1
    """
    places = [block.place for block in blocks]
    return sum(later < earlier for earlier, later in combinations(places, 2))


@dataclass(frozen=True, slots=True)
class Blocks:
    """Greedy string tiling of a headline quote by two body quotes; a block has 4 letters or more, or 2 syllables.

    Attributes:
        tiled: share of its letters under blocks, 0 to 1.
        blocks: their number.
        longest_block: letters of the longest.
        inversions: pairs of blocks that stand in the other order in their body quote.
        negation_differs: either the headline quote or those sentences of the best quote that share blocks with it
            negate, but not both.
    """

    tiled: float
    blocks: int
    longest_block: int
    inversions: int
    negation_differs: bool


def blocks_of(headline: str, best: str, second: str | None = None) -> Blocks:
    """Tile a headline quote with its best body quote and, if there is one, the second.

    >>> blocks_of("We will never pay", "Never will we pay for it", None)
    Blocks(tiled=0.6428571428571429, blocks=2, longest_block=5, inversions=1, negation_differs=False)
    """
    letters, first = fold(headline).letters[:LONGEST], fold(best).letters
    if not letters:
        return Blocks(0.0, 0, 0, 0, False)
    both = first if second is None else first + _WALL + fold(second).letters
    found = tile(letters, both, shortest=ngram_size(letters))
    in_best = [block for block in found if block.place < len(first)]
    in_second = [block for block in found if block.place >= len(first)]
    return Blocks(
        tiled=sum(block.length for block in found) / len(letters),
        blocks=len(found),
        longest_block=max((block.length for block in found), default=0),
        inversions=inversions(in_best) + inversions(in_second),
        negation_differs=bool(in_best) and _negative(headline) != _negative(_sharing(best, in_best)),
    )


def _sharing(text: str, blocks: Sequence[Block]) -> str:
    """The sentences of a body quote that share blocks."""
    letters = letter_spans(text)
    spans = [(letters[block.place][0], letters[block.place + block.length - 1][1]) for block in blocks]
    sharing = [(start, end) for start, end in sentences(text) if any(a < end and start < b for a, b in spans)]
    return " ".join(text[start:end] for start, end in sharing)


def _negative(text: str) -> bool:
    pattern = cue_pattern("NEGATION", dominant_script(fold(text).letters) or "latin")
    return pattern is not None and pattern.search(text) is not None
