"""What a run would make of the first records of each file, by the parser of the run itself. Writes nothing. Pure."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any

from quotelake.settings import Settings
from quotelake.sources.inputs import InputFile
from quotelake.sources.parse import to_document, value_at
from quotelake.sources.raw import RawRecord
from quotelake.sources.records import Format, format_of, read_file
from quotelake.sources.rejects import UNREAD_DATE, Reason
from quotelake.sources.shares import exceeded

#: Files opened per source: the newest.
FILES = 200
#: Records read of each file: of few files the most, and of many the least.
MOST, LEAST = 200, 20
_RECORDS = 4000
#: Authors are hashed by the secret of a lake, and there is no lake: no hash is shown.
_NO_KEY = bytes(32)


@dataclass(frozen=True)
class Fault:
    """A record that would be rejected, or a field of one that would be NULL.

    Args:
        reason: one of ``Reason`` or ``Problem``.
        path: file.
        position: of the record in it (``rejects.position``).
        detail: what was found.
    """

    reason: str
    path: str
    position: int
    detail: str


@dataclass
class Looked:
    """What the first records of a file would become.

    Attributes:
        file: the file.
        format: of its records.
        counts: records, documents, rejects, unread dates.
    """

    file: InputFile
    format: Format
    counts: Counter[str] = field(default_factory=Counter)


@dataclass
class Mapped:
    """A column of documents and the field of the records that it is taken from.

    Attributes:
        column: of ``documents``, or the value that one is derived from.
        field: of the records.
        records: how many of the records have it.
        example: the first value, of a record that would be kept if there is one; a date in UTC, as it would be stored.
        kept: whether the example is of such a record, and was kept itself.
    """

    column: str
    field: str
    records: int = 0
    example: Any = None
    kept: bool = False


@dataclass
class Checked:
    """What a run would make of the first records of a source.

    Attributes:
        name: of the source.
        n_files: files that the patterns name; only the newest are opened.
        n_bytes: of all of them.
        n_records: records of each file that are read at most.
        looked: the files that were opened.
        mapped: columns in the order of the settings.
        unmapped: fields of the records that no column is taken from, with the first value.
        faults: in the order of files and records.
        exceeds: which counts exceed the share of the source (:data:`quotelake.sources.shares.COUNTED`).
    """

    name: str
    n_files: int
    n_bytes: int
    n_records: int
    looked: list[Looked] = field(default_factory=list)
    mapped: list[Mapped] = field(default_factory=list)
    unmapped: dict[str, Any] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    exceeds: list[str] = field(default_factory=list)

    @property
    def counts(self) -> Counter[str]:
        """Records, documents, rejects and unread dates of all files."""
        return sum((each.counts for each in self.looked), Counter())


def check_source(name: str, files: Sequence[InputFile], settings: Settings, now: datetime) -> Checked:
    """Read the first records of the newest :data:`FILES` files of a source: 20 to 200 of each.

    Args:
        name: of the source.
        files: all that its inputs name.
        settings: those of the run.
        now: in UTC; dates more than two days later are absurd.

    Raises:
        InputError: neither the ending of a file nor its source says its format.
    """
    source = settings.sources[name]
    n_records = min(MOST, max(LEAST, _RECORDS // max(len(files), 1)))
    checked = Checked(name, len(files), sum(file.size for file in files), n_records)
    checked.mapped = [Mapped(column, each) for column, each in source.fields.items()]
    for file in sorted(files, key=lambda file: (file.modified, file.path), reverse=True)[:FILES]:
        looked = Looked(file, format_of(file.path, source.format))
        checked.looked.append(looked)
        for record in islice(read_file(file.path, looked.format, source, settings.ingest), n_records):
            _check_record(record, looked, checked, settings, now)
    checked.exceeds = exceeded(name, checked.counts, settings)
    return checked


def _check_record(record: RawRecord, looked: Looked, checked: Checked, settings: Settings, now: datetime) -> None:
    path, counts, faults = looked.file.path, looked.counts, checked.faults
    counts["records"] += 1
    if record.reason is not None or record.value is None:
        counts["rejects"] += 1
        faults.append(Fault(str(record.reason or Reason.MALFORMED), path, record.position, record.detail))
        return
    source = settings.sources[checked.name]
    made = to_document(
        record.value, checked.name, source, settings.ingest, author_key=_NO_KEY, now=now, problems=record.problems
    )
    for each in checked.mapped:
        _note_example(each, record.value, made if isinstance(made, dict) else None)
    wanted = set(source.fields.values())
    for name, value in _fields(record.value, wanted):
        if checked.unmapped.get(name) is None:
            checked.unmapped[name] = value
    if not isinstance(made, dict):
        counts["rejects"] += 1
        faults.append(Fault(str(made[0]), path, record.position, made[1]))
        return
    counts["documents"] += 1
    problems = made["field_problems"] or []
    counts["unread_dates"] += any(problem["problem"] in UNREAD_DATE for problem in problems)
    for problem in problems:
        faults.append(Fault(problem["problem"], path, record.position, f"{problem['field']} is {problem['found']}"))


def _note_example(mapped: Mapped, record: Mapping[str, Any], document: Mapping[str, Any] | None) -> None:
    value = value_at(record, mapped.field)
    if value is None or value == "":
        return
    mapped.records += 1
    kept = document is not None and document.get(mapped.column, value) is not None  # a date that is no date is not
    if mapped.example is None or (kept and not mapped.kept):
        stored = None if document is None else document.get(mapped.column)
        mapped.example = stored if isinstance(stored, datetime) else value
        mapped.kept = kept


def _fields(record: Mapping[str, Any], mapped: set[str], within: str = "") -> Iterator[tuple[str, Any]]:
    """Fields that are not mapped, with their values; of one that holds a mapped field, the others inside it.

    >>> list(_fields({"id": 1, "user": {"id": 2, "name": "x"}}, {"id", "user.id"}))
    [('user.name', 'x')]
    """
    for name, value in record.items():
        full = f"{within}{name}"
        if full in mapped:
            continue
        if isinstance(value, Mapping) and any(each.startswith(f"{full}.") for each in mapped):
            yield from _fields(value, mapped, f"{full}.")
        else:
            yield full, value
