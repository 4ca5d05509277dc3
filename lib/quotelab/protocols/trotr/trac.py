"""TRaC: reused texts, ranked by how much the topic varies over their contexts (Periti et al. 2024, §4)."""

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np
from scipy.stats import rankdata, spearmanr

from quotelab.labels.trotr import Judged
from quotelab.protocols.trotr.folds import Scores
from quotelake.topics.head import Vectors
from quotelake.topics.variation import mean_cosine, squared_norms, to_fixed

#: Resamples of the texts for an interval.
RESAMPLES: Final = 2000
Variation = Mapping[str, float]


class Ranked(NamedTuple):
    """Spearman with the gold over texts, with a bootstrap over the texts: 95 % interval and standard deviation."""

    spearman: float
    low: float
    high: float
    sd: float


def over_annotated(judged: Judged, relatedness: Scores) -> dict[str, float]:
    """Topic variation by text: mean of 1 minus relatedness over its judged pairs.

    Args:
        judged: uses and pairs.
        relatedness: (pairs,) of all pairs, in their order.
    """
    by_target: dict[str, list[float]] = {}
    for pair, value in zip(judged.pairs, relatedness.tolist(), strict=True):
        by_target.setdefault(pair.target, []).append(1 - value)
    return {target: float(np.mean(values)) for target, values in by_target.items()}


def over_all(judged: Judged, vectors: Vectors) -> dict[str, float]:
    """Topic variation by text: mean of 1 minus the cosine over all pairs of its uses; texts of one use are left out.

    Args:
        judged: uses and pairs.
        vectors: (uses, d), unit norm.
    """
    rows: dict[str, list[int]] = {}
    for place, use in enumerate(judged.uses):
        rows.setdefault(use.target, []).append(place)
    found = {}
    for target, places in rows.items():
        fixed = to_fixed(vectors[places])
        cosine = mean_cosine(fixed.sum(axis=0), int(squared_norms(fixed).sum()), len(places))
        if cosine is not None:
            found[target] = 1 - cosine
    return found


def rank(variation: Variation, gold: Variation, resamples: int = RESAMPLES, seed: int = 0) -> Ranked:
    """Compare variation with the gold over the texts that have both; NaN for fewer than three.

    >>> rank({"a": 0.1, "b": 0.2, "c": 0.3}, {"a": 0.0, "b": 0.5, "c": 0.9}).spearman
    1.0
    """
    targets = sorted(set(variation) & set(gold))
    if len(targets) < 3:
        return Ranked(*[float("nan")] * 4)
    ours, theirs = (np.array([side[target] for target in targets]) for side in (variation, gold))
    drawn = np.random.default_rng(seed).integers(len(targets), size=(resamples, len(targets)))
    found = _row_spearman(ours[drawn], theirs[drawn])
    low, high = np.nanpercentile(found, [2.5, 97.5])
    return Ranked(float(spearmanr(ours, theirs).statistic), float(low), float(high), float(np.nanstd(found, ddof=1)))


def _row_spearman(one: Scores, other: Scores) -> Scores:
    """Spearman of each row; NaN where a row is constant."""
    a, b = (rankdata(side, axis=1) for side in (one, other))
    a, b = (side - side.mean(axis=1, keepdims=True) for side in (a, b))
    length = np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))
    found: Scores = np.divide((a * b).sum(axis=1), length, out=np.full(len(a), np.nan), where=length > 0)
    return found
