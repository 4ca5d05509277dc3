"""How many words must change until one text stands inside another: an edit distance over words. Pure.

The recurrence is that of Sellers 1980 (*The theory and computation of evolutionary distances*): the shorter text may
begin and end anywhere in the longer one. A gap, where a writer left words out, may stand for any words.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

Symbols = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]

#: Symbols with a meaning of their own: a word that no other equals, a gap, and nothing. Words are numbered from 3.
OTHER, GAP, NOTHING, FIRST_WORD = range(4)
#: Candidates computed at once: enough for numpy to be busy, few enough to stay in the cache.
TOGETHER: Final = 512


def fewest_changes(shorter: Symbols, longer: Symbols, costs: Floats) -> Floats:
    """Fewest words to exchange, insert or delete until each shorter text is a part of its longer one.

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
