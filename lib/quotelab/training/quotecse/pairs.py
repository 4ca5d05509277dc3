"""Builds pairs from a lake in Spark: gathers headline quotes with body quotes, embeds and assigns them.

The rules are in :mod:`quotelab.training.quotecse.assign`; here they are applied to ``documents`` and ``quotes``.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial

import numpy as np
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quotelab.training.quotecse.articles import Pair, QuotedArticle, distinct
from quotelab.training.quotecse.assign import Status, build, by_cosine
from quotelake.spark.arrow import Row, map_rows, struct
from quotelake.text.ids import content_id

#: Kinds that quote an utterance; titles, nicknames and scare quotes do not.
UTTERANCES = ("direct", "claim")
_QUOTE = ("quote_id", "field", "start", "end", "text")
_ARTICLE = "key STRING, article STRING, headline_quote STRING, body_quotes ARRAY<STRING>"
_PAIR = f"{_ARTICLE}, positive INT, negative INT, similarity DOUBLE, status STRING"


def quoted_articles(
    documents: DataFrame, quotes: DataFrame, *, sources: Sequence[str] = (), languages: Sequence[str] = ()
) -> DataFrame:
    """Gather headline quotes with the distinct quotes of the same article's body. Grain: a headline quote.

    Args:
        documents: of the lake.
        quotes: of the lake, of one rule version.
        sources: take only these; empty takes all.
        languages: likewise, of the documents.
    """
    news = documents.where(F.col("kind") == "news")
    for column, allowed in (("source", sources), ("language", languages)):
        if allowed:
            news = news.where(F.col(column).isin(*allowed))
    said = (F.col("depth") == 0) & F.col("kind").isin(*UTTERANCES) & F.col("field").isin("headline", "body")
    gathered = quotes.where(said).groupBy("doc_id").agg(F.collect_list(F.struct(*_QUOTE)).alias("quotes"))
    with_headline = gathered.where(F.exists("quotes", lambda quote: quote["field"] == "headline"))
    joined = news.select("doc_id", F.col("native_key").alias("article")).join(with_headline, "doc_id", "inner")
    return map_rows(joined, _articles, struct(_ARTICLE))


def texts_to_embed(articles: DataFrame) -> DataFrame:
    """Distinct texts of the articles that may give a pair: ``text_hash``, ``text``."""
    texts = articles.where(F.size("body_quotes") > 1).select(
        F.explode(F.concat(F.array("headline_quote"), "body_quotes")).alias("text")
    )
    return map_rows(texts.distinct(), _hashed, struct("text_hash STRING, text STRING"))


def build_pairs(articles: DataFrame, vectors: DataFrame, *, minimum: float, seed: int) -> DataFrame:
    """Assign positive and hard negative. Grain: a headline quote; ``status`` is the result.

    Args:
        articles: from :func:`quoted_articles`.
        vectors: ``text_hash``, ``vector`` of the texts of :func:`texts_to_embed`, unit norm.
        minimum: least cosine of headline quote and positive.
        seed: of the negatives.
    """
    texts = articles.where(F.size("body_quotes") > 1).select(
        "key", F.explode(F.concat(F.array("headline_quote"), "body_quotes")).alias("text")
    )
    hashed = map_rows(texts, _hashed_with_key, struct("key STRING, text_hash STRING"))
    known = vectors.where(F.col("vector").isNotNull()).select("text_hash", "vector")
    of_article = hashed.distinct().join(known, "text_hash", "inner").groupBy("key")
    gathered = of_article.agg(F.collect_list(F.struct("text_hash", "vector")).alias("vectors"))
    return map_rows(articles.join(gathered, "key", "left"), partial(_pair, minimum=minimum, seed=seed), struct(_PAIR))


def collect(built: DataFrame) -> tuple[list[Pair], dict[str, int]]:
    """Collect the pairs in the driver, with the number of headline quotes by status."""
    counts = {status.value: 0 for status in Status}
    pairs: list[Pair] = []
    for row in built.toLocalIterator():
        counts[row["status"]] += 1
        if row["status"] == Status.BUILT.value:
            values = {name: row[name] for name in Pair.__slots__}
            pairs.append(Pair(**(values | {"body_quotes": tuple(row["body_quotes"])})))
    return sorted(pairs, key=lambda pair: pair.key), counts


def _articles(document: Row) -> Iterator[Row]:
    quotes = sorted(document["quotes"], key=lambda quote: (quote["start"], quote["end"]))
    body = distinct(quote["text"] for quote in quotes if quote["field"] == "body")
    for quote in quotes:
        if quote["field"] == "headline":
            yield {
                "key": quote["quote_id"],
                "article": document["article"],
                "headline_quote": quote["text"],
                "body_quotes": list(body),
            }


def _hashed(row: Row) -> Iterator[Row]:
    yield {"text_hash": content_id(row["text"]), "text": row["text"]}


def _hashed_with_key(row: Row) -> Iterator[Row]:
    yield {"key": row["key"], "text_hash": content_id(row["text"])}


def _pair(row: Row, minimum: float, seed: int) -> Iterator[Row]:
    article = QuotedArticle(row["key"], row["article"], row["headline_quote"], tuple(row["body_quotes"]))
    similarities: Sequence[float] = ()
    if row["vectors"]:
        vectors = {one["text_hash"]: one["vector"] for one in row["vectors"]}
        similarity = by_cosine(lambda texts: np.array([vectors[content_id(text)] for text in texts], dtype=np.float32))
        similarities = similarity(article.headline_quote, article.body_quotes)
    found = build(article, similarities, minimum, seed)
    if isinstance(found, Status):
        yield {"key": row["key"], "status": found.value}
    else:
        yield asdict(found) | {"status": Status.BUILT.value}
