"""Candidates: where in a text a watched wording may be, by pairs of words (seeds). Pure numpy.

Each word of the text that is in a seed is paired with the next :data:`MAX_PAIR_DISTANCE` such words, and a table of
bits tells which pairs are seeds, at a cost that does not depend on the length of the list. A wording is a candidate if
the text has enough of its pairs (:func:`~quotelake.watch.words.seeds_of`), each with at most :data:`MAX_ADDED_WORDS`
words more between its two words than in the wording.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final

import numpy as np

from quotelake.reuse.postings import Integers
from quotelake.text.fold import fold_letters
from quotelake.watch.words import Pattern, seeds_of

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
#: Spellings in the cache.
_MEMORY: Final = 500_000


class Vocabulary(dict[str, int]):
    """Number of each word as a text has it, from 1; 0 for words that are not listed. Folds a spelling once.

    >>> vocabulary = Vocabulary(["dont", "go"])
    >>> [vocabulary[token] for token in ("Don’t", "you", "go")]
    [1, 0, 2]
    """

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__()
        self._numbers = {word: number for number, word in enumerate(words, 1)}

    def __missing__(self, token: str) -> int:
        """Look a new spelling up."""
        if len(self) >= _MEMORY:
            self.clear()
        number = self[token] = self._numbers.get(fold_letters(token), 0)
        return number


class Index:
    """An index of wordings.

    Args:
        patterns: all wordings, each of two words or more.
    """

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
        self.vocabulary = numbers = Vocabulary([*in_seeds, *sorted(used.keys() - set(in_seeds))])
        self._n_in_seeds, self._base = len(in_seeds), len(in_seeds) + 1
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

    def candidates(self, words: Sequence[int]) -> list[list[int]]:
        """Find where wordings may be in a text, given as numbers of words in :attr:`vocabulary`.

        Returns:
            Number of the wording, first word of the text that may belong to it, and one past the last, which may be
            behind the end of the text; in this order.
        """
        numbers = np.array(words, np.int64)
        places = np.flatnonzero((numbers > 0) & (numbers <= self._n_in_seeds))
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
