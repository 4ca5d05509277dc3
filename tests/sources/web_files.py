"""Pages, archives and feeds written for the tests: nothing of them is of a real outlet."""

import json

PARAGRAPHS = (
    "The council of Port Sable voted on Monday to close the iron bridge over the river for two years of repairs.",
    "“We will rebuild the bridge,” Mayor Ana Ruiz said after the vote, which ended late at night with nine to four.",
    "Engineers had told the council in the spring that two of its piers stand on sand, and that a third has cracks.",
    "Shop owners on the east bank fear for their trade, and asked the city for a ferry that runs from six to midnight.",
    "The work will cost 40 million, half of which the province pays; the other half is to come from a toll until 2040.",
)
HEADLINE = "Mayor: “We will rebuild the bridge”"
ADDRESS = "https://gazette.example/city/bridge"


def page(
    headline: str = HEADLINE, *, head: str = "", above: str = "", paragraphs: tuple[str, ...] = PARAGRAPHS,
    title: str | None = None, data: object = None,
) -> str:  # fmt: skip
    """A page of an article, as its outlet may write it."""
    script = f'<script type="application/ld+json">{json.dumps(data)}</script>' if data is not None else ""
    body = "".join(f"<p>{each}</p>" for each in paragraphs)
    return (
        f'<!DOCTYPE html><html lang="en-GB"><head><meta charset="utf-8">'
        f"<title>{headline if title is None else title} | Port Sable Gazette</title>{head}{script}</head>"
        f"<body><nav><a href='/'>Home</a> <a href='/city'>City</a></nav>{above}"
        f"<article><h1>{headline}</h1>{body}</article><footer>All rights reserved</footer></body></html>"
    )


def answer(
    content: bytes, *, url: str = ADDRESS, head: str = "Content-Type: text/html; charset=utf-8", status: str = "200 OK",
    kind: str = "response",
) -> bytes:  # fmt: skip
    """A record of an archive: the answer of a server."""
    http = f"HTTP/1.1 {status}\r\n{head}\r\n\r\n".encode() + content
    fields = (
        f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2024-07-01T10:00:00Z\r\n"
        "WARC-Record-ID: <urn:uuid:7d2f6ab0-5c1f-4a52-9c0c-000000000001>\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return fields.encode() + http + b"\r\n\r\n"


def item(title: str, inside: str) -> str:
    """An entry of a feed of RSS."""
    return f"<item><title>{title}</title>{inside}</item>"


def rss(*items: str, link: str = "https://gazette.example/") -> bytes:
    """A feed of RSS 2.0."""
    content = "http://purl.org/rss/1.0/modules/content/"
    return (
        f'<?xml version="1.0" encoding="utf-8"?><rss version="2.0" xmlns:content="{content}"><channel>'
        f"<title>Port Sable Gazette</title><link>{link}</link><language>en-gb</language>"
        f"{''.join(items)}</channel></rss>"
    ).encode()
