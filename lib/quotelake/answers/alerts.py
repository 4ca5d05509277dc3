"""Content of the alert page and the file beside it: alerts with their evidence, read from the views of a lake."""

from collections import defaultdict
from datetime import datetime
from typing import Any, Final

from quotelake.answers.explanations import explain_row
from quotelake.answers.reviews import Review, latest_reviews
from quotelake.answers.statements import STATEMENTS
from quotelake.contextomy.detector import Detector
from quotelake.query.engines import RunSql

#: Alerts that the page of a night shows. More are hard to read.
SHOWN: Final = 500
#: New alerts that the page shows at once, one per story; the others are a click away [ours].
PER_NIGHT: Final = 20
#: Views that several statements of summary and pages read: computed once.
SHARED: Final = ("active_version", "run_summary", "document_stories", "headline_alerts", "topic_ranks")
#: Statements whose rows are parts of the page, beside its alerts.
PARTS: Final = ("coverage", "outcomes", "rejects", "outlets", "versions", "runs")

#: A row of the view ``page_alerts``, with what :func:`read_report` adds.
Alert = dict[str, Any]
#: Content of the page: rows of each of :data:`PARTS`, and what :func:`read_report` adds.
Report = dict[str, Any]


def read_report(
    run_sql: RunSql, written_at: datetime, detector: Detector, limit: int = SHOWN, language: str = "en"
) -> Report:
    """Read the content of a page in a ``language``, whose times are UTC; the ``detector`` explains the scores it gave.

    Beside the rows of :data:`PARTS` it has ``n_alerts``, the number in the lake by kind, and ``alerts``, at most
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
        for row in run_sql(STATEMENTS["page_alerts"].format(limit=limit))
    ]
    return {
        **{name: run_sql(STATEMENTS[name]) for name in PARTS},
        "alerts": alerts,
        "n_alerts": {alert["alert"]: alert["n_of_kind"] for alert in alerts},
        "written_at": written_at,
        "per_night": PER_NIGHT,
        "language": language,
    }
