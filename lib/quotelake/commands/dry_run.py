"""What ``score --check`` prints: what a run would make of the first records of its inputs."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rich.console import Console

from quotelake.commands.console import make_table, say
from quotelake.files.values import field_name
from quotelake.settings import Settings
from quotelake.sources.check import FILES, SourceCheck
from quotelake.sources.rejects import COUNTED, Problem, share_of
from quotelake.text.printable import shortened

_LONGEST = 60  # characters of an example
_FILES_SHOWN = 20
_COUNTS = ("records", "documents", "rejects", "filtered", "unread_dates")


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
