"""Reused texts in context, and pairs of contexts that people judged: the files of TRoTR (Periti et al. 2024).

A folder holds ``uses.tsv`` (dataID, context, lemma: the reused text, indices_target_token: its START:END in the
context), ``instances.tsv`` (instanceID, dataIDs: two, with a comma between) and ``judgments.tsv`` (instanceID, label,
annotator). A label is 1 (unrelated topics) to 4 (identical), or ``-`` (cannot decide). Other columns are not read.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from quotelab.labels.context_pairs.gold import RELATED, reason_dropped
from quotelab.labels.phitag import INSTANCES, JUDGMENTS, USES, Use, by_pair, read_judgments, read_pairs, read_uses
from quotelab.labels.tables import number, table_rows
from quotelake.files.jsonl import refuse

#: File of a folder with the topic variation that the judgments give (:func:`read_variation`).
TRAC_GOLD: Final = "trac_gold_scores.csv"


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
        return int(self.score >= RELATED)

    @property
    def clear(self) -> bool:
        """Whether TRiC keeps the pair; see :func:`~quotelab.labels.context_pairs.gold.reason_dropped`."""
        return reason_dropped(dict(self.judgments)) is None


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
    uses = read_uses(folder / USES)
    places = {use.use_id: place for place, use in enumerate(uses)}
    named = read_pairs(folder / INSTANCES, {use.use_id: use.target for use in uses})
    votes = by_pair(read_judgments([folder / JUDGMENTS], named))
    pairs = []
    for name, pair in named.items():
        decided = tuple((who, value) for who, value in votes.get(name, {}).items() if value is not None)
        first, second = places[pair.first], places[pair.second]
        pairs.append(Pair(name, first, second, uses[first].target, decided))
    return Judged(uses, pairs)


def read_variation(path: Path) -> dict[str, float]:
    """Read the topic variation of texts by people: CSV with the columns ``lemma``, the text, and ``topic_variation``.

    Raises:
        InputError: the file cannot be read, a row is wrong, or a text occurs twice; it names file and line.
    """
    variation: dict[str, float] = {}
    for place, row in table_rows(path, ("lemma", "topic_variation")):
        if row["lemma"] in variation:
            refuse(f"{place}: field lemma", f"{row['lemma'][:80]!r} again", "give each text once")
        variation[row["lemma"]] = number(f"{place}: field topic_variation", row["topic_variation"])
    return variation


def clear_pairs(pairs: Iterable[Pair]) -> list[Pair]:
    """Pairs that TRiC keeps, in order."""
    return [pair for pair in pairs if pair.clear]
