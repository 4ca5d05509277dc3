"""Measure the kernels: MB of text per second on one core, time per character as a text grows, CPU time per article.

    .venv/bin/python jobs/bench_extraction.py [--texts FILE.jsonl[.gz]] [--rounds N] [--largest BYTES] [--skip-spark]

FILE holds news: one JSON object per line, with the text in the field ``text`` and the headline in ``title`` or
``headline``; without it the sample corpus is used, repeated as needed. MB are millions of bytes of UTF-8. Throughput is
by wall time, best of the rounds, in which the ways take turns; Spark is measured afterwards, with its overhead (a job
of one task over cached rows). Growth is by processor time, once with Python's cyclic garbage collector and once
without: the difference is the collector's work. Processor time per article is that of each thing a worker does with it.
"""

import argparse
import gc
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.table import Table

from quotelake.contextomy.comparable import languages_of
from quotelake.contextomy.decide import load_detector
from quotelake.contextomy.stage import matches_of_document
from quotelake.errors import InputError, exit_with
from quotelake.files.jsonl import json_lines
from quotelake.quotes.extract import Row, quotes_of_document
from quotelake.quotes.marks import MARK
from quotelake.quotes.spans import find_quotes
from quotelake.quotes.speakers import find_speakers
from quotelake.reuse.stories.texts import text_of_document
from quotelake.sample import sample_path
from quotelake.settings import load_settings
from quotelake.text.language import detect_language
from quotelake.topics.contexts import contexts_of_document

#: The simplest useful pattern: curly and straight marks, without nesting or rules for headlines.
SIMPLEST = '"[^"]*"|“[^”]*”'
SMALLEST = 10_000  # bytes
LEAST = 2_000_000  # bytes of text in a measurement of throughput
ONCE = 5  # seconds: longer measurements are not repeated
GOAL = 1.3  # ratio of the time per character, largest text to smallest
UNITS = ('"', "“", "'")

Way = Callable[[], object]


def main() -> int:
    """Print both tables; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=Path, metavar="FILE", help="JSONL with the field text; may be gzipped")
    parser.add_argument("--rounds", type=int, default=3, help="number of rounds; the best one counts (default: 3)")
    parser.add_argument(
        "--largest", type=int, default=10_000_000, metavar="BYTES", help="largest text of the growth (default: 10 MB)"
    )
    parser.add_argument("--skip-spark", action="store_true", help="do not measure Spark's regexp_extract_all")
    options = parser.parse_args()
    if options.rounds < 1 or options.largest < 10 * SMALLEST:
        raise InputError(f"--rounds must be 1 at least and --largest {10 * SMALLEST:,}")
    articles = news(options.texts)
    texts = [article["body"] for article in articles]
    console = Console()
    console.print(by_part(articles, options.rounds))
    # Spark comes last: its JVM would compete for the cores with what is measured.
    console.print(growth("\n\n".join(texts), options.largest, options.rounds))
    console.print(throughput(texts, options.rounds, with_spark=not options.skip_spark))
    return 0


def news(path: Path | None) -> list[Row]:
    """Articles of a file, or those of the sample corpus, repeated up to :data:`LEAST` bytes: ``headline``, ``body``."""
    source = path or Path(sample_path("news.jsonl"))
    records = [record for _, record in json_lines(source) if isinstance(record, dict)]
    articles = [
        {"headline": record.get("title") or record.get("headline"), "body": text}
        for record in records
        if isinstance(text := record.get("text"), str) and text
    ]
    if not articles:
        raise InputError(f"--texts {source}: found no record with a field text; name a JSONL file that has it")
    return articles * (1 if path else -(-LEAST // size_of([article["body"] for article in articles])))


def by_part(articles: Sequence[Row], rounds: int) -> Table:
    """Table of processor time per 1,000 articles of each thing a worker does with one, best of ``rounds``."""
    settings = load_settings()
    contextomy, ingest = settings.contextomy, settings.ingest
    detector, languages = load_detector(contextomy), languages_of(settings, ("en",))
    same = {"kind": "news", "language": "en", "body_status": "unknown", "outlet": None, "author_key": None}
    same |= {"is_repost": False, "period": None, "text_id": None}
    documents = [{**article, **same, "doc_id": str(n), "native_key": str(n)} for n, article in enumerate(articles)]
    quoted = [(document, list(quotes_of_document(document, ""))) for document in documents]

    def languages_found() -> None:
        for document in documents:
            detect_language(document["body"], ingest.languages, ingest.language_confidence)

    ways: dict[str, Way] = {
        "language": languages_found,
        "quotes, speakers, keys": lambda: [list(quotes_of_document(document, "")) for document in documents],
        "sample for stories": lambda: [text_of_document(document, "") for document in documents],
        "contexts": lambda: [list(contexts_of_document(*each, settings.contexts, "")) for each in quoted],
        "headline quotes": lambda: [
            list(matches_of_document(*each, contextomy, detector, languages)) for each in quoted
        ],
    }
    seconds = best_seconds(ways, rounds, time.process_time)
    table = Table("part", "CPU s", title=f"Processor time per 1,000 articles, of {len(articles):,}")
    table.columns[1].justify = "right"
    for name, spent in seconds.items():
        table.add_row(name, f"{1000 * spent / len(articles):.3f}")
    return table


def throughput(texts: Sequence[str], rounds: int, *, with_spark: bool) -> Table:
    """Table of MB/s of the kernel and of simpler ways on the same texts."""
    simplest = re.compile(SIMPLEST)

    def with_speakers() -> None:
        for text in texts:
            find_speakers(text, find_quotes(text), "body", "en")

    ways: dict[str, Way] = {
        f"simplest pattern, {SIMPLEST} findall": lambda: [len(simplest.findall(text)) for text in texts],
        "scanning all marks, MARK.finditer": lambda: [sum(1 for _ in MARK.finditer(text)) for text in texts],
        "find_quotes": lambda: [len(find_quotes(text)) for text in texts],
        "find_quotes and find_speakers": with_speakers,
    }
    seconds = best_seconds(ways, rounds)
    if with_spark:
        with cached_in_spark(texts) as extract_all:
            seconds |= best_seconds({"simplest pattern, Spark's regexp_extract_all, local[1]": extract_all}, rounds)
    megabytes = size_of(texts) / 1e6
    table = Table("way", "MB/s", title=f"Throughput on one core: {len(texts):,} texts, {megabytes:.1f} MB")
    table.columns[1].justify = "right"
    for name, spent in seconds.items():
        table.add_row(name, f"{megabytes / spent:.1f}")
    return table


def best_seconds(ways: dict[str, Way], rounds: int, clock: Callable[[], float] = time.perf_counter) -> dict[str, float]:
    """Time of each way, best of ``rounds``; the ways take turns, so that other load affects all alike."""
    seconds = dict.fromkeys(ways, float("inf"))
    for way in ways.values():
        way()  # Warm up.
    for _ in range(rounds):
        for name, way in ways.items():
            start = clock()
            way()
            seconds[name] = min(seconds[name], clock() - start)
    return seconds


@contextmanager
def cached_in_spark(texts: Sequence[str]) -> Iterator[Way]:
    """Cache the texts in a Spark session with one core; yield a function that extracts all quotes from them."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyspark.sql import functions as F

    from quotelake.spark.session import get_session

    spark = get_session("bench_extraction", spark__master="local[1]", spark__ui__enabled="false")
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/texts.parquet"
        pq.write_table(pa.table({"text": list(texts)}), path)
        frame = spark.read.parquet(path).coalesce(1).cache()
        frame.count()
        found = F.size(F.regexp_extract_all("text", F.lit(SIMPLEST), F.lit(0)))
        yield lambda: frame.agg(F.sum(found)).collect()
    spark.stop()


def growth(text: str, largest: int, rounds: int) -> Table:
    """Table of nanoseconds per character at sizes that grow by ten, and the ratio of the last to the first."""
    sizes = [SMALLEST]
    while sizes[-1] * 10 <= largest:
        sizes.append(sizes[-1] * 10)
    table = Table(
        "text", "collector", *(f"{size / 1e6:g} MB" for size in sizes), "ratio", title="Nanoseconds per character"
    )
    for column in table.columns[2:]:
        column.justify = "right"
    for name in (*UNITS, "news"):
        for collector in ("as always", "off"):
            pieces = {size: cut(name, text, size, sizes[-1]) for size in sizes}
            spent = nanoseconds_per_character(pieces, rounds, collector == "off")
            ratio = spent[sizes[-1]] / spent[sizes[0]]
            flag = "" if ratio <= GOAL else " (!)"
            table.add_row(name, collector, *(f"{spent[size]:.1f}" for size in sizes), f"{ratio:.2f}{flag}")
    return table


def cut(name: str, text: str, size: int, largest: int) -> list[str]:
    """Make texts of ``size`` bytes: of a repeated mark, at least 1 MB in all; or of ``largest`` bytes of news.

    News are cut into pieces, not sampled, because one part of an article may have twice as many quotes as the next.
    """
    if name != "news":
        return [name * (size // len(name.encode()))] * max(1, 1_000_000 // size)
    per_byte = len(text) / len(text.encode("utf-8", "surrogatepass"))
    length, wanted = round(size * per_byte), round(largest * per_byte)
    whole = (text * (wanted // len(text) + 1))[:wanted]
    return [whole[start : start + length] for start in range(0, wanted - length + 1, length)]


def nanoseconds_per_character(pieces: dict[int, list[str]], rounds: int, collector_off: bool) -> dict[int, float]:
    """Processor time of :func:`find_quotes` by size, best of ``rounds``; the sizes take turns.

    A measurement of more than ``ONCE`` seconds is not repeated: it varies little, and all should end within minutes.
    """
    best = dict.fromkeys(pieces, float("inf"))
    once = dict.fromkeys(pieces, False)
    find_quotes(next(iter(pieces.values()))[0])  # Warm up.
    for _ in range(rounds):
        for size, texts in pieces.items():
            if once[size]:
                continue
            gc.collect()
            if collector_off:
                gc.disable()
            start = time.process_time()
            for text in texts:
                find_quotes(text)
            spent = time.process_time() - start
            gc.enable()
            once[size] = spent > ONCE
            best[size] = min(best[size], spent / sum(map(len, texts)) * 1e9)
    return best


def size_of(texts: Sequence[str]) -> int:
    """Size of texts in bytes of UTF-8."""
    return sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)


if __name__ == "__main__":
    exit_with(main)
