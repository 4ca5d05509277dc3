"""Measure the kernels that run in a worker, on one core and without a lake: what ``bench extraction`` and others share.

The ways of a measurement take turns, so that other load affects all alike, and the best round of each counts.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from quotelake.errors import InputError
from quotelake.files.jsonl import json_lines
from quotelake.sample import sample_path

K = TypeVar("K")
R = TypeVar("R")
#: Bytes of text in a measurement, at least.
LEAST = 2_000_000


def best_of(
    ways: Mapping[K, Callable[[], R]], rounds: int, clock: Callable[[], float] = time.process_time
) -> dict[K, tuple[float, R]]:
    """Seconds and result of the best round of each way."""
    best: dict[K, tuple[float, R]] = {}
    for _ in range(rounds):
        for name, way in ways.items():
            start = clock()
            result = way()
            spent = clock() - start
            if name not in best or spent < best[name][0]:
                best[name] = spent, result
    return best


def news(path: Path | None) -> list[dict[str, Any]]:
    """Articles of a file, or those of the sample corpus, repeated up to :data:`LEAST` bytes: ``headline``, ``body``.

    Raises:
        InputError: the file cannot be read, or has no record with a text.
    """
    records = [record for _, record in json_lines(path or Path(sample_path("news.jsonl"))) if isinstance(record, dict)]
    articles: list[dict[str, Any]] = [
        {"headline": record.get("title") or record.get("headline"), "body": text}
        for record in records
        if isinstance(text := record.get("text"), str) and text
    ]
    if not articles:
        raise InputError(f"{path}: found no record with a field text; name a JSON Lines file of news")
    return articles * (1 if path else -(-LEAST // size_of(article["body"] for article in articles)))


def size_of(texts: Iterable[str]) -> int:
    """Size of texts in bytes of UTF-8."""
    return sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
