"""The texts whose output is recorded: the sample, real articles and tweets where they are there, and made-up texts."""

import gzip
import json
import os
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

from quotelake.article import article_of
from quotelake.sample import sample_path
from quotelake.settings import load_settings

#: Real corpora of others, never part of the repository; ``QUOTELAKE_DATA`` says where they lie.
DATA: Final = Path(os.environ.get("QUOTELAKE_DATA", Path(__file__).parents[3] / "shared" / "data"))

Document = dict[str, Any]

_SEED: Final = 20261123
_WORDS: Final = """
we will not win the vote in the U.S. this year if nobody comes 1,000 people 1000 £20m May said Ana Bell told reporters
on Monday but I doubt it never happened Dr. Ito added no. 5 라고 말했다 예산 it’s don't can't Voters' ’90s
"""
_MARKS: Final = set('"“”‘’«»')
_SIGNS: Final = ('"', *"“”‘’'«»「」", "&quot;", "...", *"…[]", "\n\n", "\n", *".,?")


def corpus(name: str) -> list[Document]:
    """Documents of ``sample``, ``articles`` (300), ``tweets`` (3,000 with a quotation mark) or ``made_up``."""
    return list(_READERS[name]())


def _sample() -> Iterator[Document]:
    for row in _lines(Path(sample_path("news.jsonl"))):
        yield _news(str(row.get("id")), str(row.get("title") or row.get("headline") or ""), str(row.get("text") or ""))
    for name in ("tweets.jsonl", "tweets_more.jsonl"):
        for row in _lines(Path(sample_path(name))):
            yield _tweet(str(row.get("id")), str(row.get("text") or ""))


def _articles() -> Iterator[Document]:
    for row in islice(_lines(DATA / "news/us_news_4k.jsonl.gz"), 300):
        yield _news(str(row["ID"]), row["title"] or "", row["text"] or "")


def _tweets() -> Iterator[Document]:
    rows = _lines(DATA / "tweets/tweets_60k.jsonl.gz")
    for row in islice((row for row in rows if set(row["text"]) & _MARKS), 3000):
        yield _tweet(str(row["id"]), row["text"])


def _made_up() -> Iterator[Document]:
    """Words and signs in any order: what no corpus holds and a change of the rules may meet all the same."""
    chance, vocabulary = random.Random(_SEED), _WORDS.split()

    def text(words: int) -> str:
        parts = [chance.choice(_SIGNS if chance.random() < 0.2 else vocabulary) for _ in range(words)]
        return "".join(part if part in _SIGNS else f" {part}" for part in parts).strip()

    for number in range(400):
        yield _news(f"made-up-{number}", text(chance.randrange(3, 15)), text(chance.randrange(5, 120)))


def _news(name: str, headline: str, body: str) -> Document:
    article = article_of(headline, body, None, _INGEST)
    return {**article.document, **_COMMON, "native_key": name, "outlet": f"outlet {len(body) % 7}"}


def _tweet(name: str, text: str) -> Document:
    return {**_news(name, "", text), "kind": "tweet", "headline": None, "outlet": None, "author_key": name[:4]}


_INGEST: Final = load_settings().ingest
_COMMON: Final = {"author_key": None, "period": "2024-06", "is_repost": False}
_READERS: Final = {"sample": _sample, "articles": _articles, "tweets": _tweets, "made_up": _made_up}


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        for line in lines:
            if isinstance(row := json.loads(line), dict):
                yield row
