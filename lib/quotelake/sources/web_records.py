"""Records of what crawlers and feed readers keep: web pages of archives (WARC) or files of one each, entries of feeds.

Libraries for WARC end at a cut or a damaged record as at the end of the file, so its frame is read here
(https://iipc.github.io/warc-specifications), and its content by libraries for HTTP. feedparser reads every version of
RSS and Atom, and of a damaged feed what it can; it opens no address, file or external entity that a feed names.
"""

import email
import http.client
import io
import re
import zlib
from collections.abc import Iterator, Mapping
from email.message import Message
from types import SimpleNamespace
from typing import Any, Final

import feedparser
import urllib3

from quotelake.sources.json_records import read_whole
from quotelake.sources.markup import text_of_html
from quotelake.sources.rejects import RawRecord, Reason, broken
from quotelake.sources.streams import ByteStream, Input
from quotelake.sources.web_pages import page_record
from quotelake.text.addresses import parts_of

#: Longest line of the head of a record, and longest head, of its fields or of HTTP's.
_LINE, _HEAD = 65536, 1 << 20
#: A summary of fewer characters, in an entry that has no more of its article, is taken for a part of it.
_SHORTEST: Final = 500
_HTML: Final = ("text/html", "application/xhtml+xml")
#: Of the head of an answer, in any version of HTTP: its status, and the empty line behind it.
_STATUS = re.compile(rb"HTTP/\d(?:\.\d)?[ \t]+(\d{3})(?!\d)", re.IGNORECASE)
_HEAD_END = re.compile(rb"\r?\n\r?\n")
#: What zlib calls the two.
_GZIP_OR_ZLIB, _RAW_DEFLATE = 47, -15
#: How a member of gzip begins.
_GZIP = b"\x1f\x8b"


def read_html(stream: ByteStream, limit: int) -> Iterator[RawRecord]:
    """Yield the page of a file."""
    data = read_whole(Input(stream), limit)
    yield data if isinstance(data, RawRecord) else page_record(0, data, limit)


def read_warc(stream: ByteStream, limit: int) -> Iterator[RawRecord]:
    """Yield the pages of an archive; ``position`` is the byte where the record of a page begins, uncompressed.

    Other answers, and pages that are in an earlier record, are ``filtered``; requests and metadata are no records.
    """
    reader, position = Input(stream), 0
    while first := reader.readline(_LINE):
        head = line = first
        while line.strip() and len(head) < _HEAD:  # of an empty line between two records it is all
            line = reader.readline(_LINE)
            head += line
        if first.strip():
            fields = email.message_from_bytes(head.partition(b"\n")[2])
            length = fields.get("Content-Length", "").strip()
            if not first.startswith(b"WARC/") or not length.isdecimal():
                yield broken(position, head, reader.error or "no record of a WARC file begins here")
                return
            block = reader.read(min(int(length), limit + _HEAD))
            if len(block) + reader.skip(int(length) - len(block)) < int(length):
                yield broken(position, head, reader.error or "it ends inside a record")
                return
            yield from _pages(position, fields, block, limit)
            position += int(length)
        position += len(head)
    if reader.error:
        yield broken(position, None, reader.error)


def _pages(position: int, fields: Message, block: bytes, limit: int) -> Iterator[RawRecord]:
    kind = fields.get("WARC-Type", "").strip()
    if kind == "revisit":
        yield RawRecord(position, None, None, Reason.FILTERED, "a page that an earlier record holds")
    if kind != "response" or fields.get_content_type() != "application/http":
        return
    end = _HEAD_END.search(block)
    status = _STATUS.match(block)
    if status is None or end is None:
        detail = "no answer of HTTP: it has no status or no end of its head"
        yield RawRecord(position, None, block, Reason.MALFORMED, detail)
        return
    headers = email.message_from_bytes(block[status.end() : end.start()].partition(b"\n")[2])
    kind = headers.get_content_type()
    if status[1] != b"200" or kind not in _HTML:
        yield RawRecord(position, None, None, Reason.FILTERED, f"status {status[1].decode()}, {kind}")
        return
    url = fields.get("WARC-Target-URI", "").strip(" <>") or None
    content, faults = _unpacked(block[end.end() :], headers, limit)
    found = page_record(position, content, limit, charset=headers.get_content_charset(), url=url)
    if faults and found.reason is Reason.FILTERED:
        detail = f"its content is not in {faults} as its head states, and as it is stored: {found.detail}"
        found = RawRecord(position, None, block, Reason.MALFORMED, detail)
    yield found


def _unpacked(content: bytes, headers: Message, limit: int) -> tuple[bytes, str]:
    """The content of an answer without its encodings, up to a byte more than ``limit``; and those it is not in.

    Crawlers often store the content unpacked and the head unchanged, so what an encoding cannot read stays as it is.
    """
    stated = f"{headers.get('Content-Encoding', '')},{headers.get('Transfer-Encoding', '')}".lower()
    faults = []
    for name in (each for part in reversed(stated.split(",")) if (each := part.strip()) not in ("", "identity")):
        try:
            content = _dechunked(content) if name == "chunked" else _decoded(content, name, limit)
        except (http.client.HTTPException, urllib3.exceptions.HTTPError, zlib.error, OSError, ValueError):
            faults.append(name)
    return content, " and ".join(faults)


def _dechunked(content: bytes) -> bytes:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    connection = SimpleNamespace(makefile=lambda mode: io.BytesIO(head + content))
    answer = http.client.HTTPResponse(connection)  # type: ignore[arg-type]  # it needs no more of a socket
    answer.begin()
    return answer.read()


def _decoded(content: bytes, encoding: str, limit: int) -> bytes:
    if encoding in ("gzip", "x-gzip", "deflate"):  # of these urllib3 does not say whether they end too soon
        form, plain = _RAW_DEFLATE if encoding == "deflate" and content[:1] != b"x" else _GZIP_OR_ZLIB, b""
        while len(plain) <= limit and (not plain or content.startswith(_GZIP)):  # it may have several members
            decoder = zlib.decompressobj(form)
            plain += decoder.decompress(content, limit + 1 - len(plain))
            if not decoder.eof and len(plain) <= limit:
                raise ValueError("it ends too soon")
            content = decoder.unused_data
        return plain
    packed = urllib3.HTTPResponse(io.BytesIO(content), {"Content-Encoding": encoding}, preload_content=False)
    return packed.read(limit + 1, decode_content=True)


def read_feed(stream: ByteStream, limit: int) -> Iterator[RawRecord]:
    """Yield the entries of a feed; ``position`` is their ordinal. A file that is no feed is one record, ``malformed``.

    A file of more than ``limit`` bytes is one record, ``oversized``: feedparser reads the whole file into memory.
    """
    data = read_whole(Input(stream), limit)
    if isinstance(data, RawRecord):
        yield data
        return
    # As a stream: feedparser opens bytes that look like an address or the name of a file.
    parsed = feedparser.parse(io.BytesIO(data), sanitize_html=False, resolve_relative_uris=False)
    if not parsed.entries and (parsed.bozo or not parsed.get("version")):
        detail = f"no feed: {parsed.get('bozo_exception', 'neither RSS nor Atom')}"
        yield RawRecord(0, None, data, Reason.MALFORMED, detail)
    for position, entry in enumerate(parsed.entries):
        try:
            yield RawRecord(position, entry_fields(entry, parsed.feed)).reject_if_undecodable("title", "body")
        except ValueError as error:
            yield RawRecord(position, None, str(entry).encode(), Reason.MALFORMED, str(error))


def entry_fields(entry: dict[str, Any], feed: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of an entry, see ``conf/sources/rss.toml``; ``body`` is its longest text. A ValueError: too many tags."""
    contents, summary = [_text(each) for each in entry.get("content", ())], _text(entry.get("summary_detail"))
    body = max([*contents, summary], key=len)
    identity, link, site = entry.get("id"), entry.get("link"), parts_of(feed.get("link")).netloc
    return {
        # An id that is no address is one within its feed only.
        "id": f"{site} {identity}" if identity and site and ":" not in identity else identity,
        "title": " ".join(_text(entry.get("title_detail")).split()),
        "link": link if parts_of(link).netloc else None,  # feedparser gives the id where there is none
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
