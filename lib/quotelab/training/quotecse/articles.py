"""Articles to train on, and the pairs made of them. No Spark, no torch."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import numpy as np
import numpy.typing as npt

from quotelake.contextomy.containment import containment
from quotelake.errors import InputError
from quotelake.files.jsonl import json_lines
from quotelake.query.ask import DuckEngine
from quotelake.text.fold import Folded, fold
from quotelake.text.ids import content_id

PARTS = ("train", "validation", "test")
_SHARES = (0.8, 0.9)  # 80:10:10, Song et al. 2023, §4
#: Quotes of an utterance in headlines and bodies; titles, nicknames and scare quotes are none.
_QUOTES = """
SELECT q.quote_id, q.doc_id, d.native_key, q.field, q.text FROM quotes q JOIN documents d USING (doc_id)
WHERE d.kind = 'news' AND q.depth = 0 AND q.kind IN ('direct', 'claim') AND q.field IN ('headline', 'body')
ORDER BY q.doc_id, q.start, q.end"""


@dataclass(frozen=True, slots=True)
class QuotedArticle:
    """A headline quote and the quotes of its body.

    Attributes:
        key: identifies the headline quote.
        article: identifies the article; its versions share it, so that they are in the same part of a split.
        headline_quote: text without marks.
        body_quotes: distinct texts in order.
    """

    key: str
    article: str
    headline_quote: str
    body_quotes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """An article with its positive and hard negative, as indices of its body quotes.

    Attributes:
        similarity: of headline quote and positive when the pair was built.
    """

    key: str
    article: str
    headline_quote: str
    body_quotes: tuple[str, ...]
    positive: int
    negative: int
    similarity: float


def distinct(quotes: Iterable[str]) -> tuple[str, ...]:
    """Of quotes that differ only in case, marks and spaces keep the first; drop quotes without words.

    >>> distinct(["We won", "we won!", "…", "They lost"])
    ('We won', 'They lost')
    """
    first: dict[str, str] = {}
    for quote in quotes:
        first.setdefault(fold(quote).letters, quote)
    first.pop("", None)
    return tuple(first.values())


def part_of(article: str) -> str:
    """Part of an article by its hash: train, validation or test, 80:10:10.

    >>> part_of("a") == part_of("a")
    True
    """
    place = int(content_id("part", article)[:8], 16) / 2**32
    return PARTS[sum(place >= share for share in _SHARES)]


def without_copies(pairs: Iterable[Pair]) -> list[Pair]:
    """Of pairs with the same headline and body quotes (syndicated copies) keep one, in the order of keys."""
    first: dict[str, Pair] = {}
    for pair in sorted(pairs, key=lambda pair: pair.key):
        first.setdefault(content_id(pair.headline_quote, *pair.body_quotes), pair)
    return list(first.values())


def digest(pairs: Iterable[Pair]) -> str:
    """Hash of pairs, independent of their order: the training digest stored with a model."""
    return content_id(
        *sorted(
            content_id(pair.key, pair.headline_quote, *pair.body_quotes, pair.positive, pair.negative) for pair in pairs
        )
    )


def read_articles(path: Path) -> list[QuotedArticle]:
    """Read JSONL rows with ``headline_quote`` and ``body_quotes``; the file may be gzipped.

    ``id`` identifies a row; if there is none, its content does.

    Raises:
        InputError: the file cannot be read or a row has another form; the line is named.
    """
    return [_article(row, place) for place, row in json_lines(path)]


def articles_of_lake(lake: str, sources: Iterable[str] = (), languages: Iterable[str] = ()) -> list[QuotedArticle]:
    """Headline quotes of the news of a lake, of these sources and languages where some are given.

    Raises:
        InputError: there is no lake with a complete run, or it has no such headline quote.
    """
    chosen = ""
    for column, allowed in (("source", [*sources]), ("language", [*languages])):
        if allowed:
            names = ", ".join("'{}'".format(each.replace("'", "''")) for each in allowed)
            chosen += f" AND d.{column} IN ({names})"
    with DuckEngine(lake) as engine:
        rows = engine.answer(_QUOTES.replace("\nORDER", f"{chosen}\nORDER")).rows
    bodies: dict[str, list[str]] = {}
    for row in rows:
        if row["field"] == "body":
            bodies.setdefault(row["doc_id"], []).append(row["text"])
    known = {name: distinct(quotes) for name, quotes in bodies.items()}
    articles = [
        QuotedArticle(row["quote_id"], row["native_key"], row["text"], known.get(row["doc_id"], ()))
        for row in rows
        if row["field"] == "headline"
    ]
    if not articles:
        raise InputError(f"{lake}: found no headline quote; score news first, or name other sources and languages")
    return articles


def _article(row: object, place: str) -> QuotedArticle:
    headline, quotes = (row.get("headline_quote"), row.get("body_quotes")) if isinstance(row, dict) else (None, None)
    if not isinstance(headline, str) or not isinstance(quotes, list) or not all(isinstance(q, str) for q in quotes):
        raise InputError(f"{place}: needs headline_quote (text) and body_quotes (list of texts)")
    assert isinstance(row, dict)
    key = str(row.get("id", content_id(headline, *quotes)))
    return QuotedArticle(key, str(row.get("article", key)), headline, distinct(quotes))


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
