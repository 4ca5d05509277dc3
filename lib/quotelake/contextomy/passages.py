"""Passages of a body with the words of a headline quote: word for word, part by part, or approximately. Pure.

Bodies lose their marks in scraping, so every passage of the body is a candidate, not only its quotes.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise, product
from typing import Final, NamedTuple

from rapidfuzz.distance import LCSseq

from quotelake.contextomy.quotes import Body, BodyQuote, HeadlineQuote, Text
from quotelake.factuality.reading import IGNORED_KEYS, Reading, Token
from quotelake.text.align import Block, common_blocks, occurrences
from quotelake.text.fold import Folded, Span

#: So many passages with the same words are compared; more are a refrain.
_MOST = 6
#: So many passages that are equally near are compared.
_MOST_NEAR = 4
#: Passages compared for each part of a quote: *trade war* may be everywhere, and the nearest is meant.
_MOST_OF_PARTS = 40
#: A part is sought behind the part before it, unless it is so many characters nearer in front of it [ours].
_BACKWARDS = 1200
#: Characters that are read on each side of a passage in a paragraph without end.
_AROUND = 1500
#: Least words of a quote that may be spliced from two places without an ellipsis.
_SPLICED_WORDS = 6
#: Words in square or round brackets are the newspaper's; a bracket inside a word marks a letter.
_BRACKETS: Final = re.compile(r"(?<!\w)(?:\[[^\[\]]*+\]|\([^()]*+\))(?!\w)")


class Passage(NamedTuple):
    """A stretch of words of a body, as places of the first and the last token of a reading of it."""

    reading: Reading
    first: int
    last: int
    quotes: tuple[BodyQuote, ...] = ()  #: of the body, around it, the innermost first

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


class Near(NamedTuple):
    """A passage with most words of a quote, and which of its keys match which."""

    passage: Passage
    blocks: Sequence[Block]  #: places in the quote's keys, and in the reading's compared tokens
    share: float  #: share of the quote's keys that it has in the same order


class Found(NamedTuple):
    """The passages of a body that may be the source of a headline quote."""

    chains: Sequence[Sequence[Passage]] = ()  #: with all its words, a passage for each part between ellipses
    tokens: Sequence[Token] = ()  #: words of the quote that are compared where there is no chain
    near: Sequence[Near] = ()  #: with most of them, equally near
    runs: tuple[Passage, Passage] | None = None  #: two with all of them, one run after the other


def find_passages(quote: HeadlineQuote, body: Body) -> Found:
    """Find the words of a headline quote in a body: one after the other, else approximately and in two runs."""
    chains = _by_parts(body, quote.parts, quote.script)
    if chains:
        return Found([[_with_quotes(each, body) for each in chain] for chain in chains])
    tokens = [token for token in uttered(quote) if token.key not in IGNORED_KEYS]
    if not tokens:
        return Found()
    keys = [token.key for token in tokens]
    reading = body.without_reporting_clauses.reading
    near = [each._replace(passage=_with_quotes(each.passage, body)) for each in nearest(keys, reading)]
    may_be_spliced = quote.kind == "direct" and len(keys) >= _SPLICED_WORDS and (not near or near[0].share < 1)
    return Found((), tokens, near, _two_runs(keys, reading) if may_be_spliced else None)


def uttered(quote: HeadlineQuote) -> list[Token]:
    """Its words without those in brackets, which the newspaper added."""
    brackets = [each.span() for each in _BRACKETS.finditer(quote.text)]
    return [token for token in quote.reading.tokens if not any(start <= token.start < end for start, end in brackets)]


def _by_parts(body: Body, parts: Sequence[Folded], script: str | None) -> list[list[Passage]]:
    """Lists of passages, one for each part of a quote; of several parts the nearest, in the headline's order if any."""
    places = [_exact(body, part, script, _MOST if len(parts) == 1 else _MOST_OF_PARTS) for part in parts]
    if not places or not all(places):
        return []
    chains = [[first] for first in places[0][:_MOST]]
    for chain in chains:
        for passages in places[1:]:
            chain.append(min(passages, key=lambda each: _distance(chain[-1], each)))
    if len(places) == 1:
        return chains
    return [min(chains, key=lambda chain: sum(_distance(one, other) for one, other in pairwise(chain)))]


def _exact(body: Body, part: Folded, script: str | None, most: int) -> list[Passage]:
    """The first passages that have the words of a part one after the other: in body quotes, else in the whole body."""
    found: list[Passage] = []
    for quote in body.quotes:
        places = places_of(quote, part, script, most - len(found))
        found += _passages(body, [(quote.start + start, quote.start + end) for start, end in places])
    return found or _passages(body, places_of(body.without_reporting_clauses, part, script, most))


def places_of(text: Text, part: Folded, script: str | None, most: int) -> Iterator[Span]:
    """Where a text has the words of a part of a quote, one after the other, at most so many times."""
    found = occurrences(part.letters, text.folded.letters, text.folded.starts, script)
    return (text.folded.place(*each) for each in islice(found, max(most, 0)))


def _passages(body: Body, spans: Iterable[Span]) -> list[Passage]:
    found = []
    for start, end in spans:
        reading = _read_around(body, start, end)
        inside = reading.within(start, end)
        found += [Passage(reading, inside[0], inside[-1])] if inside else []
    return found


def _read_around(body: Body, start: int, end: int) -> Reading:
    """Read the paragraph of a passage, as far as :data:`_AROUND` characters to each side."""
    text = body.without_reporting_clauses.text
    first, last = max(text.rfind("\n", 0, start) + 1, start - _AROUND), text.find("\n", end)
    span = first, min(last if last >= 0 else len(text), end + _AROUND)
    if span not in body.readings:
        body.readings[span] = Reading(text[slice(*span)], first)
    return body.readings[span]


def _distance(one: Passage, other: Passage) -> int:
    gap = other.span[0] - one.span[1]
    return gap if gap >= 0 else _BACKWARDS - gap


def _with_quotes(passage: Passage, body: Body) -> Passage:
    start, end = passage.span
    around = [each for each in body.quotes if each.start <= start and end <= each.end + 1]
    return passage._replace(quotes=tuple(sorted(around, key=lambda each: len(each.text))))


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
        if len(found) == 4 * _MOST_NEAR:
            break
    # A window may begin with words of the sentence before that the quote has too: the tightest passages are meant.
    tightest = min((last - first for first, last in found), default=0)
    return [near for (first, last), near in found.items() if last - first == tightest][:_MOST_NEAR]


def _two_runs(keys: Sequence[str], reading: Reading) -> tuple[Passage, Passage] | None:
    """Find two passages whose words, one run after the other, are those of a quote; None where there are no two."""
    for size in range(len(keys) - 1, 0, -1):
        starts = _occurrences(keys[:size], reading)
        if starts:
            break
    else:
        return None
    for rest in range(size, 0, -1):  # the runs may overlap
        ends = _occurrences(keys[rest:], reading) if rest < len(keys) else []
        if ends:
            return min(product(starts, ends), key=lambda pair: abs(pair[1].first - pair[0].last))
    return None


def _occurrences(keys: Sequence[str], reading: Reading) -> list[Passage]:
    """The first passages whose compared tokens have these keys, one after the other."""
    wanted = f" {' '.join(keys)} "
    found: list[Passage] = []
    at = reading.joined.find(wanted)
    while at >= 0 and len(found) < _MOST:
        place = reading.joined.count(" ", 0, at)
        found.append(Passage(reading, reading.compared[place], reading.compared[place + len(keys) - 1]))
        at = reading.joined.find(wanted, at + 1)
    return found
