"""Records inside records: pages that hold a list of them, and lists of which each element becomes a document. Pure."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from quotelake.files.values import getter
from quotelake.source_settings import SourceSettings
from quotelake.sources.rejects import RawRecord, Reason

#: Name under which an element has its number in its list.
NUMBER = "#"


def records_in(found: Iterator[RawRecord], source: SourceSettings, *, by_bytes: bool) -> Iterator[RawRecord]:
    """Yield the records that those of a file hold, by ``items`` and ``explode`` of their source, in their order.

    A page without ``items``, and a record whose list of ``explode`` is missing or empty, is one record, ``filtered``.
    Where positions are ``by_bytes``, a record stands at the offset of its line plus its number in it, which no other
    has, because each takes a byte at least; else at its ordinal in the file.
    """
    items_of, list_of = _element_reader("items", source.items), _element_reader("explode", source.explode)
    ordinal = 0
    for page in found:
        for number, record in enumerate(each for item in items_of(page) for each in list_of(item)):
            yield replace(record, position=page.position + number if by_bytes else ordinal)
            ordinal += 1


def _element_reader(setting: str, field: str | None) -> Callable[[RawRecord], Iterable[RawRecord]]:
    if field is None:
        return lambda record: [record]
    get, what = getter(field), f"{field!r}, which is {setting} of the source, is"

    def elements(record: RawRecord) -> Iterator[RawRecord]:
        found = None if record.value is None else get(record.value)
        if record.value is None:
            yield record
        elif found is None or found == [] or found == "":
            yield RawRecord(record.position, None, None, Reason.FILTERED, f"{what} empty")
        elif not isinstance(found, list | tuple):
            detail = f"{what} a {type(found).__name__}, not a list"
            yield RawRecord(record.position, None, record.data, Reason.WRONG_TYPE, detail)
        else:
            rest = {} if setting == "items" else {name: value for name, value in record.value.items() if name != field}
            for number, each in enumerate(found):
                fields = each if isinstance(each, Mapping) else {field: each}
                yield RawRecord(record.position, {**rest, **fields, NUMBER: number}, problems=record.problems)

    return elements
