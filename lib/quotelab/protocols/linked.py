"""Home of a labelled group: the found group that holds most of it; and which items are in the home of their group."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from quotelab.protocols.clustering import Integers, Table

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
