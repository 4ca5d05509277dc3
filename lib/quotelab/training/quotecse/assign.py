"""Chooses the positive and the hard negative of a headline quote among the body quotes. No Spark.

Positive: the body quote most similar to it. Hard negative: another quote of the same body, drawn at random
(Song et al. 2023, §3.1). The draw is by hash, so it does not depend on order or machine.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from quotelab.training.quotecse.articles import Pair, QuotedArticle
from quotelake.contextomy.containment import containment
from quotelake.text.fold import Folded, fold
from quotelake.text.ids import content_id

MINIMUM = 0.75  # least cosine of headline quote and positive, Song et al. 2023, §3.1

#: Similarity of a headline quote to each of its body quotes.
Similarity = Callable[[str, Sequence[str]], Sequence[float]]


class Status(StrEnum):
    """Result of building the pair of an article."""

    BUILT = "built"
    FEW_QUOTES = "fewer than 2 distinct body quotes"
    UNLIKE = "no body quote similar enough"


def assign(similarities: Sequence[float], key: str, seed: int = 0, epoch: int = 0) -> tuple[int, int]:
    """Choose (positive, negative) among at least two body quotes by their similarity to the headline quote.

    Of equally similar ones the first is the positive. The negative is drawn by the hash of ``key``, ``seed`` and
    ``epoch`` from all others.

    >>> assign([0.1, 0.9], "a")
    (1, 0)
    """
    if len(similarities) < 2:
        raise ValueError(f"a positive and a negative need two body quotes, not {len(similarities)}")
    positive = int(np.argmax(np.asarray(similarities)))
    drawn = int(content_id("negative", key, seed, epoch)[:15], 16) % (len(similarities) - 1)
    return positive, drawn + (drawn >= positive)


def build(
    article: QuotedArticle, similarities: Sequence[float], minimum: float = MINIMUM, seed: int = 0
) -> Pair | Status:
    """Build the pair of an article, or say why there is none.

    Args:
        article: with distinct body quotes.
        similarities: of the headline quote to each body quote; may be empty if there are fewer than two.
        minimum: least similarity of the positive.
        seed: of the negative.
    """
    if len(article.body_quotes) < 2:
        return Status.FEW_QUOTES
    positive, negative = assign(similarities, article.key, seed)
    similarity = float(similarities[positive])
    if similarity < minimum:
        return Status.UNLIKE
    return Pair(
        article.key, article.article, article.headline_quote, article.body_quotes, positive, negative,
        round(similarity, 6),
    )  # fmt: skip


def by_cosine(encode: Callable[[Sequence[str]], npt.NDArray[np.float32]]) -> Similarity:
    """Similarity by an encoder's unit vectors."""

    def similarity(headline: str, quotes: Sequence[str]) -> list[float]:
        vectors = encode([headline, *quotes]).astype(np.float64)
        cosines: list[float] = (vectors[1:] @ vectors[0]).tolist()
        return cosines

    return similarity


def by_containment(headline: str, quotes: Sequence[str]) -> list[float]:
    """Similarity without an encoder, for any language: containment of character n-grams, 0 to 1.

    >>> by_containment("we lost", ["They won.", "Today we lost."])
    [0.0, 1.0]
    """
    return [containment(headline, [fold(quote)], _nothing).in_best or 0.0 for quote in quotes]


def _nothing() -> Folded:
    return fold("")
