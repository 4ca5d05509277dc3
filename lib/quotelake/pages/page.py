"""The alert page: one self-contained HTML file with alerts, checks and their evidence, and counts of the lake.

All text of articles is treated as hostile. A template makes invisible characters of a text visible
(:meth:`.words.Words.localised`) and then escapes it. Only two values of an article become attributes: the outlet, for
the filter, and links to http and https. The Content-Security-Policy names style and script of the page by their hashes,
so that nothing else can run. Without the script everything is shown; filters and verdicts need it.
"""

import base64
import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from quotelake.answers import marking, reviews
from quotelake.answers.alerts import Alert, Report
from quotelake.answers.explanations import Addition, describe_difference, rule_of
from quotelake.answers.words import ENGLISH, Words, load_words
from quotelake.errors import InputError
from quotelake.files.outputs import MARK, csv_text, write_atomically
from quotelake.lake.place import is_local
from quotelake.program import command
from quotelake.text.addresses import parts_of, without_secrets
from quotelake.text.fold import Span
from quotelake.text.words import visible

#: Columns of the file: those of ``headline_findings`` under their names, and what the page adds.
COLUMNS: Final = (
    "tier", "alert", "to_check", "is_new", "priority", "severity", "score", "of_story", "outlet", "published_at",
    "headline", "headline_quote", "headline_speaker", "best_body_quote", "best_body_speaker", "second_body_quote",
    "second_body_speaker", "passage", "outcome", "reason", "body_words", "headline_words", "notes", "reviews",
    "reader", "reading_verdict", "reading_kind", "reading_sentence", "url", "language", "genre", "body_status",
    "wire_credit", "first_seen", "quote_id", "rule_version", "detector_version",
)  # fmt: skip
#: Characters of a headline shown on each side of its quote.
HEADLINE_MARGIN: Final = 300
#: Most characters shown of a quote: an unclosed mark can make a quote of several pages.
LONGEST_QUOTE: Final = 4000
#: Width of the largest bar to each side, in units of its drawing, and the addition that it stands for at least.
BAR: Final = 60
_FULL_BAR: Final = 1.0
#: End of a text that was not cut.
_END: Final = re.compile(r"""[.!?…。！？]["'”’»)\]」』]*\s*$""")
#: Characters of the article that the view gives on each side of a use.
AROUND: Final = 160
_STYLES: Final = ("alerts.css",)
#: Other outlets that must carry an omitted part for it to be shown, if any part is carried by so many.
_CARRIERS: Final = 2


def render(report: Report, csv_name: str = "alerts.csv") -> str:
    """Render the page; its only links are those of the articles and to the CSV file beside it with the same rows."""
    phrases = load_words(report["language"])
    views, checks = ([view_of(row, phrases) for row in report[tier]] for tier in ("alerts", "checks"))
    reasons = Counter[str]()
    for row in report["rejects"]:
        reasons[row["reason"]] += row["records"]
    return fill(
        "alerts.html.j2",
        ("filters.js", "verdicts.js"),
        phrases=phrases,
        report=report,
        alerts=views,
        checks=checks,
        sections=[section_of(views, report["per_night"], is_new=is_new) for is_new in (True, False)],
        check_sections=[section_of(checks, report["per_night"], is_new=is_new) for is_new in (True, False)],
        reasons=sorted(reasons.items(), key=lambda item: (-item[1], item[0])),
        compared=list(map(view_of_use, report["outlets"])),
        csv_link=quote(csv_name),
    )


def section_of(
    views: Sequence[dict[str, Any]], per_night: int, *, is_new: bool
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """New or earlier rows of a list: those shown at once, at most ``per_night``, one per story; and the others."""
    of_section = [view for view in views if view["alert"]["is_new"] is is_new]
    at_once = [view for view in of_section if view["alert"]["of_story"] == 1][:per_night]
    return at_once, [view for view in of_section if all(view is not one for one in at_once)]


def fill(
    template: str,
    scripts: Sequence[str] = (),
    styles: Sequence[str] = _STYLES,
    phrases: Words = ENGLISH,
    **values: object,
) -> str:
    """Fill a template of this room: texts are escaped, and a policy allows these styles and scripts alone."""
    environment = _environment(phrases)
    style, script = (  # no text but our words
        "".join(f"{environment.get_template(name).render()}\n" for name in names) for names in (styles, scripts)
    )
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, script)]
    return environment.get_template(template).render(
        style=Markup(style),
        script=Markup(script),
        policy=f"default-src 'none'; style-src 'sha256-{hashes[0]}'; script-src 'sha256-{hashes[1]}'; "
        "base-uri 'none'; form-action 'none'",
        safe_link=safe_link,
        labels=list(reviews.Label),
        bar=BAR,
        longest=LONGEST_QUOTE,
        columns=reviews.COLUMNS,
        review=command("review"),
        **values,
    )


@cache
def _environment(phrases: Words) -> Environment:
    """Templates with the words of a language, each compiled once."""
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, finalize=phrases.localised, trim_blocks=True, lstrip_blocks=True,
        loader=PackageLoader("quotelake.pages"),
    )  # fmt: skip
    environment.globals["phrases"] = phrases
    return environment


def default_page(lake: str) -> Path | None:
    """Default path of the page: in the lake's directory; None for an address, where the user must name a path."""
    return Path(lake) / "alerts.html" if is_local(lake) else None


def write_page(report: Report, path: Path) -> Path:
    """Write the page, and its alerts and checks as CSV beside it under the same name; return the path of that file."""
    if not path.name or path.suffix.lower() == ".csv":
        raise InputError(f"--out {path}: the alerts are written as .csv beside the page; name it FILE.html")
    beside = path.with_suffix(".csv")
    write_atomically(beside, alerts_csv([*report["alerts"], *report["checks"]]))
    write_atomically(path, render(report, beside.name))
    return beside


def alerts_csv(alerts: Iterable[Alert]) -> str:
    """Write alerts and checks as CSV. Passages begin at a word."""
    return MARK + csv_text(COLUMNS, ({name: reviews.cell_of(alert, name) for name in COLUMNS} for alert in alerts))


def view_of(alert: Alert, phrases: Words = ENGLISH) -> dict[str, Any]:
    """Values of an alert or check for the template: texts cut to length, at words and sentences, into marked pieces."""
    text, best, second = alert["headline_quote"], alert["best_body_quote"], alert["second_body_quote"]
    explanation, matched = alert["explanation"], alert["matched"]
    if best is None and alert["passage"] is not None:
        best, matched = alert["passage"][slice(*marking.deciding_span(alert))], ()
    body_words, headline_words = ([one[side] for one in alert["differences"]] for side in ("said", "own"))
    return {
        "alert": alert,
        "outlet": alert["outlet"] or phrases.text("page.no_outlet"),
        "headline": _headline(alert, phrases),
        "headline_quote": _cut(marking.mark_headline_quote(text, matched, best, second, headline_words), phrases),
        "body": [] if best is None else _body(alert, body_words, phrases),
        "second": _cut(marking.mark_body_quote(second or "", text, (), body_words), phrases),
        "elsewhere": [_cut(marking.mark_body_quote(one, "", (), body_words), phrases) for one in alert["elsewhere"]],
        "differences": [(one["tier"], describe_difference(one, phrases)) for one in alert["differences"]],
        "rule": phrases.rule(rule_of(alert["reason"], alert["differences"])),
        "bars": _bars(explanation.additions) if explanation else [],
    }


def safe_link(url: str | None) -> str | None:
    """Return a URL without its secrets if it is safe to link: http or https, with a host; else None.

    >>> safe_link("https://me:x@example.org/a?b=c"), safe_link("javascript:alert(1)"), safe_link("https:/nohost")
    ('https://example.org/a?b=c', None, None)
    """
    # urlsplit drops tabs and line feeds, as browsers do; a URL with such a character was made to mislead.
    if url is None or visible(url) != url or any(character.isspace() for character in url):
        return None
    parts = parts_of(url)
    return without_secrets(url) if parts.scheme in ("http", "https") and parts.hostname else None


def _headline(alert: Alert, phrases: Words) -> list[marking.Piece]:
    """The headline with its quote marked, cut to a margin on both sides."""
    text, start, end = alert["headline"], alert["headline_start"], alert["headline_end"]
    first, last = max(start - HEADLINE_MARGIN, 0), min(end + HEADLINE_MARGIN, len(text))
    pieces = _cut(marking.mark(text[first:last], [("quote", [(start - first, end - first)])]), phrases)
    return [("… " if first else "", ""), *pieces, (" …" if last < len(text) else "", "")]


def _body(alert: Alert, body_words: Sequence[str], phrases: Words) -> list[tuple[str, list[marking.Piece]]]:
    """Sentences around the words that decided, in parts: a body quote is named ``quote``, other words ``passage``."""
    passage, best = alert["passage"], alert["best_body_quote"]
    start, end = marking.deciding_span(alert)
    text = passage[start:end] if best is None else best
    marked = marking.mark_body_quote(text, alert["headline_quote"], alert["omitted"], body_words)
    first, last = marking.widen_to_sentences(passage, (start, end))
    before, after = marking.text_around(
        passage[first:last],
        (start - first, end - first),
        cut_before=first == 0 and alert["passage_start"] > 0,
        cut_after=last >= len(passage) and not _END.search(passage),
    )
    return [("", [(before, "")]), ("passage" if best is None else "quote", _cut(marked, phrases)), ("", [(after, "")])]


def _bars(additions: Sequence[Addition]) -> list[tuple[Addition, int, int]]:
    """Each addition with its bar: where it begins, from 0 to twice :data:`BAR`, and its width."""
    full = max([_FULL_BAR, *(abs(one.adds) for one in additions)])
    widths = [round(BAR * abs(one.adds) / full) for one in additions]
    return [(one, BAR if one.adds > 0 else BAR - width, width) for one, width in zip(additions, widths, strict=True)]


def _cut(pieces: Sequence[marking.Piece], phrases: Words) -> list[marking.Piece]:
    """The first :data:`LONGEST_QUOTE` characters."""
    left, kept = LONGEST_QUOTE, list[marking.Piece]()
    for text, name in pieces:
        if len(text) > left:
            return [*kept, (text[:left], name), (f" … ({phrases.text('page.cut')})", "")]
        kept.append((text, name))
        left -= len(text)
    return kept


def view_of_use(row: dict[str, Any]) -> dict[str, Any]:
    """Values of a flagged use for the template; the row is one of the ``outlets`` of the report."""
    start = min(row["start"], AROUND)
    passage, at = row["reference_passage"], max(row["reference_passage"].find(row["reference_text"]), 0)
    reference = (at, at + len(row["reference_text"]))
    least = min(_CARRIERS, max((one["outlets"] for one in row["differences"]), default=0))
    omitted = [one for one in row["differences"] if row["trimmed"] and one["outlets"] >= least]
    risky = [(one["reference_start"], one["reference_end"]) for one in omitted]
    return {
        "use": row,
        "flags": [name for name in ("trimmed", "credited_otherwise") if row[name]],
        "omitted": [(one["kind"].removeprefix("omitted_"), one["cue"], one["outlets"]) for one in omitted],
        "use_passage": _use(row["passage"], (start, start + len(row["text_as_used"])), []),
        "reference_passage": _use(passage, reference, risky),
    }


def _use(passage: str, use: Span, risky: Sequence[Span]) -> list[marking.Piece]:
    """A passage in whole words with the use marked, and in it the words that others leave out."""
    start, end = use
    is_cut = {"cut_before": start >= AROUND, "cut_after": len(passage) - end >= AROUND}
    before, after = marking.text_around(passage, use, **is_cut)
    marked = marking.mark(passage[start:end], [("quote", [(0, end - start)]), ("risky", risky)])
    return [(before, ""), *marked, (after, "")]
