"""Label alerts: write them as CSV, read the labels back into alert_reviews, show precision at k.

review_alerts.py export --lake DIR --out FILE.csv [--alert CLASS] [--first K]
review_alerts.py import --lake DIR --labels FILE.csv --reviewer NAME
review_alerts.py show   --lake DIR
"""

import argparse
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from quotelake.commands import job_parser
from quotelake.errors import InputError, exit_with
from quotelake.files.outputs import write_whole
from quotelake.jobs import spark_for
from quotelake.lake.place import check_writable
from quotelake.query.ask import Ask, reader_of
from quotelake.reporting.console import make_console, make_table
from quotelake.reporting.labelling import export_alerts, new_reviews, precision
from quotelake.reporting.reviews import Label, Review, from_csv


def main() -> None:
    """Export, import or show."""
    arguments = _arguments()
    if arguments.action == "export":
        if arguments.first is not None and arguments.first < 1:
            raise InputError(f"--first {arguments.first}: must be 1 or more")
        number, rows = export_alerts(_ask(arguments.lake), arguments.alert, arguments.first)
        if not number:
            of_class = "" if arguments.alert is None else f" of the class {arguments.alert}"
            raise InputError(f"{arguments.lake} has no alert{of_class}: nothing was written")
        write_whole(arguments.out, "\ufeff" + rows)  # the mark tells spreadsheets that the file is UTF-8
        labels = ", ".join(Label)
        print(f"{number:,} alerts written to {arguments.out}: fill in label ({labels}) and note, then import it")
        return
    if arguments.action == "import":
        check_writable(arguments.lake)
        text, now = _read(arguments.labels), datetime.now(UTC)
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
    from quotelake.spark.environment import check_environment
    from quotelake.spark.session import get_session

    check_environment()
    lake = Lake(get_session("review_alerts"), root, "review_alerts", now)
    lake.append(lake.frame([asdict(review) for review in reviews], "alert_reviews"), "alert_reviews")


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"--labels {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"--labels {path}: byte {error.start} is not UTF-8; save the file as CSV UTF-8") from None


def _arguments() -> argparse.Namespace:
    parser = job_parser("review_alerts.py", __doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    write = actions.add_parser("export", help="write alerts to be labelled")
    write.add_argument("--out", type=Path, required=True, metavar="FILE.csv")
    write.add_argument("--alert", metavar="CLASS", help="only this class, such as contextomized")
    write.add_argument("--first", type=int, metavar="K", help="only the first K of each class, by priority")
    read = actions.add_parser("import", help="read labels back")
    read.add_argument("--labels", type=Path, required=True, metavar="FILE.csv")
    read.add_argument("--reviewer", required=True, metavar="NAME", help="who labelled the file")
    show = actions.add_parser("show", help="show precision at k")
    for action in (write, read, show):
        action.add_argument("--lake", default="./lake", help="directory or address of the lake (default: ./lake)")
    return parser.parse_args()


if __name__ == "__main__":
    exit_with(main)
