"""A record as read from a file, before its fields are interpreted."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from quotelake.sources.decoding import shown
from quotelake.sources.rejects import FieldProblem, Problem, Reason


@dataclass(frozen=True, slots=True)
class RawRecord:
    """A record, or a placeholder for one that could not be read.

    Args:
        position: byte offset in the uncompressed file (JSON Lines), else ordinal from 0; -1 is the file itself.
        value: the fields of the record; None where it could not be read.
        data: its bytes where the reader has them; only the beginning of an oversized record.
        reason: why it could not be read; None where it could.
        detail: what was found, in a sentence; empty where nothing is wrong.
        problems: values that the format does not know, and that stand as None in ``value``.
    """

    position: int
    value: dict[str, Any] | None
    data: bytes | None = None
    reason: Reason | None = None
    detail: str = ""
    problems: tuple[FieldProblem, ...] = ()

    @property
    def raw(self) -> str:
        r"""The record as text: its bytes where known, else JSON; bytes that are not UTF-8 as ``\xNN``."""
        data = self.data
        if data is None:
            if self.value is None:
                return ""
            data = orjson.dumps(self.value, default=repr, option=orjson.OPT_NON_STR_KEYS)
        return shown(data)


def refused(position: int, data: bytes | None, reason: Reason, detail: str) -> RawRecord:
    """Make the placeholder for a record that could not be read."""
    return RawRecord(position, None, data, reason, detail)


def parse_object(position: int, data: bytes) -> RawRecord:
    r"""Read bytes that should be one JSON object.

    Lone surrogates (halves of a cut emoji) are malformed: no UTF-8 text can hold them. ``NaN`` and ``Infinity``, which
    some programs write and JSON does not know, become None and are kept as problems.

    >>> parse_object(0, b'{"id": 1}').value
    {'id': 1}
    >>> parse_object(0, b'{"id": NaN}').problems
    (FieldProblem(problem=<Problem.NOT_A_NUMBER: 'not_a_number'>, field='id', found='NaN'),)
    >>> parse_object(0, b'{"id": "\xff"}').reason
    <Reason.WRONG_ENCODING: 'wrong_encoding'>
    >>> parse_object(0, b'[1]').detail
    'a JSON list, not an object'
    """
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as wrong:
            return refused(position, data, Reason.WRONG_ENCODING, f"not UTF-8 at byte {wrong.start} of the record")
        return _with_constants(position, data) or refused(position, data, Reason.MALFORMED, f"no JSON: {error}")
    if isinstance(value, dict):
        return RawRecord(position, value, data)
    return refused(position, data, Reason.WRONG_TYPE, f"a JSON {type(value).__name__}, not an object")


class _Constant:
    """A ``NaN`` or ``Infinity`` of a record."""

    def __init__(self, name: str) -> None:
        self.name = name


def _with_constants(position: int, data: bytes) -> RawRecord | None:
    """Read an object that JSON's grammar allows but for ``NaN`` and ``Infinity``; None where more is wrong with it."""
    if b"NaN" not in data and b"Infinity" not in data:
        return None
    try:
        value = json.loads(data.decode(), parse_constant=_Constant)
        # What orjson refuses in a record without NaN, such as half an emoji, it refuses to write as well.
        plain = orjson.loads(orjson.dumps(value, default=lambda _: None))
    except (ValueError, TypeError, RecursionError):
        return None
    if not isinstance(plain, dict):
        return None
    found = tuple(FieldProblem(Problem.NOT_A_NUMBER, field, name) for field, name in _constants(value, ""))
    return RawRecord(position, plain, data, problems=found)


def _constants(value: Any, field: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, _Constant):
        yield field, value.name
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _constants(inner, f"{field}.{key}" if field else key)
    elif isinstance(value, list):
        for inner in value:
            yield from _constants(inner, field)


def oversized(position: int, data: bytes, size: int, limit: int) -> RawRecord:
    """Make the placeholder for a record longer than ``ingest.max_record_bytes``."""
    detail = f"{size:,} bytes, more than ingest.max_record_bytes = {limit:,}"
    return refused(position, data, Reason.OVERSIZED, detail)


def broken(position: int, data: bytes | None, cause: object) -> RawRecord:
    """Make the placeholder that says that a file cannot be read from here on."""
    return refused(position, data or None, Reason.BROKEN_FILE, f"the file cannot be read from here on: {cause}")
