"""Write the alert page, one self-contained HTML file with the alerts and their evidence, and a CSV beside it."""

from datetime import UTC, datetime
from pathlib import Path

from quotelake.commands import job_parser
from quotelake.contextomy.decide import load_detector
from quotelake.errors import InputError, exit_with
from quotelake.jobs import spark_for
from quotelake.query.ask import reader_of
from quotelake.reporting.alerts import LIMIT, read_report
from quotelake.reporting.page import page_of, write_page
from quotelake.settings import load_settings


def main() -> None:
    """Read, render, write."""
    parser = job_parser("report.py", __doc__)
    parser.add_argument("--lake", default="./lake", help="directory or address of the lake (default: ./lake)")
    parser.add_argument(
        "--out", type=Path, metavar="FILE.html", help="file to write (default: alerts.html in the lake)"
    )
    parser.add_argument("--limit", type=int, default=LIMIT, metavar="N", help=f"alerts on the page (default: {LIMIT})")
    parser.add_argument("--config", metavar="FILE", help="TOML over conf/base.toml: names the detector to explain by")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a single setting, last word")
    arguments = parser.parse_args()
    if arguments.limit < 1:
        raise InputError(f"--limit {arguments.limit}: must be 1 or more")
    out = arguments.out or page_of(arguments.lake)
    if out is None:
        raise InputError(f"--lake {arguments.lake} is an address: say with --out FILE.html where to write the page")

    settings = load_settings(arguments.config, arguments.set)
    detector = load_detector(settings.contextomy)
    ask = reader_of(arguments.lake, spark_for("report", arguments.lake))
    report = read_report(ask, datetime.now(UTC), detector, arguments.limit, settings.report.per_night)
    beside = write_page(report, out)
    print(f"{len(report.alerts):,} alerts written to {out} and {beside}")


if __name__ == "__main__":
    exit_with(main)
