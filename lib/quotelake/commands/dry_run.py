"""What ``score --check`` prints: what a run would make of the first records of its inputs."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rich.console import Console

from quotelake.commands.console import make_table, print_line
from quotelake.files.values import field_name
from quotelake.settings import Settings
from quotelake.sources.check import FILES, SourceCheck
from quotelake.sources.records import format_of
from quotelake.sources.rejects import COUNTED, Problem, exceeded, share_of
from quotelake.text.printable import shortened

_LONGEST = 60  # characters of an example
_FILES_SHOWN = 20


def show_dry_run(checked: Sequence[SourceCheck], settings: Settings, console: Console) -> None:
    """Print what a run would make of its sources."""
    unused = sorted(set(settings.sources) - {source.name for source in checked})
    print_line(console, "Settings: valid. Declared sources without an input: " + (", ".join(unused) or "none"))
    for source in checked:
        _show_source(source, settings, console)
    print_line(console, "\nNothing was written.")


def _show_source(checked: SourceCheck, settings: Settings, console: Console) -> None:
    source, name, counts = settings.sources[checked.name], checked.name, checked.counts
    opened = f"the first {checked.n_records} records of each"
    opened += "" if len(checked.files) <= FILES else f" of the {FILES} newest"
    size = f"{len(checked.files):,} files, {sum(file.size for file in checked.files):,} bytes"
    print_line(console, f"\n{name} (kind {source.kind}, encoding {source.encoding}): {size}; {opened}")

    shown = [*checked.by_file.items()][:_FILES_SHOWN]
    title = "Files" if len(shown) == len(checked.by_file) else f"Files ({len(shown)} of {len(checked.by_file):,} shown)"
    counted = ("records", "documents", "rejects", *(["filtered"] if counts["filtered"] else []), "unread_dates")
    files = [
        {"file": file.path, "format": format_of(file.path, source.format)}
        | {what.replace("_", " "): its[what] for what in counted}
        for file, its in shown
    ]
    console.print(make_table(title, list(files[0]), files))

    columns: list[tuple[str, str, int | None, Any]] = [
        (column, field_name(field), checked.stated[column], checked.examples.get(column))
        for column, field in source.fields.items()
    ]
    columns += [
        (name, "(default)", None, value) for name, value in source.defaults.items() if name not in source.fields
    ]
    names = ("column", "field", "records", "example")
    rows = [dict(zip(names, (*row, shortened(example, _LONGEST)), strict=True)) for *row, example in columns]
    console.print(make_table("Columns of documents", names, rows))

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
        console.print(make_table("What could not be read", list(faults[0]), faults))

    print_line(
        console, f"Quotations: {counts['quotes']:,}, in {counts['with_quotes']:,} of {counts['documents']:,} documents"
    )
    unmapped = [f"{field} ({shortened(value, _LONGEST) or 'empty'})" for field, value in checked.unmapped.items()]
    print_line(console, f"Fields that are not mapped: {'; '.join(unmapped) or 'none'}")
    for what in exceeded(name, counts, settings):
        share = counts[what] / (counts["records"] - counts["filtered"])
        most = share_of(name, settings)
        print_line(
            console, f"{name}: {share:.0%} of these records {COUNTED[what]}, more than the {most:.0%} of reject_share"
        )
