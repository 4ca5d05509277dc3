"""The alerts of the page as a CSV file, for spreadsheets: one row per alert, in the order of the page."""

import csv
import io
from collections.abc import Iterable
from typing import Any, Final

from quotelake.reporting.alert import Alert
from quotelake.reporting.cells import text_cell
from quotelake.reporting.marking import visible
from quotelake.reporting.passages import passage_of
from quotelake.reporting.reviews import WORDS

#: Columns of the file: those of ``headline_alerts`` under their names, and what the page adds.
COLUMNS: Final = (
    "alert", "is_new", "priority", "severity", "score", "of_story", "outlet", "published_at", "headline",
    "headline_quote", "headline_speaker", "best_body_quote", "best_body_speaker", "second_body_quote",
    "second_body_speaker", "passage", "outcome", "reason", "reviews", "url", "language", "genre", "body_status",
    "wire_credit", "first_seen", "quote_id", "rule_version", "detector_version",
)  # fmt: skip


def alerts_csv(alerts: Iterable[Alert]) -> str:
    """Write alerts as CSV; the mark in front tells spreadsheets that the file is UTF-8. Passages begin at a word."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for alert in alerts:
        writer.writerow([_cell(_value(alert, name)) for name in COLUMNS])
    return "\ufeff" + out.getvalue()


def _value(alert: Alert, name: str) -> Any:
    if name == "passage" and alert.passage is not None and alert.best_start is not None and alert.best_end is not None:
        return passage_of(alert.passage, alert.passage_start or 0, (alert.best_start, alert.best_end))
    if name == "reviews":
        return "; ".join(f"{WORDS[one.label]} ({one.reviewer})" for one in alert.reviews)
    return getattr(alert, name)


def _cell(value: object) -> object:
    """A number stays one; all else is text that a spreadsheet shows but does not run.

    >>> _cell(None), _cell(0.5), _cell(True), _cell("=1+1")
    ('', 0.5, 'yes', "'=1+1")
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return value
    return text_cell("" if value is None else visible(str(value)))
