"""The command ``review``: alerts are exported to be labelled, and the labels read back into ``alert_reviews``."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime

from quotelake.errors import InputError
from quotelake.files.csv_files import MARK
from quotelake.files.outputs import write_whole
from quotelake.lake.place import check_writable
from quotelake.query.ask import Ask, Rows, reader_of
from quotelake.reporting.alerts import QUERIES, alerts_query
from quotelake.reporting.commands import spark_for
from quotelake.reporting.console import make_console, make_table
from quotelake.reporting.find import read_text
from quotelake.reporting.reviews import IDS, Label, Review, changed, from_csv, to_csv
from quotelake.spark.environment import check_environment


def run_review(arguments: Namespace) -> None:
    """Export alerts, import labels, or show precision at k."""
    if arguments.action == "export":
        number, rows = export_alerts(_ask(arguments.lake), arguments.alert, arguments.first)
        if not number:
            of_class = "" if arguments.alert is None else f" of the class {arguments.alert}"
            raise InputError(f"{arguments.lake} has no alert{of_class}: nothing was written")
        write_whole(arguments.out, MARK + rows)
        labels = ", ".join(Label)
        print(f"{number:,} alerts written to {arguments.out}: fill in label ({labels}) and note, then import it")
        return
    if arguments.action == "import":
        check_writable(arguments.lake)
        text = read_text(str(arguments.labels), f"--labels {arguments.labels}", "a file that export wrote")
        now = datetime.now(UTC)
        reviews = from_csv(text, str(arguments.labels), arguments.reviewer, now)
        new = new_reviews(_ask(arguments.lake), reviews)
        if new:
            _append(arguments.lake, new, now)
        print(f"{len(reviews):,} labels by {arguments.reviewer}, {len(new):,} of them new or changed")
    show_precision(_ask(arguments.lake))  # a new reader, which sees the labels just written


def show_precision(ask: Ask) -> None:
    """Print precision at k from the current labels, not from those at the end of the last run."""
    rows = precision(ask)
    names = list(rows[0]) if rows else []
    make_console().print(make_table("Precision at k", names, rows) if rows else "no alert in this lake")


def _ask(root: str) -> Ask:
    return reader_of(root, spark_for("review_alerts", root))


def _append(root: str, reviews: list[Review], now: datetime) -> None:
    """Write labels by Spark, which checks the constraints of the table."""
    from quotelake.lake.tables import Lake
    from quotelake.spark.session import get_session

    check_environment()
    lake = Lake(get_session("review_alerts"), root, "review_alerts", now)
    lake.append(lake.frame([asdict(review) for review in reviews], "alert_reviews"), "alert_reviews")


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
    rows = ask(f"SELECT {', '.join(IDS)} FROM contextomy WHERE alert IS NOT NULL")
    shown = {tuple(row[name] for name in IDS) for row in rows}
    unknown = [one.quote_id for one in reviews if tuple(getattr(one, name) for name in IDS) not in shown]
    if unknown:
        raise InputError(
            f"this lake has no such alert: {', '.join(unknown[:5])}; the file was exported from another one"
        )
    archive = [row for row in ask(QUERIES["reviews"]) if row["reviewer"] == reviews[0].reviewer]
    return changed(reviews, archive)


def precision(ask: Ask) -> Rows:
    """Rows of the view ``alert_precision``, with the labels that existed when ``ask`` was created."""
    return ask("SELECT * FROM alert_precision")
