"""Protocol ``agreement``: how far people agree who judged pairs of contexts for relatedness, and their gold labels.

Periti et al. 2024 (TRoTR), §4. Published of TRoTR: alpha .420, Spearman .506; .709 and .811 after the filters.
"""

import math
from collections.abc import Sequence
from pathlib import Path

from quotelab.labels import judged as files
from quotelab.labels.judged import Pair, by_target, gold_variation, with_votes
from quotelab.report import Report
from quotelab.statistics import ordinal_alpha, pairwise_spearman
from quotelake.files.jsonl import refuse


def evaluate(path: Path) -> Report:
    """Measure agreement before and after the filters, overall and per target, and derive gold labels (:func:`measure`).

    Read is ``judgments.tsv``, or the folder that holds it; ``instances.tsv`` and ``uses.tsv`` beside it name the
    targets. ``trac_largest_difference`` is that from ``trac_gold_scores.csv`` beside it, NaN if its targets are others.
    """
    folder, file = (path, path / files.JUDGMENTS) if path.is_dir() else (path.parent, path)
    instances, uses, gold = (folder / name for name in (files.INSTANCES, files.USES, files.TRAC_GOLD))
    known = None
    if instances.is_file() and uses.is_file():
        known = files.read_pairs(instances, files.read_uses(uses))
    judgments = files.read_judgments([file], known)
    pairs = known or {each.pair_id: Pair(each.pair_id, "", "", "") for each in judgments}
    judged = [pair for pair in with_votes(pairs, judgments) if pair.votes]
    if not judged:
        refuse(str(file), "no judgment", "give a row for each judgment")
    report = measure(judged)
    if known and gold.is_file():
        variation, expected = gold_variation(judged), files.read_variation(gold)
        differences = [abs(expected[target] - value) for target, value in variation.items() if target in expected]
        is_same = set(expected) == set(variation)
        report.figures["trac_largest_difference"] = max(differences) if is_same else math.nan
    return report


def measure(pairs: Sequence[Pair]) -> Report:
    """Measure the agreement of judged pairs, whose target is empty where it is unknown.

    Figures: Counts; ``alpha`` (Krippendorff, ordinal) and ``spearman`` (weighted mean of pairwise ones), of all pairs
    and of those kept. With targets ``targets_kept`` of TRaC. Rows: target.
    """
    dropped = [pair.dropped for pair in pairs]
    labels = [pair.label for pair in pairs if pair.dropped is None]
    figures: dict[str, float] = {
        "pairs": len(pairs),
        "judgments": sum(len(pair.votes) for pair in pairs),
        "undecided": sum(value is None for pair in pairs for value in pair.votes.values()),
        "annotators": len({who for pair in pairs for who in pair.votes}),
        "pairs_kept": len(labels),
        "pairs_unrelated": labels.count(0),
        "pairs_related": labels.count(1),
    }
    figures |= {f"dropped_{reason}": dropped.count(reason) for reason in ("few", "disagreement", "unclear")}
    figures |= _agreement(pairs)
    groups = {target: group for target, group in sorted(by_target(pairs).items()) if target}
    if not groups:
        return Report("agreement", figures)
    variation = gold_variation(pairs)
    rows = [
        {"target": target, "pairs": len(group), "kept": sum(pair.dropped is None for pair in group)}
        | {**_agreement(group), "topic_variation": variation.get(target, math.nan)}
        for target, group in groups.items()
    ]
    return Report("agreement", figures | {"targets": len(groups), "targets_kept": len(variation)}, rows)


def _agreement(pairs: Sequence[Pair]) -> dict[str, float]:
    found: dict[str, float] = {}
    for suffix, counted in (("", pairs), ("_kept", [pair for pair in pairs if pair.dropped is None])):
        found[f"alpha{suffix}"] = ordinal_alpha([pair.values for pair in counted])
        found[f"spearman{suffix}"] = pairwise_spearman([pair.votes for pair in counted])
    return found
