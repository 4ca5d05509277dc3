"""An alert, and a use of a quote that an outlet changed, as the template of the page shows them. Pure.

Texts are cut to length, at words and sentences, into marked pieces.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from quotelake.reporting.additions import Addition
from quotelake.reporting.alerts import Alert
from quotelake.reporting.marking import (
    Piece,
    body_sentences,
    mark,
    mark_body_quote,
    mark_headline_quote,
    visible,
    whole_words,
)

#: Characters of a headline shown on each side of its quote.
HEADLINE_MARGIN: Final = 300
#: Most characters shown of a quote: an unclosed mark can make a quote of several pages.
LONGEST_QUOTE: Final = 4000
#: Width of the largest bar to each side, in units of its drawing, and the addition that it stands for at least.
BAR: Final = 60
_FULL_BAR: Final = 1.0
#: A text with such an end was not cut.
_END = re.compile(r"""[.!?…。！？]["'”’»)\]」』]*\s*$""")
#: Characters of the article that the view gives on each side of a use.
AROUND: Final = 160
#: Omissions that fewer other outlets carry are not shown, unless all are such.
_CARRIERS: Final = 2


def view_of(alert: Alert) -> dict[str, Any]:
    """Values of an alert for the template."""
    quote = alert.headline_quote
    return {
        "alert": alert,
        "outlet": alert.outlet or "unknown outlet",
        "link": safe_link(alert.url),
        "headline": _headline(alert),
        "said": _cut(mark_headline_quote(quote, alert.matched, alert.best_body_quote, alert.second_body_quote)),
        "body": _body(alert),
        "second": _cut(mark_body_quote(alert.second_body_quote or "", quote, (), ())),
        "bars": _bars(alert.explanation.additions if alert.explanation else ()),
    }


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
    text = alert.passage
    if text is None or alert.passage_start is None or alert.best_start is None or alert.best_end is None:
        return [quote]
    start, end = alert.best_start - alert.passage_start, alert.best_end - alert.passage_start
    first, last = body_sentences(text, (start, end))
    cut_before = first == 0 and alert.passage_start > 0
    cut_after = last >= len(text) and not _END.search(text)
    whole_first, whole_last = whole_words(text, (start, end), cut_before=cut_before, cut_after=cut_after)
    before, after = text[max(first, whole_first) : start], text[end : min(last, whole_last)]
    before, after = ("… " if cut_before else "") + before, after + (" …" if cut_after else "")
    return [("", [(before, "")]), quote, ("", [(after, "")])]


def _bars(additions: Sequence[Addition]) -> list[tuple[Addition, int, int]]:
    """Each addition with its bar: where it begins, from 0 to twice :data:`BAR`, and its width."""
    full = max([_FULL_BAR, *(abs(one.adds) for one in additions)])
    widths = [round(BAR * abs(one.adds) / full) for one in additions]
    return [(one, BAR if one.adds > 0 else BAR - width, width) for one, width in zip(additions, widths, strict=True)]


def _cut(pieces: Sequence[Piece]) -> list[Piece]:
    """The first :data:`LONGEST_QUOTE` characters."""
    left, kept = LONGEST_QUOTE, list[Piece]()
    for text, name in pieces:
        if left <= 0:
            return [*kept, (" … (cut)", "")]
        kept.append((text[:left], name))
        left -= len(text)
    return kept if left >= 0 else [*kept, (" … (cut)", "")]


def view_of_use(row: Mapping[str, Any]) -> dict[str, Any]:
    """Values of a flagged use for the template.

    Args:
        row: a row of :data:`quotelake.reporting.alerts.USES_QUERY`.
    """
    start = min(row["start"], AROUND)
    text, whole, passage = row["text_as_used"], row["reference_text"], row["reference_passage"]
    at = max(passage.find(whole), 0)
    least = min(_CARRIERS, max((one["outlets"] for one in row["differences"]), default=0))
    omitted = [one for one in row["differences"] if row["trimmed"] and one["outlets"] >= least]
    spans = [(at + one["reference_start"], at + one["reference_end"]) for one in omitted]
    return {
        "use": row,
        "link": safe_link(row["url"]),
        "flags": [name for name in ("trimmed", "credited_otherwise") if row[name]],
        "omitted": [(one["kind"].removeprefix("omitted_"), one["cue"], one["outlets"]) for one in omitted],
        "said": _shown(passage=row["passage"], quote=(start, start + len(text)), risky=[]),
        "reference": _shown(passage=passage, quote=(at, at + len(whole)), risky=spans),
    }


def _shown(passage: str, quote: tuple[int, int], risky: list[tuple[int, int]]) -> list[Piece]:
    """A passage in whole words with the use marked, and in it what others leave out."""
    cut_before, cut_after = quote[0] >= AROUND, len(passage) - quote[1] >= AROUND
    first, last = whole_words(passage, quote, cut_before=cut_before, cut_after=cut_after)
    layers = {"quote": [quote], "risky": risky}
    marked = mark(
        passage[first:last],
        [(name, [(start - first, end - first) for start, end in spans]) for name, spans in layers.items()],
    )
    return [*([("… ", "")] if cut_before else []), *marked, *([(" …", "")] if cut_after else [])]
