"""Write the alert page, one self-contained HTML file with alerts, checks and their evidence, and a CSV beside it.

In the lake itself the morning page is written too.
"""

from argparse import Namespace
from datetime import UTC, datetime
from functools import cache

from quotelake.answers.alerts import SHARED, read_report
from quotelake.commands.lake_access import lake_engine
from quotelake.contextomy.decide import load_detector
from quotelake.errors import InputError
from quotelake.lake.runs import night_folder
from quotelake.pages.morning_page import make_morning
from quotelake.pages.page import default_page, write_page
from quotelake.settings import load_settings


def run(arguments: Namespace) -> None:
    """Read the content of the alert page, render and write it; in the lake itself the morning page too."""
    root, as_of = arguments.lake, arguments.as_of
    out = arguments.out or default_page(root)
    if out is None:
        raise InputError(f"--lake {root} is an address: say with --out FILE.html where to write the page")
    if as_of is not None and arguments.out is None:  # the page of the last night stays
        out = out.with_stem(f"{out.stem}-{night_folder(as_of)}")

    settings = load_settings(arguments.config, arguments.set)
    detector, wanted = load_detector(settings.contextomy), settings.report
    run_sql = cache(lake_engine("report", root, as_of, SHARED).sql)
    report = read_report(run_sql, datetime.now(UTC), detector, arguments.limit, wanted.language)
    beside = write_page(report, out)
    print(f"{len(report['alerts']):,} alerts and {len(report['checks']):,} checks written to {out} and {beside}")
    if out == default_page(root) and wanted.morning:
        print(f"morning page written to {make_morning(run_sql, report, wanted, out.parent)}")
