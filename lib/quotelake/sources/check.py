"""Checks of input files before a run: are the mapped fields there, and what would become of the first records?

A run begins with :func:`check_mapping`: a misspelt field would reject a whole corpus. ``score --check`` makes documents
too (:func:`check_source`). Both read as a run reads, and write nothing. Pure.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain, islice, product
from typing import Any

from quotelake.errors import InputError
from quotelake.files.values import Name, condition, field_name, getter, names_in
from quotelake.program import shipped
from quotelake.settings import Settings
from quotelake.source_settings import NewsField
from quotelake.sources.files import InputFile
from quotelake.sources.parse import Document, Parser
from quotelake.sources.records import NUMBER, Format, format_of, read_file
from quotelake.sources.rejects import ASKED_FOR, UNREAD_DATE, Fault, Reason

#: Files of a source whose records are made documents: the newest.
FILES = 200
#: Records read of each file: of few files the most, and of many the least.
MOST, LEAST = 200, 20
_RECORDS = 4000
#: Shapes of a source that are looked at, files of a shape tried until one has records, and fields that a message lists.
_SHAPES, _TRIED, _NAMES = 20, 5, 30
#: Signs that may separate the cells of a table; a comma does unless its source states another.
_DELIMITERS = ";\t|"
#: Parts in which the names of similar files differ: dates, counters, and the hashes of Spark's files.
_VARYING = re.compile(r"(?:[-_.:t]?[0-9a-f]*[0-9][0-9a-f]*)+")
#: Shown in place of what a source of tweets states and ``documents`` does not hold: it may name the author.
HIDDEN = "(not shown)"
#: Finds the quotations of a text: the text, and ``body``, ``headline`` or ``tweet``.
Find = Callable[[str, str], Sized]
Record = Mapping[str, Any]


@dataclass
class SourceCheck:
    """What a run would make of the first records of the newest files of a source."""

    name: str
    files: Sequence[InputFile]  #: all that the inputs name, of which the newest are read
    n_records: int  #: read of each file at most
    #: Of each file read: records, documents, rejects, filtered records, unread dates; documents with quotes, and these.
    by_file: dict[InputFile, Counter[str]] = field(default_factory=dict)
    stated: Counter[str] = field(default_factory=Counter)  #: records with a value, by column
    examples: dict[str, Any] = field(default_factory=dict)  #: by column the first value that a document would hold
    unmapped: dict[str, Any] = field(default_factory=dict)  #: fields that no column is taken from, with the first value
    faults: list[Fault] = field(default_factory=list)  #: in the order of files and records

    @property
    def counts(self) -> Counter[str]:
        """Counts of all files."""
        return sum(self.by_file.values(), Counter())


def check_source(name: str, files: Sequence[InputFile], settings: Settings, now: datetime, find: Find) -> SourceCheck:
    """Make documents of the first 20 to 200 records of each of the newest :data:`FILES` files of a source.

    Dates more than two days later than ``now``, in UTC, are absurd. The quotations that ``find`` finds are counted. An
    InputError: neither the ending of a file nor its source says its format.
    """
    source = settings.sources[name]
    checked = SourceCheck(name, files, min(MOST, max(LEAST, _RECORDS // max(len(files), 1))))
    parser = Parser(name, source, settings.ingest, author_key=bytes(32), now=now)  # the hash of an author is not shown
    for file in _newest_first(files)[:FILES]:
        counts = checked.by_file[file] = Counter()
        records = read_file(file.path, format_of(file.path, source.format), source, settings.ingest)
        for record in islice(records, checked.n_records):
            made, document = parser.document(record), None
            counts["records"] += 1
            if isinstance(made, dict):
                document, problems = made, made["field_problems"] or ()
                faults = [(each["problem"], f"{each['field']} is {each['found']}") for each in problems]
                mode = "tweet" if source.kind == "tweet" else "body"
                in_body = 1 if made["is_quote"] else len(find(made["body"], mode))
                quotes = in_body + len(find(made["headline"] or "", "headline"))
                counts += Counter(documents=1, quotes=quotes, with_quotes=int(quotes > 0))
                counts["unread_dates"] += any(each["problem"] in UNREAD_DATE for each in problems)
            elif made[0] is Reason.FILTERED:
                counts["filtered"] += 1
                continue
            else:
                counts += Counter(rejects=1, rejects_asked_for=int(made[0] in ASKED_FOR))
                faults = [] if made[0] in ASKED_FOR else [made]
            checked.faults += [Fault(str(reason), file.path, record.position, detail) for reason, detail in faults]
            if record.value is not None:
                _note_fields(checked, parser, record.value, document)
    return checked


def _newest_first(files: Sequence[InputFile]) -> list[InputFile]:
    return sorted(files, key=lambda file: (file.modified, file.path), reverse=True)


def _note_fields(checked: SourceCheck, parser: Parser, record: Mapping[str, Any], document: Document | None) -> None:
    """Add the values of a record to counts and examples; without a document it was rejected."""
    source, is_tweet = parser.source, parser.source.kind == "tweet"
    for column, get in parser.getters.items():
        value = get(record)
        if value is None or value == "":
            continue
        checked.stated[column] += 1
        if document is not None:
            is_day = column == "published_at" and document["date_only"]
            stored = document.get("published_on" if is_day else column, HIDDEN if is_tweet else value)
            if stored is not None:  # a date that cannot be read
                checked.examples.setdefault(column, stored)
    named = (*source.fields.values(), *source.keep, *source.where, NUMBER)
    mapped = {part for name in named for full in names_in(name) for part in (full, full.partition(".")[0])}
    for name, value in record.items():
        if name not in mapped and checked.unmapped.get(name) is None:
            checked.unmapped[name] = HIDDEN if is_tweet else value


def check_mapping(files: Sequence[InputFile], settings: Settings, find: Find) -> list[str]:
    """Look for the mapped fields, and by ``find`` for quotations, in the first 200 records of files of each source.

    Files whose names differ only in numbers and hashes have one shape: ``us_2024-01-01.jsonl`` and
    ``us_2024-01-02.jsonl``, but not ``uk_2024-01-01.jsonl``. Of each of the 20 newest shapes the newest file that has
    records is read; five files are tried. A warning is given for each mapped field that none of the records has, where
    the settings leave out all of them, and where none has a quotation. An InputError: the first records of a file have
    no body, or for news no headline; or its format is unknown.
    """
    names = dict.fromkeys(file.source for file in files)
    by_source = {name: [file for file in files if file.source == name] for name in names}
    return [warning for name, its in by_source.items() for warning in _missing_fields(name, its, settings, find)]


def _missing_fields(name: str, files: Sequence[InputFile], settings: Settings, find: Find) -> list[str]:
    source = settings.sources[name]
    heads, left_out = _heads(name, files, settings)

    def missing(path: str, column: NewsField) -> str:
        setting = f"sources.{name}.fields.{column} = {field_name(source.fields[column])!r}"
        return f"{path}: none of the first {len(heads[path])} records has the field of {setting}"

    lacking = [
        (path, column) for path, column in product(heads, source.fields) if _lacks(heads[path], source.fields[column])
    ]
    for path, column in lacking:
        if column in ("body", "headline"):
            fields = [*dict.fromkeys(chain.from_iterable(heads[path]))]
            listed = ", ".join(fields[:_NAMES]) + (", ..." if len(fields) > _NAMES else "")
            remedy = f"Set sources.{name}.fields.{column} to the one that holds the {column}"
            if len(fields) == 1 and any(sign in fields[0] for sign in _DELIMITERS):
                remedy += f", or sources.{name}.delimiter if {source.delimiter!r} does not separate the cells"
            raise InputError(f"{missing(path, column)}; fields found: {listed or 'none'}. {remedy}")
    # A column that another shape has is no misspelt one.
    times = Counter(column for _, column in lacking)
    empty = [column for column in source.fields if heads and times[column] == len(heads)]
    warnings = [f"{missing(next(iter(heads)), column)}; the {column} stays empty" for column in empty]
    if not heads and left_out:
        named = ", ".join(each for each in ("items", "explode", "where") if getattr(source, each)) or "format"
        warnings.append(f"{name}: none of the first records becomes a document; look at {named} of sources.{name}")
    records = [*chain.from_iterable(heads.values())]
    if len(records) >= LEAST and not source.quoted:
        bodies = map(getter(source.fields["body"]), records)
        pieces = chain.from_iterable(body if isinstance(body, list) else [body] for body in bodies)
        if not any(len(find(piece, "body")) for piece in pieces if isinstance(piece, str)):
            warnings.append(
                f"{name}: no quotation in the bodies of the first {len(records)} records. If each record is a "
                f"quotation, set sources.{name}.quoted; if fields of it are quotations, see “Records of any form” in "
                f"{shipped('docs/CORPUS.md')}"
            )
    return warnings


def _lacks(records: Sequence[Record], name: Name) -> bool:
    """Whether no record has a field, which may be null."""
    fields, get = names_in(name), getter(name)
    return all(fields.isdisjoint(record) and get(record) is None for record in records)


def _heads(name: str, files: Sequence[InputFile], settings: Settings) -> tuple[dict[str, Sequence[Record]], bool]:
    """The first records wanted of a file of each shape, by path; whether settings leave out all of a file tried."""
    source = settings.sources[name]
    is_wanted, deletion = condition(source.where), source.deletion
    is_deletion = condition(deletion.where) if deletion else lambda record: False
    shapes: dict[tuple[Format, str], list[InputFile]] = {}
    for file in _newest_first(files):
        shape = format_of(file.path, source.format), _VARYING.sub("#", file.path.rpartition("/")[2].lower())
        shapes.setdefault(shape, []).append(file)
    heads, left_out = dict[str, Sequence[Record]](), False
    for (format, _), alike in islice(shapes.items(), _SHAPES):
        for file in alike[:_TRIED]:
            read = [*islice(read_file(file.path, format, source, settings.ingest), MOST)]
            values = [each.value for each in read if each.value is not None and not is_deletion(each.value)]
            if records := [*filter(is_wanted, values)]:
                heads[file.path] = records
                break
            left_out |= bool(values) or any(each.reason is Reason.FILTERED for each in read)
    return heads, left_out
