"""Protocol ``reuse``: the groups of reused quotes, compared with those that a file states."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from quotelab.labels.reuse_groups import LabelledTexts, read_groups
from quotelab.protocols.clustering import (
    ANCHORS,
    Homes,
    Integers,
    Table,
    b_cubed,
    count_pairs,
    cross,
    homes,
    is_linked,
    numbered,
)
from quotelab.protocols.evaluate import only_file
from quotelab.report import Report
from quotelab.statistics import ratio, wilson
from quotelake.reuse.clusters import group_texts

#: Id of the group of each text, in order; None where it shares its group with no other text.
Group = Callable[[Sequence[str]], Sequence[str | None]]
#: Rows of the report for each of its two faults.
LISTED: Final = 1000
_SHOWN: Final = 160  # characters of a text in a row of the report


def evaluate(path: Path, group: Group = group_texts) -> Report:
    """Group the texts of a file and compare the groups with those that it states.

    Args:
        path: JSONL of ``text``, ``group`` and, optionally, ``kind``; gzipped if it ends in ``.gz``.
        group: gives each text its group, by all texts of the file.

    Returns:
        Counts: ``texts``, ``groups``, ``groups_found`` (a text that shares no group counts as one); ``pairs`` of texts
        in one group of the file, ``pairs_found`` in one found group, ``pairs_right`` in both. From these
        ``pairwise_precision``, ``pairwise_recall``, ``pairwise_f1``; then ``b3_precision``, ``b3_recall``, ``b3_f1``
        (B-cubed, see :func:`~quotelab.protocols.clustering.b_cubed`). ``missed`` counts
        texts outside the home of their group (:func:`~quotelab.protocols.clustering.homes`), ``intruding`` those in a
        found group that mostly holds texts of another one. Of each kind ``linked_KIND``, the share of its texts in the
        home of their group, of ``linked_KIND_items``; ``_low`` and ``_high`` are Wilson's 95 % interval, undefined
        where a group has several texts of the kind: they are not independent.

        A row of the report stands for the texts of one group that are missed or intrude into one found group: the
        line and text of the first, and those of a text in the home, or of the owner. At most :data:`LISTED` of either
        fault, those of most texts first.

    Raises:
        InputError: see :func:`~quotelab.labels.reuse_groups.read_groups`.
    """
    items = read_groups(path)
    table = cross(items.groups, numbered(group(items.texts)))
    anchors = [number for number, name in enumerate(items.kind_names) if name in ANCHORS]
    found = homes(table, items.kinds, np.array(anchors, np.int64))
    linked = is_linked(table, found)
    pairs = count_pairs(table)
    precision, recall, f1 = b_cubed(table)
    figures: dict[str, float] = {
        "texts": len(items.texts),
        "groups": len(found.home),
        "groups_found": len(found.owner),
        "pairs": pairs.labelled,
        "pairs_found": pairs.found,
        "pairs_right": pairs.matched,
        "pairwise_precision": pairs.precision,
        "pairwise_recall": pairs.recall,
        "pairwise_f1": pairs.f1,
        "b3_precision": precision,
        "b3_recall": recall,
        "b3_f1": f1,
        "missed": int((~linked).sum()),
        "intruding": len(items.texts) - int(table.items[found.owner].sum()),
    }
    for number, kind in enumerate(items.kind_names):
        of_kind = items.kinds == number
        figures |= _share(f"linked_{kind}", int(linked[of_kind].sum()), items.groups[of_kind])
    return Report("reuse", figures, _faults(items, table, found))


def _share(name: str, hits: int, groups: Integers) -> dict[str, float]:
    """Share of the texts of a kind that are linked, and its interval where no two are of one group."""
    n = len(groups)
    low, high = wilson(hits, n if len(np.unique(groups)) == n else 0)
    return {name: ratio(hits, n), f"{name}_items": n, f"{name}_low": low, f"{name}_high": high}


def _faults(items: LabelledTexts, table: Table, found: Homes) -> list[dict[str, Any]]:
    """Rows of the report: cells outside the home of their group, and cells that intrude into a found group."""
    rows = []
    for fault, right in (("missed", found.home[table.labelled]), ("intruding", found.owner[table.found])):
        wrong = np.flatnonzero(right != np.arange(len(table.items)))
        for cell in wrong[np.lexsort((table.first[wrong], -table.items[wrong]))][:LISTED]:
            first, other = int(table.first[cell]), int(table.first[right[cell]])
            kind = int(items.kinds[first])
            rows.append({
                "fault": fault,
                "group": items.group_names[items.groups[first]],
                "texts": int(table.items[cell]),
                "line": items.lines[first],
                "kind": items.kind_names[kind] if kind >= 0 else None,
                "text": items.texts[first][:_SHOWN],
                "other_group": items.group_names[items.groups[other]],
                "other_line": items.lines[other],
                "other_text": items.texts[other][:_SHOWN],
            })  # fmt: skip
    return rows


def report(options: argparse.Namespace) -> Report:
    """The protocol as the command runs it."""
    return evaluate(only_file(options))
