"""Protocol ``reuse``: the groups of reused quotes, compared with those that a file states.

All figures come from the cells of the contingency table: the items of each pair of a labelled and a found group. There
are at most as many as items, so no pair of items is ever enumerated.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictStr

from quotelab.grouping import group_texts
from quotelab.labels.texts import read_rows
from quotelab.report import Report
from quotelab.statistics import ratio, retrieval_figures, wilson
from quotelake.files.jsonl import refuse

#: Id of the group of each text, in order; None where it shares its group with no other text.
Group = Callable[[Sequence[str]], Sequence[str | None]]
#: Kinds of texts that decide the home of their group where it has any: the quote as it was said, and exact copies.
ANCHORS: Final = ("base", "copy")
MOST_KINDS: Final = 100  # different kinds in a file: each has four figures
#: Rows of the report for each of its two faults.
LISTED: Final = 1000
_SHOWN: Final = 160  # characters of a text in a row of the report
_SUFFIXES: Final = ("_items", "_low", "_high")


def _named(kind: str) -> str:
    if kind.endswith(_SUFFIXES):
        raise ValueError(f"a kind must not end in {', '.join(_SUFFIXES)}: figures of other kinds do")
    return kind


class LabelledUse(BaseModel):
    """A quote as it was used, without its marks, the name of the quote it is a use of, and how its words differ.

    Kinds are such as ``base``, ``copy``, ``truncated``; a number is taken as its digits; further fields are ignored.
    """

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)

    text: StrictStr
    group: Annotated[str, Field(min_length=1)]
    kind: Annotated[str, Field(min_length=1), AfterValidator(_named)] | None = None


def evaluate(path: Path, group: Group = group_texts) -> Report:
    """Group the texts of a file of :class:`LabelledUse` and compare the groups with those that it states.

    Figures: ``texts``, ``groups`` stated and ``groups_found`` (a text that shares no group counts as one); ``pairs`` of
    texts in one group of the file, ``pairs_found`` in one found group, ``pairs_right`` in both. From these
    ``pairwise_precision``, ``pairwise_recall``, ``pairwise_f1``; then ``b3_precision``, ``b3_recall``, ``b3_f1``
    (:func:`b_cubed`). The home of a group is the found group with most of its texts of :data:`ANCHORS`; of several,
    with most of its texts; then with most of the first kind by name, of the second, and so on. ``missed`` counts texts
    outside the home of their group, ``intruding`` those in a found group that mostly holds texts of another one. Of
    each kind ``linked_KIND``, the share of its texts in the home of their group, of ``linked_KIND_items``; ``_low`` and
    ``_high`` are Wilson's 95 % interval, undefined where a group has several texts of the kind: they are not
    independent.

    A row of the report stands for the texts of one group that are missed or intrude into one found group: the line and
    text of the first, and those of a text in the home, or of the owner. At most :data:`LISTED` of either fault, those
    of most texts first.
    """
    placed = read_rows(LabelledUse, path)
    rows = [row for _, row in placed]
    kinds = sorted({row.kind for row in rows} - {None}, key=str)
    if len(kinds) > MOST_KINDS:
        refuse(f"{path}: field kind", f"more than {MOST_KINDS} different kinds", "name few: each has its figures")
    labelled, found = [row.group for row in rows], alone(group([row.text for row in rows]))
    cells: dict[tuple[str, Hashable], list[int]] = defaultdict(list)  # places of the items of both groups
    for place, row in enumerate(rows):
        cells[row.group, found[place]].append(place)
    of_kind = {key: Counter(rows[place].kind for place in items) for key, items in cells.items()}

    def fitness(key: tuple[str, Hashable]) -> tuple[int, ...]:
        anchors = sum(of_kind[key][kind] for kind in ANCHORS)
        return anchors, len(cells[key]), *(of_kind[key][kind] for kind in kinds), -cells[key][0]

    home: dict[str, tuple[str, Hashable]] = {}
    owner: dict[Hashable, tuple[str, Hashable]] = {}
    for key in cells:
        home[key[0]] = max(home.get(key[0], key), key, key=fitness)
        owner[key[1]] = max(owner.get(key[1], key), key, key=lambda of: (len(cells[of]), -cells[of][0]))
    missed = [(key, home[key[0]]) for key in cells if home[key[0]] != key]
    intruding = [(key, owner[key[1]]) for key in cells if owner[key[1]] != key]
    pairs, (precision, recall, f1) = count_pairs(labelled, found), b_cubed(labelled, found)
    figures: dict[str, float] = {
        "texts": len(rows),
        "groups": len(home),
        "groups_found": len(owner),
        "pairs": pairs[2],
        "pairs_found": pairs[1],
        "pairs_right": pairs[0],
        **{f"pairwise_{name}": value for name, value in retrieval_figures(*pairs).items()},
        "b3_precision": precision,
        "b3_recall": recall,
        "b3_f1": f1,
        "missed": sum(len(cells[key]) for key, _ in missed),
        "intruding": sum(len(cells[key]) for key, _ in intruding),
    }
    for kind in kinds:
        groups = Counter(row.group for row in rows if row.kind == kind)
        linked, n = sum(of_kind[key][kind] for key in home.values()), groups.total()
        low, high = wilson(linked, n if len(groups) == n else 0)
        name = f"linked_{kind}"
        figures |= {name: ratio(linked, n), f"{name}_items": n, f"{name}_low": low, f"{name}_high": high}
    details: list[dict[str, Any]] = []
    for fault, wrong in (("missed", missed), ("intruding", intruding)):
        wrong.sort(key=lambda keys: (-len(cells[keys[0]]), cells[keys[0]][0]))
        for key, right in wrong[:LISTED]:
            (line, first), (other_line, other) = (placed[cells[each][0]] for each in (key, right))
            details.append({
                "fault": fault, "group": first.group, "texts": len(cells[key]), "line": int(line.rpartition(" ")[2]),
                "kind": first.kind, "text": first.text[:_SHOWN], "other_group": other.group,
                "other_line": int(other_line.rpartition(" ")[2]), "other_text": other.text[:_SHOWN],
            })  # fmt: skip
    return Report("reuse", figures, details)


def alone(found: Sequence[str | None]) -> list[Hashable]:
    """Found groups, with one of its own for each item that has none."""
    return [place if name is None else name for place, name in enumerate(found)]


def count_pairs(labelled: Sequence[Hashable], found: Sequence[Hashable]) -> tuple[int, int, int]:
    """Count pairs of items in one group: of both groupings, found, labelled (Manning, Raghavan & Schütze 2008, §16.3).

    >>> count_pairs("aaab", "xxyy")
    (1, 2, 3)
    """
    both, *each = (Counter(grouping) for grouping in (zip(labelled, found, strict=True), found, labelled))
    matched, in_found, in_labelled = (sum(math.comb(n, 2) for n in counts.values()) for counts in (both, *each))
    return matched, in_found, in_labelled


def b_cubed(labelled: Sequence[Hashable], found: Sequence[Hashable]) -> tuple[float, float, float]:
    """Precision, recall and F1 of B-cubed (Bagga & Baldwin 1998), each in (0, 1]; NaN without items.

    An item's precision is the share of its found group that is of its labelled group, itself included; its recall is
    the share of its labelled group that is in its found group. Both are averaged over items of equal weight; F1 is the
    harmonic mean of the averages.

    >>> [round(value, 4) for value in b_cubed("aaab", "xxyy")]
    [0.75, 0.6667, 0.7059]
    """
    cells, labels, groups = Counter(zip(labelled, found, strict=True)), Counter(labelled), Counter(found)
    precision = ratio(math.fsum(n * n / groups[group] for (_, group), n in cells.items()), len(labelled))
    recall = ratio(math.fsum(n * n / labels[label] for (label, _), n in cells.items()), len(labelled))
    return precision, recall, 2 * precision * recall / (precision + recall)
