"""The settings that are compared: how the topic relatedness of two contexts is computed, with all choices made on dev.

base, mask: cosine of the contexts as written, and with the reused text masked. blend: cosine of the mix of both. head:
cosine after a head on the blend, trained on the train part. head_tfidf: that plus half the tf-idf cosine of the masked
texts. best: blend, head and weight of tf-idf chosen on the dev part. Nothing is fitted to a test part; tf-idf counts
the words of all contexts, without labels.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from quotelab.labels.phitag import Use
from quotelab.labels.trotr import Judged
from quotelab.protocols.trotr.folds import Fold, Part, Places, Scores, part_of
from quotelab.protocols.trotr.measures import spearman
from quotelake.topics.head import RAW_WEIGHT, Vectors, blend, project

#: Relatedness of pairs, given as rows of uses.
Relatedness = Callable[[Places, Places], Scores]
#: Trains W on vectors, pairs and scores: :func:`quotelab.training.topic_head.train_weights`.
Train = Callable[[Vectors, Places, Places, Scores], Vectors]

#: What is chosen from: weight of the raw context, head or none, weight of tf-idf.
BLENDS: Final = (0.0, 0.2, 0.4)
TFIDF_WEIGHTS: Final = (0.0, 0.25, 0.5, 1.0)
HEAD_TFIDF_WEIGHT: Final = 0.5


class Choice(NamedTuple):
    """A candidate for the best setting."""

    raw_weight: float
    head: bool
    tfidf_weight: float


@dataclass(frozen=True)
class Contexts:
    """All uses as vectors.

    Attributes:
        masked: (uses, d) unit vectors of the masked contexts.
        raw: those of the contexts as written.
        tfidf: sparse (uses, words), unit rows, of the masked contexts.
    """

    masked: Vectors
    raw: Vectors
    tfidf: Any
    _blends: dict[float, Vectors] = field(default_factory=dict)

    def blend(self, raw_weight: float) -> Vectors:
        """Blended vectors, computed once for each weight."""
        if raw_weight not in self._blends:
            self._blends[raw_weight] = blend(self.masked, self.raw, raw_weight)
        return self._blends[raw_weight]


def contexts_of(uses: Sequence[Use], encode: Callable[[Sequence[str]], Vectors]) -> Contexts:
    """Embed uses, masked and as written."""
    masked = [use.masked for use in uses]
    return Contexts(encode(masked), encode([use.context for use in uses]), TfidfVectorizer().fit_transform(masked))


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


@dataclass(frozen=True)
class Heads:
    """Vectors after heads trained on one set of pairs: one head for each blend, trained when first asked for."""

    contexts: Contexts
    train: Train
    pairs: Part
    _mapped: dict[float, Vectors] = field(default_factory=dict)

    def vectors(self, raw_weight: float) -> Vectors:
        """(uses, d), unit norm."""
        if raw_weight not in self._mapped:
            x = self.contexts.blend(raw_weight)
            weights = self.train(x, self.pairs.first, self.pairs.second, self.pairs.scores)
            self._mapped[raw_weight] = project(x, weights)
        return self._mapped[raw_weight]


def candidates(contexts: Contexts, heads: Heads) -> Iterator[tuple[Choice, Relatedness]]:
    """Every candidate for the best setting."""
    for raw_weight in BLENDS:
        for head in (False, True):
            vectors = heads.vectors(raw_weight) if head else contexts.blend(raw_weight)
            for weight in TFIDF_WEIGHTS:
                yield Choice(raw_weight, head, weight), with_tfidf(vectors, contexts, weight)


def choose(contexts: Contexts, heads: Heads, dev: Part) -> tuple[Choice, Relatedness]:
    """Choose the candidate with the highest Spearman on a dev part; of equal ones the first."""
    return max(candidates(contexts, heads), key=lambda each: spearman(each[1](dev.first, dev.second), dev))


def settings_of(contexts: Contexts, fold: Fold, train: Train) -> Iterator[tuple[str, Relatedness, Choice | None]]:
    """The settings of a fold: name, relatedness, and what was chosen."""
    heads = Heads(contexts, train, fold.parts["train"])
    yield "base", cosine(contexts.raw), None
    yield "mask", cosine(contexts.masked), None
    yield "blend", cosine(contexts.blend(RAW_WEIGHT)), None
    yield "head", cosine(heads.vectors(RAW_WEIGHT)), None
    yield "head_tfidf", with_tfidf(heads.vectors(RAW_WEIGHT), contexts, HEAD_TFIDF_WEIGHT), None
    choice, relatedness = choose(contexts, heads, fold.parts["dev"])
    yield "best", relatedness, choice


#: Groups of texts; about four texts each in TRoTR.
GROUPS: Final = 10


class HeldOut(NamedTuple):
    """What heads say of texts held out.

    Attributes:
        vectors: (uses, d), unit norm: each use after the head of the groups that its text is not in.
        best: (pairs,) relatedness of all pairs by the best setting, chosen within the other groups.
        choices: what was chosen for each group.
    """

    vectors: Vectors
    best: Scores
    choices: list[Choice]


def hold_out(judged: Judged, contexts: Contexts, train: Train, groups: int = GROUPS, seed: int = 0) -> HeldOut:
    """Hold out each group of texts in turn.

    The head is trained on the clear pairs of all other groups. For the best setting, the next group is left out of the
    training, and serves as the dev part.

    Args:
        judged: uses and pairs.
        contexts: of the uses.
        train: trains a head.
        groups: number of groups, at most that of texts.
        seed: of the division.
    """
    targets = sorted({use.target for use in judged.uses})
    random.Random(seed).shuffle(targets)
    count = min(groups, len(targets))
    group = {target: place % count for place, target in enumerate(targets)}
    of_use = np.array([group[use.target] for use in judged.uses])
    of_pair = np.array([group[pair.target] for pair in judged.pairs])
    clear = [pair for pair in judged.pairs if pair.clear]
    first, second = (np.array([getattr(pair, side) for pair in judged.pairs]) for side in ("first", "second"))
    vectors, best, choices = np.empty_like(contexts.masked), np.empty(len(judged.pairs)), []
    for out in range(count):
        others = part_of([pair for pair in clear if group[pair.target] != out])
        vectors[of_use == out] = Heads(contexts, train, others).vectors(RAW_WEIGHT)[of_use == out]
        dev = (out + 1) % count
        trained = part_of([pair for pair in clear if group[pair.target] not in (out, dev)])
        tuned = part_of([pair for pair in clear if group[pair.target] == dev])
        choice, relatedness = choose(contexts, Heads(contexts, train, trained), tuned)
        here = of_pair == out
        best[here] = relatedness(first[here], second[here])
        choices.append(choice)
    return HeldOut(vectors, best, choices)
