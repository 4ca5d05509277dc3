"""Greedy string tiling: the longest blocks two texts have in common, each letter used once. Pure, linear in practice.

Wise, *String Similarity via Greedy String Tiling and Running Karp-Rabin Matching* (1993): take the longest common block
whose letters are still free on both sides, mark it, repeat. Tiling ignores order, so a moved passage gives two blocks
and no loss; :func:`inversions` measures order separately.
"""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

#: Blocks of one letter match by chance [measured: blocks from 2 on help, Song et al.'s 1,600 articles].
SHORTEST = 2
#: Replaces a used letter of the text; it never occurs in folded text.
_USED = "\0"


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


def covered(blocks: Sequence[Block], shortest: int = SHORTEST) -> int:
    """Letters of the pattern under blocks of at least ``shortest`` letters, as bits: bit i is letter i.

    >>> bin(covered([Block(0, 4, 2), Block(3, 0, 3)], shortest=3))
    '0b111000'
    """
    bits = 0
    for block in blocks:
        if block.length >= shortest:
            bits |= ((1 << block.length) - 1) << block.start
    return bits


def inversions(blocks: Sequence[Block]) -> int:
    """Number of pairs of blocks that are in the opposite order in the text (Kendall's tau distance).

    >>> inversions([Block(0, 6, 5), Block(5, 0, 6), Block(11, 11, 3)])
    1
    """
    places = [block.place for block in blocks]
    return sum(later < earlier for earlier, later in combinations(places, 2))
