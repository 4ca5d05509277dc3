"""Agreement of people who judged pairs of contexts for topic relatedness, and the gold labels their judgments give.

Periti et al. 2024 (TRoTR), §4. Published of TRoTR: alpha .420, Spearman .506; .709 and .811 after the filters.
"""

import argparse
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from quotelab.labels.context_pairs.gold import (
    Gold,
    Votes,
    gold_labels,
    gold_variation,
    reason_dropped,
    usable,
)
from quotelab.labels.phitag import INSTANCES, JUDGMENTS, USES, by_pair, read_judgments, read_pairs, read_uses
from quotelab.labels.trotr import TRAC_GOLD, read_variation
from quotelab.protocols.evaluate import only_file
from quotelab.report import Report
from quotelab.statistics import ordinal_alpha, pairwise_spearman
from quotelake.files.jsonl import refuse


def evaluate(path: Path) -> Report:
    """Measure agreement before and after the filters, overall and per target, and derive gold labels.

    Args:
        path: ``judgments.tsv``, or the folder that holds it; ``instances.tsv`` and ``uses.tsv`` beside it name the
            targets, and ``trac_gold_scores.csv`` (lemma, topic_variation) holds a gold to compare with.

    Returns:
        Counts; ``alpha`` (Krippendorff, ordinal) and ``spearman`` (weighted mean of pairwise ones), of all pairs and
        of those kept. With targets ``targets_kept`` of TRaC, and ``trac_largest_difference`` from a gold beside it.
        Rows: target.

    Raises:
        InputError: a file cannot be read or does not fit the others; it names file and line.
    """
    folder, file = (path, path / JUDGMENTS) if path.is_dir() else (path.parent, path)
    pairs = None
    targets: dict[str, str] = {}
    if (folder / INSTANCES).is_file() and (folder / USES).is_file():
        of_use = {use.use_id: use.target for use in read_uses(folder / USES)}
        pairs = read_pairs(folder / INSTANCES, of_use)
        targets = {name: of_use[pair.first] for name, pair in pairs.items()}
    votes = by_pair(read_judgments([file], pairs))
    if not votes:
        refuse(str(file), "no judgment", "give a row for each judgment")
    figures, rows, variation = measure(votes, targets)
    if targets and (folder / TRAC_GOLD).is_file():
        figures["trac_largest_difference"] = _difference(variation, folder / TRAC_GOLD)
    return Report("agreement", figures, rows)


def measure(
    votes: Mapping[str, Votes], targets: Mapping[str, str]
) -> tuple[dict[str, float], list[dict[str, Any]], dict[str, float]]:
    """Return figures, a row per target, and the gold of TRaC; see :func:`evaluate`.

    Args:
        votes: of each pair.
        targets: target of each pair; empty where unknown.
    """
    gold = gold_labels(votes)
    figures: dict[str, float] = {
        "pairs": len(votes),
        "judgments": sum(map(len, votes.values())),
        "undecided": sum(value is None for each in votes.values() for value in each.values()),
        "annotators": len({who for each in votes.values() for who in each}),
        "pairs_kept": len(gold),
        "pairs_unrelated": sum(each.label == 0 for each in gold),
        "pairs_related": sum(each.label == 1 for each in gold),
    }
    dropped = [reason_dropped(each) for each in votes.values()]
    figures |= {f"dropped_{reason}": dropped.count(reason) for reason in ("few", "disagreement", "unclear")}
    figures |= _agreement(votes, gold)
    if not targets:
        return figures, [], {}
    groups: dict[str, dict[str, Votes]] = {}
    for pair, each in votes.items():
        groups.setdefault(targets[pair], {})[pair] = each
    rows: list[dict[str, Any]] = []
    for target, group in sorted(groups.items()):
        kept = gold_labels(group)
        rows.append({"target": target, "pairs": len(group), "kept": len(kept)} | _agreement(group, kept))
    variation = gold_variation(votes, targets, {row["target"]: row["spearman"] for row in rows})
    for row in rows:
        row["topic_variation"] = variation.get(row["target"], math.nan)
        row.update({name: None for name, value in row.items() if isinstance(value, float) and math.isnan(value)})
    return figures | {"targets": len(groups), "targets_kept": len(variation)}, rows, variation


def _agreement(votes: Mapping[str, Votes], gold: Iterable[Gold]) -> dict[str, float]:
    kept = [votes[each.instance_id] for each in gold]
    found: dict[str, float] = {}
    for suffix, items in (("", list(votes.values())), ("_kept", kept)):
        found[f"alpha{suffix}"] = ordinal_alpha([usable(item) for item in items])
        found[f"spearman{suffix}"] = pairwise_spearman(items)
    return found


def _difference(variation: Mapping[str, float], path: Path) -> float:
    """Largest difference from a gold file; NaN if the targets are others."""
    expected = read_variation(path)
    if set(expected) != set(variation):
        return math.nan
    return max(abs(expected[target] - value) for target, value in variation.items())


def report(options: argparse.Namespace) -> Report:
    """The protocol as the command runs it."""
    return evaluate(only_file(options, folders=True))
