"""Passages of a body with the words of a headline quote: word for word, part by part, or approximately. Pure.

Bodies lose their marks in scraping, so every passage of the body is a candidate, not only its quotes.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from rapidfuzz.distance import LCSseq

from quotelake.contextomy.quotes import Body, BodyQuote, Text
from quotelake.contextomy.reading import IGNORED_KEYS, Reading
from quotelake.text.align import Block, common_blocks
from quotelake.text.fold import Folded, Span
from quotelake.text.language import UNSPACED

#: So many passages with the same words are compared; more are a refrain.
MOST = 6
#: So many passages that are equally near are compared.
MOST_NEAR = 4
#: Passages compared for each part of a quote: *trade war* may be everywhere, and the nearest is meant.
_MOST_OF_PARTS = 40
#: A part is sought behind the part before it, unless it is so many characters nearer in front of it [ours].
_BACKWARDS = 1200
#: Words on each side of a passage in which its other words may be in another order.
_BESIDE = 40


class Passage(NamedTuple):
    """A stretch of words of a body, as places of the first and the last token of a reading of it."""

    reading: Reading
    first: int
    last: int

    @property
    def text(self) -> str:
        """Its text in one line."""
        return self.reading.text_of(self.first, self.last)

    @property
    def keys(self) -> list[str]:
        """Keys of its tokens."""
        return [token.key for token in self.reading.tokens[self.first : self.last + 1]]

    @property
    def span(self) -> Span:
        """Its start and end in the body, in code points."""
        return self.reading.span(self.first, self.last)

    def quotes(self, body: Body) -> list[BodyQuote]:
        """The body quotes around it, the innermost first."""
        start, end = self.span
        around = [each for each in body.quotes if each.start <= start and end <= each.end + 1]
        return sorted(around, key=lambda each: len(each.text))


class Near(NamedTuple):
    """A passage with most words of a quote, and which of its keys match which."""

    passage: Passage
    blocks: Sequence[Block]  #: places in the quote's keys, and in the reading's compared tokens
    share: float  #: share of the quote's keys that it has in the same order


def _exact(body: Body, part: Folded, script: str | None, most: int = MOST) -> list[Passage]:
    """Find the first passages that have the words of a part one after the other, in readings of their sentences.

    Only if no body quote has the words, the whole body is searched.
    """
    found: list[Passage] = []
    for quote in body.quotes:
        for start, end in _places(quote, part, script, most - len(found)):
            found += _passage(body, quote.start + start, quote.start + end)
    if not found:
        for start, end in _places(body.without_reporting_clauses, part, script, most):
            found += _passage(body, start, end)
    return found


def _places(text: Text, part: Folded, script: str | None, most: int) -> Iterator[Span]:
    letters = text.folded.letters
    at = letters.find(part.letters)
    while at >= 0 and most > 0:
        end = at + len(part.letters)
        if script in UNSPACED or (_begins_at(text.starts, at) and _begins_at(text.starts, end)):
            yield text.place(at, end)
            most -= 1
        at = letters.find(part.letters, at + 1)


def _passage(body: Body, start: int, end: int) -> list[Passage]:
    reading = body.around(start, end)
    inside = reading.within(start, end)
    return [Passage(reading, inside[0], inside[-1])] if inside else []


def _begins_at(starts: Sequence[int], at: int) -> bool:
    place = bisect_left(starts, at)
    return place < len(starts) and starts[place] == at


def by_parts(body: Body, parts: Sequence[Folded], script: str | None) -> list[list[Passage]]:
    """Find the passages of a quote, a list of one for each of its parts between ellipses; none if a part is missing.

    Of several parts the nearest places are taken, in the order of the headline if possible.
    """
    places = [_exact(body, part, script, MOST if len(parts) == 1 else _MOST_OF_PARTS) for part in parts]
    if not places or not all(places):
        return []
    chains = [[first] for first in places[0][:MOST]]
    for chain in chains:
        for passages in places[1:]:
            chain.append(min(passages, key=lambda each: _distance(chain[-1], each)))
    if len(places) == 1:
        return chains
    return [min(chains, key=lambda chain: sum(_distance(one, other) for one, other in pairwise(chain)))]


def _distance(one: Passage, other: Passage) -> int:
    gap = other.span[0] - one.span[1]
    return gap if gap >= 0 else _BACKWARDS - gap


def nearest(keys: Sequence[str], reading: Reading) -> list[Near]:
    """Find the passages of a text that have most of a quote's words in the same order, if half or more.

    A passage has at most twice the words of the quote, or six more: words from all over a text prove nothing.

    >>> [near] = nearest(Reading("We won today").keys, Reading("It rained. We have won, today."))
    >>> near.passage.text, near.share
    ('We have won, today', 1.0)
    """
    n, wanted = len(keys), frozenset(keys)
    width = max(2 * n, n + 6)
    shared: list[tuple[int, int]] = []
    for start in range(0, max(len(reading.keys) - n, 0) + 1, max(n // 3, 1)):
        window = reading.keys[start : start + width]
        if 2 * sum(key in wanted for key in window) >= n:
            shared.append((LCSseq.similarity(keys, window), start))
    best = max(shared, default=(0, 0))[0]
    found: dict[tuple[int, int], Near] = {}
    for start in [place for size, place in shared if size == best > 0]:
        blocks = [
            Block(first, second + start, size)
            for first, second, size in common_blocks(keys, reading.keys[start : start + width])
        ]
        first, last = blocks[0].second, blocks[-1].second + blocks[-1].size - 1
        passage = Passage(reading, reading.compared[first], reading.compared[last])
        found.setdefault((first, last), Near(passage, blocks, best / n))
        if len(found) == 4 * MOST_NEAR:
            break
    # A window may begin with words of the sentence before that the quote has too: the tightest passages are meant.
    tightest = min((last - first for first, last in found), default=0)
    return [near for (first, last), near in found.items() if last - first == tightest][:MOST_NEAR]


def two_runs(keys: Sequence[str], reading: Reading) -> tuple[Passage, Passage] | None:
    """Find two passages whose words, one run after the other, are those of a quote; None where there are no two."""
    for size in range(len(keys) - 1, 0, -1):
        starts = reading.occurrences(keys[:size], MOST)
        if starts:
            break
    else:
        return None
    for rest in range(size, 0, -1):  # the runs may overlap
        ends = reading.occurrences(keys[rest:], MOST) if rest < len(keys) else []
        if ends:
            pairs = [(Passage(reading, *one), Passage(reading, *other)) for one in starts for other in ends]
            return min(pairs, key=lambda pair: abs(pair[1].first - pair[0].last))
    return None


def is_reordered(keys: Sequence[str], passage: Passage) -> bool:
    """Whether all words of a quote are around a passage, in runs of two or more, in whatever order."""
    reading, first, last = passage
    around = reading.tokens[max(first - _BESIDE, 0) : last + _BESIDE]
    text = f" {' '.join(token.key for token in around if token.key not in IGNORED_KEYS)} "
    place = 0
    while place < len(keys):
        size = len(keys) - place
        while size > 1 and f" {' '.join(keys[place : place + size])} " not in text:
            size -= 1
        if size < 2:
            return False
        place += size
    return True
