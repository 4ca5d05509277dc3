"""Archives of web pages and feeds: each page and entry once, what is none named, damage reported and never silent."""

import gzip
import io
import re
import zlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.sources.reading import Blocks, outcomes, parser_of
from tests.sources.web_files import ADDRESS, HEADLINE, PARAGRAPHS, answer, item, page, rss

from quotelake.errors import InputError
from quotelake.settings import load_settings
from quotelake.sources import records
from quotelake.sources.records import format_of, read_file, read_records
from quotelake.sources.rejects import RawRecord, Reason

pytest.importorskip("trafilatura", reason="the packages of quotelake[web] are not installed")
import brotli
from backports import zstd

SETTINGS = load_settings()
PAGE = page().encode()
LIMIT = 20_000
CHUNKED = "Content-Type: text/html\r\nTransfer-Encoding: chunked"
NOW = datetime(2025, 1, 1, tzinfo=UTC)


def read(data: bytes | io.BytesIO, format: records.Format = "warc", limit: int = LIMIT) -> list[RawRecord]:
    stream = io.BytesIO(data) if isinstance(data, bytes) else data
    return list(read_records(stream, format, SETTINGS.sources[format], limit))


def packed(encoding: str, content: bytes) -> bytes:
    return answer(content, head=f"Content-Type: text/html; charset=utf-8\r\nContent-Encoding: {encoding}")


def chunks(content: bytes) -> bytes:
    pieces = [content[at : at + 300] for at in range(0, len(content), 300)]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in [*pieces, b""])


def test_pages_are_found_however_the_server_sent_them():
    sent = [
        answer(PAGE),
        packed("gzip", gzip.compress(PAGE)),
        packed("deflate", zlib.compress(PAGE)),
        packed("br", brotli.compress(PAGE)),
        answer(chunks(PAGE), head=CHUNKED),
        answer(chunks(gzip.compress(PAGE)), head=f"{CHUNKED}\r\nContent-Encoding: gzip"),
        answer(chunks(gzip.compress(PAGE)), head=CHUNKED.replace("chunked", "gzip, Chunked")),
        packed("gzip, br", brotli.compress(gzip.compress(PAGE))),
        answer(PAGE.replace(b"utf-8", b"x").decode().encode("utf-16"), head="Content-Type: application/xhtml+xml"),
    ]
    found = read(b"".join(sent))
    assert [record.value["headline"] for record in found if record.value] == [HEADLINE] * len(sent)
    assert [record.position for record in found] == [sum(map(len, sent[:number])) for number in range(len(sent))]
    assert len({str(record.value) for record in found}) == 1


def test_what_is_no_page_is_counted_and_named():
    others = [
        (answer(b"x", kind="request"), []),
        (answer(b"x", kind="metadata"), []),
        (answer(b"", kind="revisit"), ["filtered"]),
        (answer(PAGE, status="404 Not Found"), ["filtered"]),
        (answer(PAGE, head="Content-Type: image/png"), ["filtered"]),
        (answer(PAGE, url="https://gazette.example/"), ["filtered"]),  # a front page
        (packed("gzip", gzip.compress(PAGE)[:99] + b"x" * 400), ["malformed"]),
        (packed("br", b"\x00\xff" * 300), ["malformed"]),
        (answer(PAGE + b"x" * LIMIT), ["oversized"]),
        (packed("gzip", gzip.compress(b"x" * 50 * LIMIT)), ["oversized"]),
    ]
    for data, reasons in others:
        found = read(data + answer(PAGE))
        assert [record.reason for record in found] == [*reasons, None], data[:400]
    # No more is unpacked than a page may have.
    assert found[0].detail == f"{LIMIT + 1:,} bytes, more than ingest.max_record_bytes = {LIMIT:,}"


HTML = "Content-Type: text/html; charset=utf-8"


@pytest.mark.parametrize("encoding", ["gzip", "br", "zstd", "deflate", "x-unknown"])
@pytest.mark.parametrize("chunked", [False, True])
def test_a_page_that_is_stored_unpacked_is_read_whatever_its_head_says(encoding: str, *, chunked: bool):
    head = f"{HTML}\r\nContent-Encoding: {encoding}" + "\r\nTransfer-Encoding: chunked" * chunked
    [record] = read(answer(PAGE, head=head))
    assert record.value == read(answer(PAGE))[0].value
    assert record.value is not None and record.value["headline"] == HEADLINE


@pytest.mark.parametrize(
    "status", ["HTTP/2 200", "HTTP/2 200 OK", "http/1.1 200 OK", "HTTP/1.0 200", "HTTP/3 200", "HTTP/1.1  200 OK"]
)
@pytest.mark.parametrize("length", [0, len(PAGE) // 2, 10 * len(PAGE)])
def test_any_version_of_http_and_a_stale_length_give_the_whole_page(status: str, length: int):
    data = answer(PAGE, head=f"{HTML}\r\nContent-Length: {length:05}").replace(b"HTTP/1.1 200 OK", status.encode())
    size = data.index(b"</html>") + len(b"</html>") - data.index(status.encode())
    data = re.sub(rb"msgtype=response\r\nContent-Length: \d+", b"msgtype=response\r\nContent-Length: %d" % size, data)
    [record] = read(data)
    assert record.value == read(answer(PAGE))[0].value


def test_what_is_packed_as_its_head_says_is_unpacked():
    for encoding, content in (("zstd", zstd.compress(PAGE)), ("gzip", gzip.compress(PAGE))):
        [record] = read(packed(encoding, content))
        assert record.value is not None and record.value["headline"] == HEADLINE


def test_what_is_no_answer_says_so():
    [record] = read(answer(PAGE).replace(b"HTTP/1.1 200 OK", b"SHTTP/1.1 20 OK"))
    assert record.reason is Reason.MALFORMED and record.detail is not None and "status" in record.detail


def test_a_cut_archive_gives_the_pages_before_the_cut_and_says_so():
    one = answer(PAGE)
    for length in [1, 9, len(one) // 2, len(one) - 5, len(one) + 1, len(one) + 100, 2 * len(one) - 5]:
        whole, rest = divmod(length, len(one))
        reasons = [record.reason for record in read((one + one)[:length])]
        assert reasons == [None] * whole + [Reason.BROKEN_FILE] * (rest > 0), length
    assert read(one + one[:-4]) == read(one + one)  # only the line breaks behind the last record are missing
    assert read(b"") == []
    assert [record.reason for record in read(one + b"damaged\r\n" + one)] == [None, Reason.BROKEN_FILE]
    breaking = [record.reason for record in read(Blocks(one + one[:200], 100, breaks=True))]
    assert breaking == [None, Reason.BROKEN_FILE]


def test_a_packed_archive_is_a_member_for_each_record(tmp_path: Path):
    data = b"".join(map(gzip.compress, [answer(PAGE), answer(PAGE)]))
    for name, cut in (("whole.warc.gz", len(data)), ("cut.warc.gz", len(data) - 200)):
        (tmp_path / name).write_bytes(data[:cut])
        found = read_file(str(tmp_path / name), "warc", SETTINGS.sources["warc"], SETTINGS.ingest)
        assert [record.reason for record in found] == [None, None if cut == len(data) else Reason.BROKEN_FILE]


def test_a_file_is_one_page():
    [record] = read(PAGE, "html")
    assert record.value is not None and (record.position, record.value["headline"]) == (0, HEADLINE)
    assert outcomes(read(PAGE, "html", limit=50)) == [(0, "oversized")]
    assert outcomes(read(Blocks(PAGE, 100, breaks=True), "html")) == [(0, "broken_file")]


def document(record: RawRecord, source: str) -> dict[str, Any]:
    made = parser_of(source, SETTINGS, NOW).document(record)
    assert isinstance(made, dict), made
    return made


def test_the_shipped_sources_map_every_field():
    data = {"@type": "NewsArticle", "headline": HEADLINE, "datePublished": "2024-07-01T10:00:00+02:00"}
    [record] = read(answer(page(data=data).encode()))
    made = document(record, "warc")
    assert (made["headline"], made["body"], made["url"]) == (HEADLINE, "\n".join(PARAGRAPHS), ADDRESS)
    assert (made["outlet"], made["language"], made["body_status"]) == ("gazette.example", "en", "complete")
    assert made["published_at"] == datetime(2024, 7, 1, 8, tzinfo=UTC)


ENTRY = item(
    "Mayor: &#8216;We &amp;amp; they rebuild&#8217;",
    "<link>https://gazette.example/1</link><guid isPermaLink='false'>17</guid><category>City</category>"
    "<pubDate>Mon, 01 Jul 2024 10:00:00 +0100</pubDate><description>In short …</description>"
    "<content:encoded><![CDATA[<p>He said: &ldquo;We&nbsp;will &amp;amp; must.&rdquo;</p><script>x()</script>"
    "<p>Then he left.</p>]]></content:encoded>",
)
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Elbe</title><link href="https://elbe.example/"/><entry>
<id>tag:elbe.example,2024:1</id><title type="html">&amp;bdquo;Wir&amp;ldquo;</title>
<updated>2024-07-01T10:00:00Z</updated>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Eins</p><p>Zwei</p></div></content></entry></feed>"""
RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
<channel><title>T</title><link>http://t.example/</link></channel>
<item rdf:about="http://t.example/1"><title>One</title><link>http://t.example/1</link><description>D</description></item>
</rdf:RDF>"""


def test_an_entry_of_a_feed_becomes_a_document():
    """Of its texts the longest is the body, as text: its references are decoded once, its paragraphs stay apart."""
    [record] = read(rss(ENTRY), "rss")
    made = document(record, "rss")
    assert made["headline"] == "Mayor: ‘We & they rebuild’"
    assert made["body"] == "He said: “We\xa0will &amp; must.”\n\nThen he left."
    assert (made["outlet"], made["native_id"], made["language"]) == ("Port Sable Gazette", "gazette.example 17", "en")
    assert (made["url"], made["body_status"]) == ("https://gazette.example/1", "complete")
    assert (made["published_at"], made["updated_at"]) == (datetime(2024, 7, 1, 9, tzinfo=UTC), None)


def test_every_kind_of_feed_is_read_and_a_later_dump_repeats_its_entries():
    for data in (rss(ENTRY), ATOM.encode(), RDF.encode(), rss(ENTRY).replace(b"utf-8", b"iso-8859-1")):
        [record] = read(data, "rss")
        assert document(record, "rss")["doc_id"]
    later = read(rss(item("New", "<description>Newer</description>"), ENTRY), "rss")[1]
    [first] = read(rss(ENTRY), "rss")
    assert document(later, "rss")["doc_id"] == document(first, "rss")["doc_id"]


def test_a_summary_alone_counts_as_a_part_of_its_article():
    short, long = (item("T", f"<description>{'He said so. ' * n}</description>") for n in (20, 200))
    statuses = [record.value["body_status"] for record in read(rss(short, long), "rss") if record.value]
    assert statuses == ["truncated", None]


def test_a_damaged_feed_gives_what_can_be_read_and_other_files_are_refused():
    assert [record.position for record in read(rss(ENTRY, ENTRY)[:-200], "rss")] == [0, 1]
    assert outcomes(read(b"<html><body>x</body></html>", "rss")) == [(0, "malformed")]
    assert outcomes(read(b"", "rss")) == [(0, "malformed")]
    assert outcomes(read(rss(ENTRY), "rss", limit=100)) == [(0, "oversized")]
    assert outcomes(read(Blocks(rss(ENTRY), 100, breaks=True), "rss")) == [(0, "broken_file")]
    assert read(rss(), "rss") == []
    many = item("T", f"<description><![CDATA[{'<b>' * 30_000}]]></description>")
    assert [record.reason for record in read(rss(many, ENTRY), "rss", limit=10**6)] == [Reason.MALFORMED, None]


def test_a_feed_opens_no_file_and_no_address(tmp_path: Path):
    secret = tmp_path / "secret"
    secret.write_bytes(rss(item("SECRET", "<description>SECRET</description>")))
    entity = f'<!DOCTYPE r [<!ENTITY e SYSTEM "{secret.as_uri()}">]>'
    feed = rss(item("a &e;", "<description>b &e;</description>")).replace(b"<rss", entity.encode() + b"<rss")
    for data in (feed, str(secret).encode(), secret.as_uri().encode()):
        assert "SECRET" not in str(read(data, "rss"))


def test_a_missing_package_is_named_with_what_installs_it(monkeypatch: pytest.MonkeyPatch):
    assert [format_of(name, "auto") for name in ("a.warc.gz", "b.htm", "c.xml")] == ["warc", "html", "rss"]
    monkeypatch.setattr(records, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"a\.warc\.gz: .*pip install 'quotelake\[web\]'"):
        format_of("a.warc.gz", "auto")
    assert format_of("a.json", "auto") == "json"
