"""Known quotes nearest to a text by its words: an exact scan over all of them. Pure.

Let *shorter* and *longer* be the numbers of words of the two texts, and *changes* the fewest words to exchange, insert
or delete until the shorter text is a part of the longer one (:func:`fewest_changes`).
Then the wording is ``(1 - changes / shorter) · (0.8 + 0.2 · shorter / longer)``: 1 for the same words, at least .8 for
a part of a longer text.
"""

from collections.abc import Iterator, Sequence
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
#: Words are alike, and cost less to exchange, from this similarity on (1 - Levenshtein distance / longer length): one
#: letter of five. Numbers are never alike.
ALIKE: Final = 0.8

#: Symbols with a meaning of their own: a word that no other equals, a gap, and nothing. Words are numbered from 3.
OTHER, GAP, NOTHING, FIRST_WORD = range(4)
#: Candidates computed at once: enough for numpy to be busy, few enough to stay in the cache.
TOGETHER: Final = 512

Positions = npt.NDArray[np.int64]
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
    """A text as symbols, with the symbol of each word of the vocabulary and the cost of exchanging two symbols."""

    symbols: Symbols
    words: int
    vocabulary: Symbols
    costs: Floats


def size_of(text: str) -> int:
    """Words of a canonical text, gaps aside.

    >>> size_of("we … agreed to 1.5")
    4
    """
    return sum(word != GAP_WORD for word in text.split(" "))


class Wordings:
    """Known texts, each as numbers of its words.

    Args:
        texts: canonical texts, none empty.
        groups: number of the group of each text, from 0; without it each text is a group.
    """

    def __init__(self, texts: Sequence[str], groups: npt.NDArray[np.int64] | None = None) -> None:
        split = pc.split_pattern(pa.array(texts, pa.large_string()), " ")
        numbered = split.flatten().dictionary_encode()
        self._codes = np.asarray(numbered.indices, dtype=np.int32)
        self._starts = np.asarray(split.offsets, dtype=np.int64)
        self._owner = np.repeat(np.arange(len(texts)), np.diff(self._starts))
        self._vocabulary: list[str] = numbered.dictionary.to_pylist()
        self._numbers = np.asarray(pc.match_substring_regex(numbered.dictionary, r"\d").to_numpy(zero_copy_only=False))
        self._gap = self._vocabulary.index(GAP_WORD) if GAP_WORD in self._vocabulary else -1
        self._groups = np.arange(len(texts)) if groups is None else groups
        gaps = np.bincount(self._owner[self._codes == self._gap], minlength=len(texts))
        self._words = np.diff(self._starts) - gaps

    def nearest(self, text: str, least: float, most: int) -> list[Near]:
        """Texts whose wording is at least ``least``, best first; among them those of the ``most`` best groups.

        Texts with equal wording are in their given order. Nothing that belongs to a better group is left out.
        """
        query = self._query(text)
        bounds = self._bounds(query)
        order = np.argsort(-bounds, kind="stable")
        order = order[: np.searchsorted(-bounds[order], -least, side="right")]
        found: list[Near] = []
        best: dict[int, float] = {}
        for start in range(0, len(order), TOGETHER):
            # A candidate's wording is at most its bound, and bounds descend.
            beaten = float(bounds[order[start]])
            if sum(wording > beaten for wording in best.values()) >= most:
                break
            for near in self._measured(query, order[start : start + TOGETHER]):
                if near.wording >= least:
                    found.append(near)
                    group = int(self._groups[near.position])
                    best[group] = max(best.get(group, 0.0), near.wording)
        return sorted(found, key=lambda near: (-near.wording, near.position))

    def measure(self, text: str, positions: Sequence[int]) -> list[Near]:
        """Compare a text with given known ones, in their order."""
        return list(self._measured(self._query(text), np.asarray(positions, dtype=np.int64)))

    def _query(self, text: str) -> Query:
        words = text.split(" ")
        asked = [word for word in dict.fromkeys(words) if word != GAP_WORD]
        similar: Floats = cdist(
            asked, self._vocabulary, scorer=Levenshtein.normalized_similarity, score_cutoff=ALIKE, dtype=np.float32
        )
        digits = np.array([any(map(str.isdigit, word)) for word in asked], dtype=bool)
        similar[(digits[:, None] | self._numbers) & (similar < 1)] = 0
        if self._gap >= 0:
            similar[:, self._gap] = 0
        alike = np.flatnonzero(similar.any(axis=0))
        vocabulary = np.full(len(self._vocabulary), OTHER, dtype=np.int32)
        vocabulary[alike] = FIRST_WORD + np.arange(len(alike))
        if self._gap >= 0:
            vocabulary[self._gap] = GAP
        first = FIRST_WORD + len(alike)
        costs = np.ones((first + len(asked),) * 2, dtype=np.float32)
        costs[first:, FIRST_WORD:first] = 1 - similar[:, alike]
        costs = np.minimum(costs, costs.T)
        symbol_of = {GAP_WORD: GAP, **{word: first + number for number, word in enumerate(asked)}}
        symbols = np.array([[symbol_of[word] for word in words]], dtype=np.int32)
        return Query(symbols, size_of(text), vocabulary, costs)

    def _bounds(self, query: Query) -> npt.NDArray[np.float64]:
        """Wording that each text has at most: by the words it shares with the query, whatever their order."""
        number, first = len(self._words), len(query.costs)
        symbols = query.vocabulary[self._codes]
        shared = np.flatnonzero(symbols >= FIRST_WORD)
        owner, symbols = self._owner[shared], symbols[shared]
        its_words = np.bincount(owner, minlength=number)
        asked_words = np.zeros(number)
        asked, times = np.unique(query.symbols[query.symbols >= FIRST_WORD], return_counts=True)
        for symbol, count in zip(asked, times, strict=True):
            holds = np.zeros(number, dtype=bool)
            holds[owner[(query.costs[symbol, :first] < 1)[symbols]]] = True
            asked_words += count * holds
        shorter = np.minimum(self._words, query.words)
        bounds = np.minimum(np.minimum(its_words, asked_words), shorter) / shorter * self._closeness(query, slice(None))
        bounds[self._words < min(LEAST_WORDS, query.words)] = 0
        return bounds

    def _closeness(self, query: Query, which: slice | Positions) -> npt.NDArray[np.float64]:
        words = self._words[which]
        return PART + (1 - PART) * np.minimum(words, query.words) / np.maximum(words, query.words)

    def _measured(self, query: Query, positions: Positions) -> Iterator[Near]:
        longer = self._words[positions] >= query.words
        changes = np.zeros(len(positions), dtype=np.float64)
        for which, inside in ((longer, True), (~longer, False)):
            known = self._symbols(query, positions[which])
            if known.size:
                pair = (query.symbols, known) if inside else (known, query.symbols)
                changes[which] = fewest_changes(*pair, query.costs)
        shorter = np.minimum(self._words[positions], query.words)
        wording = (1 - changes / shorter) * self._closeness(query, positions)
        for position, score, cost in zip(positions, wording, changes, strict=True):
            yield Near(int(position), float(score), float(cost))

    def _symbols(self, query: Query, positions: Positions) -> Symbols:
        """Symbols of some texts, one a row."""
        lengths = self._starts[positions + 1] - self._starts[positions]
        rows = np.full((len(positions), int(lengths.max(initial=0))), NOTHING, dtype=np.int32)
        for row, position, length in zip(rows, positions, lengths, strict=True):
            row[:length] = query.vocabulary[self._codes[self._starts[position] : self._starts[position] + length]]
        return rows


def fewest_changes(shorter: Symbols, longer: Symbols, costs: Floats) -> Floats:
    """Fewest words to exchange, insert or delete until each shorter text is a part of its longer one.

    The recurrence is that of Sellers 1980 (*The theory and computation of evolutionary distances*): the shorter text
    may begin and end anywhere in the longer one. A gap, where a writer left words out, may stand for any words.

    Args:
        shorter: symbols of the texts, shape (n, a) or (1, a), filled up with :data:`NOTHING`.
        longer: the same, shape (n, b) or (1, b).
        costs: cost of exchanging two symbols, 0 to 1, square. A word left out or inserted costs 1. A gap costs nothing;
            a gap of the shorter text may also stand for any words of the longer one.

    Returns:
        Cost per pair, shape (n,).

    >>> costs = 1 - np.eye(9, dtype=np.float32)
    >>> inside = np.array([[3, 4, 5, 6, 7, 8]], dtype=np.int32)
    >>> parts = np.array([[4, 5, 6], [4, 8, 6], [3, GAP, 7]], dtype=np.int32)
    >>> fewest_changes(parts, inside, costs).tolist()
    [0.0, 1.0, 0.0]
    """
    number = max(len(shorter), len(longer))
    width = longer.shape[1]
    # steps[:, j]: cost of inserting the first j words of the longer text.
    steps = np.zeros((len(longer), width + 1), dtype=np.float32)
    np.cumsum(longer != GAP, axis=1, out=steps[:, 1:])
    best = np.zeros((number, width + 1), dtype=np.float32)
    for column in range(shorter.shape[1]):
        symbol = shorter[:, column, None]
        after = np.empty_like(best)
        after[:, :1] = best[:, :1] + 1
        after[:, 1:] = np.minimum(best[:, :-1] + costs[symbol, longer], best[:, 1:] + 1)
        after = steps + np.minimum.accumulate(after - steps, axis=1)
        skipped = np.minimum.accumulate(best, axis=1)
        best = np.where(symbol == NOTHING, best, np.where(symbol == GAP, skipped, after))
    least: Floats = best.min(axis=1)
    return least
