"""Content of the alert page and the file beside it: alerts and checks with their evidence, from the views of a lake."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from quotelake.answers.explanations import explain_row
from quotelake.answers.marking import deciding_span, places_of, sentences_with, widen_to_sentences
from quotelake.answers.reviews import Review, latest_reviews
from quotelake.answers.statements import STATEMENTS, texts_by_id
from quotelake.contextomy.detector import Detector
from quotelake.query.engines import Rows, RunSql

#: Alerts, and checks, that the page of a night shows. More are hard to read.
SHOWN: Final = 500
#: New alerts that the page shows at once, one per story; the others are a click away [ours].
PER_NIGHT: Final = 20
#: Views that several statements of summary and pages read: computed once.
SHARED: Final = ("active_version", "run_summary", "article_versions", "document_stories", "quote_counts",
                 "headline_findings", "topic_ranks")  # fmt: skip
#: Statements whose rows are parts of the page, beside its alerts.
PARTS: Final = ("coverage", "outcomes", "kinds", "near_misses", "rejects", "outlets", "versions", "runs")

#: A row of the view ``page_alerts``, with what :func:`read_report` adds.
Alert = dict[str, Any]
#: Content of the page: rows of each of :data:`PARTS`, and what :func:`read_report` adds.
Report = dict[str, Any]


def read_report(
    run_sql: RunSql, written_at: datetime, detector: Detector, limit: int = SHOWN, language: str = "en"
) -> Report:
    """Read the content of a page in a ``language``, whose times are UTC; the ``detector`` explains the scores it gave.

    Beside the rows of :data:`PARTS` it has ``alerts`` and ``checks``, at most ``limit`` each in the order in which they
    are shown: the new ones, then by priority, a quote with an alert never among the checks; and ``n_alerts`` and
    ``n_checks``, how many quotes of the lake have one, by kind.
    ``matched`` of a row are offsets in the headline quote, ``omitted`` in the best body quote; ``differences`` is empty
    in rows of earlier releases; ``elsewhere`` are sentences of the body with words of a difference that do not stand
    beside the words that decided; ``explanation`` says why this score, None without one; ``reviews`` has the latest of
    each reviewer.
    """
    reviews = defaultdict[tuple[str, str], list[Review]](list)
    for review in latest_reviews(run_sql):
        reviews[review.quote_id, review.alert].append(review)
    shown = run_sql(STATEMENTS["page_alerts"].format(limit=limit))
    found = [row | {"differences": row["differences"] or []} for row in shown]
    elsewhere = _elsewhere(run_sql, found)
    rows = [
        {
            **row,
            **{name: [(span["start"], span["end"]) for span in row[name]] for name in ("matched", "omitted")},
            "elsewhere": elsewhere[row["quote_id"]],
            "explanation": explain_row(row, detector),
            "reviews": reviews[row["quote_id"], row["kind"]],
        }
        for row in found
    ]
    parts = {name: run_sql(STATEMENTS[name]) for name in PARTS}
    lists, counted = _by_tier(rows), _by_tier(parts["kinds"])
    return {
        **parts,
        **{f"{tier}s": of_tier for tier, of_tier in lists.items()},
        **{f"n_{tier}s": {row["kind"]: row["n_of_kind"] for row in of_tier} for tier, of_tier in counted.items()},
        "written_at": written_at,
        "per_night": PER_NIGHT,
        "language": language,
    }


def _by_tier(rows: Rows) -> dict[str, Rows]:
    return {tier: [row for row in rows if row["tier"] == tier] for tier in ("alert", "check")}


def words_elsewhere(row: Mapping[str, Any]) -> list[str]:
    """Words of the body that a row's differences name and that do not stand beside the words that decided."""
    shown = [row["second_body_quote"] or ""]
    if row["passage"] is not None:
        shown.append(row["passage"][slice(*widen_to_sentences(row["passage"], deciding_span(row)))])
    words = [one["said"] for one in row["differences"]]
    return [each for each in words if each and not any(places_of(each, text) for text in shown)]


def _elsewhere(run_sql: RunSql, rows: Rows) -> Mapping[str, list[str]]:
    """Sentences with :func:`words_elsewhere`, by quote; only the bodies that may hold some are read."""
    wanted = [(row, words) for row in rows if (words := words_elsewhere(row))]
    bodies = texts_by_id(run_sql, "bodies", (row["doc_id"] for row, _ in wanted))
    found = defaultdict[str, list[str]](list)
    for row, words in wanted:
        near = row["best_start"] or row["body_start"] or 0
        texts = [sentences_with(each, bodies[row["doc_id"]], near) for each in words]
        found[row["quote_id"]] = list(dict.fromkeys(text for text in texts if text))
    return found
