"""Files of web pages and feeds for ``quotelab bench readers``: each page an article in 60 kB of menus and scripts."""

import html
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Final

from quotelake.sources.records import Format

#: Bytes of a page that are no article, and paragraphs of one that is.
_AROUND, _PARAGRAPHS = 60_000, 8
_FIELDS: Final = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {}\r\nContent-Type: application/http\r\n"
_URL: Final = "https://news.example/a/{}"


def web_files(texts: Sequence[str], number: int) -> dict[str, tuple[bytes, Format]]:
    """An archive of so many pages, and a feed of so many entries; none where ``quotelake[web]`` is not installed."""
    if find_spec("trafilatura") is None:
        return {}
    articles = [
        [html.escape(texts[(n + m) % len(texts)], quote=False) for m in range(_PARAGRAPHS)] for n in range(number)
    ]
    items = (
        f"<item><title>{article[0][:60]}</title><link>{_URL.format(n)}</link><description>"
        f"{html.escape(''.join(f'<p>{each}</p>' for each in article))}</description></item>"
        for n, article in enumerate(articles)
    )
    feed = f"<rss version='2.0'><channel><title>News</title>{''.join(items)}</channel></rss>".encode()
    archive = b"".join(_record(_URL.format(n), _page(article)) for n, article in enumerate(articles))
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
