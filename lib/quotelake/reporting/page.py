"""The alert page: one self-contained HTML file with each alert and its evidence, and counts of the lake.

All text of articles is treated as hostile. A template makes invisible characters of a text visible
(:func:`marking.visible`) and then escapes it. Only two values of an article become attributes: the outlet, for the
filter, and links to http and https. The Content-Security-Policy names the page's style and script by their hashes, so
that nothing else can run.
"""

import base64
import hashlib
import os
import re
import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib import resources
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from quotelake.compare.folding import Span
from quotelake.compare.sentences import sentences
from quotelake.errors import InputError
from quotelake.reporting.marking import MARKS, Piece, mark, mark_body_quote, mark_headline_quote, visible
from quotelake.text import paragraphs

#: Characters of a headline shown on each side of its quote.
HEADLINE_MARGIN: Final = 300
#: Most characters shown of a quote: an unclosed mark can make a quote of several pages.
LONGEST_QUOTE: Final = 4000
_FOLDER: Final = "templates"
#: A text with such an end was not cut.
_END = re.compile(r"""[.!?…。！？]["'”’»)\]」』]*\s*$""")


@dataclass(frozen=True, slots=True)
class Alert:
    """An alert: columns of the view ``headline_alerts`` under the same names; texts unchanged.

    ``passage`` is the body around the best body quote and starts at ``passage_start``; ``omitted`` are offsets in that
    quote, ``matched`` in the headline quote, ``headline_start`` and ``best_start`` in headline and body.
    """

    quote_id: str
    alert: str
    outcome: str
    reason: str
    score: float | None
    headline: str
    headline_quote: str
    headline_start: int
    headline_end: int
    headline_speaker: str | None
    matched: Sequence[Span]
    best_body_quote: str | None
    best_start: int | None
    best_end: int | None
    best_body_speaker: str | None
    passage: str | None
    passage_start: int | None
    omitted: Sequence[Span]
    omitted_classes: Sequence[str]
    second_body_quote: str | None
    second_body_speaker: str | None
    outlet: str | None
    published_at: datetime | None
    url: str | None
    language: str
    genre: str
    body_status: str
    wire_credit: str | None


@dataclass(frozen=True, slots=True)
class Report:
    """Content of the page.

    Attributes:
        alerts: in the order in which they are shown.
        n_alerts: number in the lake, by class; more than shown if the page is limited.
        coverage: rows of the view ``corpus_coverage``.
        outcomes: outcome, quotes and alerts, a row per outcome.
        rejects: source, reason and records, a row per reason.
        versions: name and value of each active version.
        written_at: time of writing, UTC.
    """

    alerts: Sequence[Alert]
    n_alerts: Mapping[str, int]
    coverage: Sequence[Mapping[str, Any]]
    outcomes: Sequence[Mapping[str, Any]]
    rejects: Sequence[Mapping[str, Any]]
    versions: Mapping[str, str]
    written_at: datetime


def render(report: Report) -> str:
    """Render the page: HTML that can be written as UTF-8; its only links are those of the articles."""
    style, script = (Markup(_file(name)) for name in ("alerts.css", "alerts.js"))
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, finalize=_shown, trim_blocks=True, lstrip_blocks=True
    )
    shown = [_view(alert) for alert in report.alerts]
    return environment.from_string(_file("alerts.html.j2")).render(
        report=report,
        alerts=shown,
        outcomes=sorted({alert.outcome for alert in report.alerts}),
        outlets=sorted({view["outlet"] for view in shown}),
        totals={
            name: sum(row.get(f"n_{name}") or 0 for row in report.coverage)
            for name in ("documents", "headline_quotes", "text_quotes", "rejects")
        },
        reasons=_by_reason(report.rejects),
        marks=MARKS,
        style=style,
        script=script,
        policy=_policy(style, script),
    )


def page_of(lake: str) -> Path | None:
    """Default path of the page: in the lake's directory; None for an address, where the user must name a path."""
    return None if urlsplit(lake).scheme else Path(lake) / "alerts.html"


def write_atomically(text: str, path: Path) -> None:
    """Write a file so that a reader finds the old or the new one, never a partial one.

    Raises:
        InputError: it cannot be written there.
    """
    partial = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            partial.write_text(text, "utf-8")
            os.replace(partial, path)
        finally:
            partial.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"--out {path}: {error.strerror}; name a file in a directory you may write to") from None


def safe_link(url: str | None) -> str | None:
    """Return a URL if it is safe to link: http or https, with a host; else None.

    >>> safe_link("https://example.org/a?b=c"), safe_link("javascript:alert(1)"), safe_link("https:/nohost")
    ('https://example.org/a?b=c', None, None)
    """
    # urlsplit drops tabs and line feeds, as browsers do; a URL with such a character was made to mislead.
    if url is None or visible(url) != url or any(character.isspace() for character in url):
        return None
    try:
        parts = urlsplit(url)
        return url if parts.scheme in ("http", "https") and parts.hostname else None
    except ValueError:  # such as a bracket that opens no IPv6 address
        return None


def body_sentences(passage: str, quote: Span) -> Span:
    """Widen a quote to the sentences around it, within its paragraphs: (start, end) in the passage.

    >>> text = "It rained. “We won,” he said. All left."
    >>> text[slice(*body_sentences(text, (12, 18)))]
    '“We won,” he said.'
    """
    start, end = quote
    first, last = start, end
    for begin, stop in paragraphs(passage):
        if stop <= start or begin >= end:
            continue
        for opening, closing in sentences(passage[begin:stop]):
            if opening + begin < end and start < closing + begin:
                first, last = min(first, opening + begin), max(last, closing + begin)
    trimmed = passage[first:last]
    return first + len(trimmed) - len(trimmed.lstrip()), first + len(trimmed.rstrip())


def _view(alert: Alert) -> dict[str, Any]:
    """Values of an alert for the template: texts cut to the length shown, as marked pieces."""
    quote = alert.headline_quote
    return {
        "alert": alert,
        "outlet": alert.outlet or "unknown outlet",
        "link": safe_link(alert.url),
        "headline": _headline(alert),
        "said": _cut(mark_headline_quote(quote, alert.matched, alert.best_body_quote, alert.second_body_quote)),
        "body": _body(alert),
        "second": _cut(mark_body_quote(alert.second_body_quote or "", quote, (), ())),
    }


def _by_reason(rejects: Sequence[Mapping[str, Any]]) -> list[tuple[str, int]]:
    """Records rejected for each reason, the most frequent first."""
    counts = Counter[str]()
    for row in rejects:
        counts[row["reason"]] += row["records"]
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _headline(alert: Alert) -> list[Piece]:
    """The headline with its quote marked, cut to a margin on both sides."""
    start, end = alert.headline_start, alert.headline_end
    first, last = max(start - HEADLINE_MARGIN, 0), min(end + HEADLINE_MARGIN, len(alert.headline))
    pieces = _cut(mark(alert.headline[first:last], [("quote", [(start - first, end - first)])]))
    before, after = ("… " if first else "", " …" if last < len(alert.headline) else "")
    return [(before, ""), *pieces, (after, "")]


def _body(alert: Alert) -> list[tuple[str, list[Piece]]]:
    """The body sentences with the best body quote, in parts: the quote, named ``quote``, and the text around it."""
    if alert.best_body_quote is None:
        return []
    marked = mark_body_quote(alert.best_body_quote, alert.headline_quote, alert.omitted, alert.omitted_classes)
    quote = ("quote", _cut(marked))
    if alert.passage is None or alert.passage_start is None or alert.best_start is None or alert.best_end is None:
        return [quote]
    start, end = alert.best_start - alert.passage_start, alert.best_end - alert.passage_start
    first, last = body_sentences(alert.passage, (start, end))
    before = "… " if first == 0 and alert.passage_start else ""
    after = "" if last < len(alert.passage) or _END.search(alert.passage) else " …"
    return [("", [(before + alert.passage[first:start], "")]), quote, ("", [(alert.passage[end:last] + after, "")])]


def _cut(pieces: Sequence[Piece]) -> list[Piece]:
    """The first :data:`LONGEST_QUOTE` characters."""
    left, kept = LONGEST_QUOTE, list[Piece]()
    for text, name in pieces:
        if left <= 0:
            return [*kept, (" … (cut)", "")]
        kept.append((text[:left], name))
        left -= len(text)
    return kept if left >= 0 else [*kept, (" … (cut)", "")]


def _shown(value: object) -> object:
    """Format a value for a template: markup unchanged, text made visible, numbers with separators."""
    if isinstance(value, Markup):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return visible(str(value))


def _policy(style: str, script: str) -> str:
    style_hash, script_hash = (
        base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, script)
    )
    return (
        f"default-src 'none'; style-src 'sha256-{style_hash}'; script-src 'sha256-{script_hash}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _file(name: str) -> str:
    return resources.files("quotelake.reporting").joinpath(_FOLDER, name).read_text("utf-8")
