"""Label alerts: write them as CSV, read the labels back into alert_reviews, show precision at k.

review_alerts.py export --lake DIR --out FILE.csv [--alert CLASS] [--first K]
review_alerts.py import --lake DIR --labels FILE.csv --reviewer NAME
review_alerts.py show   --lake DIR
"""

import argparse
from pathlib import Path

from quotelake.errors import InputError
from quotelake.jobs import open_lake, run_job
from quotelake.reporting.console import make_console, make_table
from quotelake.reporting.labelling import add_reviews, export_alerts, precision
from quotelake.reporting.page import write_atomically
from quotelake.reporting.reviews import Label, from_csv
from quotelake.tables import Lake
from quotelake.views import register


def main() -> None:
    """Export, import or show."""
    arguments = _arguments()
    if arguments.action == "export":
        lake = _open(arguments.lake)
        rows = export_alerts(lake, arguments.alert, arguments.first)
        write_atomically("\ufeff" + rows, arguments.out)  # the mark tells spreadsheets that it is UTF-8
        print(f"alerts written to {arguments.out}: fill in label ({', '.join(Label)}) and note, then import it")
        return
    if arguments.action == "import":
        text = _read(arguments.labels)
        lake = _open(arguments.lake)
        reviews = from_csv(text, str(arguments.labels), arguments.reviewer, lake.started)
        added = add_reviews(lake, reviews)
        print(f"{len(reviews):,} labels by {arguments.reviewer}, {added:,} of them new or changed")
    else:
        lake = _open(arguments.lake)
    show_precision(lake)


def show_precision(lake: Lake) -> None:
    """Print precision at k from the labels as they are now, not as they were after the last run."""
    rows = precision(lake)
    names = list(rows[0]) if rows else []
    make_console().print(make_table("Precision at k", names, rows) if rows else "no alert in this lake")


def _open(root: str) -> Lake:
    lake = open_lake("review_alerts", root)
    register(lake)
    return lake


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"--labels {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"--labels {path}: byte {error.start} is not UTF-8; save the file as CSV UTF-8") from None


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="review_alerts.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    actions = parser.add_subparsers(dest="action", required=True)
    write = actions.add_parser("export", help="write alerts to be labelled")
    write.add_argument("--out", type=Path, required=True, metavar="FILE.csv")
    write.add_argument("--alert", metavar="CLASS", help="only this class, such as contextomized")
    write.add_argument("--first", type=int, metavar="K", help="only the first K of each class, by score")
    read = actions.add_parser("import", help="read labels back")
    read.add_argument("--labels", type=Path, required=True, metavar="FILE.csv")
    read.add_argument("--reviewer", required=True, metavar="NAME", help="who labelled the file")
    show = actions.add_parser("show", help="show precision at k")
    for action in (write, read, show):
        action.add_argument("--lake", default="./lake", help="directory or address of the lake (default: ./lake)")
    return parser.parse_args()


if __name__ == "__main__":
    run_job(main)
