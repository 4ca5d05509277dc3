"""The folds of TRoTR, and the settings that are compared over them, with all choices made on dev.

``folds.json.gz``, beside the judged pairs, holds ``{"folds": {name: {part: [[instanceID, dataID, dataID, mean score,
label], …]}}}`` with the parts train, dev and test; ``test.oov`` holds the pairs of test whose texts never occur in
train.

Settings say how the relatedness of two contexts is computed. base, mask, blend: cosine of the contexts as written,
with the reused text masked, of the mix of both. head: cosine after a head on the blend, trained on the train part.
head_tfidf: that plus half the tf-idf cosine of the masked texts. best: blend, head and weight of tf-idf chosen on the
dev part. Nothing is fitted to a test part; tf-idf counts the words of all contexts, without labels.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, Field
from sklearn.feature_extraction.text import TfidfVectorizer

from quotelab.labels.judged import Judged, Part, Use, divided
from quotelab.labels.texts import checked
from quotelab.statistics import Numbers, Places, spearman
from quotelake.files.jsonl import opened, refuse
from quotelake.topics.head import RAW_WEIGHT, Vectors, blend, project

FOLDS: Final = "folds.json.gz"
#: Parts that a fold must have; figures are of the last two.
PARTS: Final = ("train", "dev", "test", "test.oov")
TESTED: Final = PARTS[2:]


class Fold(NamedTuple):
    """One division of the pairs, by its number, into the parts of :data:`PARTS`."""

    number: int
    parts: Mapping[str, Part]


class _Folds(BaseModel):
    """The file of folds: number of a fold → part → rows, which begin with an instanceID."""

    folds: Annotated[dict[int, dict[str, list[Annotated[list[Any], Field(min_length=1)]]]], Field(min_length=1)]


def read_folds(path: Path, judged: Judged) -> list[Fold]:
    """Read the folds; scores and labels are those of the judgments.

    In each published fold one pair of test is in train too, and one in dev: train and dev lose them.
    """
    pairs = {pair.pair_id: pair for pair in judged.pairs}
    folds = []
    for number, parts in _read_file(path).items():
        ids = {part: [row[0] for row in parts.get(part, ())] for part in PARTS}
        for part, later in (("train", {*ids["dev"], *ids["test"]}), ("dev", {*ids["test"]})):
            ids[part] = [each for each in ids[part] if each not in later]
        if missing := [part for part in PARTS if not ids[part]]:
            refuse(f"{path}: fold {number}", f"no pair in {', '.join(missing)}", "give every part")
        if unknown := [each for part in PARTS for each in ids[part] if each not in pairs]:
            refuse(f"{path}: fold {number}", f"the pair {unknown[0]!r}", "list it in instances.tsv")
        folds.append(Fold(number, {part: judged.part([pairs[each] for each in ids[part]]) for part in PARTS}))
    return folds


def _read_file(path: Path) -> dict[int, dict[str, list[list[Any]]]]:
    with opened(path) as file:
        text = file.read()
    try:
        return checked(_Folds, str(path), json.loads(text)).folds
    except (ValueError, RecursionError) as error:
        refuse(str(path), f"no JSON that can be read ({error})", "give it as the authors publish it")


Relatedness = Callable[[Places, Places], Numbers]  # relatedness of pairs, given as rows of uses
#: Trains W on vectors, pairs and scores: :func:`quotelab.training.topic_head.train_weights`.
Train = Callable[[Vectors, Places, Places, Numbers], Vectors]
#: What is chosen from: weight of the raw context, head or none, weight of tf-idf.
BLENDS: Final = (0.0, 0.2, 0.4)
TFIDF_WEIGHTS: Final = (0.0, 0.25, 0.5, 1.0)
HEAD_TFIDF_WEIGHT: Final = 0.5
GROUPS: Final = 10  # groups of texts that are held out in turn; about four texts each in TRoTR


class Choice(NamedTuple):
    """A candidate for the best setting."""

    raw_weight: float
    head: bool
    tfidf_weight: float


class Contexts:
    """All uses as unit vectors, (uses, d): of the masked contexts, as written, blended; tf-idf of the masked ones."""

    def __init__(self, uses: Sequence[Use], encode: Callable[[Sequence[str]], Vectors]) -> None:
        texts = [use.masked for use in uses]
        self.masked, self.raw = encode(texts), encode([use.context for use in uses])
        self.tfidf: Any = TfidfVectorizer().fit_transform(texts)
        self.blend = cache(lambda raw_weight: blend(self.masked, self.raw, raw_weight))


def cosine(vectors: Vectors) -> Relatedness:
    """Relatedness as the cosine of unit vectors."""
    return lambda first, second: (vectors[first] * vectors[second]).sum(axis=1).astype(np.float64)


def lookup(first: Places, second: Places, values: Numbers) -> Relatedness:
    """Relatedness that is known of these pairs alone, whichever of a pair comes first."""

    def keys(one: Places, other: Places) -> Iterator[frozenset[int]]:
        return map(frozenset, zip(one.tolist(), other.tolist(), strict=True))

    known = dict(zip(keys(first, second), values.tolist(), strict=True))
    return lambda one, other: np.array([known[pair] for pair in keys(one, other)])


def with_tfidf(vectors: Vectors, contexts: Contexts, weight: float) -> Relatedness:
    """Weighted mean of the cosine of vectors (weight 1) and the tf-idf cosine of the masked texts."""
    if not weight:
        return cosine(vectors)
    rows = contexts.tfidf

    def relatedness(first: Places, second: Places) -> Numbers:
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


class LeftOut(NamedTuple):
    """A group of texts held out: which uses, (uses,), and pairs, (pairs,), it has; clear pairs of the other texts.

    ``train`` and ``dev`` divide these ``others``: the next group is the dev part.
    """

    uses: npt.NDArray[np.bool_]
    pairs: npt.NDArray[np.bool_]
    others: Part
    train: Part
    dev: Part


def leave_texts_out(judged: Judged, groups: int = GROUPS) -> Iterator[LeftOut]:
    """Hold out each group of texts in turn (:func:`~quotelab.labels.judged.divided`)."""
    group = divided((use.target for use in judged.uses), groups)
    count = max(group.values()) + 1
    of_use, of_pair, of_clear = (
        np.array([group[each.target] for each in some]) for some in (judged.uses, judged.pairs, judged.clear)
    )
    clear = judged.part(judged.clear)
    for out in range(count):
        dev = of_clear == (out + 1) % count
        others = of_clear != out
        parts = (clear.take(np.flatnonzero(chosen)) for chosen in (others, others & ~dev, others & dev))
        yield LeftOut(of_use == out, of_pair == out, *parts)


def cross_validate(judged: Judged, contexts: Contexts, train: Train, groups: int = GROUPS) -> tuple[Vectors, Numbers]:
    """Train a head on the clear pairs of all other groups of texts, and the best setting with its dev part.

    Returned are the unit vectors of all uses after the head that their text was held out of, (uses, d), and the
    relatedness of all pairs by the best setting, (pairs,).
    """
    pairs = judged.part(judged.pairs)
    vectors, best = np.empty_like(contexts.masked), np.empty(len(judged.pairs))
    for out in leave_texts_out(judged, groups):
        vectors[out.uses] = heads(contexts, train, out.others)(RAW_WEIGHT)[out.uses]
        _, relatedness = choose(contexts, heads(contexts, train, out.train), out.dev)
        best[out.pairs] = relatedness(pairs.first[out.pairs], pairs.second[out.pairs])
    return vectors, best
