"""Measure the kernels: MB of text per second on one core, time per character as a text grows, CPU time per article.

--texts FILE holds news: one JSON object per line, with the text in the field ``text`` and the headline in ``title`` or
``headline``; without it the sample corpus is used, repeated as needed. MB are millions of bytes of UTF-8. Throughput is
by wall time; Spark is measured afterwards, with its overhead (a job of one task over cached rows). Growth is by
processor time, with Python's cyclic garbage collector. Processor time per article is that of each thing a worker does
with it; with --watched also with watch-lists of so many quotes of the file.
"""

import re
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from quotelab.benchmarks.corpora import parse_numbers
from quotelab.benchmarks.kernels import best_of, news, size_of
from quotelab.report import show
from quotelake.contextomy.comparable import languages_of
from quotelake.contextomy.decide import load_detector
from quotelake.contextomy.stage import matches_of_document
from quotelake.errors import InputError
from quotelake.quotes.extract import Row, quotes_of_document
from quotelake.quotes.marks import MARK
from quotelake.quotes.spans import find_quotes
from quotelake.quotes.speakers import find_speakers
from quotelake.reuse.stories.texts import text_of_document
from quotelake.settings import WatchedText, load_settings
from quotelake.text.ids import content_id
from quotelake.text.language import detect_language
from quotelake.topics.contexts import contexts_of_document
from quotelake.watch.lists import list_of
from quotelake.watch.words import tokens

#: The simplest useful pattern: curly and straight marks, without nesting or rules for headlines.
SIMPLEST = '"[^"]*"|“[^”]*”'
SMALLEST = 10_000  # bytes
GOAL = 1.3  # ratio of the time per character, largest text to smallest
UNITS = ('"', "“", "'")
#: Words of the quotes that are watched.
_WATCHED = range(6, 61)

Way = Callable[[], object]


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add("--texts", type=Path, metavar="FILE", help="JSONL with the field text; may be gzipped")
    add("--rounds", type=int, default=3, help="number of rounds; the best one counts (default: 3)")
    add("--largest", type=int, default=10_000_000, metavar="BYTES", help="largest text of the growth (10 MB)")
    add("--skip-spark", action="store_true", help="do not measure Spark's regexp_extract_all")
    add("--watched", type=parse_numbers, default=(), metavar="N,N", help="texts on watch-lists, such as 42,10000")


def run(options: Any) -> None:
    """Print the tables."""
    if options.rounds < 1 or options.largest < 10 * SMALLEST:
        raise InputError(f"--rounds must be 1 at least and --largest {10 * SMALLEST:,}")
    articles = news(options.texts)
    texts = [article["body"] for article in articles]
    spent = best_of(parts(articles), options.rounds)
    rows = [(name, f"{1000 * seconds / len(articles):.3f}") for name, (seconds, _) in spent.items()]
    show(f"Processor time per 1,000 articles, of {len(articles):,}", ("part", "CPU s"), rows)
    if options.watched:
        show_watching(articles, options.watched, options.rounds)
    show_growth("\n\n".join(texts), options.largest, options.rounds)
    # Spark comes last: its JVM would compete for the cores with what is measured.
    rates = throughput(texts, options.rounds, with_spark=not options.skip_spark)
    title = f"Throughput on one core: {len(texts):,} texts, {size_of(texts) / 1e6:.1f} MB"
    show(title, ("way", "MB/s"), [(name, f"{rate:.1f}") for name, rate in rates.items()])


def parts(articles: Sequence[Row]) -> dict[str, Way]:
    """Each thing a worker does with articles."""
    settings = load_settings()
    contextomy, ingest = settings.contextomy, settings.ingest
    detector, languages = load_detector(contextomy), languages_of(settings, ("en",))
    documents = documents_of(articles)
    quoted = [(document, list(quotes_of_document(document, ""))) for document in documents]
    languages_known = (ingest.languages, ingest.language_confidence)
    return {
        "language": lambda: [detect_language(document["body"], *languages_known) for document in documents],
        "quotes, speakers, keys": lambda: [list(quotes_of_document(document, "")) for document in documents],
        "sample for stories": lambda: [text_of_document(document, "") for document in documents],
        "contexts": lambda: [list(contexts_of_document(*each, settings.contexts, "")) for each in quoted],
        "headline quotes": lambda: [
            list(matches_of_document(*each, contextomy, detector, languages)) for each in quoted
        ],
    }


def documents_of(articles: Sequence[Row]) -> list[Row]:
    """Articles as rows of documents."""
    same: dict[str, Any] = {
        "kind": "news",
        "language": "en",
        "body_status": "unknown",
        "outlet": None,
        "author_key": None,
    }
    same |= {"is_repost": False, "period": None, "text_id": None}
    return [{**article, **same, "doc_id": f"{n:032x}", "native_key": str(n)} for n, article in enumerate(articles)]


def show_watching(articles: Sequence[Row], sizes: Sequence[int], rounds: int) -> None:
    """Print how much longer the whole pass over articles takes with watch-lists of their quotes, chosen by hash."""
    from quotelake.nightly.annotate import Rules, annotate_document
    from quotelake.watch.stage import WatchList

    quotes = [quote for article in articles for quote in find_quotes(article["body"]) if quote.depth == 0]
    worded = ([token.word for token in tokens(quote.text)] for quote in quotes)
    texts = {
        content_id(*words): quote.text for quote, words in zip(quotes, worded, strict=True) if len(words) in _WATCHED
    }
    watched = [WatchedText(id=name, text=texts[name]) for name in sorted(texts)]
    settings, documents = load_settings(), documents_of(articles)
    detector, languages = load_detector(settings.contextomy), languages_of(settings, settings.model.languages)

    def way(size: int) -> Callable[[], int]:
        watch = WatchList(tuple(list_of(watched[:size])))
        rules = Rules(settings, detector, languages, "rules", watch)
        watch.finder()  # made once in a worker
        return lambda: sum(len(row["hits"]) for each in documents for row in annotate_document(each, rules))

    found = best_of({size: way(size) for size in sorted({0, *(min(size, len(watched)) for size in sizes)})}, rounds)
    rows = [
        (f"{size:,}", f"{seconds:.1f}", f"{seconds / found[0][0]:.2f}", f"{uses:,}")
        for size, (seconds, uses) in found.items()
    ]
    title = f"The pass over {len(articles):,} articles, one core, without Spark"
    show(title, ("watched texts", "CPU s", ": none", "uses"), rows, names=0)


def throughput(texts: Sequence[str], rounds: int, *, with_spark: bool) -> dict[str, float]:
    """MB/s of the kernel and of simpler ways on the same texts."""
    simplest = re.compile(SIMPLEST)
    ways: dict[str, Way] = {
        f"simplest pattern, {SIMPLEST} findall": lambda: [len(simplest.findall(text)) for text in texts],
        "scanning all marks, MARK.finditer": lambda: [sum(1 for _ in MARK.finditer(text)) for text in texts],
        "find_quotes": lambda: [len(find_quotes(text)) for text in texts],
        "find_quotes and find_speakers": lambda: [
            len(find_speakers(text, find_quotes(text), "body", "en")) for text in texts
        ],
    }
    found = best_of(ways, rounds, time.perf_counter)
    if with_spark:
        with cached_in_spark(texts) as extract_all:
            extract_all()  # compiles its code
            name = "simplest pattern, Spark's regexp_extract_all, local[1]"
            found |= best_of({name: extract_all}, rounds, time.perf_counter)
    return {name: size_of(texts) / 1e6 / seconds for name, (seconds, _) in found.items()}


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


def show_growth(text: str, largest: int, rounds: int) -> None:
    """Print nanoseconds per character at sizes that grow by ten, and the ratio of the last to the first."""
    sizes = [SMALLEST]
    while sizes[-1] * 10 <= largest:
        sizes.append(sizes[-1] * 10)
    rows = []
    for name in (*UNITS, "news"):
        pieces = {size: cut(name, text, size, sizes[-1]) for size in sizes}

        def way(size: int, pieces: dict[int, list[str]] = pieces) -> Way:
            return lambda: [find_quotes(piece) for piece in pieces[size]]

        found = best_of({size: way(size) for size in sizes}, rounds)
        spent = [found[size][0] / sum(map(len, pieces[size])) * 1e9 for size in sizes]
        ratio = spent[-1] / spent[0]
        rows.append((name, *(f"{each:.1f}" for each in spent), f"{ratio:.2f}{'' if ratio <= GOAL else ' (!)'}"))
    columns = ("text", *(f"{size / 1e6:g} MB" for size in sizes), "ratio")
    show("Nanoseconds per character", columns, rows)


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
