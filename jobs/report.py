"""Write the alert page: one self-contained HTML file with the headline alerts and their evidence."""

from datetime import UTC, datetime
from pathlib import Path

from quotelake.commands import job_parser
from quotelake.errors import InputError, exit_with
from quotelake.reading.ask import Engine, reader_of
from quotelake.reporting.alerts import LIMIT, read_report
from quotelake.reporting.page import page_of, render, write_atomically


def main() -> None:
    """Read, render, write."""
    parser = job_parser("report.py", __doc__)
    parser.add_argument("--lake", default="./lake", help="directory or address of the lake (default: ./lake)")
    parser.add_argument(
        "--out", type=Path, metavar="FILE.html", help="file to write (default: alerts.html in the lake)"
    )
    parser.add_argument(
        "--limit", type=int, default=LIMIT, metavar="N", help=f"alerts shown of each class (default: {LIMIT})"
    )
    arguments = parser.parse_args()
    if arguments.limit < 1:
        raise InputError(f"--limit {arguments.limit}: must be 1 or more")
    out = arguments.out or page_of(arguments.lake)
    if out is None:
        raise InputError(f"--lake {arguments.lake} is an address: say with --out FILE.html where to write the page")

    def start_spark() -> Engine:
        from quotelake.lake.views import start_engine  # only here: importing Spark takes longer than the page

        return start_engine("report", arguments.lake)

    report = read_report(reader_of(arguments.lake, start_spark), datetime.now(UTC), arguments.limit)
    write_atomically(render(report), out)
    print(f"{len(report.alerts):,} alerts written to {out}")


if __name__ == "__main__":
    exit_with(main)
