"""Articles to train on, and the pairs made of them. No Spark, no torch."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

import quotelake
from quotelake.article import Encode
from quotelake.errors import InputError
from quotelake.files.jsonl import json_lines
from quotelake.text.fold import fold
from quotelake.text.ids import content_id

MINIMUM: Final = 0.75  # least cosine of headline quote and positive, Song et al. 2023, §3.1
PARTS: Final = ("train", "validation", "test")
_SHARES: Final = (0.8, 0.9)  # 80:10:10, Song et al. 2023, §4
#: Titles, nicknames and scare quotes are no quotes of an utterance.
_OF_LAKE: Final = """
WITH said AS (SELECT * FROM quotes WHERE depth = 0 AND kind IN ('direct', 'claim'))
SELECT h.quote_id AS id, d.native_key AS article, d.source, d.language, h.text AS headline_quote,
  coalesce(list(b.text ORDER BY b.start, b."end") FILTER (WHERE b.text IS NOT NULL), []) AS body_quotes
FROM documents d JOIN said h ON h.doc_id = d.doc_id AND h.field = 'headline'
  LEFT JOIN said b ON b.doc_id = d.doc_id AND b.field = 'body'
WHERE d.kind = 'news' GROUP BY ALL"""


class QuotedArticle(NamedTuple):
    """A headline quote, by its ``key``, and the distinct quotes of its body in order, without marks.

    Versions of an ``article`` share its id, so that they are in the same part of a split.
    """

    key: str
    article: str
    headline_quote: str
    body_quotes: tuple[str, ...]


class Pair(NamedTuple):
    """An article with its positive and hard negative, as indices of its body quotes."""

    article: QuotedArticle
    positive: int
    negative: int


def read_articles(path: Path) -> list[QuotedArticle]:
    """Read JSONL rows with ``headline_quote``, ``body_quotes`` and, unless their content identifies them, ``id``."""
    return [_article(row, place) for place, row in json_lines(path)]


def articles_of_lake(lake: str, sources: Sequence[str] = (), languages: Sequence[str] = ()) -> list[QuotedArticle]:
    """Headline quotes of the news of a lake, of these sources and languages where some are given."""
    chosen = [row for row in quotelake.open(lake).sql(_OF_LAKE) if row["source"] in (sources or [row["source"]])]
    chosen = [row for row in chosen if row["language"] in (languages or [row["language"]])]
    if not chosen:
        raise InputError(f"{lake}: found no headline quote; score news first, or name other sources and languages")
    return [_article(row, lake) for row in chosen]


def _article(row: object, place: str) -> QuotedArticle:
    headline, quotes = (row.get("headline_quote"), row.get("body_quotes")) if isinstance(row, dict) else (None, None)
    if not isinstance(headline, str) or not isinstance(quotes, list) or not all(isinstance(q, str) for q in quotes):
        raise InputError(f"{place}: needs headline_quote (text) and body_quotes (list of texts)")
    assert isinstance(row, dict)
    key = str(row.get("id", content_id(headline, *quotes)))
    first: dict[str, str] = {}  # of quotes that differ only in case, marks and spaces, the first; none without words
    for quote in quotes:
        first.setdefault(fold(quote).letters, quote)
    first.pop("", None)
    return QuotedArticle(key, str(row.get("article", key)), headline, tuple(first.values()))


def split(pairs: Iterable[Pair]) -> dict[str, list[Pair]]:
    """Train, validation and test part, by the hash of the article; of syndicated copies the first pair stays."""
    first: dict[tuple[str, tuple[str, ...]], Pair] = {}
    for pair in pairs:
        first.setdefault((pair.article.headline_quote, pair.article.body_quotes), pair)
    parts: dict[str, list[Pair]] = {part: [] for part in PARTS}
    for pair in first.values():
        place = int(content_id("part", pair.article.article)[:8], 16) / 2**32
        parts[PARTS[sum(place >= share for share in _SHARES)]].append(pair)
    return parts


def assign(similarities: Sequence[float], key: str, seed: int = 0, epoch: int = 0) -> tuple[int, int]:
    """Choose (positive, negative) among at least two body quotes by their similarity to the headline quote.

    Of equally similar ones the first is the positive. The negative is drawn by the hash of ``key``, ``seed`` and
    ``epoch`` from all others.
    """
    positive = int(np.argmax(np.asarray(similarities)))
    drawn = int(content_id("negative", key, seed, epoch)[:15], 16) % (len(similarities) - 1)
    return positive, drawn + (drawn >= positive)


def build_pairs(
    articles: Iterable[QuotedArticle], encode: Encode, minimum: float = MINIMUM, seed: int = 0, epoch: int = 0
) -> tuple[list[Pair], Counter[str]]:
    """Build the pairs of articles with distinct body quotes; return them in the order of their keys, and counts.

    A positive has at least the cosine ``minimum``. Negatives are drawn anew for each ``epoch``.
    """
    given = sorted(articles)
    enough = [article for article in given if len(article.body_quotes) > 1]
    counts = Counter({"fewer than 2 distinct body quotes": len(given) - len(enough)})
    texts = sorted({text for article in enough for text in (article.headline_quote, *article.body_quotes)})
    vectors = dict(zip(texts, encode(texts).astype(np.float64), strict=True))
    pairs = []
    for article in enough:
        quotes = np.array([vectors[quote] for quote in article.body_quotes])
        cosines: list[float] = (quotes @ vectors[article.headline_quote]).tolist()
        pair = Pair(article, *assign(cosines, article.key, seed, epoch))
        like = cosines[pair.positive] >= minimum
        counts["built" if like else "no body quote similar enough"] += 1
        pairs += [pair] if like else []
    return pairs, counts
