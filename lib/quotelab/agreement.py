"""Agreement of people who labelled the same items, and confidence intervals of shares."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

from scipy.stats import binomtest, spearmanr

from quotelab.metrics import ratio


def krippendorff_alpha(labels: Sequence[Sequence[str]]) -> float:
    """Krippendorff's alpha for nominal labels: 1 is full agreement, 0 that of chance.

    Krippendorff, *Computing Krippendorff's Alpha-Reliability* (2011). NaN if fewer than two different labels occur,
    because then nobody can disagree.

    Args:
        labels: for each item, the labels that people gave it, with the people in the same order.

    >>> round(krippendorff_alpha([("a", "a"), ("b", "b"), ("a", "b"), ("b", "b")]), 3)
    0.533
    """
    if len({label for row in labels for label in row}) < 2:
        return math.nan
    # Imported here, because nltk takes two seconds to import, and most protocols do not need it.
    from nltk.metrics.agreement import AnnotationTask

    triples = [(f"p{who}", place, label) for place, row in enumerate(labels) for who, label in enumerate(row)]
    return float(AnnotationTask(data=triples).alpha())


def ordinal_alpha(items: Sequence[Sequence[int]]) -> float:
    """Krippendorff's alpha for ordinal values: 1 is full agreement, 0 that of chance.

    The squared distance of two ranks is ``(sum of n_g for g from c to k - (n_c + n_k) / 2) ** 2``, with n_g the number
    of times that g was given (Krippendorff 2011, ordinal metric); nltk computes alpha with it. NaN if fewer than two
    different values occur.

    Args:
        items: the values that people gave each item, in any order; items with fewer than two values do not count.

    >>> round(ordinal_alpha([(1, 1), (2, 2), (1, 2), (4, 4), (4, 3)]), 3)
    0.847
    """
    counted = [item for item in items if len(item) > 1]
    given = Counter(value for item in counted for value in item)
    if len(given) < 2:
        return math.nan
    from nltk.metrics.agreement import AnnotationTask

    ranks = sorted(given)
    below = dict(zip(ranks, (sum(given[rank] for rank in ranks[:place]) for place in range(len(ranks))), strict=True))
    middle = {rank: below[rank] + given[rank] / 2 for rank in ranks}

    def distance(one: int, other: int) -> float:
        return (middle[one] - middle[other]) ** 2

    triples = [(f"p{who}", place, value) for place, item in enumerate(counted) for who, value in enumerate(item)]
    return float(AnnotationTask(data=triples, distance=distance).alpha())


def pairwise_spearman(items: Sequence[Mapping[str, int | None]]) -> float:
    """Mean Spearman correlation of each two annotators, weighted by the items that both judged.

    Two who share fewer than two items, or of whom one always gave the same value, do not count; NaN if no two do.

    Args:
        items: annotator → value, for each item; None where the annotator could not decide.

    >>> pairwise_spearman([{"a": 1, "b": 2}, {"a": 2, "b": 3}, {"a": 4, "b": 4}, {"a": 1}])
    1.0
    """
    decided = [{who: value for who, value in item.items() if value is not None} for item in items]
    annotators = dict.fromkeys(who for item in decided for who in item)
    total = weight = 0.0
    for one, other in combinations(annotators, 2):
        shared = [(item[one], item[other]) for item in decided if one in item and other in item]
        first, second = ({pair[place] for pair in shared} for place in (0, 1))
        if len(first) > 1 and len(second) > 1:
            total += len(shared) * float(spearmanr(*zip(*shared, strict=True)).statistic)
            weight += len(shared)
    return total / weight if weight else math.nan


def wilson(hits: float, n: float) -> tuple[float, float]:
    """Wilson's 95 % interval of a share (Wilson 1927); NaN without trials.

    Args:
        hits: 0 to n; rounded to an integer, as is ``n``, because weighted shares have effective sizes (Kish 1965).
        n: trials.

    >>> [round(end, 3) for end in wilson(8, 10)]
    [0.49, 0.943]
    """
    trials = round(n)
    if not trials:
        return math.nan, math.nan
    interval = binomtest(min(round(hits), trials), trials).proportion_ci(method="wilson")
    return float(interval.low), float(interval.high)


def share_figures(name: str, hits: int, n: int) -> dict[str, float]:
    """Share of hits among trials as a report names it, with Wilson's interval as ``NAME_low`` and ``NAME_high``.

    >>> {name: round(value, 3) for name, value in share_figures("recall", 8, 10).items()}
    {'recall': 0.8, 'recall_low': 0.49, 'recall_high': 0.943}
    """
    low, high = wilson(hits, n)
    return {name: ratio(hits, n), f"{name}_low": low, f"{name}_high": high}


def weighted_share(part: float, weights: Sequence[float]) -> tuple[float, float, float]:
    """Weighted share with Wilson's interval at the effective number of items (Kish 1965): low, high, share.

    Args:
        part: sum of the weights of the items that count.
        weights: of all items; without any, all three are NaN.

    >>> [round(number, 3) for number in weighted_share(8, [1.0] * 10)]
    [0.49, 0.943, 0.8]
    """
    total = math.fsum(weights)
    if not total:
        return math.nan, math.nan, math.nan
    effective = total**2 / math.fsum(weight**2 for weight in weights)
    low, high = wilson(part / total * effective, effective)
    return low, high, part / total
