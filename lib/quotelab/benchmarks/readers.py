"""Measure the readers of the declared sources: MB of files per CPU second of one core, read and made into documents.

A file of each format is generated from the texts of the sample corpus, or of --texts FILE (JSON Lines with the field
text). MB are millions of bytes of the file. The sources take turns, so that other load affects all alike, and the best
round of each counts. Most of the time of a document goes into telling its language, where the record states none.
"""

import csv
import html
import io
import json
from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from quotelab.benchmarks.extraction import news
from quotelab.benchmarks.timing import best_of
from quotelab.report import positive, show
from quotelake.settings import Settings, load_settings
from quotelake.sources.parse import Parser
from quotelake.sources.records import Format, read_records

_KEY, _NOW = bytes(32), datetime(2030, 1, 1, tzinfo=UTC)
_DAY, _AT = "2024-03-01", "2024-03-01T09:00:00Z"
_URL, _PAGE_URL = "https://news.example/{}", "https://news.example/a/{}"
Record = dict[str, Any]
#: Bytes of a page that are no article, and paragraphs of one that is.
_AROUND, _PARAGRAPHS = 60_000, 8
_FIELDS: Final = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {}\r\nContent-Type: application/http\r\n"


def _bluesky(n: int, text: str) -> Record:
    record = {"text": text, "createdAt": _AT, "langs": ["en"]}
    commit = {"operation": "create", "collection": "app.bsky.feed.post", "rkey": str(n), "record": record}
    return {"did": f"did:plc:{n % 99}", "time_us": 1_709_283_600_000_000, "kind": "commit", "commit": commit}


#: A record of each source: its number and a text of one line.
RECORDS: Final[Mapping[str, Callable[[int, str], Record]]] = {
    "sample_news": lambda n, text: {"id": n, "title": text[:60], "text": text, "published": _AT, "lang": "en"},
    "x_v1": lambda n, text: {
        "id_str": str(n), "text": text[:99], "extended_tweet": {"full_text": text}, "user": {"id_str": str(n % 99)},
        "created_at": "Fri Mar 01 09:00:00 +0000 2024", "lang": "en",
    },
    "x_v2": lambda n, text: {"id": str(n), "text": text, "author_id": str(n % 99), "created_at": _AT, "lang": "en"},
    "bluesky": _bluesky,
    "mastodon": lambda n, text: {
        "id": str(n), "content": f"<p>{text}</p><p>and so on</p>", "account": {"acct": f"u{n % 99}"}, "created_at": _AT,
        "language": "en",
    },
    "quotebank_quotes": lambda n, text: {
        "quoteID": f"{_DAY}-{n}", "quotation": text, "speaker": "Ana Ruiz", "date": _DAY, "urls": [_URL.format(n)],
    },
    "quotebank_articles": lambda n, text: {
        "articleID": n, "date": _DAY, "url": _URL.format(n), "title": text[:60],
        "quotations": [{"leftContext": text[:90], "quotation": text, "rightContext": text[:90]}] * 3,
    },
    "gdelt_gqg": lambda n, text: {
        "date": _AT, "url": _URL.format(n), "title": text[:60], "lang": "ENGLISH",
        "quotes": [{"pre": text[:90], "quote": text, "post": text[:90]}] * 3,
    },
    "all_the_news": lambda n, text: {
        "id": n, "title": text[:60], "publication": "News", "author": "", "date": _DAY, "url": "", "content": text,
    },
    "cc_news": lambda n, text: {
        "title": text[:60], "text": text, "domain": "news.example", "date": f"{_DAY} 09:00:00", "url": _URL.format(n),
    },
    "fundus": lambda n, text: {
        "title": text[:60], "plaintext": text, "authors": ["Ana Bell"], "publishing_date": _AT, "url": _URL.format(n),
    },
}  # fmt: skip


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("--texts", type=Path, metavar="FILE", help="JSONL with the field text; may be gzipped")
    parser.add_argument("--records", type=positive, default=2000, help="records of each file (default: 2,000)")
    parser.add_argument("--rounds", type=positive, default=3, help="number of rounds; the best one counts (default: 3)")


def run(options: Any) -> None:
    """Print the table."""
    settings = load_settings()
    texts = [text for part in news(options.texts) for text in part.split("\n") if len(text) > 40]
    files = {name: file_of(name, texts, options.records) for name in RECORDS} | web_files(texts, options.records // 10)
    rates = measure(files, settings, options.rounds)
    rows = [(name, f"{len(files[name][0]) / 1e6:.1f}", *(f"{each:.0f}" for each in rates[name])) for name in files]
    show("Readers on one core", ("source", "MB", "MB/s read", "MB/s made into documents"), rows)


def file_of(name: str, texts: Sequence[str], number: int) -> tuple[bytes, Format]:
    """A file of so many records of a source, and its format."""
    records = [RECORDS[name](n, texts[n % len(texts)]) for n in range(number)]
    if name == "all_the_news":
        table = io.StringIO()
        writer = csv.DictWriter(table, list(records[0]))
        writer.writeheader()
        writer.writerows(records)
        return table.getvalue().encode(), "csv"
    if name == "x_v2":
        records = [{"data": records[first : first + 100]} for first in range(0, number, 100)]
    if name == "fundus":
        return json.dumps(records).encode(), "json"
    return "".join(json.dumps(record) + "\n" for record in records).encode(), "jsonl"


def measure(
    files: Mapping[str, tuple[bytes, Format]], settings: Settings, rounds: int
) -> dict[str, tuple[float, float]]:
    """MB per CPU second of each file: read, and made into documents."""
    both = (False, True)
    calls = {(name, make): partial(_read, name, *files[name], settings, make) for name in files for make in both}
    found = best_of(calls, rounds)
    megabytes = {name: len(data) / 1e6 for name, (data, _) in files.items()}
    return {name: (size / found[name, False][0], size / found[name, True][0]) for name, size in megabytes.items()}


def _read(name: str, data: bytes, format: Format, settings: Settings, make: bool) -> int:
    source, number = settings.sources[name], 0
    parser = Parser(name, source, settings.ingest, author_key=_KEY, now=_NOW)
    for record in read_records(io.BytesIO(data), format, source, settings.ingest.max_record_bytes):
        made = parser.document(record) if make else record.value
        assert isinstance(made, dict), made  # each generated record is whole
        number += 1
    return number


def web_files(texts: Sequence[str], number: int) -> dict[str, tuple[bytes, Format]]:
    """An archive of so many pages, and a feed of so many entries; none where ``quotelake[web]`` is not installed."""
    if find_spec("trafilatura") is None:
        return {}
    escaped = [html.escape(text, quote=False) for text in texts]
    articles = [[escaped[(n + m) % len(texts)] for m in range(_PARAGRAPHS)] for n in range(number)]
    items = (
        f"<item><title>{article[0][:60]}</title><link>{_PAGE_URL.format(n)}</link><description>"
        f"{html.escape(''.join(f'<p>{each}</p>' for each in article))}</description></item>"
        for n, article in enumerate(articles)
    )
    feed = f"<rss version='2.0'><channel><title>News</title>{''.join(items)}</channel></rss>".encode()
    archive = b"".join(_record(_PAGE_URL.format(n), _page(article)) for n, article in enumerate(articles))
    return {"warc": (archive, "warc"), "rss": (feed, "rss")}


def _page(article: Sequence[str]) -> bytes:
    link = '<li class="menu-item"><a href="/city/article-{0}.html" title="Article {0}">Article number {0}</a></li>'
    menu = "".join(link.format(number) for number in range(_AROUND // 2 // len(link)))
    script = f"<script>var state = {{{'x: 1, ' * (_AROUND // 2 // 6)}}};</script>"
    head = f"<meta charset='utf-8'><title>{article[0][:60]} | News</title>{script}"
    body = "".join(f"<p>{paragraph}</p>" for paragraph in article)
    main = f"<main><article><h1>{article[0][:60]}</h1>{body}</article></main>"
    return f"<html lang='en'><head>{head}</head><body><nav><ul>{menu}</ul></nav>{main}</body></html>".encode()


def _record(url: str, page: bytes) -> bytes:
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
    return f"{_FIELDS.format(url)}Content-Length: {len(http)}\r\n\r\n".encode() + http + b"\r\n\r\n"
