"""Which words make two sentences related: the feature study of STR-2022 (Abdalla et al. 2023, §4).

The words of a sentence are taken together by part of speech, in groups of these, as subjects and as objects; a feature
of a pair is the cosine of the mean vectors of both sentences' words, and its worth the Spearman correlation with the
scores of the pairs that have such words on both sides [ours in detail; the paper averages word2vec vectors too].
"""

import importlib.metadata
import importlib.util
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from quotelab.labels.sentence_pairs import SentencePair, texts_of
from quotelab.protocols.relatedness import spearman
from quotelab.protocols.word_vectors import Vector, cosines, mean_vectors

#: Model of spaCy that names parts of speech and grammatical functions.
MODEL: Final = "en_core_web_sm"
#: Universal parts of speech, and what is taken together.
GROUPS: Final[Mapping[str, frozenset[str]]] = {
    "nouns": frozenset({"NOUN", "PROPN", "PRON"}),
    "verbs": frozenset({"VERB", "AUX"}),
    "modifiers": frozenset({"ADJ", "ADV"}),
    "content words": frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV"}),
    "function words": frozenset({"ADP", "AUX", "CCONJ", "DET", "PART", "PRON", "SCONJ"}),
}
PARTS: Final = (
    "NOUN", "PROPN", "VERB", "ADJ", "ADV", "ADP", "PRON", "DET", "AUX", "NUM", "CCONJ", "SCONJ", "PART",
)  # fmt: skip
#: Labels of spaCy's English models for subjects and objects.
SUBJECTS: Final = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass"})
OBJECTS: Final = frozenset({"dobj", "obj", "iobj", "dative", "pobj"})


class Token(Protocol):
    """What is read of a token of spaCy."""

    text: str
    pos_: str
    dep_: str


@dataclass(frozen=True, slots=True)
class Feature:
    """A way to take words out of a sentence.

    Attributes:
        kind: all, part of speech, group or function.
        name: of the words.
        parts: parts of speech taken; empty for any.
        functions: grammatical functions taken; empty for any.
    """

    kind: str
    name: str
    parts: frozenset[str] = frozenset()
    functions: frozenset[str] = frozenset()

    def takes(self, token: Token) -> bool:
        """Whether a token is one of these words."""
        return (not self.parts or token.pos_ in self.parts) and (not self.functions or token.dep_ in self.functions)


FEATURES: Final = (
    Feature("all", "words"),
    *(Feature("part of speech", part, frozenset({part})) for part in PARTS),
    *(Feature("group", name, parts) for name, parts in GROUPS.items()),
    Feature("function", "subjects", functions=SUBJECTS),
    Feature("function", "objects", functions=OBJECTS),
)


def reason_missing() -> str | None:
    """Why sentences cannot be analysed here; None if they can."""
    if importlib.util.find_spec("spacy") is None:
        return "spaCy is not installed (the extra quotelake[features])"
    try:
        importlib.metadata.distribution(MODEL)  # as spaCy looks for it
    except importlib.metadata.PackageNotFoundError:
        return f"the spaCy model {MODEL} is not installed"
    return None


def analyse(texts: Sequence[str]) -> dict[str, list[Token]]:
    """Tokens of each sentence, spaces and punctuation left out; needs spaCy (:func:`reason_missing`)."""
    import spacy

    pipeline = spacy.load(MODEL, exclude=["ner", "lemmatizer"])
    return {
        text: [token for token in document if not (token.is_space or token.is_punct)]
        for text, document in zip(texts, pipeline.pipe(texts, batch_size=256), strict=True)
    }


def study(
    pairs: Sequence[SentencePair],
    analysed: Mapping[str, Sequence[Token]],
    vectors_of: Callable[[Sequence[str]], Mapping[str, Vector]],
) -> list[dict[str, Any]]:
    """Correlate each feature with the scores.

    Args:
        pairs: with their scores.
        analysed: tokens of each of their sentences.
        vectors_of: vectors of words; a word without one is left out.

    Returns:
        Rows: ``kind`` feature, ``of`` (all, part of speech, group, function), ``feature``, the pairs that have such
        words on both sides, and ``spearman``.
    """
    words = sorted({token.text for tokens in analysed.values() for token in tokens})
    vectors = vectors_of(words)
    scores: npt.NDArray[np.float64] = np.array([pair.score for pair in pairs])
    texts = texts_of(pairs)
    rows: list[dict[str, Any]] = []
    for feature in FEATURES:
        taken = ([token.text for token in analysed[text] if feature.takes(token)] for text in texts)
        means = dict(zip(texts, mean_vectors(taken, vectors), strict=True))
        values = cosines(_side(pairs, "first", means), _side(pairs, "second", means))
        both = int(np.isfinite(values).sum())
        found = {"pairs": both, "spearman": spearman(values, scores)}
        rows.append({"kind": "feature", "of": feature.kind, "feature": feature.name} | found)
    return rows


def _side(pairs: Iterable[SentencePair], side: str, means: Mapping[str, Vector | None]) -> list[Vector | None]:
    return [means[getattr(pair, side)] for pair in pairs]
