"""Reused texts in context, and pairs of contexts that people judged for topic relatedness (Periti et al. 2024, TRoTR).

A *target* is a reused text, a *use* one context of it, a *pair* two uses of one target. A folder has the files of the
annotation tool PhiTag (docs/LAB.md names their columns); tabs between fields, no quoting. Gold is as the paper filters
it (§4.3); what the paper leaves open is as in the authors' code.
"""

import math
import random
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from statistics import fmean
from typing import Final, NamedTuple

import numpy as np

from quotelab.labels.tables import number, span_of, table_rows, write_tsv
from quotelab.statistics import Numbers, Places, pairwise_spearman
from quotelake.files.jsonl import refuse
from quotelake.topics.contexts import mask

USES, INSTANCES, JUDGMENTS = "uses.tsv", "instances.tsv", "judgments.tsv"
TRAC_GOLD: Final = "trac_gold_scores.csv"  # the topic variation that the judgments give (:func:`read_variation`)
#: Values of a judgment: 1 unrelated topics, 4 the same topic (Periti et al. 2024, §4).
LOWEST, HIGHEST = 1, 4
UNDECIDED: Final = "-"  # label of a person who could not decide
DISAGREEING: Final = 2  # judgments of a pair that differ by so much: the pair is dropped, Periti et al. 2024, §4.3
UNCLEAR: Final = (2.0, 3.0)  # a mean strictly between these: dropped, Periti et al. 2024, §4.3
RELATED: Final = 2.5  # least mean of label 1, Periti et al. 2024, §4.3
FEWEST: Final = 2  # judgments that a label rests on [ours]; every pair of TRoTR has as many
MOST_UNDECIDED: Final = 1  # of a pair; with more it is dropped, as in the authors' code
AGREEMENT: Final = 0.150  # least weighted mean pairwise Spearman of a target of TRaC, Periti et al. 2024, §4.3

Votes = Mapping[str, int | None]  # annotator → judgment of one pair; None for undecided


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
class Judgment:
    """The judgment of one annotator on a pair: 1 to 4, or None for undecided. Key: (pair_id, annotator)."""

    pair_id: str
    value: int | None
    annotator: str
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two uses of one target, by their ids in the order in which they are shown, and the judgments on them.

    >>> [Pair("p", "a", "b", "t", dict(enumerate(v))).dropped for v in ([4], [1, 3], [2, 3], [2, 2])]
    ['few', 'disagreement', 'unclear', None]
    """

    pair_id: str
    first: str
    second: str
    target: str
    votes: Votes = field(default_factory=dict, compare=False)

    @property
    def values(self) -> list[int]:
        """Judgments that decide; none where more than one annotator could not decide."""
        decided = [value for value in self.votes.values() if value is not None]
        return decided if len(self.votes) - len(decided) <= MOST_UNDECIDED else []

    @property
    def score(self) -> float:
        """Mean judgment, 1 to 4; NaN if nobody decided."""
        return fmean(self.values) if self.values else math.nan

    @property
    def label(self) -> int:
        """1 if people found the topics roughly the same, else 0."""
        return int(self.score >= RELATED)

    @property
    def dropped(self) -> str | None:
        """Why the pair gets no binary label: ``few``, ``disagreement`` or ``unclear``; None if it gets one."""
        if len(self.values) < FEWEST:
            return "few"
        if max(self.values) - min(self.values) >= DISAGREEING:
            return "disagreement"
        return "unclear" if UNCLEAR[0] < self.score < UNCLEAR[1] else None


class Part(NamedTuple):
    """Pairs as arrays, all (pairs,): rows of both uses, mean judgment (1 to 4), label (1 related)."""

    first: Places
    second: Places
    scores: Numbers
    labels: Places

    def take(self, rows: Places) -> "Part":
        """Some of the pairs."""
        return Part(self.first[rows], self.second[rows], self.scores[rows], self.labels[rows])


@dataclass(frozen=True)
class Judged:
    """Uses, and judged pairs of them."""

    uses: Sequence[Use]
    pairs: Sequence[Pair]

    @property
    def clear(self) -> list[Pair]:
        """Pairs that get a binary label, in order."""
        return [pair for pair in self.pairs if pair.dropped is None]

    @cached_property
    def rows(self) -> dict[str, int]:
        """Place of each use by its id."""
        return {use.use_id: row for row, use in enumerate(self.uses)}

    @cached_property
    def places(self) -> dict[str, Places]:
        """Places of the uses of each target."""
        targets = np.array([use.target for use in self.uses])
        return {target: np.flatnonzero(targets == target) for target in dict.fromkeys(targets.tolist())}

    def part(self, pairs: Sequence[Pair]) -> Part:
        """Some of the pairs as arrays."""
        first, second = (
            np.array([self.rows[getattr(pair, side)] for pair in pairs], np.int64) for side in ("first", "second")
        )
        scores = np.array([pair.score for pair in pairs], np.float64)
        return Part(first, second, scores, np.array([pair.label for pair in pairs], np.int64))


def gold_variation(pairs: Iterable[Pair]) -> dict[str, float]:
    """Topic variation by target (TRaC): ``1 - mean / largest mean``, 0 for the target whose topic varies least.

    A mean is taken over all judgments of the target's pairs. Left out are targets on which the weighted mean of
    pairwise Spearman correlations is below :data:`AGREEMENT` or undefined.
    """
    means: dict[str, float] = {}
    for target, group in sorted(by_target(pairs).items()):
        values = [value for pair in group for value in pair.values]
        if values and pairwise_spearman([pair.votes for pair in group]) >= AGREEMENT:
            means[target] = fmean(values)
    return {target: 1 - mean / max(means.values()) for target, mean in means.items()}


def by_target(pairs: Iterable[Pair]) -> dict[str, list[Pair]]:
    """Pairs by their target, in their order."""
    groups: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        groups[pair.target].append(pair)
    return groups


def divided(targets: Iterable[str], most: int) -> dict[str, int]:
    """Number of the group of each target: at most as many groups, dealt in an order that a fixed seed gives."""
    names = sorted(set(targets))
    random.Random(0).shuffle(names)
    return {name: place % min(most, len(names)) for place, name in enumerate(names)}


def read_judged(folder: Path) -> Judged:
    """Read a folder as the module describes it; pairs in the order of ``instances.tsv``."""
    uses = read_uses(folder / USES)
    pairs = read_pairs(folder / INSTANCES, uses)
    return Judged(uses, with_votes(pairs, read_judgments([folder / JUDGMENTS], pairs)))


def with_votes(pairs: Mapping[str, Pair], judgments: Iterable[Judgment]) -> list[Pair]:
    """The pairs with their judgments."""
    votes: dict[str, dict[str, int | None]] = defaultdict(dict)
    for each in judgments:
        votes[each.pair_id][each.annotator] = each.value
    return [Pair(pair.pair_id, pair.first, pair.second, pair.target, votes[name]) for name, pair in pairs.items()]


def read_uses(path: Path) -> list[Use]:
    """Read the uses; an id must not occur twice."""
    uses: dict[str, Use] = {}
    for place, row in table_rows(path, ("dataID", "context", "lemma", "indices_target_token"), quoted=False):
        start, end = span_of(place, row)
        if row["dataID"] in uses:
            refuse(f"{place}: field dataID", f"{row['dataID']!r} again", "give each use an id of its own")
        uses[row["dataID"]] = Use(row["dataID"], row["context"], start, end, row["lemma"])
    return list(uses.values()) or refuse(str(path), "no row", "give a TSV file with a row for each use")


def read_pairs(path: Path, uses: Iterable[Use]) -> dict[str, Pair]:
    """Read pairs by their id, which must not occur twice; each must name two of these uses, of one target."""
    targets = {use.use_id: use.target for use in uses}
    pairs: dict[str, Pair] = {}
    for place, row in table_rows(path, ("instanceID", "dataIDs"), quoted=False):
        name, ids = row["instanceID"], row["dataIDs"].split(",")
        if name in pairs:
            refuse(f"{place}: field instanceID", f"{name!r} again", "give every pair an id of its own")
        if len(ids) != 2 or ids[0] == ids[1] or not {*ids} <= targets.keys():
            refuse(f"{place}: field dataIDs", repr(row["dataIDs"]), f"give two dataIDs of {USES}")
        if targets[ids[0]] != targets[ids[1]]:
            refuse(f"{place}: field dataIDs", "uses of different texts", "pair uses of one text")
        pairs[name] = Pair(name, ids[0], ids[1], targets[ids[0]])
    return pairs or refuse(str(path), "no pair", "give a row for each pair")


def read_judgments(paths: Iterable[Path], pairs: Collection[str] | None = None) -> list[Judgment]:
    """Read judgments of one or several files, which several annotators may share, in their order.

    A file is a table with tabs, or a filled-in sheet, whose name ends in ``.csv``; a pair without a label is left out.
    Nobody may judge a pair twice, nor one that is not among ``pairs``; None accepts any.
    """
    judgments: list[Judgment] = []
    places: dict[tuple[str, str], str] = {}
    for path in paths:
        is_sheet, columns = path.suffix.lower() == ".csv", ("instanceID", "label", "annotator")
        for place, row in table_rows(path, columns, ("comment",), quoted=is_sheet):
            if is_sheet and not row["label"].strip():
                continue
            value, key = _value(place, row["label"]), (row["instanceID"], row["annotator"])
            if pairs is not None and key[0] not in pairs:
                refuse(f"{place}: field instanceID", repr(key[0]), f"list the pair in {INSTANCES}")
            if not key[1].strip():
                refuse(place, "no annotator", "name who judged")
            if key in places:
                refuse(place, f"a second judgment of {key[0]!r} by {key[1]!r} (first: {places[key]})", "keep one")
            places[key] = place
            judgments.append(Judgment(key[0], value, key[1], row["comment"]))
    return judgments


def _value(place: str, label: str) -> int | None:
    scale = {UNDECIDED: None} | {str(value): value for value in range(LOWEST, HIGHEST + 1)}
    if label.strip() not in scale:
        refuse(f"{place}: field label", repr(label), f"give {LOWEST} to {HIGHEST}, or {UNDECIDED}")
    return scale[label.strip()]


def read_judgment_table(path: Path) -> Judged:
    """Read a CSV file with a row for each judgment: text, context_1, context_2, label, optionally annotator.

    Both contexts hold the reused text, in any case; its first place counts. Rows without annotator: as many people.
    """
    uses: dict[tuple[str, str], Use] = {}
    votes: dict[tuple[str, str, str], dict[str, int | None]] = defaultdict(dict)
    for place, row in table_rows(path, ("text", "context_1", "context_2", "label"), ("annotator",)):
        target, ids = row["text"], []
        for column in ("context_1", "context_2"):
            found = re.search(re.escape(target), row[column], re.IGNORECASE) if target.strip() else None
            if found is None:
                refuse(f"{place}: field {column}", repr(row[column][:80]), "give one that holds the text word by word")
            use = Use(f"use {len(uses)}", row[column], *found.span(), target)
            ids.append(uses.setdefault((target, row[column]), use).use_id)
        judges, who = votes[ids[0], ids[1], target], row["annotator"] or place
        if ids[0] == ids[1] or who in judges:
            refuse(place, "a context with itself, or a second judgment by one person", "leave the row out")
        judges[who] = _value(place, row["label"])
    pairs = [Pair(f"{one}, {other}", one, other, target, each) for (one, other, target), each in votes.items()]
    return Judged(list(uses.values()), pairs)


def read_variation(path: Path) -> dict[str, float]:
    """Read the topic variation of texts by people: CSV of ``lemma``, the text, and ``topic_variation``."""
    variation: dict[str, float] = {}
    for place, row in table_rows(path, ("lemma", "topic_variation")):
        if row["lemma"] in variation:
            refuse(f"{place}: field lemma", f"{row['lemma'][:80]!r} again", "give each text once")
        variation[row["lemma"]] = number(f"{place}: field topic_variation", row["topic_variation"])
    return variation


def write_uses(uses: Iterable[Use], path: Path) -> None:
    """Write uses; a break in a text becomes a space, so that offsets stay."""
    columns = ("dataID", "context", "indices_target_token", "indices_target_sentence", "lemma")
    rows = ((use.use_id, use.context, f"{use.start}:{use.end}", f"0:{len(use.context)}", use.target) for use in uses)
    write_tsv(path, columns, rows)


def write_pairs(pairs: Iterable[Pair], path: Path) -> None:
    """Write pairs in their order."""
    scale = ",".join(map(str, range(LOWEST, HIGHEST + 1)))
    rows = ((pair.pair_id, f"{pair.first},{pair.second}", scale, UNDECIDED) for pair in pairs)
    write_tsv(path, ("instanceID", "dataIDs", "label_set", "non_label"), rows)


def write_judgments(judgments: Iterable[Judgment], path: Path) -> None:
    """Write judgments in their order."""
    rows = ((j.pair_id, UNDECIDED if j.value is None else str(j.value), j.comment, j.annotator) for j in judgments)
    write_tsv(path, ("instanceID", "label", "comment", "annotator"), rows)
