"""Thirty ways in which crawlers store one page: each gives the page, or says why it gives none."""

import gzip
import io
import zlib

import pytest
from tests.sources.web_files import HEADLINE, page

from quotelake.settings import load_settings
from quotelake.sources.records import read_records
from quotelake.sources.rejects import RawRecord

pytest.importorskip("trafilatura", reason="the packages of quotelake[web] are not installed")
import brotli
from backports import zstd

PAGE = page().encode()
PACKED = gzip.compress(PAGE)


def raw_deflate(content: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(content) + packer.flush()


def chunks(content: bytes, more: bytes = b"", trailer: bytes = b"") -> bytes:
    pieces = [content[at : at + 500] for at in range(0, len(content), 500)]
    return b"".join(b"%x%s\r\n%s\r\n" % (len(piece), more, piece) for piece in pieces) + b"0\r\n" + trailer + b"\r\n"


def record(
    content: bytes,
    *headers: str,
    status: str = "HTTP/1.1 200 OK",
    kind: str = "text/html; charset=utf-8",
    breaks: str = "\r\n",
    version: str = "WARC/1.0",
    address: str = "http://gazette.example/a",
) -> bytes:
    answer = (breaks.join([status, f"Content-Type: {kind}", *headers]) + 2 * breaks).encode() + content
    fields = [version, "WARC-Type: response", f"WARC-Target-URI: {address}"]
    fields += ["Content-Type: application/http; msgtype=response", f"Content-Length: {len(answer)}"]
    return (breaks.join(fields) + 2 * breaks).encode() + answer + (2 * breaks).encode()


CHUNKED = "Transfer-Encoding: chunked"
PAGES = {
    "plain": record(PAGE),
    "gzip": record(PACKED, "Content-Encoding: gzip"),
    "x-gzip": record(PACKED, "Content-Encoding: x-gzip"),
    "case of gzip": record(PACKED, "content-encoding: GZIP"),
    "members of gzip": record(
        gzip.compress(PAGE[:900]) + gzip.compress(PAGE[900:]), "Content-Encoding: gzip, identity"
    ),
    "padded gzip": record(PACKED + b"\0" * 9, "Content-Encoding: gzip"),
    "deflate": record(zlib.compress(PAGE), "Content-Encoding: deflate"),
    "raw deflate": record(raw_deflate(PAGE), "Content-Encoding: deflate"),
    "brotli": record(brotli.compress(PAGE), "Content-Encoding: br"),
    "zstd": record(zstd.compress(PAGE), "Content-Encoding: zstd"),
    "twice packed": record(brotli.compress(PACKED), "Content-Encoding: gzip, br"),
    "identity": record(PAGE, "Content-Encoding: identity"),
    "no encoding": record(PAGE, "Content-Encoding: utf-8"),
    "stale gzip": record(PAGE, "Content-Encoding: gzip"),
    "stale brotli": record(PAGE, "Content-Encoding: br"),
    "stale zstd": record(PAGE, "Content-Encoding: zstd"),
    "stale deflate": record(PAGE, "Content-Encoding: deflate"),
    "chunks": record(chunks(PAGE), CHUNKED),
    "chunks with extensions": record(chunks(PAGE, more=b";a=b"), CHUNKED),
    "chunks with a trailer": record(chunks(PAGE, trailer=b"X: y\r\n"), CHUNKED),
    "packed chunks": record(chunks(PACKED), CHUNKED, "Content-Encoding: gzip"),
    "packed for the way": record(chunks(PACKED), "Transfer-Encoding: gzip, Chunked"),
    "chunks joined": record(PACKED, CHUNKED, "Content-Encoding: gzip"),
    "chunks unpacked": record(chunks(PAGE), CHUNKED, "Content-Encoding: gzip"),
    "stale chunks": record(PAGE, CHUNKED),
    "line feeds": record(PAGE, breaks="\n"),
    "HTTP/1.0": record(PAGE, status="HTTP/1.0 200"),
    "HTTP/2": record(PAGE, status="http/2 200 ok"),
    "HTTP/3": record(PAGE, status="HTTP/3 200 "),
    "XHTML": record(PAGE, kind="application/xhtml+xml"),
    "quoted charset": record(PAGE, kind='text/html;charset="UTF-8"'),
    "WARC/1.1": record(PAGE, version="WARC/1.1", address="<http://gazette.example/a>"),
    "stale length": record(PAGE, f"Content-Length: {len(PAGE) // 2}"),
}
OTHERS = {
    "half of gzip": (record(PACKED[: len(PACKED) // 2], "Content-Encoding: gzip"), "malformed"),
    "no status": (record(PAGE, status="Server: x"), "malformed"),
    "not found": (record(PAGE, status="HTTP/1.1 404 Not Found"), "filtered"),
    "another type": (record(b"{}", kind="application/json"), "filtered"),
}


def read(data: bytes) -> RawRecord:
    source = load_settings().sources["warc"]
    [found] = read_records(io.BytesIO(data), "warc", source, 1_000_000)
    return found


@pytest.mark.parametrize("how", PAGES)
def test_a_page_is_whole_however_it_is_stored(how: str):
    assert read(PAGES[how]).value == read(PAGES["plain"]).value
    assert (read(PAGES[how]).value or {}).get("headline") == HEADLINE


@pytest.mark.parametrize("what", OTHERS)
def test_what_gives_no_page_says_why(what: str):
    data, reason = OTHERS[what]
    found = read(data)
    assert found.value is None and found.reason == reason and found.detail
