"""Maintain a lake: compact its small files, sorted, and delete files that no run of the last 90 days needs."""

from argparse import Namespace
from datetime import UTC, datetime

from quotelake.errors import InputError
from quotelake.lake.place import check_readable, check_writable
from quotelake.lake.runs import SNAPSHOTS, snapshots
from quotelake.settings import load_settings
from quotelake.spark.installation import check_environment


def run(arguments: Namespace) -> None:
    """Compact each table and print its numbers of files; with --dry-run print them only."""
    check_environment()
    from quotelake.lake.contracts import table_names
    from quotelake.lake.lease import take_lease
    from quotelake.lake.runs import new_run
    from quotelake.lake.tables import Lake
    from quotelake.lake.upkeep import RETENTION, check_clock, export, maintain, table_size
    from quotelake.nightly.forget_past import purge_if_due
    from quotelake.spark.session import get_session

    settings = load_settings(arguments.config, arguments.set)
    run = new_run(settings.fingerprint, None, print)
    check_readable(arguments.lake)
    if not arguments.dry_run:
        check_writable(arguments.lake)
    lake = Lake(get_session("maintain"), arguments.lake, run.run_id, run.started)
    last = lake.check(thorough=True)
    if not arguments.dry_run:
        check_clock(arguments.lake, last, datetime.now(UTC))
    tables = [table for table in table_names() if lake.exists(table)]
    if not tables:
        raise InputError(f"{arguments.lake} is no lake: it has none of the tables")
    if arguments.export is not None:
        lake.last_run(arguments.export)  # refused before anything is done
    print(f"exported nights: {', '.join(sorted(snapshots(lake.storage).values())) or 'none'}")
    if arguments.dry_run:
        for table in tables:
            size = table_size(lake, table)
            change = f"would become {size.wanted_files}" if size.is_scattered else "stay"
            print(f"{table:<17} {size.files:>6,} files, {size.bytes:>15,} bytes: {change}")
        return
    with take_lease(lake.storage, run.run_id, settings.run, run.report), lake.reporting_damage():
        if arguments.export is not None:
            print(f"{arguments.export}: exported to {arguments.lake}/{SNAPSHOTS}/{export(lake, arguments.export)}")
        purge_if_due(lake, run)
        rewritten = False
        for table in tables:
            before = maintain(lake, table)
            print(f"{table:<17} {before.files:>6,} files, now {table_size(lake, table).files:,}")
            rewritten |= before.is_scattered
    if rewritten:
        print(f"The files before stay for {RETENTION.days} days, for past nights: until then the lake is larger.")
