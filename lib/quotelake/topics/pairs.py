"""Pairs of contexts of a group, with how related their topics are (TRiC, Periti et al. 2024, §4). Pure: no Spark."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from quotelake.topics.variation import Floats

SAME, UNCLEAR, DIFFERENT = "same", "unclear", "different"
#: Odd multipliers of SplitMix64 (Steele, Lea and Flood 2014), which spread the bits of the pair's hashes.
_MIX: Final = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)

Words = npt.NDArray[np.uint64]


class Thresholds(NamedTuple):
    """From which score on a pair has the same topic, and below which it has different ones; between them: unclear."""

    same: float
    different: float

    def label(self, score: float) -> str:
        """Label of a score.

        >>> [Thresholds(0.5, 0.3).label(score) for score in (0.5, 0.4, 0.2)]
        ['same', 'unclear', 'different']
        """
        return SAME if score >= self.same else DIFFERENT if score < self.different else UNCLEAR


class Pair(NamedTuple):
    """Two contexts, by their rows, the one with the lesser hash first, and their cosine."""

    first: int
    second: int
    cosine: float


def choose_pairs(hashes: Sequence[str], most: int) -> list[tuple[int, int]]:
    """All pairs of contexts if they are at most ``most``, else that many by hash: the same in any order of arrival.

    Args:
        hashes: hexadecimal hash of each context, in ascending order.
        most: pairs wanted.

    >>> choose_pairs(["0" * 32, "1" * 32, "2" * 32], 5)
    [(0, 1), (0, 2), (1, 2)]
    >>> len(choose_pairs([f"{n:032x}" for n in range(99)], 50))
    50
    """
    first, second = np.triu_indices(len(hashes), 1)
    if len(first) > most:
        beginnings = np.array([int(each[:16], 16) for each in hashes], dtype=np.uint64)
        mixed = _mixed(_mixed(beginnings)[first] ^ beginnings[second])
        chosen = np.sort(np.lexsort((second, first, mixed))[:most])
        first, second = first[chosen], second[chosen]
    return [(int(a), int(b)) for a, b in zip(first, second, strict=True)]


def related(vectors: Floats, pairs: Sequence[tuple[int, int]]) -> list[Pair]:
    """Cosine of each pair, rounded to 9 places: -1 to 1.

    Args:
        vectors: (n, d) unit norm.
        pairs: rows of their contexts.
    """
    if not pairs:
        return []
    first, second = np.array(pairs).T
    cosines = np.round((vectors[first] * vectors[second]).sum(axis=1), 9)
    return [Pair(a, b, float(cosine)) for (a, b), cosine in zip(pairs, cosines, strict=True)]


def _mixed(words: Words) -> Words:
    for multiplier in _MIX:
        words = (words ^ (words >> np.uint64(30))) * np.uint64(multiplier)
    return words ^ (words >> np.uint64(31))
