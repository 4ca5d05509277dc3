"""Records of web pages: of archives (WARC), one for each page of HTML that was fetched, and of files of one page each.

Libraries for WARC end at a cut or a damaged record as at the end of the file, so its frame, which is small, is read
here: https://iipc.github.io/warc-specifications. Its content is read by libraries for HTTP.
"""

import email
import http.client
import io
from collections.abc import Iterator
from email.message import Message
from types import SimpleNamespace
from typing import Final

import pyarrow as pa
import urllib3

from quotelake.sources.json_records import BLOCK, READ_ERRORS
from quotelake.sources.rejects import RawRecord, Reason, broken
from quotelake.sources.streams import ByteStream
from quotelake.sources.web_pages import page_record

#: Longest line of the head of a record, and longest head, of its fields or of HTTP's.
_LINE, _HEAD = 65536, 1 << 20
_HTML: Final = ("text/html", "application/xhtml+xml")


def read_html(stream: ByteStream, limit: int) -> Iterator[RawRecord]:
    """Yield the page of a file."""
    try:
        data = io.BufferedReader(pa.PythonFile(stream, "r"), BLOCK).read(limit + 1)
    except READ_ERRORS as error:
        yield broken(0, None, f"{type(error).__name__}: {error}")
    else:
        yield page_record(0, data, limit)


def read_warc(stream: ByteStream, limit: int) -> Iterator[RawRecord]:
    """Yield the pages of an archive; ``position`` is the byte where the record of a page begins, uncompressed.

    Other answers, and pages that are in an earlier record, are ``filtered``; requests and metadata are no records.
    """
    reader, position = io.BufferedReader(pa.PythonFile(stream, "r"), BLOCK), 0
    try:
        while first := reader.readline(_LINE):
            head = line = first
            while line.strip() and len(head) < _HEAD:  # of an empty line between two records it is all
                line = reader.readline(_LINE)
                head += line
            if first.strip():
                fields = email.message_from_bytes(head.partition(b"\n")[2])
                length = fields.get("Content-Length", "").strip()
                if not first.startswith(b"WARC/") or not length.isdecimal():
                    yield broken(position, head, "no record of a WARC file begins here")
                    return
                block, left = b"", int(length)
                while left and (more := reader.read(min(left, BLOCK))):
                    block += more if len(block) < limit + _HEAD else b""
                    left -= len(more)
                if left:
                    yield broken(position, head, "it ends inside a record")
                    return
                yield from _pages(position, fields, block, limit)
                position += int(length)
            position += len(head)
    except READ_ERRORS as error:
        yield broken(position, None, f"{type(error).__name__}: {error}")


def _pages(position: int, fields: Message, block: bytes, limit: int) -> Iterator[RawRecord]:
    kind = fields.get("WARC-Type", "").strip()
    if kind == "revisit":
        yield RawRecord(position, None, None, Reason.FILTERED, "a page that an earlier record holds")
    if kind != "response" or fields.get_content_type() != "application/http":
        return
    try:
        connection = SimpleNamespace(makefile=lambda mode: io.BytesIO(block))
        answer = http.client.HTTPResponse(connection)  # type: ignore[arg-type]  # it needs no more of a socket
        answer.begin()
        kind = answer.headers.get_content_type()
        if answer.status != 200 or kind not in _HTML:
            yield RawRecord(position, None, None, Reason.FILTERED, f"status {answer.status}, {kind}")
            return
        packed = urllib3.HTTPResponse(answer, dict(answer.headers), preload_content=False, decode_content=True)
        page = packed.read(limit + 1)
    except (http.client.HTTPException, urllib3.exceptions.HTTPError, OSError, ValueError) as error:
        yield RawRecord(position, None, block, Reason.MALFORMED, f"no answer of HTTP: {type(error).__name__}: {error}")
        return
    url = fields.get("WARC-Target-URI", "").strip(" <>") or None
    yield page_record(position, page, limit, charset=answer.headers.get_content_charset(), url=url)
