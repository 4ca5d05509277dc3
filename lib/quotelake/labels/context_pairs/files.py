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
from quotelake.labels.tables import table_rows

USES, INSTANCES, JUDGMENTS = "uses.tsv", "instances.tsv", "judgments.tsv"
#: Values of a judgment: 1 unrelated topics, 4 the same topic (Periti et al. 2024, §4).
SCALE: Final = (1, 2, 3, 4)
UNDECIDED: Final = "-"

_USE = ("dataID", "context", "indices_target_token", "indices_target_sentence", "lemma")
_INSTANCE = ("instanceID", "dataIDs", "label_set", "non_label")
_JUDGMENT = ("instanceID", "label", "comment", "annotator")
_SPAN = re.compile(r"(\d+):(\d+)")
_BREAK = re.compile(r"[\t\r\n\v\f\x1c-\x1e\x85\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class Use:
    """One context of a target.

    Attributes:
        data_id: identifies it; no comma.
        context: the text; empty where only ids are passed on.
        span: (start, end) of the target in the context, in code points.
        sentence: (start, end) of what the tool shows in bold; all of the context.
        target: the reused text.
    """

    data_id: str
    context: str
    span: tuple[int, int]
    sentence: tuple[int, int]
    target: str


@dataclass(frozen=True, slots=True)
class Pair:
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


def read_uses(path: Path) -> dict[str, Use]:
    """Read uses by their id.

    Raises:
        InputError: the file cannot be read, an id occurs twice, or a span is none of its context.
    """
    uses: dict[str, Use] = {}
    for place, row in table_rows(path, _USE, tabs=True):
        if row["dataID"] in uses:
            refuse(place, f"dataID {row['dataID']!r} again", "give every use an id of its own")
        span, sentence = (_span(place, row, name) for name in _USE[2:4])
        uses[row["dataID"]] = Use(row["dataID"], row["context"], span, sentence, row["lemma"])
    return uses or refuse(str(path), "no use", "give a row for each use")


def read_pairs(path: Path, uses: Mapping[str, Use] | None = None) -> dict[str, Pair]:
    """Read pairs by their id.

    Args:
        path: the file of instances.
        uses: those a pair may name; None accepts any.

    Raises:
        InputError: the file cannot be read, an id occurs twice, or a pair does not name two known uses of one target.
    """
    pairs: dict[str, Pair] = {}
    for place, row in table_rows(path, _INSTANCE, tabs=True):
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
        pairs[row["instanceID"]] = Pair(row["instanceID"], ids[0], ids[1])
    return pairs or refuse(str(path), "no pair", "give a row for each pair")


def read_judgments(paths: Iterable[Path], pairs: Mapping[str, Pair] | None = None) -> list[Judgment]:
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
        for place, row in table_rows(path, _JUDGMENT, tabs=True):
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
    _write(path, _USE, ((u.data_id, u.context, _joined(u.span), _joined(u.sentence), u.target) for u in uses))


def write_pairs(pairs: Iterable[Pair], path: Path) -> None:
    """Write pairs in their order."""
    scale = ",".join(map(str, SCALE))
    _write(path, _INSTANCE, ((p.instance_id, f"{p.first},{p.second}", scale, UNDECIDED) for p in pairs))


def write_judgments(judgments: Iterable[Judgment], path: Path) -> None:
    """Write judgments in their order."""
    rows = ((j.instance_id, UNDECIDED if j.value is None else str(j.value), j.comment, j.annotator) for j in judgments)
    _write(path, _JUDGMENT, rows)


def _span(place: str, row: Mapping[str, str], name: str) -> tuple[int, int]:
    found = _SPAN.fullmatch(row[name].strip())
    if found is None or not int(found[1]) <= int(found[2]) or (row["context"] and int(found[2]) > len(row["context"])):
        refuse(place, f"{name} {row[name]!r}", "give START:END in code points of the context")
    return int(found[1]), int(found[2])


def _joined(span: tuple[int, int]) -> str:
    return f"{span[0]}:{span[1]}"


def _write(path: Path, names: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    lines = ["\t".join(names), *("\t".join(_BREAK.sub(" ", field) for field in row) for row in rows)]
    try:
        path.write_text("\n".join(lines) + "\n", "utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}; name another folder") from None
