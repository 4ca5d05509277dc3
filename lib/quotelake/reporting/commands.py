"""The commands ``rank``, ``report``, ``maintain`` and ``digest``, and how commands start Spark on a lake.

Spark is imported where it is needed: importing it takes longer than most answers.
"""

from argparse import Namespace
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from quotelake.commands import command
from quotelake.errors import InputError
from quotelake.lake.place import check_readable, check_writable
from quotelake.query.ask import AutoEngine, reader_of
from quotelake.reporting.console import make_console
from quotelake.reporting.ranking import Wanted, ranking_query, show_ranking, write_ranking
from quotelake.settings import load_settings
from quotelake.spark.environment import check_environment

if TYPE_CHECKING:
    from quotelake.lake.tables import Lake
    from quotelake.query.ask import Engine


def run_rank(arguments: Namespace) -> None:
    """Rank, show, and write with ``--out``."""
    engine = AutoEngine(arguments.lake, spark_for("rank_topics", arguments.lake))
    wanted = Wanted(arguments.period, arguments.kind, arguments.outlet, arguments.min_contexts)
    if arguments.out is None:
        show_ranking(engine.answer(ranking_query(wanted, arguments.top)).rows, wanted, make_console())
        return
    count, shown = write_ranking(engine.pages(ranking_query(wanted)), arguments.out, arguments.top)
    show_ranking(shown, wanted, make_console())
    print(f"{count:,} rows written to {arguments.out}")


def run_report(arguments: Namespace) -> None:
    """Read the content of the alert page, render and write it."""
    from quotelake.contextomy.decide import load_detector
    from quotelake.reporting.alerts import read_report
    from quotelake.reporting.page import page_of, write_page

    out = arguments.out or page_of(arguments.lake)
    if out is None:
        raise InputError(f"--lake {arguments.lake} is an address: say with --out FILE.html where to write the page")

    settings = load_settings(arguments.config, arguments.set)
    detector = load_detector(settings.contextomy)
    ask = reader_of(arguments.lake, spark_for("report", arguments.lake))
    report = read_report(ask, datetime.now(UTC), detector, arguments.limit, settings.report.per_night)
    beside = write_page(report, out)
    print(f"{len(report.alerts):,} alerts written to {out} and {beside}")


def run_maintain(arguments: Namespace) -> None:
    """Compact each table and print its numbers of files; with --dry-run print them only."""
    check_environment()
    from quotelake.lake.contracts import table_names
    from quotelake.lake.guard import check, translating_errors
    from quotelake.lake.lease import hold
    from quotelake.lake.maintenance import maintain, need_of
    from quotelake.lake.runs import new_run
    from quotelake.lake.tables import Lake
    from quotelake.spark.session import get_session

    settings = load_settings(arguments.config, arguments.set)
    run = new_run(settings.fingerprint, None, print)
    check_readable(arguments.lake)
    if not arguments.dry_run:
        check_writable(arguments.lake)
    lake = Lake(get_session("maintain"), arguments.lake, run.run_id, run.started)
    check(lake, thorough=True)
    tables = [table for table in table_names() if lake.exists(table)]
    if not tables:
        raise InputError(f"{arguments.lake} is no lake: it has none of the tables")
    if arguments.dry_run:
        for table in tables:
            need = need_of(lake, table)
            say = f"would become {need.wanted}" if need.is_scattered else "stay"
            print(f"{table:<17} {need.files:>6,} files, {need.bytes:>15,} bytes: {say}")
        return
    with hold(lake.storage, run.run_id, settings.run, run.say), translating_errors(lake):
        for table in tables:
            before = maintain(lake, table)
            print(f"{table:<17} {before.files:>6,} files, now {need_of(lake, table).files:,}")


def run_digest(arguments: Namespace) -> None:
    """Print table, rows and digest."""
    lake = open_lake("digest", arguments.lake)
    from quotelake.lake.digest import digests
    from quotelake.lake.guard import translating_errors

    with translating_errors(lake):
        for table, (rows, digest) in digests(lake).items():
            print(f"{table:<17} {rows:>10,}  {digest}")


def open_lake(name: str, root: str) -> "Lake":
    """Open a lake for reading.

    Raises:
        InputError: there is no lake at this place.
        DamageError: tables of the lake are damaged.
    """
    from quotelake.lake.guard import check
    from quotelake.lake.tables import Lake
    from quotelake.spark.session import get_session

    check_environment()
    check_readable(root)
    lake = Lake(get_session(name), root, name, datetime.now(UTC))
    check(lake)
    if not lake.exists("runs"):
        raise InputError(f"{root} holds no lake; name one that exists, or make one with: {command('score')}")
    return lake


def spark_for(name: str, root: str) -> Callable[[], "Engine"]:
    """A function that starts Spark for a job that reads a lake, where DuckDB cannot answer.

    Args:
        name: of the job.
        root: directory or address of the lake.
    """

    def start() -> "Engine":
        from quotelake.query.spark import start_engine

        return start_engine(name, root)

    return start
