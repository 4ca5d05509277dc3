"""The command ``score``: run the chain on new files and show what was found; or only check the files."""

from argparse import Namespace
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache

from rich.console import Console

from quotelake.errors import InputError, RejectShareError, SettingsError
from quotelake.lake.place import check_writable, is_local
from quotelake.reporting.console import make_console
from quotelake.reporting.dry_run import show_dry_run
from quotelake.sample import sample_inputs
from quotelake.settings import Settings, load_settings
from quotelake.sources.check import check_source, missing_fields
from quotelake.sources.files import InputFile, list_files
from quotelake.sources.shares import REMEDY
from quotelake.spark.environment import check_environment


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
    from quotelake.nightly.pipeline import score_corpus
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
