"""Content of the alert page and the file beside it: alerts with their evidence, read from the views of a lake."""

from collections import defaultdict
from datetime import datetime
from typing import Any, Final

from quotelake.answers.explanations import explain_row
from quotelake.answers.reviews import Review, latest_reviews
from quotelake.contextomy.detector import Detector
from quotelake.query.engines import RunSql

#: Alerts that the page of a night shows. More are hard to read.
SHOWN: Final = 500
#: New alerts that the page shows at once, one per story; the others are a click away [ours].
PER_NIGHT: Final = 20
#: Views that several statements of summary and pages read: computed once.
SHARED: Final = ("active_version", "run_summary", "document_stories", "headline_alerts", "topic_ranks")
#: Statements for the parts of the page but its alerts.
QUERIES: Final = {
    "coverage": "SELECT * FROM source_records ORDER BY source",
    "outcomes": "SELECT outcome, quotes, alerts FROM outcome_counts ORDER BY quotes DESC, outcome",
    "rejects": "SELECT * FROM reject_counts ORDER BY source, records DESC, reason",
    # Uses of quotes by several outlets that are trimmed or credited otherwise, the latest first.
    "outlets": (
        "SELECT *, count(*) OVER () AS n_flagged FROM quote_versions WHERE trimmed OR credited_otherwise "
        "ORDER BY published_at DESC NULLS LAST, quote_id LIMIT 100"
    ),
    "versions": "SELECT rule_version, detector_version, model FROM active_version",
    "runs": "SELECT run_id, ingested_at FROM runs WHERE stage = 'run' ORDER BY table_versions['runs'], run_id",
}

#: A row of the view ``page_alerts``, with what :func:`read_report` adds.
Alert = dict[str, Any]
#: Content of the page: rows of each of :data:`QUERIES`, and what :func:`read_report` adds.
Report = dict[str, Any]


def page_query(limit: int) -> str:
    """Statement for the first alerts of the page."""
    return f"SELECT * EXCEPT (place) FROM page_alerts WHERE place <= {limit} ORDER BY place"


def read_report(
    run_sql: RunSql, written_at: datetime, detector: Detector, limit: int = SHOWN, language: str = "en"
) -> Report:
    """Read the content of a page in a ``language``, whose times are UTC; the ``detector`` explains the scores it gave.

    Beside the rows of :data:`QUERIES` it has ``n_alerts``, the number in the lake by kind, and ``alerts``, at most
    ``limit`` in the order in which they are shown: the new ones, then by priority. ``matched`` of an alert are offsets
    in the headline quote, ``omitted`` in the best body quote; ``differences`` is empty in rows of earlier releases;
    ``explanation`` says why this score, None without one; ``reviews`` has the latest of each reviewer.
    """
    reviews = defaultdict[tuple[str, str], list[Review]](list)
    for review in latest_reviews(run_sql):
        reviews[review.quote_id, review.alert].append(review)
    alerts = [
        {
            **row,
            **{name: [(span["start"], span["end"]) for span in row[name]] for name in ("matched", "omitted")},
            "differences": row["differences"] or [],
            "explanation": explain_row(row, detector),
            "reviews": reviews[row["quote_id"], row["alert"]],
        }
        for row in run_sql(page_query(limit))
    ]
    return {
        **{name: run_sql(statement) for name, statement in QUERIES.items()},
        "alerts": alerts,
        "n_alerts": {alert["alert"]: alert["n_of_kind"] for alert in alerts},
        "written_at": written_at,
        "per_night": PER_NIGHT,
        "language": language,
    }
