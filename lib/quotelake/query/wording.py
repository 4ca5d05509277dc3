"""Known quotes nearest to a text by their words: an exact scan over all of them. Pure.

Let *shorter* and *longer* be the numbers of words of the two texts, and *changes* the fewest words to exchange, insert
or delete until the shorter text is a part of the longer one. Then the wording is
``(1 - changes / shorter) · (0.8 + 0.2 · shorter / longer)``: 1 for the same words, at least .8 for a part.
"""

import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist
from scipy.sparse import csr_array

from quotelake.quotes.keys import GAP

#: Wording of a part of an endlessly longer text. Below 1, so that of two quotes with all words the closer one leads.
PART: Final = 0.8
#: A known quote with fewer words counts only if it has as many as the text: one or two words are part of any text.
MIN_WORDS: Final = 4
#: Words are alike, and cost less to exchange, up to this Levenshtein distance / longer length: less than one letter of
#: five. Different numbers are never alike.
ALIKE: Final = 0.199
_DIGIT: Final = re.compile(r"\d")

Floats = npt.NDArray[np.float32]


class WordingMatch(NamedTuple):
    """A known text near to another one."""

    position: int  #: its place among the known texts
    wording: float  #: 0 to 1, see the module
    changes: float  #: words to change until the shorter one is a part of the longer one; alike words count as a part


def count_canonical_words(text: str) -> int:
    """Words of a canonical text, gaps aside."""
    return sum(word != GAP for word in text.split(" "))


class Wordings:
    """Known texts, canonical and none empty, with the words of each."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        split = pc.split_pattern(pa.array(texts, pa.large_string()), " ")
        words = split.flatten().dictionary_encode()
        self._vocabulary: list[str] = words.dictionary.to_pylist()
        owners = np.repeat(np.arange(len(texts)), np.diff(split.offsets))
        # Occurrences of each word (row) in each text (column).
        self._counts = csr_array(
            (np.ones(len(owners), np.float32), (np.asarray(words.indices), owners)),
            shape=(len(self._vocabulary), len(texts)),
        )
        self._sizes = np.array([count_canonical_words(text) for text in texts])

    def near(self, text: str, min_wording: float) -> list[WordingMatch]:
        """Every text whose wording is at least ``min_wording``, by position."""
        close = np.flatnonzero(self._bounds(text) >= min_wording).tolist()
        return [match for match in self.measure(text, close) if match.wording >= min_wording]

    def measure(self, text: str, positions: Sequence[int]) -> list[WordingMatch]:
        """Compare a text with given known ones, in their order."""
        words, size = text.split(" "), count_canonical_words(text)
        found = []
        for position in positions:
            known, known_size = self._texts[position].split(" "), self._sizes[position]
            changes = fewest_changes(known, words) if known_size < size else fewest_changes(words, known)
            found.append(WordingMatch(position, float(_wording(changes, known_size, size)), changes))
        return found

    def _bounds(self, text: str) -> npt.NDArray[np.float64]:
        """Wording that each text has at most: by the words it shares with the text, whatever their order."""
        words, times = np.unique([word for word in text.split(" ") if word != GAP], return_counts=True)
        size = times.sum()
        is_alike = csr_array(exchange_costs(words.tolist(), self._vocabulary) < 1, dtype=np.float32)
        # Words of the text for which each known one has the same or a like one, and the other way round.
        shared = times @ ((is_alike @ self._counts) > 0)
        shared_of_known = (is_alike.max(axis=0) @ self._counts).toarray()
        shorter = np.minimum(self._sizes, size)
        bounds: npt.NDArray[np.float64] = _wording(
            shorter - np.minimum.reduce([shared, shared_of_known, shorter]), self._sizes, size
        )
        bounds[self._sizes < min(MIN_WORDS, size)] = 0
        return bounds


def _wording(changes: Any, size: Any, other: Any) -> Any:
    """Wording of texts of these numbers of words by the changes between them."""
    shorter = np.minimum(size, other)
    return (1 - changes / shorter) * (PART + (1 - PART) * shorter / np.maximum(size, other))


def exchange_costs(words: Sequence[str], others: Sequence[str]) -> Floats:
    """Cost of exchanging each word (row) for each other one (column): 0 if equal, below 1 if alike, else 1.

    >>> exchange_costs(["councils", "12,000"], ["council", "12,000", "13,000"]).tolist()
    [[0.125, 1.0, 1.0], [1.0, 0.0, 1.0]]
    """
    scorer = Levenshtein.normalized_distance
    costs: Floats = cdist(words, others, scorer=scorer, score_cutoff=ALIKE, dtype=np.float32)
    for row, column in zip(*np.nonzero((costs > 0) & (costs < 1)), strict=True):
        if _DIGIT.search(words[row]) or _DIGIT.search(others[column]):
            costs[row, column] = 1
    return costs


def fewest_changes(shorter: Sequence[str], longer: Sequence[str]) -> float:
    """Fewest words to exchange, insert or delete until the shorter text is a part of the longer one.

    The recurrence is that of Sellers 1980 (*The theory and computation of evolutionary distances*): the shorter text
    may begin and end anywhere in the longer one. A gap, where a writer left words out, costs nothing; one of the
    shorter text may stand for any words.

    >>> longer = "we will rebuild the bridge by may".split()
    >>> [fewest_changes(part.split(), longer) for part in ("rebuild the bridge", "the new bridge", "we … bridge")]
    [0.0, 1.0, 0.0]
    """
    costs = exchange_costs(shorter, longer)
    inserted = np.cumsum([0, *(word != GAP for word in longer)], dtype=np.float32)
    best = np.zeros(len(longer) + 1, np.float32)  # cost so far if the longer text is used up to each of its words
    for word, exchanged in zip(shorter, costs, strict=True):
        if word == GAP:
            best = np.minimum.accumulate(best)
            continue
        after = best + 1
        after[1:] = np.minimum(after[1:], best[:-1] + exchanged)
        best = inserted + np.minimum.accumulate(after - inserted)
    return float(best.min())
