"""Details of the topic variation of a group: its months, its clusters of topics, its pairs. Pure: no Spark."""

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.cluster.hierarchy import fcluster, linkage

from quotelake.text.lexicon import table
from quotelake.topics.timeline import largest_shift, over_time
from quotelake.topics.variation import ONE, Floats, Group

#: Score from which a pair of contexts is of the same topic, and below which it and clusters are of different ones: of
#: all 6,300 judged pairs of TRoTR, masked cosine, 60 % of those from .5 on have a mean judgment of 3 or more (23 % of
#: all), 79 % of those below .3 one of 2 or less (53 % of all) [measured].
SAME: Final = 0.5
DIFFERENT: Final = 0.3
#: Pairs, clusters and keywords kept, of a group and of a class of texts [ours].
PAIRS: Final = 50
MAX_CLUSTERS: Final = 8
MAX_KEYWORDS: Final = 8
#: Odd multipliers of SplitMix64 (Steele, Lea and Flood 2014), which spread the bits of the pair's hashes.
_MIX: Final = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
#: Addresses and mentions, which have no topic.
_NAMES: Final = re.compile(r"https?://\S++|@\w++")
#: Words of reports without a topic, beside those that ``is_common`` knows [ours].
_REPORTING: Final = table("reporting", room="quotelake.topics")
#: Words of three letters or more, of Korean two syllables or more.
_WORD: Final = re.compile(r"[^\W\d_][^\W_]{2,}+|[가-힣]{2}")


class Cluster(NamedTuple):
    """Contexts about one topic, by their rows; ``typical`` are the one or two nearest to all others, nearest first."""

    contexts: list[int]
    mean_cosine: float | None
    typical: list[int]


def clusters(vectors: Floats, least_cosine: float) -> list[Cluster]:
    """The :data:`MAX_CLUSTERS` largest clusters of contexts; of equal size the one with the first context.

    Two clusters are one as long as the mean cosine between them is at least ``least_cosine``: group-average
    agglomerative clustering (Manning et al., *Introduction to Information Retrieval*, §17.3). ``vectors`` are (n, d),
    of unit norm; n is bounded by ``topics.sample``, and time grows with its square.

    >>> axes = np.array([[1.0, 0, 0], [0.6, 0.8, 0], [0, 0, 1]])
    >>> [each.contexts for each in clusters(axes, 0.5)]
    [[0, 1], [2]]
    """
    cosines = np.clip(vectors @ vectors.T, -1, 1)
    labels = np.ones(len(vectors), dtype=np.int64)
    if len(vectors) > 1:
        distances = np.round(1 - cosines[np.triu_indices(len(vectors), 1)], 9)
        labels = fcluster(linkage(distances, "average"), 1 - least_cosine, "distance")
    members = [np.flatnonzero(labels == label) for label in np.unique(labels)]
    members.sort(key=lambda rows: (-len(rows), int(rows[0])))
    found = []
    for rows in members[:MAX_CLUSTERS]:
        inside, n = cosines[np.ix_(rows, rows)], len(rows)
        mean = float((inside.sum() - np.trace(inside)) / (n * (n - 1))) if n > 1 else None
        nearest = np.argsort(-np.round(inside.sum(axis=1), 9), kind="stable")[:2]
        found.append(Cluster(rows.tolist(), mean, rows[nearest].tolist()))
    return found


def terms(text: str) -> set[str]:
    """Lower-cased words of a text that may have a topic, each once: a long text counts no more than a short one.

    >>> sorted(terms("RT @desk: the Ferry, the FERRY https://a.b/c"))
    ['ferry', 'the']
    """
    return {word.lower() for word in _WORD.findall(_NAMES.sub(" ", text))}


def keywords(classes: Sequence[Sequence[str]], is_common: Callable[[str], bool]) -> list[list[str]]:
    """Keywords of each class of texts, by class-based tf–idf (Grootendorst 2022, *BERTopic*, §3.3), then alphabet.

    The weight of a word is ``tf · log(1 + A / f)`` with tf its texts in the class, f those in all classes, and A the
    mean number of words of a class. A class of four texts or more needs the word in two of them, and any class in a
    larger share of its texts than all others have. Function words, by ``is_common``, are no keywords.

    >>> keywords([["the harbour dredging", "harbour fees"], ["the choir", "choir fees"]], {"the"}.__contains__)
    [['harbour', 'dredging'], ['choir']]
    """
    counts = [
        Counter(word for text in texts for word in terms(text) if not (word in _REPORTING or is_common(word)))
        for texts in classes
    ]
    everywhere: Counter[str] = sum(counts, Counter())
    mean = everywhere.total() / max(len(classes), 1)
    whole = sum(map(len, classes))
    found = []
    for texts, counted in zip(classes, counts, strict=True):
        least, others = 2 if len(texts) >= 4 else 1, whole - len(texts)
        # Rounded, since the last bits of a logarithm depend on the machine.
        weights = {
            word: round(n * math.log(1 + mean / everywhere[word]), 9)
            for word, n in counted.items()
            if n >= least and n * others >= (everywhere[word] - n) * len(texts) + (others > 0)
        }
        found.append(sorted(sorted(weights), key=weights.__getitem__, reverse=True)[:MAX_KEYWORDS])
    return found


def choose_pairs(hashes: Sequence[str], most: int) -> list[tuple[int, int]]:
    """All pairs of contexts, or ``most`` of them by the hashes of the contexts, which are in ascending order.

    >>> choose_pairs(["0" * 32, "1" * 32, "2" * 32], 5)
    [(0, 1), (0, 2), (1, 2)]
    """
    first, second = np.triu_indices(len(hashes), 1)
    if len(first) > most:
        beginnings = np.array([int(each[:16], 16) for each in hashes], dtype=np.uint64)
        mixed = _mixed(_mixed(beginnings)[first] ^ beginnings[second])
        chosen = np.sort(np.lexsort((second, first, mixed))[:most])
        first, second = first[chosen], second[chosen]
    return list(zip(first.tolist(), second.tolist(), strict=True))


def _mixed(words: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    for multiplier in _MIX:
        words = (words ^ (words >> np.uint64(30))) * np.uint64(multiplier)
    return words ^ (words >> np.uint64(31))


def details(
    group: Group,
    without_head: Floats,
    where: Sequence[Mapping[str, Any]],
    texts: Sequence[str],
    is_common: Callable[[str], bool],
    *,
    has_head: bool,
) -> dict[str, Any]:
    """Explain a group of distinct contexts: the struct ``details`` of ``topic_variation``.

    ``without_head`` are the vectors, (n, d), of these contexts before the topic head, ``where`` the places of a use of
    each with its ``masked_hash``, ``texts`` their masked texts.
    """

    def words(*classes: Sequence[int]) -> list[list[str]]:
        return keywords([[texts[row] for row in rows] for rows in classes], is_common)

    vectors = group.vectors.astype(np.float64) / ONE
    shift, found = largest_shift(group), clusters(vectors, DIFFERENT)
    before, after = (None, None) if shift is None else words(shift.before, shift.after)
    return {
        **over_time(group),
        "shift_period": shift and shift.period,
        "shift": shift and shift.size,
        "shift_chance": shift and shift.chance,
        "has_shifted": shift and shift.is_clear,
        "words_before": before,
        "words_after": after,
        "clusters": [
            {
                "n_contexts": len(each.contexts),
                "mean_cosine": each.mean_cosine,
                "words": words_of_class,
                "typical": where[each.typical[0]],
                "second": where[each.typical[1]] if len(each.typical) > 1 else None,
            }
            for each, words_of_class in zip(found, words(*(each.contexts for each in found)), strict=True)
        ],
        "pairs": _pairs(vectors, without_head, where, has_head),
    }


def _pairs(
    vectors: Floats, without_head: Floats, where: Sequence[Mapping[str, Any]], has_head: bool
) -> list[dict[str, Any]]:
    """Pairs of contexts (TRiC, Periti et al. 2024, §4): places, cosine before the head and after it, a label."""
    chosen = choose_pairs([each["masked_hash"] for each in where], PAIRS)
    if not chosen:
        return []
    first, second = np.array(chosen).T
    both = (without_head, vectors)
    cosines, scores = (np.round((rows[first] * rows[second]).sum(axis=1), 9).tolist() for rows in both)
    return [
        {
            **where[a],
            **{f"other_{name}": value for name, value in where[b].items()},
            "cosine": cosine,
            "head_score": score if has_head else None,
            "label": "same" if score >= SAME else "different" if score < DIFFERENT else "unclear",
        }
        for (a, b), cosine, score in zip(chosen, cosines, scores, strict=True)
    ]
