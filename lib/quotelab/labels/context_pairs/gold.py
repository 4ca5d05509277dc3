"""Gold labels from judgments: binary topic relatedness (TRiC) and topic variation (TRaC), by the filters of TRoTR.

Periti et al. 2024, §4; what the paper leaves open is as in the authors' code.
"""

import gzip
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Final

from quotelab.labels.phitag import UsePair
from quotelake.files.outputs import write_whole
from quotelake.text.ids import content_id

#: Annotator → judgment of one pair; None for undecided.
Votes = Mapping[str, int | None]

DISAGREEING = 2  # judgments of a pair that differ by so much: the pair is dropped, Periti et al. 2024, §4.3
UNCLEAR = (2.0, 3.0)  # a mean strictly between these: dropped, Periti et al. 2024, §4.3
RELATED = 2.5  # least mean of label 1, Periti et al. 2024, §4.3
FEWEST = 2  # judgments that a label rests on [ours]; every pair of TRoTR has as many
MOST_UNDECIDED = 1  # of a pair; with more it is dropped, as in the authors' code
AGREEMENT = 0.150  # least weighted mean pairwise Spearman of a target of TRaC, Periti et al. 2024, §4.3


@dataclass(frozen=True, slots=True)
class Gold:
    """Label of a pair. Key: instance_id.

    Attributes:
        score: mean judgment, 1 to 4.
        label: 1 for related topics, 0 for unrelated ones.
    """

    instance_id: str
    score: float
    label: int


def usable(votes: Votes) -> list[int]:
    """Judgments of a pair that decide; none where more than one annotator could not decide.

    >>> usable({"a": 1, "b": None, "c": 2}), usable({"a": 1, "b": None, "c": None})
    ([1, 2], [])
    """
    decided = [value for value in votes.values() if value is not None]
    return decided if len(votes) - len(decided) <= MOST_UNDECIDED else []


def reason_dropped(votes: Votes) -> str | None:
    """Why a pair gets no binary label: ``few``, ``disagreement`` or ``unclear``; None if it gets one.

    >>> [reason_dropped(dict(enumerate(v))) for v in ([4], [1, 3], [2, 3], [2, 2])]
    ['few', 'disagreement', 'unclear', None]
    """
    values = usable(votes)
    if len(values) < FEWEST:
        return "few"
    if max(values) - min(values) >= DISAGREEING:
        return "disagreement"
    return "unclear" if UNCLEAR[0] < fmean(values) < UNCLEAR[1] else None


def gold_labels(votes: Mapping[str, Votes]) -> list[Gold]:
    """Labels of the pairs that are not dropped, in their order."""
    kept = {pair: fmean(usable(each)) for pair, each in votes.items() if reason_dropped(each) is None}
    return [Gold(pair, mean, int(mean >= RELATED)) for pair, mean in kept.items()]


def gold_variation(
    votes: Mapping[str, Votes], targets: Mapping[str, str], agreement: Mapping[str, float]
) -> dict[str, float]:
    """Gold of TRaC by target: ``1 - mean / largest mean``, 0 for the target whose topic varies least.

    A mean is taken over all judgments of the target's pairs. Left out are targets whose agreement is below
    :data:`AGREEMENT` or undefined (Periti et al. 2024, §4.3).

    Args:
        votes: of each pair.
        targets: target of each pair.
        agreement: weighted mean pairwise Spearman of each target, before pairs are dropped.

    >>> gold_variation({"p": {"a": 4, "b": 4}, "q": {"a": 1, "b": 1}}, {"p": "x", "q": "y"}, {"x": 1.0, "y": 1.0})
    {'x': 0.0, 'y': 0.75}
    """
    values: dict[str, list[int]] = defaultdict(list)
    for pair, each in votes.items():
        if agreement.get(targets[pair], float("nan")) >= AGREEMENT:
            values[targets[pair]] += usable(each)
    means = {target: fmean(found) for target, found in sorted(values.items()) if found}
    return {target: 1 - mean / max(means.values()) for target, mean in means.items()}


FILE: Final = "folds.json.gz"
FOLDS: Final = 10  # Periti et al. 2024, App. A
UNSEEN: Final = 4  # targets of a fold that do not occur in training: two in dev, two in test [same]
COLUMNS: Final = ("instanceID", "dataID1", "dataID2", "score", "label")
PARTS: Final = ("train", "dev", "dev.iov", "dev.oov", "test", "test.iov", "test.oov")

#: Part → ids of its pairs.
Fold = dict[str, list[str]]


def make_folds(targets: Mapping[str, str], folds: int = FOLDS, seed: int = 0) -> list[Fold]:
    """Divide pairs into training, dev and test part, once per fold.

    The targets are divided into as many groups as folds, of at least :data:`UNSEEN`; a fold's group is unseen in its
    training part: half of it in ``dev.oov``, half in ``test.oov``. As many pairs of the other targets, drawn by hash,
    are divided between ``dev.iov`` and ``test.iov``; the rest is ``train``. No pair is in two of these parts; in the
    folds of the authors one is in dev and test, and one in train and test.

    Args:
        targets: target of each pair.
        folds: most folds; there are fewer where targets do not suffice.
        seed: of the division.

    Returns:
        No fold if there are fewer targets than :data:`UNSEEN` and one to train on.
    """
    names = sorted(set(targets.values()), key=lambda name: content_id("target", seed, name))
    if len(names) <= UNSEEN:
        return []
    count = min(folds, len(names) // UNSEEN)
    return [_fold(targets, names[number::count], seed, number) for number in range(count)]


def _fold(targets: Mapping[str, str], unseen: Sequence[str], seed: int, number: int) -> Fold:
    half = (len(unseen) + 1) // 2
    dev, test = set(unseen[:half]), set(unseen[half:])
    out: Fold = {
        "dev.oov": [pair for pair, target in targets.items() if target in dev],
        "test.oov": [pair for pair, target in targets.items() if target in test],
    }
    others = [pair for pair, target in targets.items() if target not in dev | test]
    others.sort(key=lambda pair: content_id("fold", seed, number, pair))
    n = min(sum(map(len, out.values())), len(others) // 2)
    out |= {"dev.iov": others[: n // 2], "test.iov": others[n // 2 : n], "train": others[n:]}
    out |= {part: out[f"{part}.iov"] + out[f"{part}.oov"] for part in ("dev", "test")}
    return {part: out[part] for part in PARTS}


def write_folds(folds: Sequence[Fold], gold: Sequence[Gold], pairs: Mapping[str, UsePair], path: Path) -> None:
    """Write folds as gzipped JSON; the same folds are the same bytes.

    Raises:
        InputError: the file cannot be written.
    """
    row = {
        each.instance_id: [
            each.instance_id,
            pairs[each.instance_id].first,
            pairs[each.instance_id].second,
            round(each.score, 10),
            each.label,
        ]
        for each in gold
    }
    content = {
        "columns": COLUMNS,
        "folds": {
            str(number): {part: [row[name] for name in names] for part, names in fold.items()}
            for number, fold in enumerate(folds, 1)
        },
    }
    write_whole(path, gzip.compress(json.dumps(content).encode(), mtime=0))
