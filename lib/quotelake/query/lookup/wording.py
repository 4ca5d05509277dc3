"""Known quotes nearest to a text by its words: an exact scan over all of them. Pure.

Let *shorter* and *longer* be the numbers of words of the two texts, and *changes* the fewest words to exchange, insert
or delete until the shorter text is a part of the longer one (:func:`fewest_changes`).
Then the wording is ``(1 - changes / shorter) · (0.8 + 0.2 · shorter / longer)``: 1 for the same words, at least .8 for
a part of a longer text.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from quotelake.quotes.keys import GAP as GAP_WORD

#: Wording of a part of an endlessly longer text. Below 1, so that of two quotes with all words the closer one leads.
PART: Final = 0.8
#: A known quote with fewer words counts only if it has as many as the text: one or two words are part of any text.
LEAST_WORDS: Final = 4
#: Words are alike, and cost less to exchange, up to this Levenshtein distance / longer length: less than one letter of
#: five. Numbers are never alike.
ALIKE: Final = 0.199
#: Symbols: a gap, nothing, and behind them the words.
GAP, NOTHING, FIRST_WORD = range(3)
#: Candidates computed at once: enough for numpy to be busy, few enough to stay in the cache.
TOGETHER: Final = 512

Symbols = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]


class Near(NamedTuple):
    """A known text near to another one."""

    position: int
    """Its place among the known texts."""
    wording: float
    """0 to 1, see the module."""
    changes: float
    """Words to change until the shorter one is a part of the longer one; alike words count as part of a word."""


class Query(NamedTuple):
    """A text as symbols, one row, and the cost of exchanging each of its symbols (rows) for each known one."""

    words: int
    symbols: Symbols
    costs: Floats


def size_of(text: str) -> int:
    """Words of a canonical text, gaps aside.

    >>> size_of("we … agreed to 1.5")
    4
    """
    return sum(word != GAP_WORD for word in text.split(" "))


class Wordings:
    """Known texts, each as symbols of its words.

    Args:
        texts: canonical texts, none empty.
        groups: number of the group of each text.
    """

    def __init__(self, texts: Sequence[str], groups: npt.NDArray[np.int64]) -> None:
        split = pc.split_pattern(pa.array(texts, pa.large_string()), " ")
        words = pa.concat_arrays([pa.array([GAP_WORD, ""], pa.large_string()), split.flatten()]).dictionary_encode()
        self._vocabulary: list[str] = words.dictionary.to_pylist()
        self._numbers = np.asarray(pc.match_substring_regex(words.dictionary, r"\d").to_numpy(zero_copy_only=False))
        self._symbols = np.asarray(words.indices, dtype=np.int32)[FIRST_WORD:]
        self._starts = np.asarray(split.offsets, dtype=np.int64)
        self._owner = np.repeat(np.arange(len(texts)), np.diff(self._starts))
        self._words = np.bincount(self._owner[self._symbols != GAP], minlength=len(texts))
        self._groups = groups

    def nearest(self, text: str, least: float, most: int) -> list[Near]:
        """Texts of the ``most`` best groups whose wording is at least ``least``, best first, else in their order."""
        query = self._query(text)
        bounds = self._bounds(query)
        order = np.argsort(-bounds, kind="stable")
        order = order[: np.searchsorted(-bounds[order], -least, side="right")]
        found: list[Near] = []
        best: dict[int, float] = {}
        for start in range(0, len(order), TOGETHER):
            # A candidate's wording is at most its bound, and bounds descend.
            if sum(wording > bounds[order[start]] for wording in best.values()) >= most:
                break
            for near in self._measured(query, order[start : start + TOGETHER]):
                if near.wording >= least:
                    found.append(near)
                    group = int(self._groups[near.position])
                    best[group] = max(best.get(group, 0.0), near.wording)
        found.sort(key=lambda near: (-near.wording, near.position))
        first = list(dict.fromkeys(self._groups[near.position] for near in found))[:most]
        return [near for near in found if self._groups[near.position] in first]

    def measure(self, text: str, positions: Sequence[int]) -> list[Near]:
        """Compare a text with given known ones, in their order."""
        return self._measured(self._query(text), np.asarray(positions, dtype=np.int64))

    def _query(self, text: str) -> Query:
        words = text.split(" ")
        row_of = {word: row for row, word in enumerate(dict.fromkeys([GAP_WORD, "", *words]))}
        scorer = Levenshtein.normalized_distance
        costs: Floats = cdist(list(row_of), self._vocabulary, scorer=scorer, score_cutoff=ALIKE, dtype=np.float32)
        digits = np.array([any(map(str.isdigit, word)) for word in row_of])
        costs[(digits[:, None] | self._numbers) & (costs > 0)] = 1
        costs[:FIRST_WORD] = costs[:, :FIRST_WORD] = 1
        return Query(size_of(text), np.array([[row_of[word] for word in words]], dtype=np.int32), costs)

    def _bounds(self, query: Query) -> npt.NDArray[np.float64]:
        """Wording that each text has at most: by the words it shares with the query, whatever their order."""
        number = len(self._words)
        alike: npt.NDArray[np.bool_] = query.costs.min(axis=0) < 1
        shared = np.flatnonzero(alike[self._symbols])
        owner, symbols = self._owner[shared], self._symbols[shared]
        asked_words = np.zeros(number)
        asked, times = np.unique(query.symbols[query.symbols >= FIRST_WORD], return_counts=True)
        for symbol, count in zip(asked, times, strict=True):
            holds = np.zeros(number, dtype=bool)
            holds[owner[(query.costs[symbol] < 1)[symbols]]] = True
            asked_words += count * holds
        shorter = np.minimum(self._words, query.words)
        equal = np.minimum(np.minimum(np.bincount(owner, minlength=number), asked_words), shorter)
        bounds = _wording(shorter - equal, self._words, query.words)
        bounds[self._words < min(LEAST_WORDS, query.words)] = 0
        return bounds

    def _measured(self, query: Query, positions: npt.NDArray[np.int64]) -> list[Near]:
        words = self._words[positions]
        changes = np.zeros(len(positions))
        for which, is_longer in ((words >= query.words, True), (words < query.words, False)):
            starts, ends = self._starts[positions[which]], self._starts[positions[which] + 1]
            known = np.full((len(starts), int((ends - starts).max(initial=0))), NOTHING, dtype=np.int32)
            for row, start, end in zip(known, starts, ends, strict=True):
                row[: end - start] = self._symbols[start:end]
            if known.size and is_longer:
                changes[which] = fewest_changes(query.symbols, known, query.costs)
            elif known.size:
                changes[which] = fewest_changes(known, query.symbols, query.costs.T)
        wording = _wording(changes, words, query.words)
        return [Near(*each) for each in zip(positions.tolist(), wording.tolist(), changes.tolist(), strict=True)]


def _wording(changes: npt.NDArray[np.float64], words: npt.NDArray[np.int64], asked: int) -> npt.NDArray[np.float64]:
    """Wording of texts of so many words, by the changes between each and a text of ``asked`` words."""
    shorter = np.minimum(words, asked)
    return (1 - changes / shorter) * (PART + (1 - PART) * shorter / np.maximum(words, asked))


def fewest_changes(shorter: Symbols, longer: Symbols, costs: Floats) -> Floats:
    """Fewest words to exchange, insert or delete until each shorter text is a part of its longer one.

    The recurrence is that of Sellers 1980 (*The theory and computation of evolutionary distances*): the shorter text
    may begin and end anywhere in the longer one. A gap, where a writer left words out, may stand for any words.

    Args:
        shorter: symbols of the texts, shape (n, a) or (1, a), filled up with :data:`NOTHING`.
        longer: the same, shape (n, b) or (1, b).
        costs: cost of exchanging a symbol of a shorter text (row) for one of a longer text, 0 to 1. A word left out or
            inserted costs 1. A gap costs nothing; a gap of the shorter text may also stand for any words.

    Returns:
        Cost per pair, shape (n,).

    >>> costs = 1 - np.eye(9, dtype=np.float32)
    >>> inside = np.array([[3, 4, 5, 6, 7, 8]], dtype=np.int32)
    >>> parts = np.array([[4, 5, 6], [4, 8, 6], [3, GAP, 7]], dtype=np.int32)
    >>> fewest_changes(parts, inside, costs).tolist()
    [0.0, 1.0, 0.0]
    """
    # steps[:, j]: cost of inserting the first j words of the longer text.
    steps = np.zeros((len(longer), longer.shape[1] + 1), dtype=np.float32)
    np.cumsum(longer != GAP, axis=1, out=steps[:, 1:])
    best = np.zeros((max(len(shorter), len(longer)), steps.shape[1]), dtype=np.float32)
    for symbol in shorter.T[:, :, None]:
        after = np.empty_like(best)
        after[:, :1] = best[:, :1] + 1
        after[:, 1:] = np.minimum(best[:, :-1] + costs[symbol, longer], best[:, 1:] + 1)
        after = steps + np.minimum.accumulate(after - steps, axis=1)
        skipped = np.minimum.accumulate(best, axis=1)
        best = np.where(symbol == NOTHING, best, np.where(symbol == GAP, skipped, after))
    least: Floats = best.min(axis=1)
    return least
