"""What the alert page and the file beside it show: alerts with their evidence, read from the views of a lake.

Imports no Spark.
"""

from collections import defaultdict
from datetime import datetime
from typing import Any, Final

from quotelake.answers.additions import COLUMNS, explain_row
from quotelake.answers.reviews import ARCHIVE, Review, latest_reviews
from quotelake.contextomy.detector import Detector
from quotelake.query.ask import Ask

#: Alerts that the page of a night shows. More are hard to read.
SHOWN: Final = 500
#: Statements that need every use of a quote, and the latest version of every article. A night on a large lake shows
#: their last answers (:mod:`quotelake.answers.kept`).
WHOLE: Final = {
    "people": (
        "SELECT speaker, quotes, articles, outlets, quote AS most_widely_quoted FROM most_quoted "
        "ORDER BY quotes DESC, articles DESC, speaker LIMIT 5"
    ),
    "reused": (
        "SELECT count(DISTINCT group_id) AS quotes, count(*) AS uses, count_if(trimmed) AS trimmed, "
        "count_if(credited_otherwise) AS credited_otherwise FROM quote_versions"
    ),
    # Uses of quotes by several outlets that are trimmed or credited otherwise, the latest first; the others stand in
    # the view.
    "outlets": (
        "SELECT quote_id, outlet, published_at, headline, language, url, trimmed, credited_otherwise, speaker, "
        "others_speaker, start, text_as_used, passage, reference_outlet, reference_speaker, reference_text, "
        "reference_passage, differences, count(*) OVER () AS n_flagged FROM quote_versions "
        "WHERE trimmed OR credited_otherwise ORDER BY published_at DESC NULLS LAST, quote_id LIMIT 100"
    ),
}
#: Statement for the run whose report gave these answers; NULL: they are of now.
COUNTED_BY: Final = "SELECT CAST(NULL AS STRING) AS run_id"
#: Statements for the other parts of the page, by part.
QUERIES: Final = {
    "coverage": (
        "SELECT r.*, q.n_headline_quotes, q.n_text_quotes FROM (SELECT source, count(*) AS n_files, "
        "sum(records) AS n_records, sum(documents) AS n_documents, sum(duplicates) AS n_duplicates, "
        "sum(rejects) AS n_rejects FROM files GROUP BY source) r LEFT JOIN (SELECT source, "
        "sum(CASE WHEN field = 'headline' AND NOT is_nested AND kind <> 'colon_claim' THEN quotes ELSE 0 END) "
        "AS n_headline_quotes, sum(CASE WHEN field <> 'headline' THEN quotes ELSE 0 END) AS n_text_quotes "
        "FROM quote_counts GROUP BY source) q ON q.source = r.source ORDER BY r.source"
    ),
    "outcomes": "SELECT outcome, quotes, alerts FROM outcome_counts ORDER BY quotes DESC, outcome",
    "rejects": (
        "SELECT source, reason, count(*) AS records FROM rejects GROUP BY source, reason "
        "ORDER BY source, records DESC, reason"
    ),
    "unread_dates": (
        "SELECT source, sum(unread_dates) AS records FROM files GROUP BY source HAVING sum(unread_dates) > 0 "
        "ORDER BY source"
    ),
    "filtered": (
        "SELECT source, sum(filtered) AS records FROM files GROUP BY source HAVING sum(filtered) > 0 ORDER BY source"
    ),
    "outlets": WHOLE["outlets"],
    "counted_by": COUNTED_BY,
    "versions": "SELECT rule_version, detector_version, model FROM active_version",
    "runs": "SELECT run_id, ingested_at FROM runs WHERE stage = 'run' ORDER BY table_versions['runs'], run_id",
}


#: A row of the statement of :func:`page_query`, with what :func:`read_report` adds.
Alert = dict[str, Any]
#: Content of the page: rows of each of :data:`QUERIES` but the reviews, and what :func:`read_report` adds.
Report = dict[str, Any]


def read_report(
    ask: Ask, written_at: datetime, detector: Detector, limit: int = SHOWN, per_night: int = 20, language: str = "en"
) -> Report:
    """Read the content of the page.

    To the rows of the statements it adds ``n_alerts``, the number in the lake by kind, more than shown if the page is
    limited, and ``alerts``, in the order in which they are shown. ``matched`` of an alert are offsets in the headline
    quote, ``omitted`` in the best body quote; ``differences`` is empty in rows of earlier releases; ``explanation``
    says why this score, None without one; ``reviews`` has the latest of each reviewer.

    Args:
        ask: queries the lake.
        written_at: time stated on the page, UTC.
        detector: that of the settings, which explains the scores that it gave.
        limit: alerts, the new ones first, then by priority; 1 or more.
        per_night: new alerts that the page shows at once, one per story; the others are a click away.
        language: of the words of the pages.
    """
    rows = {name: ask(statement) for name, statement in QUERIES.items()}
    reviews = defaultdict[tuple[str, str], list[Review]](list)
    for review in latest_reviews(ask(ARCHIVE)):
        reviews[review.quote_id, review.alert].append(review)
    alerts = [
        {
            **row,
            **{name: [(span["start"], span["end"]) for span in row[name]] for name in ("matched", "omitted")},
            "differences": row["differences"] or [],
            "explanation": explain_row(row, detector),
            "reviews": reviews[row["quote_id"], row["alert"]],
        }
        for row in ask(page_query(limit))
    ]
    n_alerts = {alert["alert"]: alert["n_of_kind"] for alert in alerts}
    shown = {"written_at": written_at, "per_night": per_night, "language": language}
    return {**rows, "alerts": alerts, "n_alerts": n_alerts, **shown}


def page_query(limit: int) -> str:
    """Statement for the alerts of the page, at most ``limit``: the new ones, then the others, each by priority.

    New are those of documents that the last run read, or a killed run whose work it completed. ``of_story`` counts
    within the new ones of a story, and within the others.
    """
    alerts = (
        "SELECT a.* EXCEPT (of_story), n.run_id IS NOT NULL AS is_new FROM headline_alerts a "
        "LEFT JOIN (SELECT DISTINCT run_id FROM run_summary WHERE nth = 1) n ON n.run_id = a.run_id"
    )
    return (
        f"SELECT p.* EXCEPT (place), {', '.join(f'c.{name}' for name in COLUMNS if name != 'cosine_best')} FROM "
        "(SELECT *, count(*) OVER (PARTITION BY alert) AS n_of_kind, row_number() OVER (PARTITION BY is_new, "
        "coalesce(story_id, doc_id) ORDER BY priority DESC, quote_id) AS of_story, row_number() OVER "
        f"(ORDER BY is_new DESC, priority DESC, quote_id) AS place FROM ({alerts}) marked) p "
        "JOIN contextomy c ON c.quote_id = p.quote_id AND c.rule_version = p.rule_version "
        f"AND c.detector_version = p.detector_version WHERE p.place <= {limit} ORDER BY p.place"
    )
