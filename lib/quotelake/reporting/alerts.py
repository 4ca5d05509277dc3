"""What the alert page and the file beside it show: alerts with their evidence, read from the views of a lake.

Imports no Spark.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Final

from quotelake.contextomy.detector import Detector
from quotelake.errors import InputError
from quotelake.query.ask import Ask
from quotelake.reporting.additions import COLUMNS, Explanation, explain_row
from quotelake.reporting.reviews import Review, latest_reviews
from quotelake.text.fold import Span
from quotelake.text.omissions import CLASSES

#: Alerts on a page, by default: more are hard to read.
LIMIT = 500
#: Alerts of a night that are shown at once, by default; the others are a click away.
PER_NIGHT = 20
#: Views that both the summary of a run and its page read. Each reads columns of the whole archive.
READ_TWICE: Final = ("corpus_coverage", "headline_alerts")
_SPANS = ("matched", "omitted")
#: Flagged uses on a page; the others stand in the view.
_USES: Final = 100
#: Statement for the flagged uses, the latest first.
USES_QUERY: Final = (
    "SELECT quote_id, outlet, published_at, headline, language, url, trimmed, credited_otherwise, speaker, "
    "others_speaker, start, text_as_used, passage, reference_outlet, reference_speaker, reference_text, "
    "reference_passage, differences, count(*) OVER () AS n_flagged FROM quote_versions "
    f"WHERE trimmed OR credited_otherwise ORDER BY published_at DESC NULLS LAST, quote_id LIMIT {_USES}"
)
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
    "unread_dates": (
        "SELECT source, sum(unread_dates) AS records FROM files GROUP BY source HAVING sum(unread_dates) > 0 "
        "ORDER BY source"
    ),
    "absent": (
        "SELECT outlet, published_at, headline, headline_quote, headline_speaker, url, language, count(*) OVER () AS n "
        "FROM headline_quotes WHERE outcome = 'absent' AND version_number = n_versions "
        "ORDER BY published_at DESC NULLS LAST, quote_id LIMIT 100"
    ),
    "outlets": USES_QUERY,
    "versions": "SELECT rule_version, detector_version, model FROM active_version",
    "runs": "SELECT run_id, ingested_at FROM runs WHERE stage = 'run' ORDER BY table_versions['runs'], run_id",
    "reviews": (
        "SELECT quote_id, alert, reviewer, reviewed_at, label, note, rule_version, detector_version FROM alert_reviews"
    ),
}


@dataclass(frozen=True, slots=True)
class Alert:
    """An alert: columns of the view ``headline_alerts`` under the same names; texts unchanged.

    ``passage`` is the body around the best body quote and starts at ``passage_start``; ``omitted`` are offsets in that
    quote, ``matched`` in the headline quote, ``headline_start`` and ``best_start`` in headline and body. ``is_new``:
    the document came in after the last run but one. ``of_story``: 1 for the first alert of a story in its section.
    ``explanation``: why this score; None without a score. ``reviews``: the latest of each reviewer.
    """

    quote_id: str
    alert: str
    outcome: str
    reason: str
    score: float | None
    severity: float | None
    priority: float
    of_story: int
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
    first_seen: datetime
    rule_version: str
    detector_version: str
    is_new: bool
    explanation: Explanation | None
    reviews: Sequence[Review]


@dataclass(frozen=True, slots=True)
class Report:
    """Content of the page.

    Attributes:
        alerts: in the order in which they are shown: the new ones first.
        n_alerts: number in the lake, by class; more than shown if the page is limited.
        coverage: rows of the view ``corpus_coverage``.
        outcomes: outcome, quotes and alerts, a row per outcome.
        rejects: source, reason and records, a row per reason.
        unread_dates: source and records kept without a date that they state, a row per source that has any.
        versions: name and value of each active version.
        lake: name of the lake, under which a browser keeps verdicts: its first run.
        runs: start of each complete run, UTC, in order.
        written_at: time of writing, UTC.
        outlets: uses of quotes by several outlets that are trimmed or credited otherwise: rows of
            :data:`USES_QUERY`.
        absent: quotes that stand nowhere in their article, the latest first; ``n``: how many there are.
        per_night: new alerts shown at once, one per story.
    """

    alerts: Sequence[Alert]
    n_alerts: Mapping[str, int]
    coverage: Sequence[Mapping[str, Any]]
    outcomes: Sequence[Mapping[str, Any]]
    rejects: Sequence[Mapping[str, Any]]
    unread_dates: Sequence[Mapping[str, Any]]
    versions: Mapping[str, str]
    lake: str
    runs: Sequence[datetime]
    written_at: datetime
    outlets: Sequence[Mapping[str, Any]] = ()
    absent: Sequence[Mapping[str, Any]] = ()
    per_night: int = 20


def read_report(
    ask: Ask, written_at: datetime, detector: Detector, limit: int = LIMIT, per_night: int = PER_NIGHT
) -> Report:
    """Read the content of the page.

    Args:
        ask: queries the lake.
        written_at: time stated on the page, UTC.
        detector: that of the settings, which explains the scores that it gave.
        limit: alerts, the new ones first, then by priority; 1 or more.
        per_night: new alerts that the page shows at once, one per story.
    """
    rows = {name: ask(statement) for name, statement in QUERIES.items()}
    alerts = ask(page_query(limit))
    reviews = defaultdict[tuple[str, str], list[Review]](list)
    for review in latest_reviews(rows["reviews"]):
        reviews[review.quote_id, review.alert].append(review)
    return Report(
        alerts=[_alert(row, detector, reviews[row["quote_id"], row["alert"]]) for row in alerts],
        n_alerts={row["alert"]: row["n_of_class"] for row in alerts},
        coverage=rows["coverage"],
        outcomes=rows["outcomes"],
        rejects=rows["rejects"],
        unread_dates=rows["unread_dates"],
        versions=rows["versions"][0] if rows["versions"] else {},
        lake=rows["runs"][0]["run_id"] if rows["runs"] else "",
        runs=[row["ingested_at"] for row in rows["runs"]],
        written_at=written_at,
        outlets=rows["outlets"],
        absent=rows["absent"],
        per_night=per_night,
    )


def alerts_query(limit: int | None, alert: str | None = None) -> str:
    """Statement for the alerts of each class with the highest priority, in order; ``n_of_class``: size of the class.

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
        "(PARTITION BY alert ORDER BY priority DESC, quote_id) AS place FROM headline_alerts "
        f"{of_class}) placed {first} ORDER BY alert, place"
    )


def page_query(limit: int) -> str:
    """Statement for the alerts of the page, in order: those of documents that came in after the last run but one.

    Then the others; each in one list by priority, with the columns that explain the score. Runs are ordered by their
    commits. What a killed run read is new when the next run has completed its work: if it started after the last run
    but one. All are new after the first run. ``of_story`` counts within the new ones of a story, and within the others.

    Args:
        limit: most alerts.
    """
    complete = (
        "SELECT run_id, ingested_at, row_number() OVER (ORDER BY table_versions['runs'] DESC, run_id DESC) AS nth "
        "FROM runs WHERE stage = 'run'"
    )
    alerts = (
        "SELECT a.* EXCEPT (of_story), coalesce(c.nth = 1, a.first_seen > b.started_at, true) AS is_new "
        f"FROM headline_alerts a LEFT JOIN ({complete}) c ON c.run_id = a.run_id CROSS JOIN "
        f"(SELECT max(ingested_at) AS started_at FROM ({complete}) before WHERE nth = 2) b"
    )
    return (
        f"SELECT p.* EXCEPT (place), {', '.join(f'c.{name}' for name in COLUMNS if name != 'cosine_best')} FROM "
        "(SELECT *, count(*) OVER (PARTITION BY alert) AS n_of_class, row_number() OVER (PARTITION BY is_new, "
        "coalesce(story_id, doc_id) ORDER BY priority DESC, quote_id) AS of_story, row_number() OVER "
        f"(ORDER BY is_new DESC, priority DESC, quote_id) AS place FROM ({alerts}) marked) p "
        "JOIN contextomy c ON c.quote_id = p.quote_id AND c.rule_version = p.rule_version "
        f"AND c.detector_version = p.detector_version WHERE p.place <= {limit} ORDER BY p.place"
    )


def _alert(row: Mapping[str, Any], detector: Detector, reviews: Sequence[Review]) -> Alert:
    values = {field.name: row[field.name] for field in fields(Alert) if field.name in row}
    for name in _SPANS:
        values[name] = tuple((span["start"], span["end"]) for span in row[name])
    return Alert(
        **values,
        omitted_classes=[name for name in CLASSES if row[f"omitted_{name}"]],
        explanation=explain_row(row, detector),
        reviews=reviews,
    )
