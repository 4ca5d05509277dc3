"""Protocol ``bws``: scores of best-worst scaling, and how reliable they are (Abdalla et al. 2023, §3).

An annotator who is shown four items names the best and the worst, such as the most and the least related pair of
sentences (Louviere and Woodworth 1991).
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from quotelab.labels.tables import table_rows
from quotelab.labels.texts import find_paths
from quotelab.report import Report
from quotelab.statistics import Numbers, Places, spearman
from quotelake.files.jsonl import refuse

ITEM_COLUMNS: Final = ("Item1", "Item2", "Item3", "Item4")
CHOICES: Final = ("BestItem", "WorstItem")
SIZE: Final = len(ITEM_COLUMNS)
REPETITIONS: Final = 1000  # Abdalla et al. 2023, §3.3


class Choice(NamedTuple):
    """One annotator's choice of the best and the worst of four different items."""

    items: tuple[str, ...]
    best: str
    worst: str


def read_choices(paths: Iterable[Path]) -> tuple[list[Choice], int]:
    """Read annotations: a row for each tuple and annotator, with the columns Item1 to Item4, BestItem, WorstItem.

    An answer is an item, or the name of its column. Beside the choices the number of rows is returned that were left
    out because best or worst is empty or both are the same.
    """
    choices: list[Choice] = []
    left_out = 0
    for path in paths:
        for place, row in table_rows(path, (*ITEM_COLUMNS, *CHOICES)):
            items = tuple(row[name].strip() for name in ITEM_COLUMNS)
            if len(set(items)) < SIZE or not all(items):
                refuse(place, f"the items {', '.join(items)}", "give four different ones")
            named = {name.casefold(): item for name, item in zip(ITEM_COLUMNS, items, strict=True)}
            given = (row[name].strip() for name in CHOICES)
            best, worst = (each if each in items else named.get(each.casefold(), each) for each in given)
            if not best or not worst or best == worst:
                left_out += 1
                continue
            for name, chosen in zip(CHOICES, (best, worst), strict=True):
                if chosen not in items:
                    refuse(place, f"{name} {chosen!r}", "name an item of the row")
            choices.append(Choice(items, best, worst))
    return choices, left_out


class Tally:
    """Choices as arrays: the items that each shows (choices, 4), its best and worst, and its tuple, 0 to n - 1.

    Arrays hold places in the sorted ``items``. The same four items in any order are one tuple.
    """

    def __init__(self, choices: Sequence[Choice]) -> None:
        self.items = sorted({item for choice in choices for item in choice.items})
        place = {item: number for number, item in enumerate(self.items)}
        self.shown: Places = np.array([[place[item] for item in choice.items] for choice in choices], dtype=np.int64)
        self.best: Places = np.array([place[choice.best] for choice in choices], dtype=np.int64)
        self.worst: Places = np.array([place[choice.worst] for choice in choices], dtype=np.int64)
        self.tuples: Places = np.unique(np.sort(self.shown, axis=1), axis=0, return_inverse=True)[1].ravel()

    def counts(self, taken: npt.NDArray[np.bool_] | slice = slice(None)) -> tuple[Places, Places, Places]:
        """How often each item is best, worst and shown among the choices taken."""
        best, worst, shown = (
            np.bincount(places[taken].ravel(), minlength=len(self.items))
            for places in (self.best, self.worst, self.shown)
        )
        return best, worst, shown

    def scores(self, taken: npt.NDArray[np.bool_] | slice = slice(None)) -> Numbers:
        """Score of each item: (best - worst) / shown, mapped linearly from [-1, 1] to [0, 1]; NaN if never shown."""
        best, worst, shown = self.counts(taken)
        with np.errstate(invalid="ignore"):
            found: Numbers = ((best - worst) / shown + 1) / 2
        return found


def split_half(tally: Tally, repetitions: int = REPETITIONS) -> Numbers:
    """Spearman correlation of the scores of two random halves, once per repetition; NaN where those of one are equal.

    In each repetition the choices of every tuple are shuffled and dealt to two halves. Items that a half never shows do
    not count in that repetition.
    """
    drawn = np.random.default_rng(0)
    sizes = np.bincount(tally.tuples)
    starts = np.cumsum(sizes) - sizes
    within = np.arange(len(tally.tuples)) - np.repeat(starts, sizes)
    first = np.empty(len(tally.tuples), dtype=bool)
    found = np.empty(repetitions)
    for repetition in range(repetitions):
        order = np.lexsort((drawn.random(len(tally.tuples)), tally.tuples))
        first[order] = (within + np.repeat(drawn.integers(0, 2, len(sizes)), sizes)) % 2 == 0
        halves = tally.scores(first), tally.scores(~first)
        both = np.isfinite(halves[0]) & np.isfinite(halves[1])
        found[repetition] = spearman(*(half[both] for half in halves))
    return found


def evaluate(data: Sequence[str]) -> Report:
    """Score the items of annotated tuples, and measure split-half reliability; a row of the report is an item."""
    choices, left_out = read_choices(find_paths(data, "--data"))
    if not choices:
        refuse(", ".join(data), "no choice", "give tuples with BestItem and WorstItem")
    tally = Tally(choices)
    reliability = split_half(tally)
    reliability = reliability[np.isfinite(reliability)]
    tuples = int(tally.tuples.max()) + 1
    figures: dict[str, float] = {
        "choices": len(choices),
        "choices_left_out": left_out,
        "tuples": tuples,
        "items": len(tally.items),
        "choices_per_tuple": len(choices) / tuples,
        "tuples_per_item": SIZE * tuples / len(tally.items),
        "repetitions": REPETITIONS,
        "split_half": float(reliability.mean()) if len(reliability) else float("nan"),
        "split_half_sd": float(reliability.std()) if len(reliability) else float("nan"),
    }
    columns = zip(tally.items, *(each.tolist() for each in (tally.scores(), *tally.counts())), strict=True)
    names = ("item", "score", "best", "worst", "shown")
    return Report("bws", figures, [dict(zip(names, row, strict=True)) for row in columns])
