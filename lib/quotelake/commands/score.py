"""The main job: new files in, scored Delta tables out. Without arguments: the sample corpus into ./lake."""

from argparse import Namespace
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from rich.console import Console

from quotelake.commands.console import make_console, make_table, print_line
from quotelake.commands.export import check_target
from quotelake.commands.run_log import logged
from quotelake.contextomy.decide import load_detector
from quotelake.embeddings import models
from quotelake.errors import InputError, RejectShareError, SettingsError
from quotelake.files.values import field_name
from quotelake.lake.place import check_writable
from quotelake.lake.runs import Run
from quotelake.quotes.spans import find_quotes
from quotelake.sample import sample_inputs
from quotelake.settings import Settings, load_settings
from quotelake.sources.check import FILES, SourceCheck, check_mapping, check_source
from quotelake.sources.files import InputFile, list_files
from quotelake.sources.records import format_of
from quotelake.sources.rejects import Problem, complaint, exceeded
from quotelake.spark.installation import check_environment
from quotelake.text.words import shortened
from quotelake.watch.lists import read_list

_LONGEST = 60  # characters of an example
_FILES_SHOWN = 20


def run(arguments: Namespace) -> None:
    """Run the chain on new files; with ``--check`` only read their first records."""
    files = (None, None) if arguments.check else (arguments.log_json, arguments.metrics)
    with logged(*files) as log:
        settings = load_settings(arguments.config, arguments.set)
        log.settings_fingerprint = settings.fingerprint
        inputs = [_input(text, settings) for text in arguments.input]
        if not inputs and not arguments.retry_set_aside:
            inputs = sample_inputs()
        watched = None if arguments.watch is None else read_list(arguments.watch)
        if arguments.check:
            load_detector(settings.contextomy)
            models.locate(settings.model.name or models.DEFAULT)
            check_writable(arguments.lake)
            check_target(settings.report)
            _check(inputs, settings, make_console())
            return
        check_environment()
        from quotelake.commands.chain import run_chain  # these bring Spark, which neither a check nor the help needs
        from quotelake.lake.tables import Lake

        def process(lake: Lake, run: Run) -> list[str]:
            from quotelake.nightly.intake import find_inputs  # imported while Java started
            from quotelake.nightly.plan import score_corpus

            for text in watched or ():
                if text.exact:
                    fault = "too short for changed wordings; only its unchanged words are found"
                    run.report(f"  watched text {text.watch_id}: {fault}")
            reread = frozenset(arguments.reread)
            return score_corpus(
                lake, run, settings, find_inputs(lake, run, settings, inputs, reread), activate=arguments.activate,
                reread=reread, watched=watched, retry=arguments.retry_set_aside,
                read_again=arguments.activate_reader,
            )  # fmt: skip

        run_chain(arguments.lake, settings, inputs, process, log, arguments.night, strict=arguments.strict)


def _input(text: str, settings: Settings) -> tuple[str, str]:
    name, sign, pattern = text.partition("=")
    if not sign or not name or not pattern:
        raise InputError(f"--input {text!r}: expected NAME=GLOB, such as us_news=/data/us_news*.jsonl.gz")
    if name not in settings.sources:
        known = ", ".join(sorted(settings.sources))
        raise SettingsError(f"--input {text!r}: no [sources.{name}] in the settings; declared are: {known}")
    return name, pattern


def _check(inputs: Sequence[tuple[str, str]], settings: Settings, console: Console) -> None:
    """Print what a run would make of its inputs; complain as it would."""
    files: dict[str, dict[InputFile, None]] = {}
    for name, pattern in inputs:
        files.setdefault(name, {}).update(dict.fromkeys(list_files(name, pattern)))
    checked = [check_source(name, list(each), settings, datetime.now(UTC), find_quotes) for name, each in files.items()]
    unused = sorted(set(settings.sources) - files.keys())
    print_line(console, "Settings: valid. Declared sources without an input: " + (", ".join(unused) or "none"))
    for source in checked:
        show_source(source, settings, console)
    print_line(console, "\nNothing was written.")
    for warning in check_mapping([file for each in files.values() for file in each], settings, find_quotes):
        print_line(console, warning)
    refused = [each.name for each in checked if exceeded(each.name, each.counts, settings)]
    if refused:
        raise RejectShareError(
            f"a run would end with status 3: too many records of {', '.join(refused)} cannot be read"
        )


def show_source(checked: SourceCheck, settings: Settings, console: Console) -> None:
    """Print what a run would make of a source."""
    source, name, counts = settings.sources[checked.name], checked.name, checked.counts
    opened = f"the first {checked.n_records} records of each"
    opened += "" if len(checked.files) <= FILES else f" of the {FILES} newest"
    size = f"{len(checked.files):,} files, {sum(file.size for file in checked.files):,} bytes"
    print_line(console, f"\n{name} (kind {source.kind}, encoding {source.encoding}): {size}; {opened}")

    shown = [*checked.by_file.items()][:_FILES_SHOWN]
    title = "Files" if len(shown) == len(checked.by_file) else f"Files ({len(shown)} of {len(checked.by_file):,} shown)"
    counted = ["records", "documents", "rejects", *(["filtered"] if counts["filtered"] else []), "unread_dates"]
    files = [
        {"file": file.path, "format": format_of(file.path, source.format)}
        | {what.replace("_", " "): its[what] for what in counted}
        for file, its in shown
    ]
    console.print(make_table(title, files))
    rows: list[dict[str, Any]] = [
        {"column": column, "field": field_name(field), "records": checked.stated[column],
         "example": shortened(checked.examples.get(column), _LONGEST)}
        for column, field in source.fields.items()
    ]  # fmt: skip
    defaults = {column: value for column, value in source.defaults.items() if column not in source.fields}
    rows += [{"column": c, "field": "(default)", "records": None, "example": v} for c, v in defaults.items()]
    console.print(make_table("Columns of documents", rows))

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
        console.print(make_table("What could not be read", faults))

    documents = f"{counts['with_quotes']:,} of {counts['documents']:,} documents"
    print_line(console, f"Quotations: {counts['quotes']:,}, in {documents}")
    unmapped = [f"{field} ({shortened(value, _LONGEST) or 'empty'})" for field, value in checked.unmapped.items()]
    print_line(console, f"Fields that are not mapped: {'; '.join(unmapped) or 'none'}")
    for what in exceeded(name, counts, settings):
        print_line(console, complaint(name, what, counts, None, settings))
