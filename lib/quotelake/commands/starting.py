"""The commands ``rank``, ``report``, ``review``, ``aliases``, ``maintain``, ``digest``, and how commands start Spark.

Spark is imported where it is needed: importing it takes longer than most answers.
"""

from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from quotelake.commands.console import make_console, make_table
from quotelake.errors import InputError
from quotelake.files.outputs import MARK, write_whole
from quotelake.lake.past import SNAPSHOTS, folder_of, snapshots
from quotelake.lake.place import check_readable, check_writable
from quotelake.program import command
from quotelake.query.ask import reader_of
from quotelake.settings import load_settings
from quotelake.spark.installation import check_environment

if TYPE_CHECKING:
    from quotelake.query.ask import Engine


def run_report(arguments: Namespace) -> None:
    """Read the content of the alert page, render and write it; in the lake itself the morning page too."""
    from quotelake.answers.alerts import read_report, report_reader
    from quotelake.contextomy.decide import load_detector
    from quotelake.pages.morning_page import make_morning
    from quotelake.pages.page import page_of, write_page

    root, as_of = arguments.lake, arguments.as_of
    out = arguments.out or page_of(root)
    if out is None:
        raise InputError(f"--lake {root} is an address: say with --out FILE.html where to write the page")
    if as_of is not None and arguments.out is None:  # the page of the last night stays
        out = out.with_stem(f"{out.stem}-{folder_of(as_of)}")

    settings = load_settings(arguments.config, arguments.set)
    detector = load_detector(settings.contextomy)
    start = spark_for("report", root, as_of)
    ask = report_reader(root, start, as_of)
    shown = settings.report
    report = read_report(ask, datetime.now(UTC), detector, arguments.limit, shown.per_night, shown.language)
    beside = write_page(report, out)
    print(f"{len(report['alerts']):,} alerts written to {out} and {beside}")
    if out == page_of(root) and settings.report.morning:
        print(f"morning page written to {make_morning(ask, report, settings.report, out.parent)}")


def run_review(arguments: Namespace) -> None:
    """Export alerts, import labels, or show precision at k."""
    from quotelake.answers.reviews import ARCHIVE, Label, alerts_query, from_csv, latest_reviews, new_reviews, to_csv
    from quotelake.commands.find import read_text

    root, action = arguments.lake, arguments.action
    start = spark_for("review_alerts", root)
    if action == "export":
        ask = reader_of(root, start)
        rows = ask(alerts_query(arguments.first, arguments.alert, unreviewed=arguments.unreviewed))
        if not rows:
            of_kind = "" if arguments.alert is None else f" of the kind {arguments.alert}"
            nobody = " that nobody labelled" if arguments.unreviewed else ""
            raise InputError(f"{root} has no alert{of_kind}{nobody}: nothing was written")
        given = latest_reviews(ask(ARCHIVE))
        reviewers = sorted({one.reviewer for one in given})
        reviewer = arguments.reviewer or (reviewers[0] if len(reviewers) == 1 else None)
        if arguments.reviewer not in (None, *reviewers):
            raise InputError(f"--reviewer {reviewer}: gave no label; these did: {', '.join(reviewers) or 'nobody'}")
        write_whole(arguments.out, MARK + to_csv(rows, [one for one in given if one.reviewer == reviewer]))
        labels = ", ".join(Label)
        print(f"{len(rows):,} alerts written to {arguments.out}: fill in label ({labels}) and note, then import it")
        if reviewers:
            print(f"filled in: the labels of {reviewer or 'nobody: --reviewer says whose, ' + ', '.join(reviewers)}")
        return
    if action == "import":
        check_writable(root)
        text = read_text(str(arguments.labels), f"--labels {arguments.labels}", "a file that export wrote")
        now = datetime.now(UTC)
        reviews = from_csv(text, str(arguments.labels), arguments.reviewer, now)
        new = new_reviews(reader_of(root, start), reviews) if reviews else []
        _append_given(root, "review_alerts", "alert_reviews", [asdict(review) for review in new], now)
        print(f"{len(reviews):,} labels by {arguments.reviewer}, {len(new):,} of them new or changed")
    # A new reader sees the labels just written: the current ones, not those at the end of the last run.
    rows = reader_of(root, start)("SELECT * FROM alert_precision")
    make_console().print(make_table("Precision at k", list(rows[0]), rows) if rows else "no alert in this lake")


def run_aliases(arguments: Namespace) -> None:
    """Export the names of speakers, or import who they are."""
    from quotelake.commands.aliases import ARCHIVE, MEANT, NAMES, read_aliases, to_csv
    from quotelake.commands.find import read_text

    root, start = arguments.lake, spark_for("name_speakers", arguments.lake)
    ask = reader_of(root, start)
    if arguments.action == "export":
        names = ask(NAMES)
        write_whole(arguments.out, MARK + to_csv(names, ask(MEANT), ask(ARCHIVE), arguments.first))
        print(f"names written to {arguments.out}: fill in canonical and wikidata_id, then import it")
        return
    check_writable(root)
    text = read_text(str(arguments.names), f"--names {arguments.names}", "a file that export wrote")
    now = datetime.now(UTC)
    given, new = read_aliases(text, str(arguments.names), ask(ARCHIVE), now)
    _append_given(root, "name_speakers", "speaker_aliases", [asdict(alias) for alias in new], now)
    print(f"{len(given):,} names, {len(new):,} of them new or changed")
    known = {row["speaker"] for row in ask("SELECT DISTINCT speaker FROM speaker_quotes")}
    if unknown := [name for name in given if name not in known]:
        print(f"{len(unknown):,} of the names are those of no quote of this lake, such as {unknown[0]}")


def _append_given(root: str, job: str, table: str, rows: Sequence[Mapping[str, Any]], now: datetime) -> None:
    """Append rows that a person gave to a table: by Spark, which checks its constraints; nothing without rows."""
    if rows:
        from quotelake.lake.lease import hold
        from quotelake.lake.tables import Lake
        from quotelake.spark.session import get_session

        check_environment()
        lake = Lake(get_session(job), root, job, now)
        files = lake.storage  # beside a run, which writes none of them, where Delta keeps the two apart
        with nullcontext() if files.commits_once else hold(files, lake.run_id, load_settings().run, print):
            lake.append(lake.frame(rows, table), table)


def run_maintain(arguments: Namespace) -> None:
    """Compact each table and print its numbers of files; with --dry-run print them only."""
    check_environment()
    from quotelake.lake.contracts import table_names
    from quotelake.lake.lease import hold
    from quotelake.lake.runs import new_run
    from quotelake.lake.tables import Lake
    from quotelake.lake.upkeep import check_clock, export, maintain, need_of
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
            need = need_of(lake, table)
            say = f"would become {need.wanted}" if need.is_scattered else "stay"
            print(f"{table:<17} {need.files:>6,} files, {need.bytes:>15,} bytes: {say}")
        return
    with hold(lake.storage, run.run_id, settings.run, run.say), lake.telling_damage():
        if arguments.export is not None:
            print(f"{arguments.export}: exported to {arguments.lake}/{SNAPSHOTS}/{export(lake, arguments.export)}")
        for table in tables:
            before = maintain(lake, table)
            print(f"{table:<17} {before.files:>6,} files, now {need_of(lake, table).files:,}")


def run_digest(arguments: Namespace) -> None:
    """Print table, rows and digest."""
    from quotelake.lake.tables import Lake
    from quotelake.lake.upkeep import digests
    from quotelake.spark.session import get_session

    check_environment()
    check_readable(arguments.lake)
    lake = Lake(get_session("digest"), arguments.lake, "digest", datetime.now(UTC))
    lake.check()
    if not lake.exists("runs"):
        raise InputError(f"{arguments.lake} holds no lake; name one that exists, or make one with: {command('score')}")
    with lake.telling_damage():
        for table, (rows, digest) in digests(lake).items():
            print(f"{table:<17} {rows:>10,}  {digest}")


def spark_for(name: str, root: str, as_of: str | None = None) -> Callable[[], "Engine"]:
    """A function that starts Spark for the job ``name``, which reads a lake where DuckDB cannot answer."""

    def start() -> "Engine":
        from quotelake.query.spark import start_engine

        return start_engine(name, root, as_of=as_of)

    return start
