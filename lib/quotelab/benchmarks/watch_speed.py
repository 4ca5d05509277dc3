"""How much longer the pass over a text takes with a watch-list: the kernels in one process, without Spark."""

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rich.table import Table

from quotelake.contextomy.comparable import languages_of
from quotelake.contextomy.decide import load_detector
from quotelake.errors import InputError
from quotelake.files.jsonl import json_lines
from quotelake.nightly.annotate import Rules, annotate_document
from quotelake.quotes.spans import find_quotes
from quotelake.settings import Settings, WatchedText
from quotelake.spark.arrow import Row
from quotelake.text.ids import content_id
from quotelake.watch.lists import list_of
from quotelake.watch.stage import WatchList
from quotelake.watch.words import tokens

#: Words of the quotes that are watched.
WORDS: Final = range(6, 61)


@dataclass(frozen=True)
class Pass:
    """The pass over texts with a watch-list.

    Attributes:
        watched: texts on the list.
        cpu: seconds of CPU, of the fastest round.
        uses: of watched texts, those not sure included.
        start: seconds of CPU to make the index, once in a worker.
    """

    watched: int
    cpu: float
    uses: int
    start: float


def read_articles(path: Path) -> list[dict[str, Any]]:
    """Articles of a JSON Lines file with the fields ``text`` and, optionally, ``title``.

    Raises:
        InputError: the file cannot be read, or has no such record.
    """
    found = [record for _, record in json_lines(path) if isinstance(record, dict) and record.get("text")]
    if not found:
        raise InputError(f"{path}: found no record with a field text; name a JSON Lines file of news")
    return found


def quotes_to_watch(articles: Sequence[dict[str, Any]], most: int) -> list[WatchedText]:
    """Different quotes of articles, chosen by hash."""
    texts: dict[str, str] = {}
    for article in articles:
        for quote in find_quotes(article["text"]):
            words = [token.word for token in tokens(quote.text)]
            if quote.depth == 0 and len(words) in WORDS:
                texts.setdefault(content_id(*words), quote.text)
    return [WatchedText(id=name, text=texts[name]) for name in sorted(texts)[:most]]


def measure_passes(
    articles: Sequence[dict[str, Any]],
    watched: Sequence[WatchedText],
    sizes: Sequence[int],
    rounds: int,
    settings: Settings,
) -> list[Pass]:
    """Measure the pass over articles with the first texts of a list; the numbers of texts take turns.

    Args:
        articles: records with ``text`` and, optionally, ``title``.
        watched: the list.
        sizes: numbers of its texts.
        rounds: of each; the fastest counts, for whatever else the machine does only makes one slower.
        settings: by which the texts are annotated.
    """
    documents = [_document(number, article) for number, article in enumerate(articles)]
    detector = load_detector(settings.contextomy)
    languages = languages_of(settings, settings.model.languages)
    lists = {size: WatchList(tuple(list_of(watched[:size]))) for size in sizes}
    rules = {size: Rules(settings, detector, languages, "rules", watch) for size, watch in lists.items()}
    best: dict[int, Pass] = {}
    for _ in range(rounds):
        for size in sizes:
            start = _seconds(lists[size].finder) if size else 0.0
            gc.collect()
            uses = 0

            def run(rules: Rules = rules[size]) -> None:
                nonlocal uses
                uses = sum(len(row["hits"]) for each in documents for row in annotate_document(each, rules))

            found = Pass(size, _seconds(run), uses, start)
            best[size] = min(best.get(size, found), found, key=lambda each: each.cpu)
    return list(best.values())


def table_of_passes(passes: Sequence[Pass], articles: int) -> Table:
    """Table of passes, and the ratio of each to the first."""
    title = f"The pass over {articles:,} articles, one core, without Spark"
    table = Table("watched texts", "CPU s", ": the first", "uses", "index, CPU s", title=title)
    for column in table.columns:
        column.justify = "right"
    for each in passes:
        ratio = f"{each.cpu / passes[0].cpu:.2f}"
        table.add_row(f"{each.watched:,}", f"{each.cpu:.1f}", ratio, f"{each.uses:,}", f"{each.start:.1f}")
    return table


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _document(number: int, article: dict[str, Any]) -> Row:
    return {
        "doc_id": f"{number:032x}",
        "native_key": str(number),
        "kind": "news",
        "language": "en",
        "headline": article.get("title"),
        "body": article["text"],
        "body_status": "complete",
        "is_repost": False,
        "period": None,
    }
