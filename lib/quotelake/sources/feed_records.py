"""Records of RSS and Atom feeds: a file is a feed as it was fetched, a record one of its entries.

feedparser reads every version of both, and of a damaged file what it can. It opens no address, no file and no external
entity that a feed names. It belongs to ``quotelake[web]``.
"""

import io
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import feedparser

from quotelake.sources.json_records import BLOCK, READ_ERRORS
from quotelake.sources.markup import text_of_html
from quotelake.sources.rejects import RawRecord, Reason, broken, oversized
from quotelake.sources.streams import ByteStream

#: A summary of fewer characters, in an entry that has no more of its article, is taken for a part of it.
_SHORTEST: Final = 500
_HTML: Final = ("text/html", "application/xhtml+xml")
_SITE = re.compile(r"https?://([^/?#\s]+)")


def read_feed(stream: ByteStream, limit: int) -> Iterator[RawRecord]:
    """Yield the entries of a feed; ``position`` is their ordinal. A file that is no feed is one record, ``malformed``.

    A file of more than ``limit`` bytes is one record, ``oversized``: feedparser reads the whole file into memory.
    """
    data = b""
    try:
        while len(data) <= limit and (block := stream.read(BLOCK)):
            data += block
    except READ_ERRORS as error:
        yield broken(0, data, f"{type(error).__name__}: {error}")
        return
    if len(data) > limit:
        yield oversized(0, data[:limit], len(data), limit)
        return
    try:
        # As a stream: feedparser opens bytes that look like an address or the name of a file.
        parsed = feedparser.parse(io.BytesIO(data), sanitize_html=False, resolve_relative_uris=False)
    except Exception as error:  # no feed may stop every night to come
        yield RawRecord(0, None, data, Reason.FAILED, type(error).__name__)
        return
    if not parsed.entries and (parsed.bozo or not parsed.get("version")):
        detail = f"no feed: {parsed.get('bozo_exception', 'neither RSS nor Atom')}"
        yield RawRecord(0, None, data, Reason.MALFORMED, detail)
    for position, entry in enumerate(parsed.entries):
        try:
            yield RawRecord(position, entry_fields(entry, parsed.feed)).reject_if_undecodable("title", "body")
        except ValueError as error:
            yield RawRecord(position, None, str(entry).encode(), Reason.MALFORMED, str(error))


def entry_fields(entry: dict[str, Any], feed: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of an entry as feedparser gives it; see ``conf/sources/rss.toml``. ``body`` is its longest text.

    Raises:
        ValueError: a text has too many tags.
    """
    contents, summary = [_text(each) for each in entry.get("content", ())], _text(entry.get("summary_detail"))
    body = max([*contents, summary], key=len)
    identity, link, site = entry.get("id"), str(entry.get("link")), _SITE.match(str(feed.get("link")))
    return {
        # An id that is no address is one within its feed only.
        "id": f"{site[1]} {identity}" if identity and site and ":" not in identity else identity,
        "title": " ".join(_text(entry.get("title_detail")).split()),
        "link": link if _SITE.match(link) else None,  # feedparser gives the id where there is none
        "published": entry.get("published"),
        "updated": dict.get(entry, "updated"),  # its own method gives the date of publication where there is none
        "summary": summary,
        "content": max(contents, key=len, default=""),
        "body": body,
        "body_status": "truncated" if not any(contents) and len(body) < _SHORTEST else None,
        "author": entry.get("author"),
        "tags": [tag["term"] for tag in entry.get("tags", ()) if tag.get("term")] or None,
        "language": entry.get("language") or feed.get("language"),
        "feed_title": feed.get("title"),
        "feed_link": feed.get("link"),
    }


def _text(detail: Mapping[str, Any] | None) -> str:
    value = str((detail or {}).get("value") or "")
    is_html = (detail or {}).get("type") in _HTML and ("<" in value or "&" in value)
    return text_of_html(value) if is_html else value.strip()
