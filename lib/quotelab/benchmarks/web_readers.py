"""Measure the readers of feeds, archives of web pages and pages: MB and records per second of one core.

Without --pages the pages are made: the articles of the sample corpus, each in 60 kB of menus, links and scripts. MB are
millions of bytes of the files, unpacked. The best round counts.
"""

import html
import io
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from quotelab.benchmarks.extraction import best_of
from quotelab.report import positive, show
from quotelake.errors import InputError
from quotelake.files.jsonl import json_lines
from quotelake.sample import sample_path
from quotelake.settings import load_settings
from quotelake.sources.records import Format, read_records

_AROUND: Final = 60_000  # bytes of a page that are no article
_LIMIT: Final = 50_000_000


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("--pages", type=Path, metavar="DIR", help="folder with pages, *.html")
    parser.add_argument("--rounds", type=positive, default=3, help="number of rounds; the best one counts (default: 3)")


def run(options: Any) -> None:
    """Print the table."""
    pages = [path.read_bytes() for path in sorted(options.pages.glob("*.html"))] if options.pages else made_pages()
    if not pages:
        raise InputError(f"--pages {options.pages}: holds no *.html")
    rows = []
    for name, (size, records, seconds) in measure(files_of(pages), options.rounds).items():
        rows.append(
            (name, f"{size / 1e6:.1f}", f"{records:,}", f"{size / 1e6 / seconds:.2f}", f"{records / seconds:,.0f}")
        )
    show("Readers on one core", ("format", "MB", "records", "MB/s", "records/s"), rows)


def made_pages() -> list[bytes]:
    """Make a page for each article of the sample corpus."""
    link = '<li class="menu-item"><a href="/city/article-{0}.html" title="Article {0}">Article number {0}</a></li>'
    script = f"<script>var state = {{{'x: 1, ' * (_AROUND // 12)}}};</script>"
    around = "".join(link.format(number) for number in range(_AROUND // 2 // len(link)))
    pages = []
    for _, record in json_lines(Path(sample_path("news.jsonl"))):
        title, text = html.escape(record["title"] or "Untitled"), html.escape(record["text"] or "")
        body = "".join(f"<p>{line}</p>" for line in text.split("\n"))
        article = f"<main><article><h1>{title}</h1>{body}</article></main>"
        head = f"<head><meta charset='utf-8'><title>{title} | Gazette</title>{script}</head>"
        pages.append(f"<html>{head}<body><nav><ul>{around}</ul></nav>{article}</body></html>".encode())
    return pages


def files_of(pages: Sequence[bytes]) -> dict[Format, list[bytes]]:
    """Make files of each format that hold these pages; those of feeds hold the articles of the sample corpus."""
    fields = (
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: https://a.example/{}\r\nContent-Type: application/http\r\n"
    )
    archive = []
    for number, page in enumerate(pages):
        http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
        archive.append(f"{fields.format(number)}Content-Length: {len(http)}\r\n\r\n".encode() + http + b"\r\n\r\n")
    items = [
        f"<item><title>{html.escape(record['title'] or '')}</title><description>{html.escape(record['text'] or '')}"
        "</description></item>"
        for _, record in json_lines(Path(sample_path("news.jsonl")))
    ]
    feed = f"<rss version='2.0'><channel><title>T</title>{''.join(items)}</channel></rss>".encode()
    return {"html": [*pages], "warc": [b"".join(archive)], "rss": [feed] * 10}


def measure(files: dict[Format, list[bytes]], rounds: int) -> dict[Format, tuple[int, int, float]]:
    """Bytes and records of the files of each format, and processor seconds of the best round."""
    ways: dict[Format, Callable[[], int]] = {name: partial(_read, name, data) for name, data in files.items()}
    for name, data in files.items():
        _read(name, data[:1])  # what is imported at the first call is no part of it
    found = best_of(ways, rounds)
    return {name: (sum(map(len, files[name])), records, seconds) for name, (seconds, records) in found.items()}


def _read(name: Format, files: Sequence[bytes]) -> int:
    source = load_settings().sources[name]
    return sum(1 for data in files for _ in read_records(io.BytesIO(data), name, source, _LIMIT))
