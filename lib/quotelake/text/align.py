"""Longest common subsequence of two sequences; parts of a text found in order. Pure."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from rapidfuzz.distance import LCSseq

from quotelake.text.fold import Folded, Span
from quotelake.text.language import UNSPACED


class Block(NamedTuple):
    """A run of equal items: its start in the first and in the second sequence, and its length."""

    first: int
    second: int
    size: int


def common_blocks(first: Sequence[str], second: Sequence[str]) -> list[Block]:
    """Runs of equal items of a longest common subsequence, in order.

    >>> common_blocks(["we", "won"], ["and", "we", "have", "won"])
    [Block(first=0, second=1, size=1), Block(first=1, second=3, size=1)]
    """
    return [
        Block(code.src_start, code.dest_start, code.src_end - code.src_start)
        for code in LCSseq.opcodes(first, second)
        if code.tag == "equal"
    ]


def gaps(blocks: Sequence[Block], first: int, second: int) -> Iterator[tuple[range, range]]:
    """Places of both sequences, of these lengths, between runs of equal items; one of the two may be empty.

    >>> list(gaps([Block(0, 1, 1), Block(1, 3, 1)], 2, 4))
    [(range(0, 0), range(0, 1)), (range(1, 1), range(2, 3))]
    """
    for one, other in pairwise([Block(0, 0, 0), *blocks, Block(first, second, 0)]):
        gap = range(one.first + one.size, other.first), range(one.second + one.size, other.second)
        if any(gap):
            yield gap


def find_parts(parts: Sequence[Folded], text: Folded, script: str | None) -> list[Span] | None:
    """Find parts in this order, without overlap, at word boundaries of a text; None if one is missing.

    ``script`` is that of the parts, by :func:`dominant_script`. Returns the span of each part in ``text.letters``.
    """
    if not parts or not all(part.letters and part.letters in text.letters for part in parts):
        return None
    starts, found = text.starts, list[Span]()
    for part in parts:
        place = next(occurrences(part.letters, text.letters, starts, script, found[-1][1] if found else 0), None)
        if place is None:
            return None
        found.append(place)
    return found


def occurrences(part: str, letters: str, starts: Sequence[int], script: str | None, at: int = 0) -> Iterator[Span]:
    """Spans of a part in folded letters, at the boundaries of their words: ``starts`` as of :attr:`Folded.starts`.

    In Korean only its beginning must be at a boundary, because a particle may follow the word. Scripts without spaces
    have no boundaries.
    """
    while (at := letters.find(part, at)) >= 0:
        end = at + len(part)
        if script in UNSPACED or (_is_in(starts, at) and (script == "hangul" or _is_in(starts, end))):
            yield at, end
        at = at + 1 if script in UNSPACED else starts[min(bisect_right(starts, at), len(starts) - 1)]


def _is_in(starts: Sequence[int], at: int) -> bool:
    place = bisect_left(starts, at)
    return place < len(starts) and starts[place] == at
