"""Records of JSON Lines and JSON arrays, in bounded memory whatever the length of a line or element.

A scanner that tracks strings, escapes and depth cuts an array into its elements, and each element is parsed alone. A
streaming parser would stop at the first bad byte and turn half an emoji into a question mark; here a bad element is one
reject, and the rest is read.
"""

import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from quotelake.sources.rejects import FieldProblem, Problem, RawRecord, Reason, broken, oversized, refused
from quotelake.sources.streams import ByteStream

#: Bytes read at a time.
BLOCK = 1 << 20
#: Errors of reading a damaged stream: those of the operating system, of Arrow and of Python's decompressors.
READ_ERRORS = (OSError, EOFError, ValueError, zlib.error)
_BOM = b"\xef\xbb\xbf"
#: What changes the state of the scanner outside a string, and inside one.
_OUTSIDE = re.compile(rb'["\[\]{},]')
_INSIDE = re.compile(rb'["\\]')
_LEADING = b"\xef\xbb\xbf \t\r\n"


@dataclass(frozen=True, slots=True)
class Line:
    """A line without its line feed.

    Args:
        position: byte offset of its first byte in the stream.
        data: the line; only the beginning of one longer than the limit.
        size: bytes of the whole line.
    """

    position: int
    data: bytes
    size: int

    @property
    def too_long(self) -> bool:
        """Whether the line was longer than the limit."""
        return self.size > len(self.data)


class BrokenStreamError(Exception):
    """Reading failed. ``line`` is the part of the current line that was read; empty if it failed between two lines."""

    def __init__(self, line: Line, cause: Exception) -> None:
        super().__init__(f"{type(cause).__name__}: {cause}")
        self.line = line


def read_lines(stream: ByteStream, *, limit: int, start: int = 0, end: int | None = None) -> Iterator[Line]:
    """Yield the lines whose first byte lies in [start, end): adjacent ranges of a file give each line exactly once.

    Args:
        stream: at its beginning; ``start`` > 0 needs one that can seek.
        limit: bytes of a line that are kept; the rest of a longer one is skipped, never held in memory.
        start: byte offset of the range.
        end: byte offset after the range; None reads to the end of the stream.

    Raises:
        BrokenStreamError: reading failed; every complete line before that was yielded.
    """
    # Read from the byte before: if it is a line feed, a line begins exactly at ``start`` and is in the range.
    skipping = start > 0
    position = max(start - 1, 0)
    if skipping:
        stream.seek(position)
    held: list[bytes] = []
    size = 0
    while end is None or position < end:
        try:
            block = stream.read(BLOCK)
        except READ_ERRORS as error:
            raise BrokenStreamError(Line(position, b"" if skipping else b"".join(held), size), error) from error
        if not block:
            if size and not skipping:
                yield Line(position, b"".join(held), size)
            return
        begin = 0
        while (feed := block.find(b"\n", begin)) >= 0:
            if not skipping:
                held.append(block[begin : min(feed, begin + max(limit - size, 0))])
                yield Line(position, b"".join(held), size + feed - begin)
            position += size + feed - begin + 1
            begin, size, skipping = feed + 1, 0, False
            held.clear()
            if end is not None and position >= end:
                return
        if not skipping:
            held.append(block[begin : begin + max(limit - size, 0)])
        size += len(block) - begin


def read_json_lines(stream: ByteStream, limit: int, start: int = 0, end: int | None = None) -> Iterator[RawRecord]:
    """Yield the records whose first byte lies in [start, end); one per line that is not blank."""
    try:
        for line in read_lines(stream, limit=limit, start=start, end=end):
            record = _json_line(line, limit)
            if record is not None:
                yield record
    except BrokenStreamError as error:
        rest = error.line
        last = None if rest.too_long else _json_line(rest, limit)
        if last is not None and last.value is not None:
            # Only the line feed is missing: a cut JSON object never parses as an object.
            yield last
            rest = Line(rest.position + rest.size, b"", 0)
        yield broken(rest.position, rest.data, error)


def _json_line(line: Line, limit: int) -> RawRecord | None:
    if line.too_long:
        return oversized(line.position, line.data, line.size, limit)
    data = line.data.removeprefix(_BOM) if line.position == 0 else line.data
    return parse_object(line.position, data) if data.strip() else None


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


def read_json_array(stream: ByteStream, limit: int) -> Iterator[RawRecord]:
    """Yield the elements of a JSON array of objects; anything that follows it or replaces it is one broken_file."""
    scanner = _ArrayScanner(limit)
    ordinal = 0
    try:
        while block := stream.read(BLOCK):
            for data, size in scanner.feed(block):
                yield oversized(ordinal, data, size, limit) if size > len(data) else parse_object(ordinal, data.strip())
                ordinal += 1
            if scanner.fault:
                yield broken(ordinal, block[:200], scanner.fault)
                return
    except READ_ERRORS as error:
        yield broken(ordinal, scanner.held, f"{type(error).__name__}: {error}")
        return
    if scanner.depth:
        yield broken(ordinal, scanner.held, "it ends inside the array")


class _ArrayScanner:
    """Cuts a JSON array into its elements, block by block; holds at most ``limit`` bytes of an element."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._held = bytearray()
        self._size = 0
        self._in_string = False
        self._escaped = False
        self._started = False
        self._elements = 0
        self.depth = 0
        self.fault = ""

    @property
    def held(self) -> bytes:
        """Bytes of the element that is not complete yet."""
        return bytes(self._held)

    def feed(self, block: bytes) -> Iterator[tuple[bytes, int]]:
        """Yield each element completed by ``block``: its bytes up to the limit, and its full size in bytes."""
        at = 0
        if not self._started:
            block = block.lstrip(_LEADING)
            if not block:
                return
            self._started = True
            if not block.startswith(b"["):
                hint = "; one object a line is format = 'jsonl'" if block.startswith(b"{") else ""
                self.fault = f"it holds no JSON array{hint}"
                return
            self.depth, at = 1, 1
        begin = at
        if self._escaped:  # the backslash was the last byte of the block before
            at, self._escaped = at + 1, False
        while self.depth:
            mark = (_INSIDE if self._in_string else _OUTSIDE).search(block, at)
            if mark is None:
                break
            at = mark.end()
            sign = block[mark.start()]
            if sign == 0x22:  # "
                self._in_string = not self._in_string
            elif sign == 0x5C:  # \
                if at == len(block):
                    self._escaped = True
                    break
                at += 1
            elif sign in b"[{":
                self.depth += 1
            else:
                closes = sign != 0x2C
                self.depth -= closes
                if self.depth == (0 if closes else 1):
                    yield from self._element(block[begin : mark.start()], last=closes)
                    begin = at
        if self.depth:
            self._keep(block[begin:])
        elif block[begin:].strip():
            self.fault = "text follows the end of the array"

    def _keep(self, piece: bytes) -> None:
        self._held += piece[: max(self._limit - self._size, 0)]
        self._size += len(piece)

    def _element(self, piece: bytes, *, last: bool) -> Iterator[tuple[bytes, int]]:
        self._keep(piece)
        data, size = bytes(self._held), self._size
        self._held.clear()
        self._size = 0
        if last and not self._elements and not data.strip():
            return  # []
        self._elements += 1
        yield data, size
