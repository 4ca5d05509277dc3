"""Watched texts in any text: candidates from the index, a cheap test, then an alignment of each. Pure: no Spark."""

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import NamedTuple

from quotelake.text.fold import Span, fold_letters
from quotelake.watch.index import Index, Vocabulary
from quotelake.watch.judge import Stretch, Use, judge
from quotelake.watch.words import MIN_UNCHANGED_WEIGHT, Pattern, min_shared_words, pattern_of, split

#: Most words of a text are in several stretches, and in many texts.
_folded = lru_cache(1 << 16)(fold_letters)


class Hit(NamedTuple):
    """A use of the watched text number ``entry``; ``start`` and ``end`` in code points of the text searched.

    ``score`` is 0 to 1, 1 for unchanged words (:func:`quotelake.watch.judge.judge`); ``sure``: hardly another saying.
    """

    entry: int
    start: int
    end: int
    score: float
    sure: bool = True


class Finder:
    """Finds watched texts.

    Args:
        wordings: wordings of each watched text, of at least two words each; of one, if the text is ``exact``.
        exact: numbers of the watched texts of which only unchanged uses are found.

    >>> finder = Finder([["The truth will set you free"]])
    >>> [hit] = finder.find('They say "the TRUTH … shall set you free"!')
    >>> (hit.start, hit.end, round(hit.score, 2))
    (10, 40, 0.89)
    """

    def __init__(self, wordings: Sequence[Sequence[str]], exact: Collection[int] = ()) -> None:
        self._patterns = [
            pattern_of(entry, text, only_unchanged=entry in exact)
            for entry, texts in enumerate(wordings)
            for text in texts
        ]
        self._index = Index(self._patterns)
        self._words: dict[int, list[int]] = {}
        for pattern in self._patterns:
            if len(pattern.words) == 1:
                self._words.setdefault(self._index.vocabulary[pattern.words[0]], []).append(pattern.entry)
        self._prefilters: dict[int, _Prefilter] = {}

    def find(self, text: str) -> list[Hit]:
        """Find all uses of the watched texts, ordered by place; of uses of one text that overlap, the best."""
        read = _Text(text, self._index.vocabulary)
        candidates = self._index.candidates(read.numbers)
        found = list(self._within_all(candidates, read)) if candidates else []
        if self._words:
            places = [at for at, number in enumerate(read.numbers) if number in self._words]
            found += [Hit(entry, *read.span(at), 1.0) for at in places for entry in self._words[read.numbers[at]]]
        return _best(found) if found else []

    def _within_all(self, candidates: Sequence[Sequence[int]], text: "_Text") -> Iterator[Hit]:
        """Uses of wordings in candidate stretches: the best one, then those before and behind it."""
        for number, begin, end in candidates:
            pattern, test = self._patterns[number], self._prefilters.get(number)
            if test is None:  # made at its first use: most of a long list has none
                test = self._prefilters[number] = _Prefilter(pattern, self._index.vocabulary)
            waiting = [(begin, min(end, len(text.numbers)))]
            while waiting:
                first, last = waiting.pop()
                if not test.passes(text.numbers[first:last]):
                    continue
                use = text.unchanged(test.code, first, last)
                if use is None:
                    use = judge(pattern, text.stretch(first, last))
                if use is None:
                    continue
                start, stop = first + use.first, first + use.last
                yield Hit(pattern.entry, text.span(start)[0], text.span(stop)[1], use.score, use.sure)
                waiting += [(first, start), (stop + 1, last)]


class _Text:
    """A text, and the numbers and places of its words."""

    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        self._text, self._parts = text, split(text)
        self.numbers = [*map(vocabulary.__getitem__, self._parts[1::2])]

    @cached_property
    def _bounds(self) -> list[int]:
        """Where each gap and word begins, in turns, the gap before the first word first."""
        return [*accumulate(map(len, self._parts), initial=0)]

    def span(self, word: int) -> Span:
        """Place of a word in the text."""
        return self._bounds[2 * word + 1], self._bounds[2 * word + 2]

    @cached_property
    def _code(self) -> str:
        """A character for each word."""
        return "".join(map(chr, self.numbers))

    def unchanged(self, code: str, first: int, last: int) -> Use | None:
        """The first use with all words of a wording side by side, which no alignment betters.

        None also where the text has brackets: words in them cost nothing, so another use may be as good.
        """
        at = self._code.find(code, first, last)
        if at < 0 or ("[" in self._text and "[" in self._text[self._bounds[2 * first] : self._bounds[2 * last - 1]]):
            return None
        return Use(at - first, at - first + len(code) - 1, 1.0, True)

    def stretch(self, first: int, last: int) -> Stretch:
        """Words from number ``first`` to before ``last``."""
        bounds = self._bounds[2 * first : 2 * last + 2]
        gaps = [self._text[start:end] for start, end in zip(bounds[::2], bounds[1::2], strict=True)]
        is_bracketed, inside = [], False
        for gap in gaps[:-1]:
            if "[" in gap or "]" in gap:
                inside = gap.rfind("[") > gap.rfind("]")
            is_bracketed.append(inside)
        return Stretch([*map(_folded, self._parts[2 * first + 1 : 2 * last : 2])], gaps, is_bracketed)


class _Prefilter:
    """A cheap test before the alignment: enough words unchanged, content words in order."""

    def __init__(self, pattern: Pattern, numbers: Vocabulary) -> None:
        counted = range(len(pattern.words)) if pattern.exact else pattern.content
        self.code = "".join(chr(numbers[word]) for word in pattern.words)
        self._min_shared = len(counted) if pattern.exact else min_shared_words(len(counted))
        self._min_weight = MIN_UNCHANGED_WEIGHT * pattern.total
        self._weights = {numbers[word]: 0.0 for word in pattern.words}
        for word, value in zip(pattern.words, pattern.weights, strict=True):
            self._weights[numbers[word]] += value
        self._places: dict[int, list[int]] = {}
        for at in reversed(counted):  # descending: a word of the text can match one of them only
            self._places.setdefault(numbers[pattern.words[at]], []).append(at)
        self._counts = {number: len(places) for number, places in self._places.items()}
        self._counted = frozenset(self._counts)

    def passes(self, numbers: Sequence[int]) -> bool:
        """Whether a stretch, as numbers of words, has enough words in the order of the wording."""
        if sum(map(self._counts.__getitem__, self._counted.intersection(numbers))) < self._min_shared:
            return False  # most stretches end here
        here = [self._places[number] for number in numbers if number in self._places]
        if len(here) < self._min_shared:
            return False
        if sum(map(self._weights.__getitem__, self._weights.keys() & numbers)) < self._min_weight:
            return False
        ends: list[int] = []  # least end of an increasing subsequence of each length (Fredman 1975)
        for places in here:
            for place in places:
                at = bisect_left(ends, place)
                ends[at : at + 1] = [place]
        return len(ends) >= self._min_shared


def _best(hits: list[Hit]) -> list[Hit]:
    """Of overlapping hits of one watched text the one of the highest score, then the longest, then the first."""
    kept: dict[int, list[Hit]] = {}
    for hit in sorted(hits, key=lambda hit: (-hit.score, hit.start - hit.end, hit.start)):
        others = kept.setdefault(hit.entry, [])
        at = bisect_left(others, hit.start, key=lambda other: other.start)
        if (at == 0 or others[at - 1].end <= hit.start) and (at == len(others) or hit.end <= others[at].start):
            others.insert(at, hit)
    return sorted((hit for others in kept.values() for hit in others), key=lambda hit: (hit.start, hit.end, hit.entry))
