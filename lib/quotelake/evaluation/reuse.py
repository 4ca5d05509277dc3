"""Protocol ``reuse``: the groups of reused quotes, compared with those that a file states."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictStr, ValidationError

from quotelake.evaluation.agreement import wilson
from quotelake.evaluation.clustering import Integers, Table, b_cubed, count_pairs, cross, numbered
from quotelake.evaluation.linked import ANCHORS, Homes, homes, is_linked
from quotelake.evaluation.metrics import ratio
from quotelake.evaluation.report import Report
from quotelake.jsonl import json_lines, refuse
from quotelake.reuse.texts import group_texts

#: Id of the group of each text, in order; None where it shares its group with no other text.
Group = Callable[[Sequence[str]], Sequence[str | None]]
#: Rows of the report for each of its two faults.
LISTED: Final = 1000
#: Different kinds in a file: each has four figures.
MOST_KINDS: Final = 100
_SHOWN: Final = 160  # characters of a text in a row of the report
_SUFFIXES: Final = ("_items", "_low", "_high")


def _named(kind: str) -> str:
    if kind.endswith(_SUFFIXES):
        raise ValueError(f"a kind must not end in {', '.join(_SUFFIXES)}: figures of other kinds do")
    return kind


class ReuseLabels(BaseModel):
    """A row of the file; further fields are allowed and ignored.

    Attributes:
        text: a quote as it was used, without its marks.
        group: name of the quote it is a use of; a number is taken as its digits.
        kind: how its words differ from that quote, such as ``base``, ``copy``, ``truncated``.
    """

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)

    text: StrictStr
    group: Annotated[str, Field(min_length=1)]
    kind: Annotated[str, Field(min_length=1), AfterValidator(_named)] | None = None


@dataclass(frozen=True, slots=True)
class Items:
    """The rows of a file, in order: text, line, and the numbers of their groups and kinds (-1: none)."""

    texts: list[str]
    lines: list[int]
    groups: Integers
    group_names: list[str]
    kinds: Integers
    kind_names: list[str]


def evaluate(path: Path, group: Group = group_texts) -> Report:
    """Group the texts of a file and compare the groups with those that it states.

    Args:
        path: JSONL of ``text``, ``group`` and, optionally, ``kind``; gzipped if it ends in ``.gz``.
        group: gives each text its group, by all texts of the file.

    Returns:
        Counts: ``texts``, ``groups``, ``groups_found``; ``pairs`` of texts in one group of the file, ``pairs_found`` in
        one found group, ``pairs_right`` in both. From these ``pairwise_precision``, ``_recall``, ``_f1``; then
        ``b3_precision``, ``_recall``, ``_f1`` (:func:`~quotelake.evaluation.clustering.b_cubed`). ``missed`` counts
        texts outside the home of their group (:func:`~quotelake.evaluation.linked.homes`), ``intruding`` those in a
        found group that mostly holds texts of another one. Of each kind ``linked_KIND``, the share of its texts in the
        home of their group, of ``linked_KIND_items``; ``_low`` and ``_high`` are Wilson's 95 % interval, undefined
        where a group has several texts of the kind: they are not independent.

        A row of the report stands for the texts of one group that are missed or intrude into one found group: the
        line and text of the first, and those of a text in the home, or of the owner. At most :data:`LISTED` of either
        fault, those of most texts first.

    Raises:
        InputError: the file cannot be read or holds no row, or a row is wrong; it names the file and the line.
    """
    items = read_items(path)
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


def read_items(path: Path) -> Items:
    """Read a file; groups are numbered in order of their first rows, kinds in order of their names.

    Raises:
        InputError: see :func:`evaluate`.
    """
    texts: list[str] = []
    lines: list[int] = []
    groups: list[int] = []
    kinds: list[int] = []
    group_numbers: dict[str, int] = {}
    kind_numbers: dict[str | None, int] = {None: -1}
    for place, value in json_lines(path):
        try:
            row = ReuseLabels.model_validate(value)
        except ValidationError as error:
            first = error.errors()[0]
            name = ".".join(map(str, first["loc"])) or "(row)"
            refuse(f"{place}: field {name}", json.dumps(first["input"])[:80], first["msg"])
        texts.append(row.text)
        lines.append(int(place.rpartition(" ")[2]))
        groups.append(group_numbers.setdefault(row.group, len(group_numbers)))
        kinds.append(kind_numbers.setdefault(row.kind, len(kind_numbers) - 1))
        if len(kind_numbers) - 1 > MOST_KINDS:
            refuse(f"{place}: field kind", f"more than {MOST_KINDS} different kinds", "name few: each has its figures")
    if not texts:
        refuse(str(path), "no row", "give a file with one JSON object a line: text, group and, optionally, kind")
    names = sorted(kind for kind in kind_numbers if kind is not None)
    renumbered = [names.index(kind) for kind in kind_numbers if kind is not None]
    order = np.array([*renumbered, -1], np.int64)  # the last one is number -1
    return Items(texts, lines, np.array(groups, np.int64), list(group_numbers), order[np.array(kinds)], names)


def _share(name: str, hits: int, groups: Integers) -> dict[str, float]:
    """Share of the texts of a kind that are linked, and its interval where no two are of one group."""
    n = len(groups)
    low, high = wilson(hits, n if len(np.unique(groups)) == n else 0)
    return {name: ratio(hits, n), f"{name}_items": n, f"{name}_low": low, f"{name}_high": high}


def _faults(items: Items, table: Table, found: Homes) -> list[dict[str, Any]]:
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
