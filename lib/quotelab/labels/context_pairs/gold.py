"""Gold labels from judgments: binary topic relatedness (TRiC) and topic variation (TRaC), by the filters of TRoTR.

Periti et al. 2024, §4; what the paper leaves open is as in the authors' code.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean

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
