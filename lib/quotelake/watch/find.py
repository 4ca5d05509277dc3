"""Watched texts in any text: candidates from an index, a cheap test, then an alignment of each. Pure: no Spark.

A candidate is where in a text a watched wording may be, by pairs of words (seeds). Each word of the text that is in a
seed is paired with the next :data:`MAX_PAIR_DISTANCE` such words, and a table of bits tells which pairs are seeds, at a
cost that does not depend on the length of the list. A wording is a candidate if the text has enough of its pairs.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from functools import cache, cached_property, lru_cache
from itertools import accumulate, repeat
from typing import Final, NamedTuple

import numpy as np
from rapidfuzz.distance import LCSseq

from quotelake.reuse.postings import Integers
from quotelake.text.fold import Span, fold_letters
from quotelake.watch.judge import Stretch, judge
from quotelake.watch.words import MIN_UNCHANGED_WEIGHT, Pattern, min_shared_words, pattern_of, seeds_of, split

#: A word is paired with as many of the following words that are in seeds.
MAX_PAIR_DISTANCE: Final = 16
#: Words that may be added between two words of a seed, and before and behind a wording.
MAX_ADDED_WORDS: Final = 5
#: Overlapping candidates are merged up to so many widths of one: the time of an alignment grows with its square.
MAX_MERGED_WIDTHS: Final = 2
#: Bits of the table per seed pair: few other pairs pass.
_BITS_PER_PAIR: Final = 32
_MIN_BITS: Final = 16
#: Odd, near 2⁶³ divided by the golden ratio (multiplicative hashing: Knuth, TAOCP vol. 3, §6.4).
_MIX: Final = 0x4F1BBCDCBFA53E0B
_POSITIVE: Final = 0x7FFFFFFFFFFFFFFF
#: Place of the number of seeds in a key; below it is the place in the text.
_PLACE_BITS: Final = 32
#: Most words of a text are in several stretches, and in many texts.
_folded = lru_cache(1 << 16)(fold_letters)


class Index:
    """An index of wordings."""

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        used = Counter(word for pattern in patterns for word in set(pattern.words))
        seeds = [each for number, pattern in enumerate(patterns) for each in seeds_of(number, pattern, used)]
        self._lengths = [len(pattern.words) for pattern in patterns]
        self._pattern = np.array([each.pattern for each in seeds], np.int64)
        self._min_pairs = np.array([each.min_pairs for each in seeds], np.int64)
        owners: dict[tuple[str, str], list[tuple[int, int, int]]] = defaultdict(list)
        for number, each in enumerate(seeds):
            words = patterns[each.pattern].words
            for first, second in each.pairs:
                owners[words[first], words[second]].append((number, first, second))
        in_seeds = sorted({word for pair in owners for word in pair})
        self._numbers = numbers = {word: number for number, word in enumerate(in_seeds, 1)}
        self._base = len(in_seeds) + 1
        # Pairs by their keys, with all owners of a pair one behind the other.
        keyed = sorted((numbers[one] * self._base + numbers[other], found) for (one, other), found in owners.items())
        self._keys = np.array([key for key, _ in keyed], np.int64)
        self._ends = np.cumsum([0, *(len(found) for _, found in keyed)])
        self._owners = np.array([owner for _, found in keyed for owner in found], np.int64).reshape(-1, 3)
        bits = max(_MIN_BITS, (len(keyed) * _BITS_PER_PAIR).bit_length())
        self._shift = 63 - bits
        self._table = np.zeros(1 << bits, np.bool_)
        self._table[self._bits(self._keys)] = True

    def _bits(self, keys: Integers) -> Integers:
        """Places of keys in the table."""
        return ((keys * np.int64(_MIX)) & np.int64(_POSITIVE)) >> self._shift

    def candidates(self, words: Sequence[str]) -> list[list[int]]:
        """Number of each wording that may be in a text, and its first word there and one past its last, in order.

        ``words`` are folded; the last word may be behind the end of the text.
        """
        numbers = np.array([*map(self._numbers.get, words, repeat(0))], np.int64)
        places = np.flatnonzero(numbers)
        n = len(places)
        if n < 2:
            return []
        left = np.concatenate([numbers[places], np.zeros(MAX_PAIR_DISTANCE, np.int64)])  # no seed has the number 0
        nexts = np.lib.stride_tricks.sliding_window_view(left[1:], MAX_PAIR_DISTANCE)
        keys = (left[:n, None] * self._base + nexts).ravel()
        passed = np.flatnonzero(self._table[self._bits(keys)])
        at = np.searchsorted(self._keys, keys[passed])
        at[at == len(self._keys)] = 0
        known = self._keys[at] == keys[passed]
        passed, at = passed[known], at[known]
        one, ahead = np.divmod(passed, MAX_PAIR_DISTANCE)
        # One row for each owner of each pair: the seeds, and where the wording would begin.
        counts = self._ends[at + 1] - self._ends[at]
        pair = np.repeat(np.arange(len(at)), counts)
        rank = np.arange(len(pair)) - np.repeat(np.cumsum(counts) - counts, counts)
        seeds, first, second = self._owners[self._ends[at][pair] + rank].T
        begins = places[one][pair]
        near = np.flatnonzero(places[one + 1 + ahead][pair] - begins <= second - first + MAX_ADDED_WORDS)
        return self._joined(seeds[near], (begins - first)[near])

    def _joined(self, seeds: Integers, begins: Integers) -> list[list[int]]:
        """Candidates that have enough pairs of one of their seeds; overlapping ones of a wording are merged."""
        keys = np.sort((seeds << _PLACE_BITS) + (begins + (1 << (_PLACE_BITS - 1))))  # a begin may be negative
        together = np.searchsorted(keys, keys + MAX_PAIR_DISTANCE, "right") - np.arange(len(keys))
        keys = keys[together >= self._min_pairs[keys >> _PLACE_BITS]]
        patterns = self._pattern[keys >> _PLACE_BITS].tolist()
        begins = (keys & ((1 << _PLACE_BITS) - 1)) - (1 << (_PLACE_BITS - 1))
        found: list[list[int]] = []
        for number, begin in sorted(zip(patterns, begins.tolist(), strict=True)):
            first, last = max(begin - MAX_ADDED_WORDS, 0), begin + self._lengths[number] + 2 * MAX_ADDED_WORDS
            if found:
                before, start, end = found[-1]
                widest = MAX_MERGED_WIDTHS * (self._lengths[number] + 3 * MAX_ADDED_WORDS)
                if before == number and first < end and last - start <= widest:
                    found[-1][2] = last
                    continue
            found.append([number, first, last])
        return found


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
    """Finds watched texts by their wordings, of at least two words each; of one if the text is ``exact``.

    ``exact`` has the numbers of the watched texts of which only unchanged uses are found.

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
        self._words: dict[str, list[int]] = {}
        for pattern in self._patterns:
            if len(pattern.words) == 1:
                self._words.setdefault(pattern.words[0], []).append(pattern.entry)
        # Made at its first use: most of a long list has none.
        self._prefilter = cache(lambda number: _Prefilter(self._patterns[number]))

    def find(self, text: str) -> list[Hit]:
        """Find all uses of the watched texts, ordered by place; of uses of one text that overlap, the best."""
        read = _Text(text)
        candidates = self._index.candidates(read.words)
        found = list(self._within_all(candidates, read)) if candidates else []
        if self._words:
            places = [at for at, word in enumerate(read.words) if word in self._words]
            found += [Hit(entry, *read.span(at), 1.0) for at in places for entry in self._words[read.words[at]]]
        return _best(found) if found else []

    def _within_all(self, candidates: Sequence[Sequence[int]], text: "_Text") -> Iterator[Hit]:
        """Uses of wordings in candidate stretches: the best one, then those before and behind it."""
        for number, begin, end in candidates:
            pattern, test = self._patterns[number], self._prefilter(number)
            waiting = [(begin, min(end, len(text.words)))]
            while waiting:
                first, last = waiting.pop()
                if not test.passes(text.words[first:last]):
                    continue
                use = judge(pattern, text.stretch(first, last))
                if use is None:
                    continue
                start, stop = first + use.first, first + use.last
                yield Hit(pattern.entry, text.span(start)[0], text.span(stop)[1], use.score, use.sure)
                waiting += [(first, start), (stop + 1, last)]


class _Text:
    """A text, and its folded words with their places."""

    def __init__(self, text: str) -> None:
        self._text, self._parts = text, split(text)
        self.words = [*map(_folded, self._parts[1::2])]

    @cached_property
    def _bounds(self) -> list[int]:
        """Where each gap and word begins, in turns, the gap before the first word first."""
        return [*accumulate(map(len, self._parts), initial=0)]

    def span(self, word: int) -> Span:
        """Place of a word in the text."""
        return self._bounds[2 * word + 1], self._bounds[2 * word + 2]

    def stretch(self, first: int, last: int) -> Stretch:
        """Words from number ``first`` to before ``last``."""
        bounds = self._bounds[2 * first : 2 * last + 2]
        gaps = [self._text[start:end] for start, end in zip(bounds[::2], bounds[1::2], strict=True)]
        is_bracketed, inside = [], False
        for gap in gaps[:-1]:
            if "[" in gap or "]" in gap:
                inside = gap.rfind("[") > gap.rfind("]")
            is_bracketed.append(inside)
        return Stretch(self.words[first:last], gaps, is_bracketed)


class _Prefilter:
    """A cheap test before the alignment: enough words unchanged, content words in order."""

    def __init__(self, pattern: Pattern) -> None:
        self._counted = [pattern.words[at] for at in (range(len(pattern.words)) if pattern.exact else pattern.content)]
        self._min_shared = len(self._counted) if pattern.exact else min_shared_words(len(self._counted))
        self._min_weight, self._weights = MIN_UNCHANGED_WEIGHT * pattern.total, defaultdict[str, float](float)
        for word, value in zip(pattern.words, pattern.weights, strict=True):
            self._weights[word] += value

    def passes(self, words: Sequence[str]) -> bool:
        """Whether a stretch of folded words has enough of the wording's, in its order."""
        if sum(map(self._weights.__getitem__, self._weights.keys() & words)) < self._min_weight:
            return False  # most stretches end here
        return LCSseq.similarity(self._counted, words) >= self._min_shared


def _best(hits: list[Hit]) -> list[Hit]:
    """Of overlapping hits of one watched text the one of the highest score, then the longest, then the first."""
    kept: dict[int, list[Hit]] = {}
    for hit in sorted(hits, key=lambda hit: (-hit.score, hit.start - hit.end, hit.start)):
        others = kept.setdefault(hit.entry, [])
        at = bisect_left(others, hit.start, key=lambda other: other.start)
        if (at == 0 or others[at - 1].end <= hit.start) and (at == len(others) or hit.end <= others[at].start):
            others.insert(at, hit)
    return sorted((hit for others in kept.values() for hit in others), key=lambda hit: (hit.start, hit.end, hit.entry))
