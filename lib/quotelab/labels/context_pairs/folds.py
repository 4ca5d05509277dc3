"""Folds of judged pairs, with targets that never occur in training (Periti et al. 2024, App. A).

In the form of TRoTR's folds: rows [instanceID, dataID1, dataID2, mean score, binary label] per fold and part.
"""

import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from quotelab.labels.context_pairs.gold import Gold
from quotelab.labels.phitag import UsePair
from quotelake.files.outputs import write_whole
from quotelake.text.ids import content_id

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
