"""Maintain a lake: compact its small files, sorted, and delete files that no run of the last 90 days needs."""

import argparse

from quotelake.commands import job_parser
from quotelake.errors import InputError
from quotelake.jobs import run_job
from quotelake.lake.contracts import table_names
from quotelake.lake.guard import check, explained
from quotelake.lake.lease import hold
from quotelake.lake.maintenance import maintain, need_of, orphans_of
from quotelake.lake.place import check_readable, check_writable
from quotelake.lake.runs import new_run
from quotelake.lake.tables import Lake
from quotelake.settings import load_settings
from quotelake.spark.session import get_session


def main() -> None:
    """Compact each table and print its numbers of files; with --dry-run print them only."""
    arguments = _arguments()
    settings = load_settings(arguments.config, arguments.set)
    run = new_run(settings.fingerprint, None, print)
    check_readable(arguments.lake)
    if not arguments.dry_run:
        check_writable(arguments.lake)
    lake = Lake(get_session("maintain"), arguments.lake, run.run_id, run.started)
    check(lake)
    tables = [table for table in table_names() if lake.exists(table)]
    if not tables:
        raise InputError(f"{arguments.lake} is no lake: it has none of the tables")
    if arguments.dry_run:
        for table in tables:
            need, orphans = need_of(lake, table), orphans_of(lake, table, delete=False)
            say = f"would become {need.wanted}" if need.is_scattered else "stay"
            print(
                f"{table:<17} {need.files:>6,} files, {need.bytes:>15,} bytes: {say}; {orphans} key filters to delete"
            )
        return
    with hold(lake.spark, lake.root, run.run_id, settings.run, run.say), explained(lake):
        for table in tables:
            before = maintain(lake, table)
            print(f"{table:<17} {before.files:>6,} files, now {need_of(lake, table).files:,}")


def _arguments() -> argparse.Namespace:
    parser = job_parser("maintain.py", __doc__)
    parser.add_argument("--lake", default="./lake", help="directory or address of the lake (default: ./lake)")
    parser.add_argument("--dry-run", action="store_true", help="print what would be done, and do nothing")
    parser.add_argument("--config", metavar="FILE", help="TOML over conf/base.toml")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="one setting; overrides FILE")
    return parser.parse_args()


if __name__ == "__main__":
    run_job(main)
