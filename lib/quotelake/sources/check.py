"""The check of inputs: what a run would make of the first records of each file, read as it would read them.

The start of a run looks only for the mapped fields: a misspelt one would reject a whole corpus. ``score --check`` makes
documents of the records too. Writes nothing. Pure.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import islice
from typing import Any

from quotelake.errors import InputError
from quotelake.files.values import Name, condition, field_name, getter, names_in
from quotelake.program import shipped
from quotelake.settings import Settings
from quotelake.sources.files import InputFile
from quotelake.sources.parse import Parser, deletion_condition
from quotelake.sources.records import NUMBER, Format, format_of, read_file
from quotelake.sources.rejects import ASKED_FOR, UNREAD_DATE, Fault, RawRecord, Reason, exceeded

#: Files of a source whose records are made documents: the newest.
FILES = 200
#: Records read of each file: of few files the most, and of many the least.
MOST, LEAST = 200, 20
_RECORDS = 4000
#: Shapes of a source whose fields are looked at, files of a shape tried until one has records, and fields of a message.
_SHAPES, _TRIED, _NAMES = 20, 5, 30
#: Parts in which the names of similar files differ: dates, counters, and the hashes of Spark's files.
_VARYING = re.compile(r"(?:[-_.:t]?[0-9a-f]*[0-9][0-9a-f]*)+")
#: Shown in place of what a source of tweets states and ``documents`` does not hold: it may name the author.
HIDDEN = "(not shown)"
#: Finds the quotations of a text: the text, and ``body``, ``headline`` or ``tweet``.
Find = Callable[[str, str], Sized]
#: Authors are hashed by the secret of a lake, and there is no lake: no hash is shown.
_NO_KEY = bytes(32)


@dataclass
class FileCheck:
    """What the first records of a file hold, and would become."""

    file: InputFile
    format: Format
    #: Columns whose field none of the records has, and that field.
    absent: dict[str, Name]
    #: Records, documents, rejects, filtered records, unread dates; documents with quotes, and these.
    counts: Counter[str] = field(default_factory=Counter)
    #: Records that could be read, and the names of the fields in these.
    usable: int = 0
    fields: dict[str, None] = field(default_factory=dict)


@dataclass
class MappedColumn:
    """A column of documents, or what one is derived from, and the field that so many records have for it."""

    column: str
    field: Name
    records: int = 0
    #: The first value, of a record that would be kept if there is one; a date as it would be stored, in UTC or as a
    #: day. Of a tweet only what is stored as it stands, else :data:`HIDDEN`.
    example: Any = None
    #: Whether the example is of such a record, and was kept itself.
    kept: bool = False

    def note(self, record: Mapping[str, Any], document: Mapping[str, Any] | None, *, is_tweet: bool) -> None:
        """Take a record into account, and the document that it would become, if it would."""
        value = getter(self.field)(record)
        if value is None or value == "":
            return
        self.records += 1
        stated = HIDDEN if is_tweet else value
        stored = None if document is None else document.get(self.column, stated)
        if document is not None and self.column == "published_at" and document["date_only"]:
            stored = document["published_on"]
        kept = stored is not None  # a date that is no date is not
        if self.example is None or (kept and not self.kept):
            self.example = stored if isinstance(stored, date) or (is_tweet and kept) else stated
            self.kept = kept


@dataclass
class SourceCheck:
    """What a run would make of the first records of a source."""

    name: str
    #: Files that the patterns name, and their bytes; only the newest are opened.
    n_files: int
    n_bytes: int
    #: Records of each file that are read at most.
    n_records: int
    #: Columns in the order of the settings.
    mapped: list[MappedColumn]
    #: The files that were opened.
    looked: list[FileCheck] = field(default_factory=list)
    #: Fields of the records that no column is taken from, with the first value; of tweets :data:`HIDDEN`.
    unmapped: dict[str, Any] = field(default_factory=dict)
    #: In the order of files and records.
    faults: list[Fault] = field(default_factory=list)
    #: Of each shape of the source, the newest file that has records.
    heads: list[FileCheck] = field(default_factory=list)
    #: Records at the beginning of files that the settings leave out.
    left_out: int = 0
    #: Whether the body of a record of the heads has a quotation; None where none was looked for.
    has_quotes: bool | None = None
    #: Which counts exceed the share of the source (:data:`quotelake.sources.rejects.COUNTED`).
    exceeds: list[str] = field(default_factory=list)

    @property
    def counts(self) -> Counter[str]:
        """Counts of all files."""
        return sum((each.counts for each in self.looked), Counter())


def check_source(
    name: str, files: Sequence[InputFile], settings: Settings, now: datetime | None = None, find: Find | None = None
) -> SourceCheck:
    """Read the first records of a source: 20 to 200 of each of the newest :data:`FILES` files, 200 of each head.

    Files have the same shape if their format is the same and their names differ only in numbers and hashes:
    ``us_2024-01-01.jsonl`` and ``us_2024-01-02.jsonl``, but not ``uk_2024-01-01.jsonl``. Fields are looked for in the
    heads: of each of the 20 newest shapes the newest file that has records; five files are tried.

    Args:
        name: of the source.
        files: all that its inputs name.
        settings: those of the run.
        now: in UTC; dates more than two days later are absurd. None: only the fields of the heads are looked at.
        find: finds quotations, which are counted; None: they are not.

    Raises:
        InputError: neither the ending of a file nor its source says its format.
    """
    source = settings.sources[name]
    n_records = min(MOST, max(LEAST, _RECORDS // max(len(files), 1)))
    mapped = [MappedColumn(column, each) for column, each in source.fields.items()]
    checked = SourceCheck(name, len(files), sum(file.size for file in files), n_records, mapped)
    is_wanted, is_deletion = condition(source.where), deletion_condition(source)
    parser = None if now is None else Parser(name, source, settings.ingest, author_key=_NO_KEY, now=now)
    tried, shapes = Counter[tuple[str, str]](), set[tuple[str, str]]()
    for number, file in enumerate(sorted(files, key=lambda file: (file.modified, file.path), reverse=True)):
        format = format_of(file.path, source.format)
        shape = format, _VARYING.sub("#", file.path.rpartition("/")[2].lower())
        is_head = shape not in shapes and (tried[shape] or len(tried) < _SHAPES) and tried[shape] < _TRIED
        is_parsed = parser is not None and number < FILES
        if not is_head and not is_parsed:
            continue
        looked = FileCheck(file, format, {str(column): name for column, name in source.fields.items()})
        records = read_file(file.path, format, source, settings.ingest)
        for position, record in enumerate(islice(records, MOST if is_head else n_records)):
            if record.reason is Reason.FILTERED or (record.value is not None and not is_wanted(record.value)):
                checked.left_out += record.value is None or not is_deletion(record.value)
            elif record.value is not None and not is_deletion(record.value):
                looked.usable += 1
                looked.fields |= dict.fromkeys(record.value)
                for column, each in [*looked.absent.items()]:
                    if not names_in(each).isdisjoint(looked.fields) or getter(each)(record.value) is not None:
                        del looked.absent[column]
                if find is not None and not checked.has_quotes:
                    body = getter(source.fields["body"])(record.value)
                    texts = [each for each in (body if isinstance(body, list) else [body]) if isinstance(each, str)]
                    checked.has_quotes = source.quoted or any(len(find(text, "body")) for text in texts)
            if is_parsed and parser is not None and position < n_records:
                _check_record(record, looked, checked, parser, find)
        if is_parsed:
            checked.looked.append(looked)
        if is_head:
            tried[shape] += 1
            if looked.usable:
                shapes.add(shape)
                checked.heads.append(looked)
    checked.exceeds = exceeded(name, checked.counts, settings)
    return checked


def _check_record(
    record: RawRecord, looked: FileCheck, checked: SourceCheck, parser: Parser, find: Find | None
) -> None:
    source, counts = parser.source, looked.counts
    made = parser.document(record)
    if isinstance(made, dict):
        document: Mapping[str, Any] | None = made
        faults = [(each["problem"], f"{each['field']} is {each['found']}") for each in made["field_problems"] or ()]
    else:
        document, faults = None, [] if made[0] in ASKED_FOR else [made]
        counts["rejects_asked_for"] += made[0] in ASKED_FOR
    counts["records"] += 1
    if not isinstance(made, dict) and made[0] is Reason.FILTERED:
        counts["filtered"] += 1
        return
    counts["rejects" if document is None else "documents"] += 1
    if find is not None and document is not None:
        modes = ("tweet",) if source.kind == "tweet" else ("headline", "body")
        texts = [(document["headline" if mode == "headline" else "body"], mode) for mode in modes]
        found = sum(1 if source.quoted and mode != "headline" else len(find(text or "", mode)) for text, mode in texts)
        counts += Counter(quotes=found, with_quotes=int(found > 0))
    counts["unread_dates"] += any(reason in UNREAD_DATE for reason, _ in faults)
    checked.faults += [Fault(str(reason), looked.file.path, record.position, detail) for reason, detail in faults]
    if record.value is None:
        return
    is_tweet = source.kind == "tweet"
    for column in checked.mapped:
        column.note(record.value, document, is_tweet=is_tweet)
    mapped = {each for name in (*source.fields.values(), *source.keep, *source.where) for each in names_in(name)}
    for name, value in _fields(record.value, mapped):
        if checked.unmapped.get(name) is None:
            checked.unmapped[name] = HIDDEN if is_tweet else value


def _fields(record: Mapping[str, Any], mapped: set[str], within: str = "") -> Iterator[tuple[str, Any]]:
    """Fields that are not mapped, with their values; of one that holds a mapped field, the others inside it.

    >>> list(_fields({"id": 1, "user": {"id": 2, "name": "x"}}, {"id", "user.id"}))
    [('user.name', 'x')]
    """
    for name, value in record.items():
        full = f"{within}{name}"
        if full in mapped or full == NUMBER:
            continue
        if not any(each.startswith(f"{full}.") for each in mapped):
            yield full, value
        elif isinstance(value, Mapping):  # of a list with mapped items nothing is said
            yield from _fields(value, mapped, f"{full}.")


def check_mapping(files: Sequence[InputFile], settings: Settings, find: Find | None = None) -> list[str]:
    """Look for the mapped fields, and by ``find`` for quotations, in the first records of each source.

    Returns:
        A warning for each mapped field that none of the records has; where the settings leave out all of them; and
        where none has a quotation. See :func:`check_source`.

    Raises:
        InputError: the first records of a file have no body, or for news no headline; or the format of a file is
            unknown.
    """
    names = dict.fromkeys(file.source for file in files)
    checked = [
        check_source(name, [file for file in files if file.source == name], settings, find=find) for name in names
    ]
    return [warning for each in checked for warning in missing_fields(each, settings)]


def missing_fields(checked: SourceCheck, settings: Settings) -> list[str]:
    """A warning for each mapped field that no head of a source has, and of heads without any document or quotation.

    Raises:
        InputError: a head lacks the field of a column that is needed.
    """
    name, source = checked.name, settings.sources[checked.name]

    def missing(head: FileCheck, column: str) -> str:
        return (
            f"{head.file.path}: none of the first {head.usable} records has the field of sources.{name}.fields.{column}"
            f" = {field_name(head.absent[column])!r}"
        )

    needed = ("body",) if source.kind == "tweet" else ("body", "headline")
    for head in checked.heads:
        for column in (column for column in head.absent if column in needed):
            listed = ", ".join(list(head.fields)[:_NAMES]) + (", ..." if len(head.fields) > _NAMES else "")
            other = f", or sources.{name}.delimiter if {source.delimiter!r} does not separate the cells"
            raise InputError(
                f"{missing(head, column)}; fields found: {listed or 'none'}. Set sources.{name}.fields.{column} to the "
                f"one that holds the {column}{other if len(head.fields) == 1 and head.format == 'csv' else ''}"
            )
    said = []
    if not checked.heads and checked.left_out:
        set_ = ", ".join(each for each in ("items", "explode", "where") if getattr(source, each)) or "format"
        said.append(f"{name}: none of the first records becomes a document; look at {set_} of sources.{name}")
    usable = sum(head.usable for head in checked.heads)
    if checked.has_quotes is False and usable >= LEAST:
        said.append(
            f"{name}: no quotation in the bodies of the first {usable} records. If each record is a quotation, set "
            f"sources.{name}.quoted; if fields of it are quotations, see “Records of any form” in "
            f"{shipped('docs/CORPUS.md')}"
        )
    return said + [
        f"{missing(head, column)}; the {column} stays empty"
        for head in checked.heads[:1]
        for column in source.fields  # a field that another shape has is no misspelt one
        if all(column in each.absent for each in checked.heads)
    ]
