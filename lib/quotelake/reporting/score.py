"""The command ``score``: run the chain on new files and show what was found; or only check the files."""

from argparse import Namespace
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any

from rich.console import Console
from rich.table import Table

from quotelake.errors import InputError, RejectShareError, SettingsError
from quotelake.lake.place import check_writable, is_local
from quotelake.reporting.console import make_console, make_table
from quotelake.sample import sample_inputs
from quotelake.settings import Settings, SourceSettings, load_settings
from quotelake.sources.check import FILES, SourceCheck, check_source, missing_fields
from quotelake.sources.files import InputFile, list_files
from quotelake.sources.rejects import COUNTED, REMEDY, Fault, Problem, share_of
from quotelake.spark.installation import check_environment

_LONGEST = 60  # characters of an example
_FILES_SHOWN = 20
_COUNTS = ("records", "documents", "rejects", "unread_dates")


def run(arguments: Namespace) -> None:
    """Run ``score``, with ``--check`` without Spark.

    Raises:
        RejectShareError: a source rejects too many of its records; all else of the run is done.
    """
    console = make_console()
    settings = load_settings(arguments.config, arguments.set)
    inputs = [_input(text, settings) for text in arguments.input] or sample_inputs()
    if arguments.check:
        _check(inputs, settings, console)
        return
    check_environment()
    _score(arguments, settings, inputs, console)


def _score(arguments: Namespace, settings: Settings, inputs: Sequence[tuple[str, str]], console: Console) -> None:
    from quotelake.contextomy.decide import load_detector
    from quotelake.lake.runs import new_run
    from quotelake.lake.tables import Lake
    from quotelake.nightly.plan import score_corpus
    from quotelake.query.ask import reader_of
    from quotelake.query.spark import start_engine
    from quotelake.reporting.alerts import READ_TWICE, read_report
    from quotelake.reporting.page import page_of, write_page
    from quotelake.reporting.progress import show_progress
    from quotelake.reporting.summary import show_summary
    from quotelake.spark.session import end_session, get_session
    from quotelake.watch.lists import read_list

    watched = None if arguments.watch is None else read_list(arguments.watch)
    check_writable(arguments.lake)
    run = new_run(
        settings.fingerprint, arguments.night, lambda line: console.print(line, markup=False, highlight=False)
    )
    run.say(f"run {run.run_id} on {arguments.lake}: " + ", ".join(f"{name}={glob}" for name, glob in inputs))
    for text in watched or ():
        if text.exact:
            run.say(
                f"  watched text {text.watch_id}: too short for changed wordings; only its unchanged words are found"
            )
    spark = get_session("score_corpus")
    lake = Lake(spark, arguments.lake, run.run_id, run.started)
    with show_progress(run, spark, console):
        complaints = score_corpus(
            lake,
            run,
            settings,
            inputs,
            activate=arguments.activate,
            reread=frozenset(arguments.reread),
            watched=watched,
        )
    if is_local(lake.root):
        # From here on DuckDB answers: beside Spark's workers, which have 1.5 GB, a first load would have its peak here.
        end_session(spark, for_good=False)
    ask = cache(reader_of(arguments.lake, lambda: start_engine("score_corpus", arguments.lake), kept=READ_TWICE))
    show_summary(ask, run, lake.root, settings.report, console)
    page = page_of(arguments.lake)
    if page is not None:
        detector = load_detector(settings.contextomy)
        write_page(read_report(ask, run.started, detector, per_night=settings.report.per_night), page)
        console.print(f"\nAlert page: {page}", markup=False, highlight=False, soft_wrap=True)
    end_session(spark)
    if complaints:
        raise RejectShareError("\n".join([*complaints, REMEDY]))


def _check(inputs: Sequence[tuple[str, str]], settings: Settings, console: Console) -> None:
    """Say what a run would make of its inputs, without Spark and without a lake.

    Raises:
        InputError: an input cannot be read at all.
        RejectShareError: a source would reject too many of its records.
    """
    files: dict[str, list[InputFile]] = {}
    for name, pattern in inputs:
        files.setdefault(name, []).extend(list_files(name, pattern))
    distinct = {name: list(dict.fromkeys(each)) for name, each in files.items()}
    checked = [check_source(name, each, settings, datetime.now(UTC)) for name, each in distinct.items()]
    show_dry_run(checked, settings, console)
    for each in checked:
        for warning in missing_fields(each, settings):
            console.print(warning, markup=False, highlight=False, soft_wrap=True)
    refused = [each.name for each in checked if each.exceeds]
    if refused:
        raise RejectShareError(
            f"a run would end with status 3: too many records of {', '.join(refused)} cannot be read"
        )


def _input(text: str, settings: Settings) -> tuple[str, str]:
    name, sign, pattern = text.partition("=")
    if not sign or not name or not pattern:
        raise InputError(f"--input {text!r}: expected NAME=GLOB, such as us_news=/data/us_news*.jsonl.gz")
    if name not in settings.sources:
        known = ", ".join(sorted(settings.sources))
        raise SettingsError(f"--input {text!r}: no [sources.{name}] in the settings; declared are: {known}")
    return name, pattern


def show_dry_run(checked: Sequence[SourceCheck], settings: Settings, console: Console) -> None:
    """Print all sources of a dry run.

    Args:
        checked: the sources that inputs name.
        settings: those of the run.
        console: where to print.
    """

    def say(line: str) -> None:
        console.print(line, markup=False, highlight=False, soft_wrap=True)

    unused = sorted(set(settings.sources) - {each.name for each in checked})
    say("Settings: valid. Declared sources without an input: " + (", ".join(unused) or "none"))
    for each in checked:
        say(f"\n{_headline(each, settings.sources[each.name])}")
        for table in (_files(each), _mapping(each, settings.sources[each.name]), _faults(each.faults)):
            if table is not None:
                console.print(table)
        fields = "; ".join(f"{name} ({_short(value) or 'empty'})" for name, value in each.unmapped.items())
        say(f"Fields that are not mapped: {fields or 'none'}")
        for what in each.exceeds:
            share, most = each.counts[what] / each.counts["records"], share_of(each.name, settings)
            say(f"{each.name}: {share:.0%} of these records {COUNTED[what]}, more than the {most:.0%} of reject_share")
    say("\nNothing was written.")


def _headline(checked: SourceCheck, source: SourceSettings) -> str:
    kept = f"{checked.n_files:,} files, {checked.n_bytes:,} bytes"
    first = f"the first {checked.n_records} records of each"
    opened = first if checked.n_files <= FILES else f"{first} of the {FILES} newest"
    form = f"kind {source.kind}, encoding {source.encoding}"
    return f"{checked.name} ({form}): {kept}; {opened}"


def _files(checked: SourceCheck) -> Table:
    rows = [
        {"file": each.file.path, "format": each.format, **{name: each.counts[name] for name in _COUNTS}}
        for each in checked.looked
    ]
    title = "Files" if len(rows) <= _FILES_SHOWN else f"Files ({_FILES_SHOWN} of {len(rows):,} shown)"
    return _table(title, rows[:_FILES_SHOWN])


def _mapping(checked: SourceCheck, source: SourceSettings) -> Table:
    rows = [
        {"column": each.column, "field": each.field, "records": each.records, "example": _short(each.example)}
        for each in checked.mapped
    ]
    mapped = {each.column for each in checked.mapped}
    rows += [
        {"column": column, "field": "(default)", "records": None, "example": _short(value)}
        for column, value in source.defaults.items()
        if column not in mapped
    ]
    return _table("Columns of documents", rows)


def _faults(faults: Sequence[Fault]) -> Table | None:
    if not faults:
        return None
    numbers = Counter(fault.reason for fault in faults)
    first = {fault.reason: fault for fault in reversed(faults)}
    rows = [
        {
            "reason": reason,
            "records": number,
            "becomes": "field NULL" if reason in set(Problem) else "rejected",
            "example": f"{first[reason].path} at {first[reason].position}: {first[reason].detail}",
        }
        for reason, number in numbers.most_common()
    ]
    return _table("What could not be read", rows)


def _table(title: str, rows: Sequence[dict[str, Any]]) -> Table:
    shown = [{name.replace("_", " "): value for name, value in row.items()} for row in rows]
    return make_table(title, list(shown[0]), shown)


def _short(value: object) -> str:
    flat = "" if value is None else " ".join(str(value).split())
    return flat if len(flat) <= _LONGEST else flat[: _LONGEST - 1] + "…"
