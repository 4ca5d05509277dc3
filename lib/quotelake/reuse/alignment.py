"""Which word of one text is which word of another. Pure."""

from collections.abc import Sequence
from typing import Final

from quotelake.reuse.words import Words, least_contained
from quotelake.text.align import common_blocks

#: Places of equal words, in the shorter and in the longer text, both ascending.
Pairs = list[tuple[int, int]]

#: An excerpt may leave out, unmarked, one word of the longer text for so many words of its own, at least one [ours].
_SLACK: Final = 5


def align(short: Words, long: Words) -> Pairs:
    """Pair the words of a longest common subsequence.

    Where the pairs before words that one text has alone could as well stand after them, and these would then be at the
    beginning, they do: a text that begins later lacks a beginning, not a part inside.

    >>> from quotelake.reuse.words import words_of
    >>> align(words_of("we won"), words_of("and we have won"))
    [(0, 1), (1, 3)]
    >>> align(words_of("we won the vote"), words_of("we lost a man but we won the vote"))
    [(0, 5), (1, 6), (2, 7), (3, 8)]
    """
    pairs: Pairs = []
    for i, j, size in common_blocks(short.words, long.words):
        pairs += zip(range(i, i + size), range(j, j + size), strict=True)
    _slide(long.words, pairs)
    ends = len(short.words) - 1, len(long.words) - 1
    back = [(ends[0] - i, ends[1] - j) for i, j in reversed(pairs)]
    _slide(long.words[::-1], back)
    return [(ends[0] - i, ends[1] - j) for i, j in reversed(back)]


def _slide(long: Sequence[str], pairs: Pairs) -> None:
    """Move the pairs at the beginning of both texts, up to the first words that only the longer has, behind these."""
    run = 0
    while run < len(pairs) and pairs[run] == (run, run):
        run += 1
    if 0 < run < len(pairs) and pairs[run][0] == run:
        by = pairs[run][1] - run
        if long[:run] == long[by : by + run]:
            pairs[:run] = [(i, i + by) for i in range(run)]


def align_contained(short: Words, long: Words) -> Pairs | None:
    """Pair the words of an excerpt with those of the passage it is taken from; None if there is no such passage.

    Of the excerpt at most one word in ten may be missing there. Where the excerpt has no gap, the passage may have few
    words more (:data:`_SLACK`), all in all. Of several passages the one with the fewest such words is taken, then the
    first.

    >>> from quotelake.reuse.words import words_of
    >>> whole = words_of("i came i looked around the old town for a while and i saw it")
    >>> align_contained(words_of("i came … and i saw it"), whole)
    [(0, 0), (1, 1), (2, 11), (3, 12), (4, 13), (5, 14)]
    >>> align_contained(words_of("i came and i saw it"), whole)
    """
    n = len(short.words)
    spaced = f" {' '.join(long.words)} "
    found_at = -1 if short.gaps else spaced.find(f" {' '.join(short.words)} ")
    if found_at >= 0:  # most excerpts are a stretch of the longer text
        first = spaced.count(" ", 0, found_at)
        return [(i, first + i) for i in range(n)]
    missing, slack = n - least_contained(n), max(1, n // _SLACK)
    places: dict[str, list[int]] = {word: [] for word in short.words}
    for at, word in enumerate(long.words):
        if word in places:
            places[word].append(at)
    # For each word of the excerpt and each of its places in the longer text: per number of missing words before, the
    # fewest words left out unmarked, and the word and place before on that way.
    ways: list[dict[int, dict[int, tuple[int, int, int]]]] = []
    for i, word in enumerate(short.words):
        ways.append({at: found for at in places[word] if (found := _ways_to(i, at, ways, short, missing, slack))})
    ends = [
        (cost, lost + n - 1 - i, at, i, lost)
        for i in range(n - 1 - missing, n)
        for at, found in ways[i].items()
        for lost, (cost, _, _) in found.items()
        if lost + n - 1 - i <= missing
    ]
    if not ends:
        return None
    _, _, at, i, lost = min(ends)
    pairs: Pairs = []
    while i >= 0:
        pairs.append((i, at))
        _, before, place = ways[i][at][lost]
        i, at, lost = before, place, lost - (i - before - 1)
    return pairs[::-1]


def _ways_to(
    i: int, at: int, ways: list[dict[int, dict[int, tuple[int, int, int]]]], short: Words, missing: int, slack: int
) -> dict[int, tuple[int, int, int]]:
    """Per number of missing words the best way to word *i* of the excerpt at a place of the longer text."""
    best: dict[int, tuple[int, int, int]] = {}
    for lost in range(min(i, missing) + 1):
        before = i - lost - 1
        if before < 0:
            best[lost] = min(best.get(lost, (0, -1, -1)), (0, -1, -1))
            continue
        marked = any(gap in short.gaps for gap in range(before + 1, i + 1))
        for place, found in ways[before].items():
            more = 0 if marked else max(0, at - place - 1 - lost)
            if place >= at or more > slack:
                continue
            for lost_before, (cost, _, _) in found.items():
                way = (cost + more, before, place)
                if cost + more <= slack and lost_before + lost <= missing:
                    best[lost_before + lost] = min(best.get(lost_before + lost, way), way)
    return best
