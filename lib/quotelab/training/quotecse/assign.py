"""Chooses the positive and the hard negative of a headline quote among the body quotes. No Spark.

Positive: the body quote most similar to it. Hard negative: another quote of the same body, drawn at random
(Song et al. 2023, §3.1). The draw is by hash, so it does not depend on order or machine.
"""

from collections.abc import Callable, Iterable, Sequence
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
#: Texts to unit vectors.
Encode = Callable[[Sequence[str]], npt.NDArray[np.float32]]


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


def build_pairs(
    articles: Iterable[QuotedArticle], encode: Encode, minimum: float = MINIMUM, seed: int = 0
) -> tuple[list[Pair], dict[str, int]]:
    """Build the pairs of articles; return them in the order of their keys, and the number of articles by status.

    Args:
        articles: with distinct body quotes.
        encode: texts to unit vectors, by the base model, as in the static phase; each text is embedded once.
        minimum: least cosine of headline quote and positive.
        seed: of the negatives.
    """
    articles = list(articles)
    enough = [article for article in articles if len(article.body_quotes) > 1]
    texts = sorted({text for article in enough for text in (article.headline_quote, *article.body_quotes)})
    vectors = dict(zip(texts, encode(texts), strict=True))
    similarity = by_cosine(lambda some: np.array([vectors[text] for text in some]))
    counts = {status.value: 0 for status in Status}
    counts[Status.FEW_QUOTES] = len(articles) - len(enough)
    pairs: list[Pair] = []
    for article in enough:
        found = similarity(article.headline_quote, article.body_quotes)
        positive, negative = assign(found, article.key, seed)
        like = found[positive] >= minimum
        counts[Status.BUILT if like else Status.UNLIKE] += 1
        if like:
            given = (article.key, article.article, article.headline_quote, article.body_quotes)
            pairs.append(Pair(*given, positive, negative, round(found[positive], 6)))
    return sorted(pairs, key=lambda pair: pair.key), counts


def by_cosine(encode: Encode) -> Similarity:
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
