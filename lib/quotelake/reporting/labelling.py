"""Exports alerts to be labelled, and finds which labels are new."""

from collections.abc import Sequence

from quotelake.errors import InputError
from quotelake.query.ask import Ask, Rows
from quotelake.reporting.alerts import QUERIES, alerts_query
from quotelake.reporting.reviews import IDS, Review, changed, to_csv

_SHOWN = f"SELECT {', '.join(IDS)} FROM contextomy WHERE alert IS NOT NULL"
_ARCHIVE = QUERIES["reviews"]


def export_alerts(ask: Ask, alert: str | None, first: int | None) -> tuple[int, str]:
    """Alerts as CSV, and how many: the ``first`` of each class by priority, or all."""
    rows = ask(alerts_query(first, alert))
    return len(rows), to_csv(rows)


def new_reviews(ask: Ask, reviews: Sequence[Review]) -> list[Review]:
    """Leave out labels that repeat the reviewer's last label of the same alert.

    Args:
        ask: queries the lake.
        reviews: labels of one reviewer.

    Raises:
        InputError: this lake has no such alert.
    """
    if not reviews:
        return []
    shown = {tuple(row[name] for name in IDS) for row in ask(_SHOWN)}
    unknown = [one.quote_id for one in reviews if tuple(getattr(one, name) for name in IDS) not in shown]
    if unknown:
        raise InputError(
            f"this lake has no such alert: {', '.join(unknown[:5])}; the file was exported from another one"
        )
    archive = [row for row in ask(_ARCHIVE) if row["reviewer"] == reviews[0].reviewer]
    return changed(reviews, archive)


def precision(ask: Ask) -> Rows:
    """Rows of the view ``alert_precision``, with the labels that existed when ``ask`` was created."""
    return ask("SELECT * FROM alert_precision")
