"""What the topic variation of a group consists of: its months, its clusters of topics, its pairs. Pure: no Spark."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from quotelake.topics.clusters import Cluster, clusters
from quotelake.topics.group import Group
from quotelake.topics.keywords import keywords
from quotelake.topics.pairs import Thresholds, choose_pairs, related
from quotelake.topics.timeline import Shift, timeline
from quotelake.topics.variation import ONE, Floats

Where = Mapping[str, Any]


@dataclass(frozen=True)
class Explain:
    """How a group is explained.

    Attributes:
        least: distinct contexts from which on it is.
        most_pairs: pairs kept of a group.
        thresholds: of the labels of pairs; clusters are apart below ``thresholds.different``.
        is_common: whether a word is a function word.
    """

    least: int
    most_pairs: int
    thresholds: Thresholds
    is_common: Callable[[str], bool]


def details(
    group: Group, plain: Floats, where: Sequence[Where], texts: Sequence[str], explain: Explain, *, has_head: bool
) -> dict[str, Any]:
    """Explain a group: the content columns of ``topic_details`` after its key.

    Args:
        group: its distinct contexts, by the vectors that are compared.
        plain: (n, d) vectors of the same contexts before the topic head.
        where: of each context ``doc_id``, ``start``, ``context_start``, ``context_end`` and ``masked_hash`` of a use.
        texts: masked text of each.
        explain: how.
        has_head: whether the group's vectors are those of a head.
    """
    vectors = group.vectors.astype(np.float64) / ONE
    over_time = timeline(group)
    shift = over_time.shift
    found = clusters(vectors, explain.thresholds.different)
    words = keywords([[texts[row] for row in each.contexts] for each in found], explain.is_common)
    return {
        "n_sampled": len(vectors),
        "n_dated": over_time.n_dated,
        "n_undated": over_time.n_undated,
        "n_periods": over_time.n_periods,
        "variation_within": over_time.within,
        "variation_between": over_time.between,
        **_shift(shift, texts, explain.is_common),
        "clusters": [_cluster(*each, where) for each in zip(found, words, strict=True)],
        "pairs": _pairs(vectors, plain, where, explain, has_head=has_head),
    }


def _shift(shift: Shift | None, texts: Sequence[str], is_common: Callable[[str], bool]) -> dict[str, Any]:
    if shift is None:
        names = ("shift_period", "shift", "shift_chance", "has_shifted", "words_before", "words_after")
        return dict.fromkeys(names)
    before, after = keywords([[texts[row] for row in side] for side in (shift.before, shift.after)], is_common)
    return {
        "shift_period": shift.period,
        "shift": shift.size,
        "shift_chance": shift.chance,
        "has_shifted": shift.is_clear,
        "words_before": before,
        "words_after": after,
    }


def _cluster(cluster: Cluster, words: list[str], where: Sequence[Where]) -> dict[str, Any]:
    typical = [dict(where[row]) for row in cluster.typical]
    return {
        "n_contexts": len(cluster.contexts),
        "mean_cosine": cluster.mean_cosine,
        "words": words,
        "typical": typical[0],
        "second": typical[1] if len(typical) > 1 else None,
    }


def _pairs(
    vectors: Floats, plain: Floats, where: Sequence[Where], explain: Explain, *, has_head: bool
) -> list[dict[str, Any]]:
    chosen = choose_pairs([str(each["masked_hash"]) for each in where], explain.most_pairs)
    scored = zip(related(plain, chosen), related(vectors, chosen), strict=True)
    return [
        {
            **where[before.first],
            **{f"other_{name}": value for name, value in where[before.second].items()},
            "cosine": before.cosine,
            "head_score": after.cosine if has_head else None,
            "label": explain.thresholds.label(after.cosine),
        }
        for before, after in scored
    ]
