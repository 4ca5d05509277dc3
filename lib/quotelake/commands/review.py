"""Label alerts and checks: write them as CSV, read the labels back into alert_reviews, show precision at k.

{command} export --lake DIR --out FILE.csv [--alert KIND] [--first K] [--unreviewed] [--reviewer NAME]
{command} import --lake DIR --labels FILE.csv --reviewer NAME
{command} show   --lake DIR
"""

from argparse import Namespace
from datetime import UTC, datetime

from quotelake.answers.reviews import Label, alerts_query, from_csv, latest_reviews, new_reviews, to_csv
from quotelake.commands.console import make_console, make_table
from quotelake.commands.lake_access import append_rows, lake_engine
from quotelake.commands.options import read_text
from quotelake.errors import InputError
from quotelake.files.outputs import MARK, write_atomically
from quotelake.lake.place import check_writable


def run(arguments: Namespace) -> None:
    """Export alerts, or import labels and show precision at k."""
    if arguments.action == "export":
        _export(arguments)
        return
    root = arguments.lake
    if arguments.action == "import":
        check_writable(root)
        file, reviewer, now = str(arguments.labels), arguments.reviewer, datetime.now(UTC)
        reviews = from_csv(read_text(file, f"--labels {file}", "a file that export wrote"), file, reviewer, now)
        new = new_reviews(lake_engine("review_alerts", root).sql, reviews) if reviews else []
        append_rows(root, "review_alerts", "alert_reviews", new, now)
        print(f"{len(reviews):,} labels by {reviewer}, {len(new):,} of them new or changed")
    # A new reader sees the labels just written: the current ones, not those at the end of the last run.
    rows = lake_engine("review_alerts", root).sql("SELECT * FROM alert_precision")
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
