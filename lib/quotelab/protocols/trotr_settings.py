"""The settings that are compared: how the topic relatedness of two contexts is computed, with all choices made on dev.

base, mask: cosine of the contexts as written, and with the reused text masked. blend: cosine of the mix of both. head:
cosine after a head on the blend, trained on the train part. head_tfidf: that plus half the tf-idf cosine of the masked
texts. best: blend, head and weight of tf-idf chosen on the dev part. Nothing is fitted to a test part; tf-idf counts
the words of all contexts, without labels.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from quotelab.labels.judged import Judged, Part, Places, Scores, Use
from quotelab.protocols.trotr_folds import Fold
from quotelab.statistics import spearman
from quotelake.topics.head import RAW_WEIGHT, Vectors, blend, project

#: Relatedness of pairs, given as rows of uses.
Relatedness = Callable[[Places, Places], Scores]
#: Trains W on vectors, pairs and scores: :func:`quotelab.training.topic_head.train_weights`.
Train = Callable[[Vectors, Places, Places, Scores], Vectors]

#: What is chosen from: weight of the raw context, head or none, weight of tf-idf.
BLENDS: Final = (0.0, 0.2, 0.4)
TFIDF_WEIGHTS: Final = (0.0, 0.25, 0.5, 1.0)
HEAD_TFIDF_WEIGHT: Final = 0.5
#: Groups of texts that are held out in turn; about four texts each in TRoTR.
GROUPS: Final = 10


class Choice(NamedTuple):
    """A candidate for the best setting."""

    raw_weight: float
    head: bool
    tfidf_weight: float


class Contexts:
    """All uses as vectors, in the order of the uses.

    Attributes:
        masked: (uses, d) unit vectors of the masked contexts.
        raw: those of the contexts as written.
        tfidf: sparse (uses, words), unit rows, of the masked contexts.
        blend: blended vectors by the weight of the raw context.
    """

    def __init__(self, uses: Sequence[Use], encode: Callable[[Sequence[str]], Vectors]) -> None:
        texts = [use.masked for use in uses]
        self.masked, self.raw = encode(texts), encode([use.context for use in uses])
        self.tfidf: Any = TfidfVectorizer().fit_transform(texts)
        self.blend = cache(lambda raw_weight: blend(self.masked, self.raw, raw_weight))


def cosine(vectors: Vectors) -> Relatedness:
    """Relatedness as the cosine of unit vectors."""
    return lambda first, second: (vectors[first] * vectors[second]).sum(axis=1).astype(np.float64)


def with_tfidf(vectors: Vectors, contexts: Contexts, weight: float) -> Relatedness:
    """Weighted mean of the cosine of vectors (weight 1) and the tf-idf cosine of the masked texts."""
    if not weight:
        return cosine(vectors)
    rows = contexts.tfidf

    def relatedness(first: Places, second: Places) -> Scores:
        words = np.asarray(rows[first].multiply(rows[second]).sum(axis=1)).ravel()
        return np.asarray((cosine(vectors)(first, second) + weight * words) / (1 + weight))

    return relatedness


def heads(contexts: Contexts, train: Train, pairs: Part) -> Callable[[float], Vectors]:
    """Unit vectors of all uses, (uses, d), after a head that is trained on pairs, by the weight of a blend."""

    @cache
    def mapped(raw_weight: float) -> Vectors:
        x = contexts.blend(raw_weight)
        return project(x, train(x, pairs.first, pairs.second, pairs.scores))

    return mapped


def choose(contexts: Contexts, mapped: Callable[[float], Vectors], dev: Part) -> tuple[Choice, Relatedness]:
    """Choose the candidate with the highest Spearman on a dev part; of equal ones the first."""
    candidates = [
        (Choice(raw_weight, head, weight), with_tfidf(vectors, contexts, weight))
        for raw_weight in BLENDS
        for head, vectors in ((False, contexts.blend(raw_weight)), (True, mapped(raw_weight)))
        for weight in TFIDF_WEIGHTS
    ]
    return max(candidates, key=lambda each: spearman(each[1](dev.first, dev.second), dev.scores))


def settings_of(contexts: Contexts, fold: Fold, train: Train) -> Iterator[tuple[str, Relatedness, Choice | None]]:
    """The settings of a fold: name, relatedness, and what was chosen."""
    mapped = heads(contexts, train, fold.parts["train"])
    yield "base", cosine(contexts.raw), None
    yield "mask", cosine(contexts.masked), None
    yield "blend", cosine(contexts.blend(RAW_WEIGHT)), None
    yield "head", cosine(mapped(RAW_WEIGHT)), None
    yield "head_tfidf", with_tfidf(mapped(RAW_WEIGHT), contexts, HEAD_TFIDF_WEIGHT), None
    choice, relatedness = choose(contexts, mapped, fold.parts["dev"])
    yield "best", relatedness, choice


def hold_out(judged: Judged, contexts: Contexts, train: Train, groups: int = GROUPS) -> tuple[Vectors, Scores]:
    """Hold out each group of texts in turn; texts are divided by a seed into at most as many groups as there are texts.

    The head is trained on the clear pairs of all other groups. For the best setting, the next group is left out of the
    training, and serves as the dev part.

    Returns:
        (uses, d) unit vectors: each use after the head of the groups that its text is not in; and (pairs,) relatedness
        of all pairs by the best setting, chosen within the other groups.
    """
    targets = sorted({use.target for use in judged.uses})
    random.Random(0).shuffle(targets)
    count = min(groups, len(targets))
    group = {target: place % count for place, target in enumerate(targets)}
    of_use = np.array([group[use.target] for use in judged.uses])
    of_pair = np.array([group[pair.target] for pair in judged.pairs])
    clear, pairs = judged.clear, judged.part(judged.pairs)
    vectors, best = np.empty_like(contexts.masked), np.empty(len(judged.pairs))
    for out in range(count):
        others = judged.part([pair for pair in clear if group[pair.target] != out])
        vectors[of_use == out] = heads(contexts, train, others)(RAW_WEIGHT)[of_use == out]
        dev = (out + 1) % count
        trained = judged.part([pair for pair in clear if group[pair.target] not in (out, dev)])
        tuned = judged.part([pair for pair in clear if group[pair.target] == dev])
        _, relatedness = choose(contexts, heads(contexts, train, trained), tuned)
        here = of_pair == out
        best[here] = relatedness(pairs.first[here], pairs.second[here])
    return vectors, best
