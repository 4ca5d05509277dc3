"""Files of the annotation tool PhiTag (https://phitag.ims.uni-stuttgart.de/guide/supported-tasks), task *use pair*.

``uses.tsv``: dataID, context, indices_target_token and indices_target_sentence (START:END), lemma (the target).
``instances.tsv``: instanceID, dataIDs (two, with a comma between), label_set, non_label.
``judgments.tsv``: instanceID, label, comment, annotator. Tabs between fields, no quoting; TRoTR is kept in this form.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from quotelake.errors import InputError
from quotelake.jsonl import refuse
from quotelake.labels.trotr import HIGHEST, LOWEST, UNDECIDED, Use
from quotelake.labels.tsv import tsv_rows

USES, INSTANCES, JUDGMENTS = "uses.tsv", "instances.tsv", "judgments.tsv"
#: Values of a judgment: 1 unrelated topics, 4 the same topic (Periti et al. 2024, §4).
SCALE: Final = tuple(range(LOWEST, HIGHEST + 1))

_USE = ("dataID", "context", "indices_target_token", "indices_target_sentence", "lemma")
_INSTANCE = ("instanceID", "dataIDs", "label_set", "non_label")
_JUDGMENT = ("instanceID", "label", "comment", "annotator")
_BREAK = re.compile(r"[\t\r\n\v\f\x1c-\x1e\x85\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class UsePair:
    """Two uses of one target, in the order in which they are shown."""

    instance_id: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Judgment:
    """What one annotator said of a pair. Key: (instance_id, annotator).

    Attributes:
        value: one of :data:`SCALE`; None for undecided.
    """

    instance_id: str
    value: int | None
    annotator: str
    comment: str = ""


def read_pairs(path: Path, uses: Mapping[str, Use] | None = None) -> dict[str, UsePair]:
    """Read pairs by their id.

    Args:
        path: the file of instances.
        uses: those a pair may name; None accepts any.

    Raises:
        InputError: the file cannot be read, an id occurs twice, or a pair does not name two known uses of one target.
    """
    pairs: dict[str, UsePair] = {}
    for place, row in tsv_rows(path, _INSTANCE):
        if row["instanceID"] in pairs:
            refuse(place, f"instanceID {row['instanceID']!r} again", "give every pair an id of its own")
        ids = row["dataIDs"].split(",")
        if len(ids) != 2:
            refuse(place, f"dataIDs {row['dataIDs']!r}", "name two uses, with a comma between")
        if uses is not None:
            unknown = [each for each in ids if each not in uses]
            if unknown:
                refuse(place, f"dataID {unknown[0]!r}", f"name a use of {USES}")
            if uses[ids[0]].target != uses[ids[1]].target:
                refuse(place, "uses of two targets", "pair uses of one target")
        pairs[row["instanceID"]] = UsePair(row["instanceID"], ids[0], ids[1])
    return pairs or refuse(str(path), "no pair", "give a row for each pair")


def read_judgments(paths: Iterable[Path], pairs: Mapping[str, UsePair] | None = None) -> list[Judgment]:
    """Read judgments of one or several files, in their order.

    Args:
        paths: files; several annotators may share one.
        pairs: those that may be judged; None accepts any.

    Raises:
        InputError: a file cannot be read, a label is none of the scale, a pair is unknown, no annotator is named, or
            one judged a pair twice.
    """
    judgments: list[Judgment] = []
    places: dict[tuple[str, str], str] = {}
    for path in paths:
        for place, row in tsv_rows(path, _JUDGMENT):
            label, key = row["label"].strip(), (row["instanceID"], row["annotator"])
            if label != UNDECIDED and label not in map(str, SCALE):
                allowed = ", ".join(map(str, SCALE))
                refuse(place, f"label {row['label']!r}", f"give {allowed}, or {UNDECIDED} for undecided")
            if pairs is not None and row["instanceID"] not in pairs:
                refuse(place, f"instanceID {row['instanceID']!r}", f"name a pair of {INSTANCES}")
            if not row["annotator"].strip():
                refuse(place, "no annotator", "name who judged")
            if key in places:
                refuse(place, f"a second judgment of {key[0]!r} by {key[1]!r} (first: {places[key]})", "keep one")
            places[key] = place
            value = None if label == UNDECIDED else int(label)
            judgments.append(Judgment(row["instanceID"], value, row["annotator"], row["comment"]))
    return judgments


def write_uses(uses: Iterable[Use], path: Path) -> None:
    """Write uses; a break in a text becomes a space, so that offsets stay."""
    rows = ((use.use_id, use.context, f"{use.start}:{use.end}", f"0:{len(use.context)}", use.target) for use in uses)
    _write(path, _USE, rows)


def write_pairs(pairs: Iterable[UsePair], path: Path) -> None:
    """Write pairs in their order."""
    scale = ",".join(map(str, SCALE))
    _write(path, _INSTANCE, ((p.instance_id, f"{p.first},{p.second}", scale, UNDECIDED) for p in pairs))


def write_judgments(judgments: Iterable[Judgment], path: Path) -> None:
    """Write judgments in their order."""
    rows = ((j.instance_id, UNDECIDED if j.value is None else str(j.value), j.comment, j.annotator) for j in judgments)
    _write(path, _JUDGMENT, rows)


def _write(path: Path, names: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    lines = ["\t".join(names), *("\t".join(_BREAK.sub(" ", field) for field in row) for row in rows)]
    try:
        path.write_text("\n".join(lines) + "\n", "utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}; name another folder") from None
