"""Takes judgments back: who passed the tutorial, pseudonyms, gold labels and folds.

An annotator who ranks the pairs of the tutorial too unlike its gold is left out (Periti et al. 2024, §4.2).
"""

import gzip
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from quotelab.annotation.exporting import GIVEN, Exported
from quotelab.annotation.lake import Tweets, with_texts
from quotelab.labels import judged
from quotelab.labels.judged import FEWEST, JUDGMENTS, gold_variation, read_judgments, with_votes
from quotelab.labels.tables import write_csv
from quotelab.protocols.agreement import measure
from quotelab.report import Report
from quotelab.statistics import spearman
from quotelake.files.jsonl import refuse
from quotelake.files.outputs import write_atomically
from quotelake.query.engines import RunSql
from quotelake.sources.keyed_hashes import hash_author
from quotelake.text.ids import content_id

GATE: Final = 0.55  # least Spearman correlation with the gold of the tutorial, Periti et al. 2024, §4.2
FOLDS: Final = 10  # Periti et al. 2024, App. A
UNSEEN: Final = 4  # targets of a fold that do not occur in training: two in dev, two in test [same]
PARTS: Final = ("train", "dev", "dev.iov", "dev.oov", "test", "test.iov", "test.oov")


def tutorial_gold() -> dict[str, int]:
    """Gold judgment of each pair of the tutorial."""
    found = read_judgments([GIVEN / "tutorial" / JUDGMENTS])
    return {each.pair_id: each.value for each in found if each.value is not None}


def gate_results(paths: Sequence[Path]) -> dict[str, float]:
    """Spearman correlation of each annotator with the gold of the tutorial; of :data:`GATE` or more, one passes.

    NaN for one who missed more than one in ten pairs, undecided ones among them, or always gave the same judgment.
    """
    gold = tutorial_gold()
    given: dict[str, list[tuple[int, int]]] = {}
    for each in read_judgments(paths, gold):
        votes = given.setdefault(each.annotator, [])
        if each.value is not None:
            votes.append((each.value, gold[each.pair_id]))
    return {
        who: spearman(*zip(*votes, strict=True)) if votes and len(votes) >= 0.9 * len(gold) else math.nan
        for who, votes in given.items()
    }


def write_judged(
    exported: Exported,
    judgments: Sequence[Path],
    tutorials: Sequence[Path],
    run_sql: RunSql | None,
    folder: Path,
    *,
    folds: int,
    seed: int,
) -> tuple[Report, list[str]]:
    """Write a folder of judged pairs in the form of TRoTR, with gold and at most so many folds.

    Judgments of annotators who did not pass the tutorial are left out, where tutorials are given. Annotators are named
    by a keyed hash, the same in every import; comments are kept. Texts of tweets passed on as ids are taken from the
    lake that ``run_sql`` queries. Returned are agreement, and remarks on what its reader should know.
    """
    remarks: list[str] = []
    taken = read_judgments(judgments, exported.pairs)
    if tutorials:
        results = gate_results(tutorials)
        out = sorted({each.annotator for each in taken if not results.get(each.annotator, -1) >= GATE})
        remarks += [f"{name}: left out, did not pass the tutorial" for name in out]
        taken = [each for each in taken if each.annotator not in out]
    if not taken:
        refuse(", ".join(map(str, judgments)), "no judgment of an annotator who passed", "give some")
    named = [replace(each, annotator=f"annotator_{hash_author(each.annotator, exported.key)[:8]}") for each in taken]
    pairs = with_votes(exported.pairs, named)
    if few := sum(len(pair.values) < FEWEST for pair in pairs):
        remarks.append(f"{few:,} of {len(pairs):,} pairs have fewer than {FEWEST} judgments")
    uses = with_texts(run_sql, exported.uses, exported.sources) if run_sql else exported.uses
    if not run_sql and any(row["passed_on"] == Tweets.IDS for row in exported.sources):
        remarks.append("tweets are ids without texts: give --lake to fill them in")
    voted = [pair for pair in pairs if pair.votes]
    gold = {pair.pair_id: pair for pair in voted if pair.dropped is None}
    made = make_folds({name: pair.target for name, pair in gold.items()}, folds, seed)
    if len(made) < folds:
        remarks.append(f"{len(made)} of {folds} folds: each needs {UNSEEN} quotes, and at least one more to train on")
    judged.write_uses(uses, folder / judged.USES)
    judged.write_pairs(voted, folder / judged.INSTANCES)
    judged.write_judgments(named, folder / JUDGMENTS)
    write_csv(folder / judged.TRAC_GOLD, ("lemma", "topic_variation"), gold_variation(voted).items())
    rows = {name: (name, of.first, of.second, round(of.score, 10), of.label) for name, of in gold.items()}
    divided = [{part: [rows[name] for name in names] for part, names in fold.items()} for fold in made]
    columns = ("instanceID", "dataID1", "dataID2", "score", "label")
    content = {"columns": columns, "folds": dict(enumerate(divided, 1))}
    write_atomically(folder / "folds.json.gz", gzip.compress(json.dumps(content).encode(), mtime=0))
    return measure(voted), remarks


def make_folds(targets: Mapping[str, str], folds: int = FOLDS, seed: int = 0) -> list[dict[str, list[str]]]:
    """Divide pairs, given with their targets, into training, dev and test part, once per fold: part → ids of its pairs.

    Each fold leaves another group of targets out of its training part: half of it is ``dev.oov``, half ``test.oov``. As
    many pairs of the other targets are divided between ``dev.iov`` and ``test.iov``; the rest is ``train``.
    """
    names = sorted(set(targets.values()), key=lambda name: content_id("target", seed, name))
    count = min(folds, len(names) // UNSEEN) if len(names) > UNSEEN else 0
    found = []
    for number in range(count):
        unseen = names[number::count]
        half = (len(unseen) + 1) // 2
        out = {
            "dev.oov": [pair for pair, target in targets.items() if target in unseen[:half]],
            "test.oov": [pair for pair, target in targets.items() if target in unseen[half:]],
        }
        others = [pair for pair, target in targets.items() if target not in unseen]
        others.sort(key=lambda pair: content_id("fold", seed, number, pair))
        n = min(sum(map(len, out.values())), len(others) // 2)
        out |= {"dev.iov": others[: n // 2], "test.iov": others[n // 2 : n], "train": others[n:]}
        out |= {part: out[f"{part}.iov"] + out[f"{part}.oov"] for part in ("dev", "test")}
        found.append({part: out[part] for part in PARTS})
    return found
