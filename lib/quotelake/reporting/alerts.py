"""Reads the content of the alert page from the views of a lake. Imports no Spark."""

import re
from dataclasses import fields
from datetime import datetime
from typing import Any, Final

from quotelake.contextomy.omissions import CLASSES
from quotelake.errors import InputError
from quotelake.reading.ask import Ask
from quotelake.reporting.page import Alert, Report

#: Alerts of one class on a page, by default: more are hard to read.
LIMIT = 500
_SPANS = ("matched", "omitted")
#: Statements for the other parts of the page, by part.
QUERIES: Final = {
    "coverage": "SELECT * FROM corpus_coverage ORDER BY source",
    "outcomes": (
        "SELECT outcome, count(*) AS quotes, count(alert) AS alerts FROM headline_quotes GROUP BY outcome "
        "ORDER BY quotes DESC, outcome"
    ),
    "rejects": (
        "SELECT source, reason, count(*) AS records FROM rejects GROUP BY source, reason "
        "ORDER BY source, records DESC, reason"
    ),
    "versions": "SELECT rule_version, detector_version, model FROM active_version",
}


def read_report(ask: Ask, written_at: datetime, limit: int = LIMIT) -> Report:
    """Read the content of the page.

    Args:
        ask: queries the lake.
        written_at: time stated on the page, UTC.
        limit: alerts of each class, highest score first; 1 or more.
    """
    rows = {name: ask(statement) for name, statement in QUERIES.items()}
    alerts = ask(alerts_query(limit))
    return Report(
        alerts=[_alert(row) for row in alerts],
        n_alerts={row["alert"]: row["n_of_class"] for row in alerts},
        coverage=rows["coverage"],
        outcomes=rows["outcomes"],
        rejects=rows["rejects"],
        versions=rows["versions"][0] if rows["versions"] else {},
        written_at=written_at,
    )


def alerts_query(limit: int | None, alert: str | None = None) -> str:
    """Statement for the alerts with the highest scores in each class, in order; ``n_of_class``: size of the class.

    Args:
        limit: most alerts of each class; None: all.
        alert: only this class.

    Raises:
        InputError: this cannot be the name of a class.
    """
    if alert is not None and not re.fullmatch(r"[a-z_]+", alert):
        raise InputError(f"--alert {alert!r}: no class of alerts; they are named like contextomized or risky_excerpt")
    of_class = "" if alert is None else f"WHERE alert = '{alert}'"
    first = "" if limit is None else f"WHERE place <= {limit}"
    return (
        "SELECT * EXCEPT (place) FROM (SELECT *, count(*) OVER (PARTITION BY alert) AS n_of_class, row_number() OVER "
        "(PARTITION BY alert ORDER BY score DESC NULLS LAST, quote_id) AS place FROM headline_alerts "
        f"{of_class}) placed {first} ORDER BY alert, place"
    )


def _alert(row: dict[str, Any]) -> Alert:
    values = {field.name: row[field.name] for field in fields(Alert) if field.name in row}
    for name in _SPANS:
        values[name] = tuple((span["start"], span["end"]) for span in row[name])
    return Alert(**values, omitted_classes=[name for name in CLASSES if row[f"omitted_{name}"]])
