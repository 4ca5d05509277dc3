"""Two groupings of the same items compared: the labelled one and the found one.

All figures come from the contingency table, which counts the items of each pair of a labelled and a found group. It has
at most as many cells as there are items, so no pair of items is ever enumerated.
"""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from quotelab.statistics import Counts

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Table:
    """Contingency table of labelled and found groups. Grain of the arrays: a cell that holds an item.

    Attributes:
        labelled: number of the labelled group, from 0 in the order of first items.
        found: number of the found group, likewise.
        items: items in both, at least 1.
        first: place of the first of them among all items.
        cell: grain: an item; place of its cell in the other arrays.
    """

    labelled: Integers
    found: Integers
    items: Integers
    first: Integers
    cell: Integers

    @property
    def sizes(self) -> tuple[Integers, Integers]:
        """Items of each labelled group, and of each found group."""
        labelled, found = np.bincount(self.labelled[self.cell]), np.bincount(self.found[self.cell])
        return labelled.astype(np.int64), found.astype(np.int64)


def numbered(names: Sequence[Hashable]) -> Integers:
    """Number of each name, from 0 in the order of first occurrence; None names nothing: each has its own number.

    >>> numbered(["b", None, "a", "b", None]).tolist()
    [0, 1, 2, 0, 3]
    """
    known: dict[Hashable, int] = {}
    places = (known.setdefault(object() if name is None else name, len(known)) for name in names)
    return np.fromiter(places, np.int64, len(names))


def cross(labelled: Integers, found: Integers) -> Table:
    """Count the items of each pair of groups; both groupings as :func:`numbered` gives them, of the same items."""
    columns = int(found.max(initial=0)) + 1
    codes, first, cell, items = np.unique(
        labelled * columns + found, return_index=True, return_inverse=True, return_counts=True
    )
    return Table(codes // columns, codes % columns, items.astype(np.int64), first.astype(np.int64), cell)


def count_pairs(table: Table) -> Counts:
    """Count pairs of items in one group: of both groupings, found, labelled (Manning, Raghavan & Schütze 2008, §16.3).

    >>> count_pairs(cross(numbered("aaab"), numbered("xxyy")))
    Counts(matched=1, found=2, labelled=3)
    """
    labelled, found = table.sizes
    return Counts(_pairs(table.items), _pairs(found), _pairs(labelled))


def b_cubed(table: Table) -> tuple[float, float, float]:
    """Precision, recall and F1 of B-cubed (Bagga & Baldwin 1998), each in (0, 1]; NaN without items.

    An item's precision is the share of its found group that is of its labelled group, itself included; its recall is
    the share of its labelled group that is in its found group. Both are averaged over items of equal weight; F1 is the
    harmonic mean of the averages.

    >>> [round(value, 4) for value in b_cubed(cross(numbered("aaab"), numbered("xxyy")))]
    [0.75, 0.6667, 0.7059]
    """
    labelled, found = table.sizes
    precision, recall = _mean_share(table.items, found[table.found]), _mean_share(table.items, labelled[table.labelled])
    return precision, recall, 2 * precision * recall / (precision + recall)


def _pairs(sizes: Integers) -> int:
    """Pairs of items within groups: below 2**63 up to 4 · 10⁹ items."""
    return int((sizes * (sizes - 1) // 2).sum())


def _mean_share(items: Integers, sizes: Integers) -> float:
    """Mean over items of the share that their cell is of its group; the order of cells does not change a bit of it."""
    total = int(items.sum())
    return math.fsum((items * items / sizes).tolist()) / total if total else math.nan


#: Kinds of items that decide the home of their group where it has any: the quote as it was said, and exact copies.
ANCHORS = ("base", "copy")


@dataclass(frozen=True, slots=True)
class Homes:
    """The home of each labelled group, and the labelled group that each found group mostly is of.

    Attributes:
        home: grain: a labelled group; place of its home's cell in the table.
        owner: grain: a found group; place of the cell that most of its items are in.
    """

    home: Integers
    owner: Integers


def homes(table: Table, kinds: Integers, anchors: Integers) -> Homes:
    """Find the home of each labelled group: the found group with most of its anchors, and where it has none, its items.

    Of several that hold as many anchors, the home holds most of the items; of those, the one with most items of the
    first kind, then of the second, and so on: so neither the names of groups nor the order of items changes a figure.
    A found group is mostly of the labelled group with most of its items; of several, that of its first item.

    Args:
        table: of the items.
        kinds: number of each item's kind; -1 without one.
        anchors: numbers of the kinds that decide.
    """
    cells = len(table.items)
    decisive = np.bincount(table.cell[np.isin(kinds, anchors)], minlength=cells)
    score = decisive * (len(table.cell) + 1) + table.items
    best = np.zeros(int(table.labelled.max(initial=-1)) + 1, np.int64)
    np.maximum.at(best, table.labelled, score)
    tied = np.flatnonzero(score == best[table.labelled])
    by_kind = [
        -np.bincount(table.cell[kinds == kind], minlength=cells)[tied] for kind in range(int(kinds.max(initial=-1)) + 1)
    ]
    order = tied[np.lexsort((table.first[tied], *reversed(by_kind), table.labelled[tied]))]
    by_size = np.lexsort((table.first, -table.items, table.found))
    return Homes(_first_of_each(order, table.labelled), _first_of_each(by_size, table.found))


def is_linked(table: Table, found: Homes) -> npt.NDArray[np.bool_]:
    """Whether each item is in the home of its labelled group."""
    linked = np.zeros(len(table.items), bool)
    linked[found.home] = True
    return linked[table.cell]


def _first_of_each(cells: Integers, groups: Integers) -> Integers:
    """First cell of each group, in the order of groups; the cells come group by group."""
    return cells[np.unique(groups[cells], return_index=True)[1]].astype(np.int64)
