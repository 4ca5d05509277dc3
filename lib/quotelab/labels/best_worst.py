"""Best-worst scaling (Louviere and Woodworth 1991): annotations of 4-tuples, and the design of the tuples. No Spark.

An annotator who is shown four items names the best and the worst, such as the most and the least related pair of
sentences (Abdalla et al. 2023, §3).
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from quotelab.labels.tables import table_rows
from quotelake.files.jsonl import refuse

ITEM_COLUMNS: Final = ("Item1", "Item2", "Item3", "Item4")
CHOICES: Final = ("BestItem", "WorstItem")
SIZE: Final = len(ITEM_COLUMNS)
TIMES: Final = 8  # tuples an item stands in, Abdalla et al. 2023, §3.2: twice as many tuples as items
#: Waiting items looked at for one that met none of its tuple before.
_AHEAD: Final = 64


@dataclass(frozen=True, slots=True)
class Choice:
    """One annotator's choice of the best and the worst of four different items."""

    items: tuple[str, ...]
    best: str
    worst: str


def read_choices(paths: Iterable[Path]) -> tuple[list[Choice], int]:
    """Read annotations: a row for each tuple and annotator, with the columns Item1 to Item4, BestItem, WorstItem.

    An answer is an item, or the name of its column.

    Returns:
        The choices, and the number of rows left out because best or worst is empty or both are the same.

    Raises:
        InputError: a file cannot be read, a tuple has not four different items, or a choice is none of them; it names
            file and line.
    """
    choices: list[Choice] = []
    left_out = 0
    for path in paths:
        for place, row in table_rows(path, (*ITEM_COLUMNS, *CHOICES)):
            items = tuple(row[name].strip() for name in ITEM_COLUMNS)
            best, worst = (_item(row, row[name].strip(), items) for name in CHOICES)
            if len(set(items)) < SIZE or not all(items):
                refuse(place, f"the items {', '.join(items)}", "give four different ones")
            if not best or not worst or best == worst:
                left_out += 1
                continue
            for name, chosen in zip(CHOICES, (best, worst), strict=True):
                if chosen not in items:
                    refuse(place, f"{name} {chosen!r}", "name an item of the row")
            choices.append(Choice(items, best, worst))
    return choices, left_out


def _item(row: Mapping[str, str], chosen: str, items: Sequence[str]) -> str:
    """An answer, or the item of the column that it names."""
    columns = {name.casefold(): name for name in ITEM_COLUMNS}
    named = columns.get(chosen.casefold())
    return row[named].strip() if named and chosen not in items else chosen


def design(items: Sequence[str], times: int = TIMES, seed: int = 0) -> list[tuple[str, ...]]:
    """Put each item into about ``times`` 4-tuples, so that two items meet at most once where that is possible.

    Items are dealt from ``times`` shuffled rounds; the last ones, too few for a tuple, may stand in one tuple less.

    Args:
        items: at least four different ones.
        times: tuples an item stands in.
        seed: of the shuffles; the same items and seed give the same tuples.

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
