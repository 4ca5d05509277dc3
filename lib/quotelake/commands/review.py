"""Label alerts and checks: write them as CSV, read the labels back into alert_reviews, show precision at k.

{command} export --lake DIR --out FILE.csv [--alert KIND] [--first K] [--unreviewed] [--reviewer NAME]
{command} import --lake DIR --labels FILE.csv --reviewer NAME
{command} show   --lake DIR
"""

from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from quotelake.answers.reviews import Label, alerts_query, from_csv, latest_reviews, new_reviews, to_csv
from quotelake.commands.console import make_console, make_table
from quotelake.commands.lake_access import append_rows, lake_engine
from quotelake.commands.options import add_lake, at_least, read_text
from quotelake.errors import InputError
from quotelake.files.outputs import MARK, write_atomically
from quotelake.lake.place import check_writable


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    actions = parser.add_subparsers(dest="action", required=True)
    write = actions.add_parser("export", help="write alerts to be labelled")
    write.add_argument("--out", type=Path, required=True, metavar="FILE.csv")
    kind = "only this kind: of alerts such as negation, or of checks such as altered (default: all alerts)"
    write.add_argument("--alert", metavar="KIND", help=kind)
    first = "only the first K of each class, by priority"
    write.add_argument("--first", type=at_least(1, "--first"), metavar="K", help=first)
    write.add_argument("--unreviewed", action="store_true", help="only alerts that nobody labelled")
    whose = "fill in the labels that this reviewer gave (default: the only one who gave some)"
    write.add_argument("--reviewer", metavar="NAME", help=whose)
    read = actions.add_parser("import", help="read labels back")
    read.add_argument("--labels", type=Path, required=True, metavar="FILE.csv")
    read.add_argument("--reviewer", required=True, metavar="NAME", help="who labelled the file")
    show = actions.add_parser("show", help="show precision at k")
    for action in (write, read, show):
        add_lake(action)


def run(arguments: Namespace) -> None:
    """Export alerts, or import labels and show precision at k."""
    if arguments.action == "export":
        _export(arguments)
        return
    if arguments.action == "import":
        _import(arguments)
    # A new reader sees the labels just written: the current ones, not those at the end of the last run.
    rows = lake_engine("review_alerts", arguments.lake).sql("SELECT * FROM alert_precision")
    make_console().print(make_table("Precision at k", rows) if rows else "no alert in this lake")


def _export(arguments: Namespace) -> None:
    run_sql = lake_engine("review_alerts", arguments.lake).sql
    rows = run_sql(alerts_query(arguments.first, arguments.alert, unreviewed=arguments.unreviewed))
    if not rows:
        of_kind = "" if arguments.alert is None else f" of the kind {arguments.alert}"
        nobody = " that nobody labelled" if arguments.unreviewed else ""
        raise InputError(f"{arguments.lake} has no alert{of_kind}{nobody}: nothing was written")
    given = latest_reviews(run_sql)
    reviewers = sorted({review.reviewer for review in given})
    reviewer = arguments.reviewer or (reviewers[0] if len(reviewers) == 1 else None)
    if arguments.reviewer not in (None, *reviewers):
        raise InputError(f"--reviewer {reviewer}: gave no label; these did: {', '.join(reviewers) or 'nobody'}")
    write_atomically(arguments.out, MARK + to_csv(rows, [review for review in given if review.reviewer == reviewer]))
    labels = ", ".join(Label)
    print(f"{len(rows):,} alerts written to {arguments.out}: fill in label ({labels}) and note, then import it")
    if reviewers:
        print(f"filled in: the labels of {reviewer or 'nobody: --reviewer says whose, ' + ', '.join(reviewers)}")


def _import(arguments: Namespace) -> None:
    root, file = arguments.lake, str(arguments.labels)
    check_writable(root)
    now = datetime.now(UTC)
    reviews = from_csv(read_text(file, f"--labels {file}", "a file that export wrote"), file, arguments.reviewer, now)
    new = new_reviews(lake_engine("review_alerts", root).sql, reviews) if reviews else []
    append_rows(root, "review_alerts", "alert_reviews", [asdict(review) for review in new], now)
    print(f"{len(reviews):,} labels by {arguments.reviewer}, {len(new):,} of them new or changed")
