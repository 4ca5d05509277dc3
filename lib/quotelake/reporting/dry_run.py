"""Prints what a run would make of the first records of each source: files, mapping, and what would be rejected."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from quotelake.reporting.console import make_table
from quotelake.settings import Settings, SourceSettings
from quotelake.sources.check import FILES, Checked, Fault
from quotelake.sources.rejects import Problem
from quotelake.sources.shares import COUNTED, share_of

_LONGEST = 60  # characters of an example
_FILES_SHOWN = 20
_COUNTS = ("records", "documents", "rejects", "unread_dates")


def show_dry_run(checked: Sequence[Checked], settings: Settings, console: Console) -> None:
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


def _headline(checked: Checked, source: SourceSettings) -> str:
    kept = f"{checked.n_files:,} files, {checked.n_bytes:,} bytes"
    first = f"the first {checked.n_records} records of each"
    opened = first if checked.n_files <= FILES else f"{first} of the {FILES} newest"
    form = f"kind {source.kind}, encoding {source.encoding}"
    return f"{checked.name} ({form}): {kept}; {opened}"


def _files(checked: Checked) -> Table:
    rows = [
        {"file": each.file.path, "format": each.format, **{name: each.counts[name] for name in _COUNTS}}
        for each in checked.looked
    ]
    title = "Files" if len(rows) <= _FILES_SHOWN else f"Files ({_FILES_SHOWN} of {len(rows):,} shown)"
    return _table(title, rows[:_FILES_SHOWN])


def _mapping(checked: Checked, source: SourceSettings) -> Table:
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
