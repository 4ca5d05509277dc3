"""Files of the annotation tool PhiTag (https://phitag.ims.uni-stuttgart.de/guide/supported-tasks), task *use pair*.

``uses.tsv``: dataID, context, indices_target_token and indices_target_sentence (START:END), lemma (the target).
``instances.tsv``: instanceID, dataIDs (two, with a comma between), label_set, non_label.
``judgments.tsv``: instanceID, label, comment, annotator. Tabs between fields, no quoting; TRoTR is kept in this form.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from quotelab.labels.tables import span_of, table_rows, write_tsv
from quotelake.files.jsonl import refuse
from quotelake.topics.contexts import mask

USES, INSTANCES, JUDGMENTS = "uses.tsv", "instances.tsv", "judgments.tsv"
#: Values of a judgment: 1 unrelated topics, 4 the same topic (Periti et al. 2024, §4).
LOWEST, HIGHEST = 1, 4
SCALE: Final = tuple(range(LOWEST, HIGHEST + 1))
#: Label of a person who could not decide.
UNDECIDED: Final = "-"

USE_COLUMNS: Final = ("dataID", "context", "indices_target_token", "indices_target_sentence", "lemma")
PAIR_COLUMNS: Final = ("instanceID", "dataIDs", "label_set", "non_label")
JUDGMENT_COLUMNS: Final = ("instanceID", "label", "comment", "annotator")


class Use(NamedTuple):
    """A use of a reused text. ``target`` is that text; ``start`` and ``end`` are code points of ``context``."""

    use_id: str
    context: str
    start: int
    end: int
    target: str

    @property
    def masked(self) -> str:
        """The context with the reused text replaced by ``" - "``."""
        return mask(self.context, self.start, self.end, 0, len(self.context))


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


def read_uses(path: Path) -> list[Use]:
    """Read the uses.

    Raises:
        InputError: the file cannot be read, has no row, or a row is wrong; it names file and line.
    """
    uses: dict[str, Use] = {}
    for place, row in table_rows(path, ("dataID", "context", "lemma", "indices_target_token"), quoted=False):
        start, end = span_of(f"{place}: field indices_target_token", row["indices_target_token"])
        if end > len(row["context"]):
            refuse(place, f"an end at {end}", f"the context has {len(row['context'])} characters")
        if row["dataID"] in uses:
            refuse(f"{place}: field dataID", f"{row['dataID']!r} again", "give each use an id of its own")
        uses[row["dataID"]] = Use(row["dataID"], row["context"], start, end, row["lemma"])
    return list(uses.values()) or refuse(str(path), "no row", "give a TSV file with a row for each use")


def read_pairs(path: Path, targets: Mapping[str, str]) -> dict[str, UsePair]:
    """Read pairs by their id.

    Args:
        path: the file of instances.
        targets: target of each use that a pair may name.

    Raises:
        InputError: the file cannot be read, an id occurs twice, or a pair does not name two known uses of one target.
    """
    pairs: dict[str, UsePair] = {}
    for place, row in table_rows(path, PAIR_COLUMNS[:2], quoted=False):
        if row["instanceID"] in pairs:
            refuse(f"{place}: field instanceID", f"{row['instanceID']!r} again", "give every pair an id of its own")
        ids = row["dataIDs"].split(",")
        if len(set(ids)) != 2 or len(ids) != 2:
            refuse(f"{place}: field dataIDs", repr(row["dataIDs"]), f"give two dataIDs of {USES}")
        unknown = [each for each in ids if each not in targets]
        if unknown:
            refuse(f"{place}: field dataIDs", repr(unknown[0]), f"give two dataIDs of {USES}")
        if targets[ids[0]] != targets[ids[1]]:
            refuse(f"{place}: field dataIDs", "uses of different texts", "pair uses of one text")
        pairs[row["instanceID"]] = UsePair(row["instanceID"], ids[0], ids[1])
    return pairs or refuse(str(path), "no pair", "give a row for each pair")


def read_judgments(paths: Iterable[Path], pairs: Collection[str] | None = None) -> list[Judgment]:
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
        for place, row in table_rows(path, ("instanceID", "label", "annotator"), ("comment",), quoted=False):
            label, key = row["label"].strip(), (row["instanceID"], row["annotator"])
            if label != UNDECIDED and label not in map(str, SCALE):
                refuse(f"{place}: field label", repr(row["label"]), f"give {LOWEST} to {HIGHEST}, or {UNDECIDED}")
            if pairs is not None and row["instanceID"] not in pairs:
                refuse(f"{place}: field instanceID", repr(row["instanceID"]), f"list the pair in {INSTANCES}")
            if not row["annotator"].strip():
                refuse(place, "no annotator", "name who judged")
            if key in places:
                refuse(place, f"a second judgment of {key[0]!r} by {key[1]!r} (first: {places[key]})", "keep one")
            places[key] = place
            value = None if label == UNDECIDED else int(label)
            judgments.append(Judgment(row["instanceID"], value, row["annotator"], row["comment"]))
    return judgments


def by_pair(judgments: Iterable[Judgment]) -> dict[str, dict[str, int | None]]:
    """Judgments by pair and annotator, in their order."""
    votes: dict[str, dict[str, int | None]] = {}
    for judgment in judgments:
        votes.setdefault(judgment.instance_id, {})[judgment.annotator] = judgment.value
    return votes


def write_uses(uses: Iterable[Use], path: Path) -> None:
    """Write uses; a break in a text becomes a space, so that offsets stay."""
    rows = ((use.use_id, use.context, f"{use.start}:{use.end}", f"0:{len(use.context)}", use.target) for use in uses)
    write_tsv(path, USE_COLUMNS, rows)


def write_pairs(pairs: Iterable[UsePair], path: Path) -> None:
    """Write pairs in their order."""
    scale = ",".join(map(str, SCALE))
    write_tsv(path, PAIR_COLUMNS, ((p.instance_id, f"{p.first},{p.second}", scale, UNDECIDED) for p in pairs))


def write_judgments(judgments: Iterable[Judgment], path: Path) -> None:
    """Write judgments in their order."""
    rows = ((j.instance_id, UNDECIDED if j.value is None else str(j.value), j.comment, j.annotator) for j in judgments)
    write_tsv(path, JUDGMENT_COLUMNS, rows)
