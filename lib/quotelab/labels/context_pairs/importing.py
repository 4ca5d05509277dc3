"""Takes judgments back: who passed the tutorial, pseudonyms, gold labels and folds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from quotelab.labels.context_pairs import tutorial
from quotelab.labels.context_pairs.exporting import Exported
from quotelab.labels.context_pairs.gold import FEWEST, FILE, UNSEEN, Votes, gold_labels, make_folds, usable, write_folds
from quotelab.labels.context_pairs.lake import Tweets, with_texts
from quotelab.labels.phitag import (
    INSTANCES,
    JUDGMENTS,
    USES,
    Judgment,
    by_pair,
    read_judgments,
    write_judgments,
    write_pairs,
    write_uses,
)
from quotelab.labels.tables import write_csv
from quotelab.labels.trotr import TRAC_GOLD
from quotelake.files.jsonl import refuse
from quotelake.query.ask import Ask
from quotelake.sources.authors import hash_author

#: Figures, rows per target and gold of TRaC, from the votes and the target of each pair.
Measure = Callable[
    [Mapping[str, Votes], Mapping[str, str]], tuple[dict[str, float], list[dict[str, Any]], dict[str, float]]
]


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of an import: agreement, and what its reader should know."""

    figures: dict[str, float]
    rows: list[dict[str, Any]]
    remarks: list[str]


def gate_results(paths: Sequence[Path]) -> dict[str, float]:
    """Spearman correlation of each annotator with the gold of the tutorial.

    Raises:
        InputError: a file cannot be read, or judges something else than the tutorial.
    """
    return tutorial.results(read_judgments(paths, tutorial.gold()))


def write_judged(
    exported: Exported,
    judgments: Sequence[Path],
    tutorials: Sequence[Path],
    ask: Ask | None,
    measure: Measure,
    folder: Path,
    *,
    folds: int,
    seed: int,
) -> Taken:
    """Write a folder of judged pairs in the form of TRoTR, with gold and folds.

    Judgments of annotators who did not pass the tutorial are left out, where tutorials are given. Annotators are named
    by a keyed hash; comments are kept.

    Args:
        exported: what the annotators were given.
        judgments: their files.
        tutorials: their judgments of the tutorial; none: everyone is taken.
        ask: queries the lake that texts of tweets passed on as ids are taken from; None leaves the ids.
        measure: agreement.
        folder: made if it is not there.
        folds: most folds.
        seed: of the folds.

    Raises:
        InputError: a file is wrong, nobody passed, or the folder cannot be written.
    """
    remarks: list[str] = []
    taken = read_judgments(judgments, exported.pairs)
    if tutorials:
        results = gate_results(tutorials)
        out = sorted({each.annotator for each in taken if not tutorial.passed(results.get(each.annotator, -1))})
        remarks += [f"{name}: left out, did not pass the tutorial" for name in out]
        taken = [each for each in taken if each.annotator not in out]
    if not taken:
        refuse(", ".join(map(str, judgments)), "no judgment of an annotator who passed", "give some")
    named = [replace(each, annotator=pseudonym(each, exported.key)) for each in taken]
    votes = by_pair(named)
    few = sum(len(usable(votes.get(pair, {}))) < FEWEST for pair in exported.pairs)
    if few:
        remarks.append(f"{few:,} of {len(exported.pairs):,} pairs have fewer than {FEWEST} judgments")
    uses = with_texts(ask, exported.uses, exported.sources) if ask else list(exported.uses)
    if not ask and any(row["passed_on"] == Tweets.IDS for row in exported.sources):
        remarks.append("tweets are ids without texts: give --lake to fill them in")
    of_use = {use.use_id: use.target for use in uses}
    targets = {name: of_use[exported.pairs[name].first] for name in votes}
    figures, rows, variation = measure(votes, targets)
    gold = gold_labels(votes)
    made = make_folds({each.instance_id: targets[each.instance_id] for each in gold}, folds, seed)
    if len(made) < folds:
        remarks.append(f"{len(made)} of {folds} folds: each needs {UNSEEN} quotes, and at least one more to train on")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        refuse(str(folder), f"a folder that cannot be made ({error.strerror})", "name another one")
    write_uses(uses, folder / USES)
    write_pairs((pair for name, pair in exported.pairs.items() if name in votes), folder / INSTANCES)
    write_judgments(named, folder / JUDGMENTS)
    write_csv(folder / TRAC_GOLD, ("lemma", "topic_variation"), variation.items())
    write_folds(made, gold, exported.pairs, folder / FILE)
    return Taken(figures, rows, remarks)


def pseudonym(judgment: Judgment, key: bytes) -> str:
    """Name of an annotator that tells nobody who it is without the secret, the same in every import."""
    return f"annotator_{hash_author(judgment.annotator, key)[:8]}"
