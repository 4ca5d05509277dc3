"""All pairs of rows of which one is followed by a range of others, some at a time, so that memory is bounded. Pure."""

from collections.abc import Iterator
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
Number = TypeVar("Number", np.int64, np.uint64)

#: Pairs looked at together: bounds memory, at some 100 bytes each.
_AT_ONCE: Final = 1 << 20


def pairs_in(begin: Integers, end: Integers) -> Iterator[tuple[Integers, Integers]]:
    """Number of each row, and those of the rows from its ``begin`` to before its ``end``, pair by pair.

    >>> [(one.tolist(), other.tolist()) for one, other in pairs_in(np.array([1, 2, 3]), np.array([3, 3, 3]))]
    [([0, 0, 1], [1, 2, 2])]
    """
    counts = np.maximum(end - begin, 0)
    before = np.concatenate([[0], np.cumsum(counts)])
    for first in range(0, int(before[-1]), _AT_ONCE):
        last = min(first + _AT_ONCE, int(before[-1]))
        rows = np.arange(np.searchsorted(before, first, "right") - 1, np.searchsorted(before, last, "left"))
        inside = np.minimum(before[rows + 1], last) - np.maximum(before[rows], first)
        one = np.repeat(rows, inside)
        yield one, begin[one] + np.arange(first, last) - before[one]


def distinct(numbers: npt.NDArray[Number]) -> npt.NDArray[Number]:
    """Each number once, ascending; several times as fast as ``np.unique``, which hashes.

    >>> distinct(np.array([3, 1, 3])).tolist(), distinct(np.array([], np.int64)).tolist()
    ([1, 3], [])
    """
    ordered = np.sort(numbers)
    first = np.ones(len(ordered), bool)
    first[1:] = ordered[1:] != ordered[:-1]
    return ordered[first]
