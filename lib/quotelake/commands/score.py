"""The command ``score``: run the chain on new files and show what was found; or only check the files."""

from argparse import Namespace
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from quotelake.answers.baseline import compare_runs, outlets_query, silent_feeds, stages_query
from quotelake.commands.console import make_console, make_table, say
from quotelake.commands.find import read_text
from quotelake.commands.run_log import RunLog, logged
from quotelake.errors import InputError, RejectShareError, SettingsError, SilentFeedError
from quotelake.files.values import field_name
from quotelake.lake.place import check_writable, is_local
from quotelake.query.catalog import view_names
from quotelake.quotes.spans import find_quotes
from quotelake.sample import sample_inputs
from quotelake.settings import Settings, load_settings
from quotelake.sources.check import FILES, SourceCheck, check_source, missing_fields
from quotelake.sources.files import InputFile, list_files
from quotelake.sources.rejects import COUNTED, REMEDY, Problem, share_of
from quotelake.spark.installation import check_environment
from quotelake.text.printable import shortened

if TYPE_CHECKING:
    from quotelake.nightly.asked import Asked

_LONGEST = 60  # characters of an example
_FILES_SHOWN = 20
_COUNTS = ("records", "documents", "rejects", "filtered", "unread_dates")


def run(arguments: Namespace) -> None:
    """Run ``score``, with ``--check`` without Spark.

    Raises:
        RejectShareError: a source rejects too many of its records; all else of the run is done.
        SilentFeedError: with ``--strict``, a source or outlet brought far less than usual; all else is done.
    """
    console = make_console()
    told = (None, None) if arguments.check else (arguments.log_json, arguments.metrics)
    with logged(*told) as log:
        settings = load_settings(arguments.config, arguments.set)
        log.settings_fingerprint = settings.fingerprint
        inputs = [_input(text, settings) for text in arguments.input]
        if not inputs and not arguments.retry_set_aside:
            inputs = sample_inputs()
        if arguments.check:
            _check(inputs, settings, console)
            return
        check_environment()
        _score(arguments, settings, inputs, console, log)


def run_forget(arguments: Namespace) -> None:
    """Run ``forget``: a run without inputs, at whose end the documents go.

    Raises:
        InputError: nothing is named, or there is no lake.
    """
    from quotelake.nightly.asked import Asked

    ids = []
    if arguments.ids is not None:
        lines = read_text(str(arguments.ids), f"--ids {arguments.ids}", "ids, one a line").splitlines()
        ids = list(dict.fromkeys(filter(None, map(str.strip, lines))))
    asked = Asked(ids, arguments.url, arguments.author)
    if not any(asked):
        raise InputError("nothing to forget: give --ids FILE, --author NAME or --url URL")
    check_environment()
    vars(arguments).update(watch=None, reread=(), activate=False, retry_set_aside=False, strict=False)
    _score(arguments, load_settings(arguments.config, arguments.set), (), make_console(), RunLog(), asked)


def _input(text: str, settings: Settings) -> tuple[str, str]:
    name, sign, pattern = text.partition("=")
    if not sign or not name or not pattern:
        raise InputError(f"--input {text!r}: expected NAME=GLOB, such as us_news=/data/us_news*.jsonl.gz")
    if name not in settings.sources:
        known = ", ".join(sorted(settings.sources))
        raise SettingsError(f"--input {text!r}: no [sources.{name}] in the settings; declared are: {known}")
    return name, pattern


def _score(
    arguments: Namespace,
    settings: Settings,
    inputs: Sequence[tuple[str, str]],
    console: Console,
    log: RunLog,
    asked: "Asked | None" = None,
) -> None:
    from quotelake.answers.alerts import read_report, report_reader
    from quotelake.commands.export import export_duckdb, exporting
    from quotelake.commands.lookup import prepare
    from quotelake.commands.summary import show_progress, show_summary
    from quotelake.lake.runs import new_run
    from quotelake.pages.morning_page import make_morning
    from quotelake.pages.page import page_of, write_page
    from quotelake.query.spark import start_engine
    from quotelake.spark.session import end_session, get_session
    from quotelake.watch.lists import read_list

    root = arguments.lake
    watched = None if arguments.watch is None else read_list(arguments.watch)
    check_writable(root)
    run = log.run = new_run(settings.fingerprint, arguments.night, partial(say, console))
    run.say(f"run {run.run_id} on {root}: " + ", ".join(f"{name}={glob}" for name, glob in inputs))
    for text in watched or ():
        if text.exact:
            run.say(
                f"  watched text {text.watch_id}: too short for changed wordings; only its unchanged words are found"
            )
    spark = get_session("score_corpus", "quotelake.nightly.plan")
    from quotelake.contextomy.decide import load_detector
    from quotelake.lake.tables import Lake
    from quotelake.nightly.plan import score_corpus

    lake = Lake(spark, root, run.run_id, run.started)
    if asked is not None and not lake.exists("runs"):
        raise InputError(f"{root} holds no lake; name one that exists")
    with show_progress(run, spark, console):
        reread = frozenset(arguments.reread)
        complaints = score_corpus(
            lake,
            run,
            settings,
            inputs,
            activate=arguments.activate,
            reread=reread,
            watched=watched,
            retry=arguments.retry_set_aside,
            asked=asked,
        )
    if is_local(lake.root):
        # From here on DuckDB answers: beside Spark's workers, which have 1.5 GB, a first load would have its peak here.
        end_session(spark, for_good=False)
    ask = report_reader(root, lambda: start_engine("score_corpus", root))
    show_summary(ask, run, lake.root, settings.report, console)
    stages = ask(stages_query(settings.report)) if inputs else []
    log.norm = compare_runs(stages, settings.report)
    for far in filter(None, (figure["far"] for figure in log.norm)):
        say(console, f"Far from the norm: {far}")
    silent = [row["message"] for row in silent_feeds(stages, ask(outlets_query(settings.report)), settings.report)]
    for message in silent:
        say(console, f"Silent: {message}")
    page = page_of(root)
    if page is not None:
        detector = load_detector(settings.contextomy)
        wanted = settings.report
        report = read_report(ask, run.started, detector, per_night=wanted.per_night, language=wanted.language)
        write_page(report, page)
        say(console, f"\nAlert page: {page}")
        if settings.report.morning:
            say(console, f"Morning page: {make_morning(ask, report, settings.report, page.parent)}")
    if settings.report.export_duckdb:
        export_duckdb(exporting("score_corpus", root), Path(settings.report.export_duckdb), view_names())
        say(console, f"Views for other tools: {settings.report.export_duckdb}")
    if settings.run.lookup:
        prepare(root, console)
    end_session(spark)
    complain(complaints, silent if arguments.strict else ())


def complain(rejects: Sequence[str], silent: Sequence[str]) -> None:
    """End a run that is done with an error if sources rejected too many records, or were silent.

    Raises:
        RejectShareError: there are ``rejects``; what is silent is said too.
        SilentFeedError: there are only ``silent`` feeds.
    """
    if rejects:
        raise RejectShareError("\n".join([*rejects, REMEDY, *silent]))
    if silent:
        raise SilentFeedError("\n".join([*silent, "All else of the run is done: look at what delivers these files."]))


def _check(inputs: Sequence[tuple[str, str]], settings: Settings, console: Console) -> None:
    """Say what a run would make of its inputs, without Spark and without a lake.

    Raises:
        InputError: an input cannot be read at all.
        RejectShareError: a source would reject too many of its records.
    """
    files: dict[str, dict[InputFile, None]] = {}
    for name, pattern in inputs:
        files.setdefault(name, {}).update(dict.fromkeys(list_files(name, pattern)))
    checked = [check_source(name, list(each), settings, datetime.now(UTC), find_quotes) for name, each in files.items()]
    show_dry_run(checked, settings, console)
    for source in checked:
        for warning in missing_fields(source, settings):
            say(console, warning)
    refused = [source.name for source in checked if source.exceeds]
    if refused:
        raise RejectShareError(
            f"a run would end with status 3: too many records of {', '.join(refused)} cannot be read"
        )


def show_dry_run(checked: Sequence[SourceCheck], settings: Settings, console: Console) -> None:
    """Print what a run would make of its sources."""
    unused = sorted(set(settings.sources) - {source.name for source in checked})
    say(console, "Settings: valid. Declared sources without an input: " + (", ".join(unused) or "none"))
    for source in checked:
        _show_source(source, settings, console)
    say(console, "\nNothing was written.")


def _show_source(checked: SourceCheck, settings: Settings, console: Console) -> None:
    source, name = settings.sources[checked.name], checked.name
    opened = f"the first {checked.n_records} records of each"
    opened += "" if checked.n_files <= FILES else f" of the {FILES} newest"
    form = f"kind {source.kind}, encoding {source.encoding}"
    say(console, f"\n{name} ({form}): {checked.n_files:,} files, {checked.n_bytes:,} bytes; {opened}")

    counted = [what for what in _COUNTS if what != "filtered" or checked.counts[what]]
    files = [
        {"file": each.file.path, "format": each.format, **{what: each.counts[what] for what in counted}}
        for each in checked.looked
    ]
    title = "Files" if len(files) <= _FILES_SHOWN else f"Files ({_FILES_SHOWN} of {len(files):,} shown)"
    _show_table(console, title, files[:_FILES_SHOWN])

    rows: list[dict[str, Any]] = [
        {"column": each.column, "field": field_name(each.field), "records": each.records, "example": each.example}
        for each in checked.mapped
    ]
    rows += [
        {"column": column, "field": "(default)", "records": None, "example": value}
        for column, value in source.defaults.items()
        if column not in {each.column for each in checked.mapped}
    ]
    rows = [row | {"example": shortened(row["example"], _LONGEST)} for row in rows]
    _show_table(console, "Columns of documents", rows)

    first = {fault.reason: fault for fault in reversed(checked.faults)}
    faults = [
        {
            "reason": reason,
            "records": number,
            "becomes": "field NULL" if reason in set(Problem) else "rejected",
            "example": f"{first[reason].path} at {first[reason].position}: {first[reason].detail}",
        }
        for reason, number in Counter(fault.reason for fault in checked.faults).most_common()
    ]
    if faults:
        _show_table(console, "What could not be read", faults)

    quoting, documents = checked.counts["with_quotes"], checked.counts["documents"]
    say(console, f"Quotations: {checked.counts['quotes']:,}, in {quoting:,} of {documents:,} documents")
    unmapped = [f"{field} ({shortened(value, _LONGEST) or 'empty'})" for field, value in checked.unmapped.items()]
    say(console, f"Fields that are not mapped: {'; '.join(unmapped) or 'none'}")
    for what in checked.exceeds:
        share = checked.counts[what] / (checked.counts["records"] - checked.counts["filtered"])
        most = share_of(name, settings)
        say(console, f"{name}: {share:.0%} of these records {COUNTED[what]}, more than the {most:.0%} of reject_share")


def _show_table(console: Console, title: str, rows: Sequence[dict[str, Any]]) -> None:
    shown = [{name.replace("_", " "): value for name, value in row.items()} for row in rows]
    console.print(make_table(title, list(shown[0]), shown))
