"""TRiC: pairs of contexts ranked by topic relatedness, and divided into related and unrelated (Periti et al. 2024)."""

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np
from scipy.stats import rankdata, spearmanr

from quotelab.labels.trotr import Judged
from quotelab.protocols.trotr.folds import Part, Places, Scores
from quotelab.statistics import Counts
from quotelake.topics.head import Vectors
from quotelake.topics.variation import mean_cosine, squared_norms, to_fixed


class LabelFigures(NamedTuple):
    """Precision, recall and F1 of a label, and F1 of both weighted by their numbers; NaN where one is undefined."""

    precision_0: float
    recall_0: float
    f1_0: float
    precision_1: float
    recall_1: float
    f1_1: float
    weighted_f1: float


def label_figures(labels: Places, predicted: Places) -> LabelFigures:
    """Compare predicted labels with those of people, both (pairs,) of 0 and 1.

    >>> round(label_figures(np.array([0, 0, 1]), np.array([0, 1, 1])).weighted_f1, 4)
    0.6667
    """
    counts = []
    for label in (0, 1):
        there, found = labels == label, predicted == label
        counts.append(Counts(int((there & found).sum()), int(found.sum()), int(there.sum())))
    weighted = sum(count.labelled * (count.f1 if count.labelled else 0.0) for count in counts) / len(labels)
    unrelated, related = ((count.precision, count.recall, count.f1) for count in counts)
    return LabelFigures(*unrelated, *related, weighted)


def best_threshold(relatedness: Scores, labels: Places) -> float:
    """Least relatedness called related that gives the highest weighted F1, exact: all thresholds are tried.

    It lies between two neighbouring values; of several best ones the lowest is taken.

    >>> best_threshold(np.array([0.1, 0.2, 0.6, 0.8]), np.array([0, 0, 1, 1]))
    0.4
    """
    order = np.argsort(relatedness, kind="stable")
    values, truth = relatedness[order], labels[order]
    n, positive = len(truth), int(truth.sum())
    # With the lowest k pairs called unrelated: how many of them are.
    k = np.arange(n + 1)
    unrelated = np.r_[0, np.cumsum(1 - truth)]
    related = positive - (k - unrelated)
    negative = n - positive
    f1_0 = 2 * unrelated / np.maximum(k + negative, 1)
    f1_1 = 2 * related / np.maximum(n - k + positive, 1)
    weighted = (negative * f1_0 + positive * f1_1) / n
    possible = np.r_[True, values[1:] > values[:-1], True]  # equal values cannot be divided
    best = int(np.argmax(np.where(possible, weighted, -1)))
    if best == 0:
        return float(values[0])
    return float((values[best - 1] + values[best]) / 2) if best < n else float(np.nextafter(values[-1], np.inf))


def spearman(relatedness: Scores, part: Part) -> float:
    """Spearman correlation with the mean judgments, -1 to 1; NaN if either is constant or there is no pair."""
    if not len(relatedness) or np.ptp(relatedness) == 0 or np.ptp(part.scores) == 0:
        return float("nan")
    return float(spearmanr(relatedness, part.scores).statistic)


def measure(relatedness: Scores, part: Part, threshold: float) -> dict[str, float]:
    """Spearman and :class:`LabelFigures` of the pairs of a part, related from ``threshold`` on."""
    predicted = (relatedness >= threshold).astype(np.int64)
    return {"spearman": spearman(relatedness, part), **label_figures(part.labels, predicted)._asdict()}


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
