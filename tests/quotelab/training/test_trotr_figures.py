"""The real pairs of TRoTR with the default encoder: what the authors publish, and the least that a head must add."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from quotelab.labels.judged import TRAC_GOLD, gold_variation, read_judged, read_variation
from quotelab.protocols.trotr import measure, over_all, rank
from quotelab.protocols.trotr_settings import FOLDS, TESTED, Contexts, cosine, read_folds, settings_of
from quotelab.statistics import spearman
from quotelab.training.topic_head import train_weights
from quotelake.embeddings.encoder import Encoder

pytestmark = [pytest.mark.slow, pytest.mark.real_data]


def test_published_rows_are_reproduced_and_a_head_ranks_better(data: Callable[[str], Path]):
    folder = data("trotr")
    judged = read_judged(folder)
    assert (len(judged.uses), len(judged.pairs), len(judged.clear)) == (1262, 6300, 3821)
    folds = read_folds(folder / FOLDS, judged)
    rows = json.loads((folder / "published_all-MiniLM-L6-v2.json").read_text())
    published = {("mask" if row["model"].endswith("_mask") else "base", row["fold"]): row for row in rows}
    contexts = Contexts(judged.uses, Encoder(dtype="float32").encode)
    for name, relatedness in (("base", cosine(contexts.raw)), ("mask", cosine(contexts.masked))):
        for fold in folds:
            theirs = published[name, fold.number]
            for part in TESTED:
                pairs = fold.parts[part]
                ours = measure(relatedness(pairs.first, pairs.second), pairs, 1 - theirs["threshold"])
                for said in ("spearman", "weighted_f1", "precision_0", "recall_1"):
                    assert ours[said] == pytest.approx(theirs[f"{part}_{said}"], abs=1e-3), (name, fold.number, part)
    gold = read_variation(folder / TRAC_GOLD)
    assert gold_variation(judged.pairs) == pytest.approx(gold)
    ranked = [rank(over_all(judged, contexts.blend(weight)), gold)["spearman"] for weight in (0, 0.2)]
    assert ranked == pytest.approx([0.820, 0.845], abs=2e-3)
    # Two of the ten folds stand for all: each costs six trainings.
    found = {name: [] for name in ("mask", "head", "best")}
    for fold in folds[:2]:
        for name, relatedness, _ in settings_of(contexts, fold, train_weights):
            if name in found:
                found[name].append(spearman(relatedness(*fold.parts["test"][:2]), fold.parts["test"].scores))
    mask, head, best = (float(np.mean(values)) for values in found.values())
    assert head > mask + 0.02 and best > mask + 0.02
