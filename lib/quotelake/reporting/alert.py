"""What the alert page and the file beside it show: an alert with its evidence and reviews, and counts of the lake."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from quotelake.reporting.additions import Explained
from quotelake.reporting.reviews import Review
from quotelake.text.fold import Span


@dataclass(frozen=True, slots=True)
class Alert:
    """An alert: columns of the view ``headline_alerts`` under the same names; texts unchanged.

    ``passage`` is the body around the best body quote and starts at ``passage_start``; ``omitted`` are offsets in that
    quote, ``matched`` in the headline quote, ``headline_start`` and ``best_start`` in headline and body. ``is_new``:
    the document came in after the last run but one. ``of_story``: 1 for the first alert of a story in its section.
    ``explained``: why this score; None without a score. ``reviews``: the latest of each reviewer.
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
    explained: Explained | None
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
            :data:`quotelake.reporting.outlets.QUERY`.
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
