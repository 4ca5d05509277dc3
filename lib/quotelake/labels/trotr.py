"""Reused texts in context, and pairs of contexts that people judged: the files of TRoTR (Periti et al. 2024).

A folder holds ``uses.tsv`` (dataID, context, lemma: the reused text, indices_target_token: its START:END in the
context), ``instances.tsv`` (instanceID, dataIDs: two, with a comma between) and ``judgments.tsv`` (instanceID, label,
annotator). A label is 1 (unrelated topics) to 4 (identical), or ``-`` (cannot decide). Other columns are not read.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from quotelake.jsonl import refuse
from quotelake.labels.tsv import span_of, tsv_rows
from quotelake.topics.contexts import mask

#: Label of a person who could not decide.
UNDECIDED: Final = "-"
LOWEST, HIGHEST = 1, 4
#: A pair is related from this mean on [Periti et al. 2024, §5]; a mean within (UNCLEAR_FROM, UNCLEAR_TO) is unclear.
RELATED_FROM, UNCLEAR_FROM, UNCLEAR_TO = 2.5, 2, 3
#: Judgments this far apart disagree [same].
DISAGREE: Final = 2


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
class Pair:
    """Two uses of one text, and what people said of their topics.

    Attributes:
        pair_id: instanceID.
        first: place of a use in the list of uses.
        second: place of the other.
        target: the reused text.
        judgments: (annotator, 1 to 4), in the order of the file; undecided ones are left out.
    """

    pair_id: str
    first: int
    second: int
    target: str
    judgments: tuple[tuple[str, int], ...]

    @property
    def score(self) -> float:
        """Mean judgment, 1 to 4; NaN if nobody decided."""
        values = [value for _, value in self.judgments]
        return sum(values) / len(values) if values else math.nan

    @property
    def label(self) -> int:
        """1 if people found the topics roughly the same, else 0."""
        return int(self.score >= RELATED_FROM)

    @property
    def clear(self) -> bool:
        """Whether TRiC keeps the pair: people agree within one, and the mean is not between 2 and 3.

        >>> Pair("", 0, 1, "", (("a", 2), ("b", 2))).clear, Pair("", 0, 1, "", (("a", 2), ("b", 3))).clear
        (True, False)
        """
        values = [value for _, value in self.judgments]
        if not values or max(values) - min(values) >= DISAGREE:
            return False
        return not UNCLEAR_FROM < self.score < UNCLEAR_TO


@dataclass(frozen=True, slots=True)
class Judged:
    """Uses, and judged pairs of them."""

    uses: Sequence[Use]
    pairs: Sequence[Pair]


def read_judged(folder: Path) -> Judged:
    """Read a folder as the module describes it; pairs in the order of ``instances.tsv``.

    Raises:
        InputError: a file cannot be read, or a row is wrong; it names file and line.
    """
    uses = read_uses(folder / "uses.tsv")
    places = {use.use_id: place for place, use in enumerate(uses)}
    said: dict[str, list[tuple[str, int]]] = {}
    judgments = folder / "judgments.tsv"
    for place, row in tsv_rows(judgments, ("instanceID", "label", "annotator")):
        of_pair = said.setdefault(row["instanceID"], [])
        if row["label"] != UNDECIDED:
            of_pair.append((row["annotator"], _judgment(place, row["label"])))
    pairs = []
    for place, row in tsv_rows(folder / "instances.tsv", ("instanceID", "dataIDs")):
        named = row["dataIDs"].split(",")
        if len(named) != 2 or not set(named) <= set(places):
            refuse(f"{place}: field dataIDs", repr(row["dataIDs"]), "give two dataIDs of uses.tsv")
        first, second = (places[name] for name in named)
        if uses[first].target != uses[second].target:
            refuse(f"{place}: field dataIDs", "uses of different texts", "pair uses of one text")
        judged = tuple(said.pop(row["instanceID"], ()))
        pairs.append(Pair(row["instanceID"], first, second, uses[first].target, judged))
    if said:
        refuse(str(judgments), f"judgments of {next(iter(said))!r}", "list the pair in instances.tsv")
    return Judged(uses, pairs)


def read_uses(path: Path) -> list[Use]:
    """Read the uses.

    Raises:
        InputError: the file cannot be read, has no row, or a row is wrong; it names file and line.
    """
    uses: dict[str, Use] = {}
    for place, row in tsv_rows(path, ("dataID", "context", "lemma", "indices_target_token")):
        start, end = span_of(f"{place}: field indices_target_token", row["indices_target_token"])
        if end > len(row["context"]):
            refuse(place, f"an end at {end}", f"the context has {len(row['context'])} characters")
        if row["dataID"] in uses:
            refuse(f"{place}: field dataID", f"{row['dataID']!r} again", "give each use an id of its own")
        uses[row["dataID"]] = Use(row["dataID"], row["context"], start, end, row["lemma"])
    return list(uses.values()) or refuse(str(path), "no row", "give a TSV file with a row for each use")


def clear_pairs(pairs: Iterable[Pair]) -> list[Pair]:
    """Pairs that TRiC keeps, in order."""
    return [pair for pair in pairs if pair.clear]


def _judgment(place: str, value: str) -> int:
    if not value.isdecimal() or not LOWEST <= int(value) <= HIGHEST:
        refuse(f"{place}: field label", repr(value), f"give {LOWEST} to {HIGHEST}, or {UNDECIDED}")
    return int(value)
