"""The alert page: one self-contained HTML file with each alert and its evidence, and counts of the lake.

All text of articles is treated as hostile. A template makes invisible characters of a text visible
(:func:`marking.visible`) and then escapes it. Only two values of an article become attributes: the outlet, for the
filter, and links to http and https. The Content-Security-Policy names the page's style and script by their hashes, so
that nothing else can run. Without the script everything is shown; filters and verdicts need it.
"""

import base64
import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from quotelake.commands import command
from quotelake.errors import InputError
from quotelake.files.csv_files import MARK, csv_text
from quotelake.files.outputs import write_whole
from quotelake.lake.place import is_local
from quotelake.reporting.alerts import Alert, Report
from quotelake.reporting.card import BAR, safe_link, view_of, view_of_use
from quotelake.reporting.marking import MARKS, passage_of, visible
from quotelake.reporting.reviews import COLUMNS as REVIEW_COLUMNS
from quotelake.reporting.reviews import WORDS

_FOLDER: Final = "templates"
_SCRIPTS: Final = ("filters.js", "verdicts.js")
#: Columns of the file: those of ``headline_alerts`` under their names, and what the page adds.
COLUMNS: Final = (
    "alert", "is_new", "priority", "severity", "score", "of_story", "outlet", "published_at", "headline",
    "headline_quote", "headline_speaker", "best_body_quote", "best_body_speaker", "second_body_quote",
    "second_body_speaker", "passage", "outcome", "reason", "reviews", "url", "language", "genre", "body_status",
    "wire_credit", "first_seen", "quote_id", "rule_version", "detector_version",
)  # fmt: skip


def render(report: Report, csv_name: str = "alerts.csv") -> str:
    """Render the page: HTML that can be written as UTF-8; its only links are those of the articles and to the CSV file.

    Args:
        report: its content.
        csv_name: name of the file beside the page that holds the same alerts.
    """
    style, script = (Markup(text) for text in (_file("alerts.css"), "".join(map(_file, _SCRIPTS))))
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, finalize=_shown, trim_blocks=True, lstrip_blocks=True
    )
    shown = [view_of(alert) for alert in report.alerts]
    return environment.from_string(_file("alerts.html.j2")).render(
        report=report,
        review=command("review"),
        alerts=shown,
        sections=[_section(shown, report.per_night, is_new=is_new) for is_new in (True, False)],
        classes=sorted({alert.alert for alert in report.alerts}),
        outlets=sorted({view["outlet"] for view in shown}),
        totals={
            name: sum(row.get(f"n_{name}") or 0 for row in report.coverage)
            for name in ("documents", "headline_quotes", "text_quotes", "rejects")
        },
        reasons=_by_reason(report.rejects),
        unread_dates=sum(row["records"] for row in report.unread_dates),
        compared=list(map(view_of_use, report.outlets)),
        links=[safe_link(row["url"]) for row in report.absent],
        marks=MARKS,
        words=WORDS,
        bar=BAR,
        columns=REVIEW_COLUMNS,
        csv_link=quote(csv_name),
        style=style,
        script=script,
        policy=_policy(style, script),
    )


def page_of(lake: str) -> Path | None:
    """Default path of the page: in the lake's directory; None for an address, where the user must name a path."""
    return Path(lake) / "alerts.html" if is_local(lake) else None


def write_page(report: Report, path: Path) -> Path:
    """Write the page, and its alerts as CSV beside it under the same name; return the path of the CSV file.

    Raises:
        InputError: they cannot be written there, or the page has the name of the CSV file.
    """
    if not path.name or path.suffix.lower() == ".csv":
        raise InputError(f"--out {path}: the alerts are written as .csv beside the page; name it FILE.html")
    beside = path.with_suffix(".csv")
    write_whole(beside, alerts_csv(report.alerts))
    write_whole(path, render(report, beside.name))
    return beside


def _section(
    views: Sequence[dict[str, Any]], per_night: int, *, is_new: bool
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Alerts shown at once, one per story and at most so many, and the others."""
    of_section = [view for view in views if view["alert"].is_new is is_new]
    first = [view for view in of_section if view["alert"].of_story == 1][:per_night]
    return first, [view for view in of_section if all(view is not one for one in first)]


def _by_reason(rejects: Sequence[Mapping[str, Any]]) -> list[tuple[str, int]]:
    """Records rejected for each reason, the most frequent first."""
    counts = Counter[str]()
    for row in rejects:
        counts[row["reason"]] += row["records"]
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


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


def alerts_csv(alerts: Iterable[Alert]) -> str:
    """Write alerts as CSV; the mark in front tells spreadsheets that the file is UTF-8. Passages begin at a word."""
    return MARK + csv_text(COLUMNS, ({name: _cell(_value(alert, name)) for name in COLUMNS} for alert in alerts))


def _value(alert: Alert, name: str) -> Any:
    if name == "passage" and alert.passage is not None and alert.best_start is not None and alert.best_end is not None:
        return passage_of(alert.passage, alert.passage_start or 0, (alert.best_start, alert.best_end))
    if name == "reviews":
        return "; ".join(f"{WORDS[one.label]} ({one.reviewer})" for one in alert.reviews)
    return getattr(alert, name)


def _cell(value: object) -> object:
    """A number stays one; all else is text without characters that act.

    >>> _cell(None), _cell(0.5), _cell(True)
    ('', 0.5, 'yes')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return value
    return "" if value is None else visible(str(value))
