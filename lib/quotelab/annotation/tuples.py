"""The design of best-worst scaling (Louviere and Woodworth 1991): items dealt into 4-tuples."""

import random
from collections.abc import Mapping, Sequence
from typing import Final

from quotelab.protocols.bws import SIZE

TIMES: Final = 8  # tuples an item stands in, Abdalla et al. 2023, §3.2: twice as many tuples as items
#: Waiting items looked at for one that met none of its tuple before.
_AHEAD: Final = 64


def design(items: Sequence[str], times: int = TIMES, seed: int = 0) -> list[tuple[str, ...]]:
    """Put each item into about ``times`` 4-tuples, so that two items meet at most once where that is possible.

    Items are dealt from ``times`` shuffled rounds; the last ones, too few for a tuple, may stand in one tuple less. The
    same items and seed give the same tuples.

    Raises:
        ValueError: fewer than four items, or one twice.

    >>> tuples = design([f"i{n}" for n in range(100)])
    >>> len(tuples), {sum(item in each for each in tuples) for item in ("i0", "i50")}
    (200, {8})
    """
    if len(items) < SIZE or len(set(items)) < len(items):
        raise ValueError(f"a tuple needs {SIZE} different items, got {len(set(items))} in {len(items)}")
    drawn = random.Random(seed)
    waiting = [item for _ in range(times) for item in drawn.sample(items, len(items))]
    met: dict[str, set[str]] = {item: set() for item in items}
    tuples: list[tuple[str, ...]] = []
    while len(chosen := _take(waiting, met)) == SIZE:
        for item in chosen:
            met[item].update(chosen)
        tuples.append(tuple(drawn.sample(chosen, SIZE)))
    return tuples


def _take(waiting: list[str], met: Mapping[str, set[str]]) -> list[str]:
    """Take different items from the front: first those that met none of the tuple, then others."""
    chosen: list[str] = []
    for strangers in (True, False):
        place = 0
        while len(chosen) < SIZE and place < min(len(waiting), _AHEAD):
            item = waiting[place]
            if item in chosen or (strangers and any(item in met[other] for other in chosen)):
                place += 1
            else:
                chosen.append(waiting.pop(place))
    return chosen
