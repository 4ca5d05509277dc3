"""Records inside records: pages that hold a list of them, and lists of which each element becomes a document. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from quotelake.files.values import getter
from quotelake.settings import SourceSettings
from quotelake.sources.rejects import RawRecord, Reason

#: Name under which an element of ``explode`` has its number in the list.
NUMBER = "#"


def records_in(found: Iterator[RawRecord], source: SourceSettings, *, by_bytes: bool) -> Iterator[RawRecord]:
    """Yield the records that those of a file hold, by ``items`` and ``explode`` of their source, in their order.

    A page without ``items``, and a record whose list of ``explode`` is missing or empty, is one record, ``filtered``.

    Args:
        found: the records of the file; without these two settings they are yielded as they are.
        source: its settings.
        by_bytes: whether positions are byte offsets. Then a record stands at the offset of its line plus its number in
            it, which no other has, because each takes a byte at least; else at its ordinal in the file.
    """
    if source.items is None and source.explode is None:
        yield from found
        return
    ordinal = 0
    for page in found:
        items = [page] if source.items is None else _elements(page, source.items, "items")
        records = (
            items if source.explode is None else (r for i in items for r in _elements(i, source.explode, "explode"))
        )
        for number, record in enumerate(records):
            yield replace(record, position=page.position + number if by_bytes else ordinal)
            ordinal += 1


def _elements(record: RawRecord, field: str, setting: str) -> Iterator[RawRecord]:
    if record.value is None:
        yield record
        return
    found = getter(field)(record.value)
    if found is None or found == [] or found == "":
        yield RawRecord(
            record.position, None, None, Reason.FILTERED, f"nothing in {field!r}, the {setting} of the source"
        )
    elif not isinstance(found, list | tuple):
        what = f"{field!r}, which is the {setting} of the source, is a {type(found).__name__}, not a list"
        yield RawRecord(record.position, None, record.data, Reason.WRONG_TYPE, what)
    elif setting == "items":
        for each in found:
            if isinstance(each, dict):
                yield RawRecord(record.position, each, problems=record.problems)
            else:
                what = f"in {field!r} a JSON {type(each).__name__}, not an object"
                yield RawRecord(record.position, None, str(each).encode(), Reason.WRONG_TYPE, what)
    else:
        around = {name: value for name, value in record.value.items() if name != field}
        for number, each in enumerate(found):
            fields = each if isinstance(each, Mapping) else {field: each}
            yield RawRecord(record.position, {**around, **fields, NUMBER: number}, problems=record.problems)
