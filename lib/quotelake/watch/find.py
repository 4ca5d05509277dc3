"""Watched texts in any text: candidates from the index, then an alignment of each. Pure: no Spark."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from quotelake.watch.align import align
from quotelake.watch.index import Candidate, Index, Numbers
from quotelake.watch.judge import Stretch, judge
from quotelake.watch.patterns import LEAST_UNCHANGED, Pattern, needed, pattern_of
from quotelake.watch.words import TOKEN, fold


class Hit(NamedTuple):
    """A watched text, found.

    Attributes:
        entry: number of the watched text.
        start: first character, in code points of the text that was searched.
        end: one past the last.
        score: 0 to 1; 1 if its words stand unchanged (:func:`quotelake.watch.judge.judge`).
    """

    entry: int
    start: int
    end: int
    score: float


class Finder:
    """Finds watched texts.

    Args:
        wordings: of each watched text its wordings, of two words or more each.

    >>> finder = Finder([["The truth will set you free"]])
    >>> [hit] = finder.find('They say "the TRUTH … shall set you free"!')
    >>> (hit.start, hit.end, round(hit.score, 2))
    (10, 40, 0.89)
    """

    def __init__(self, wordings: Sequence[Sequence[str]]) -> None:
        self._patterns = [pattern_of(entry, text) for entry, texts in enumerate(wordings) for text in texts]
        self._index = Index(self._patterns)
        self._tests = [_Test(pattern, self._index.numbers) for pattern in self._patterns]

    def find(self, text: str) -> list[Hit]:
        """Find all uses of the watched texts, ordered by place; of uses of one text that overlap, the best."""
        raw = TOKEN.findall(text)
        numbers = np.fromiter(map(self._index.numbers.__getitem__, raw), np.int64, len(raw))
        candidates = self._index.candidates(numbers)
        if not candidates:
            return []
        spans = list(map(re.Match.span, TOKEN.finditer(text)))
        known = numbers.tolist()
        return _best([hit for candidate in candidates for hit in self._within(candidate, text, spans, known)])

    def _within(
        self, candidate: Candidate, text: str, spans: Sequence[tuple[int, int]], numbers: Sequence[int]
    ) -> Iterator[Hit]:
        """Uses of one wording in a stretch of the text: the best one, then those before and behind it."""
        pattern, test = self._patterns[candidate.pattern], self._tests[candidate.pattern]
        waiting = [(candidate.first, min(candidate.last, len(spans)))]
        while waiting:
            first, last = waiting.pop()
            if not test.passes(numbers[first:last]):
                continue
            stretch = stretch_of(text, spans, first, last)
            use = judge(pattern, align(pattern, stretch.words, stretch.free), stretch)
            if use is None:
                continue
            yield Hit(pattern.entry, spans[first + use.first][0], spans[first + use.last][1], use.score)
            waiting += [(first, first + use.first), (first + use.last + 1, last)]


class _Test:
    """A cheap test before the alignment: whether enough words stand unchanged, those of content in order."""

    def __init__(self, pattern: Pattern, numbers: Numbers) -> None:
        counted = range(len(pattern.words)) if pattern.exact else pattern.content
        self._needed = len(counted) if pattern.exact else needed(len(counted))
        self._least = LEAST_UNCHANGED * pattern.total
        self._weights = {numbers[word]: 0.0 for word in pattern.words}
        for word, value in zip(pattern.words, pattern.weights, strict=True):
            self._weights[numbers[word]] += value
        self._places: dict[int, list[int]] = {}
        for at in reversed(counted):  # falling: a word of a text stands for one of them
            self._places.setdefault(numbers[pattern.words[at]], []).append(at)

    def passes(self, numbers: Sequence[int]) -> bool:
        """Whether enough words of a stretch, by their numbers, stand in the order of the wording."""
        here = [self._places[number] for number in numbers if number in self._places]
        if len(here) < self._needed:
            return False
        if sum(map(self._weights.__getitem__, self._weights.keys() & numbers)) < self._least:
            return False
        ends: list[int] = []  # least end of an increasing subsequence of each length (Fredman 1975)
        for places in here:
            for place in places:
                at = bisect_left(ends, place)
                ends[at : at + 1] = [place]
        return len(ends) >= self._needed


def stretch_of(text: str, spans: Sequence[tuple[int, int]], first: int, last: int) -> Stretch:
    """Words of a text from one to another.

    Args:
        text: the text.
        spans: of all its words.
        first: number of the first word.
        last: one past that of the last.
    """
    ends = [spans[first - 1][1] if first else 0, *(end for _, end in spans[first:last])]
    starts = [*(start for start, _ in spans[first:last]), spans[last][0] if last < len(spans) else len(text)]
    words = [fold(text[start:end]) for start, end in spans[first:last]]
    gaps = [text[end:start] for end, start in zip(ends, starts, strict=True)]
    return Stretch(words, gaps, _in_brackets(gaps))


def _in_brackets(gaps: Sequence[str]) -> list[bool]:
    """Of each word, whether it stands in square brackets that open in the same stretch."""
    free, inside = [], False
    for gap in gaps[:-1]:
        if "[" in gap or "]" in gap:
            inside = gap.rfind("[") > gap.rfind("]")
        free.append(inside)
    return free


def _best(hits: list[Hit]) -> list[Hit]:
    """Of overlapping hits of one watched text the one of the highest score, then the longest, then the first."""
    kept: dict[int, list[Hit]] = {}
    for hit in sorted(hits, key=lambda hit: (-hit.score, hit.start - hit.end, hit.start)):
        others = kept.setdefault(hit.entry, [])
        at = bisect_left(others, hit.start, key=lambda other: other.start)
        if (at == 0 or others[at - 1].end <= hit.start) and (at == len(others) or hit.end <= others[at].start):
            others.insert(at, hit)
    return sorted((hit for others in kept.values() for hit in others), key=lambda hit: (hit.start, hit.end, hit.entry))
