"""Builds the pairs of a file of articles without Spark: embeds each text once and assigns."""

from collections.abc import Sequence

from quotelab.training.quotecse.articles import Pair, QuotedArticle
from quotelab.training.quotecse.assign import Status, build, by_cosine
from quotelake.embeddings.encoder import Encoder


def build_pairs_locally(
    articles: Sequence[QuotedArticle], encoder: Encoder, minimum: float, seed: int
) -> tuple[list[Pair], dict[str, int]]:
    """Build the pairs of articles; return them with the number of articles by status.

    Args:
        articles: with distinct body quotes.
        encoder: of the base model, as in the static phase.
        minimum: least cosine of headline quote and positive.
        seed: of the negatives.
    """
    enough = [article for article in articles if len(article.body_quotes) > 1]
    texts = sorted({text for article in enough for text in (article.headline_quote, *article.body_quotes)})
    place = {text: at for at, text in enumerate(texts)}
    vectors = encoder.encode(texts)
    similarity = by_cosine(lambda some: vectors[[place[text] for text in some]])
    counts = {status.value: 0 for status in Status}
    pairs: list[Pair] = []
    for article in articles:
        few = len(article.body_quotes) < 2
        found = build(article, () if few else similarity(article.headline_quote, article.body_quotes), minimum, seed)
        counts[(found if isinstance(found, Status) else Status.BUILT).value] += 1
        if not isinstance(found, Status):
            pairs.append(found)
    return sorted(pairs, key=lambda pair: pair.key), counts
