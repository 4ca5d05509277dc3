"""Records of JSON Lines and JSON arrays, in bounded memory whatever the length of a line or element.

An array is cut into its elements by a scanner of strings, escapes and depth, and each is parsed alone: a streaming
parser would stop at the first bad byte; here a bad element is one reject, and the rest is read.
"""

import json
import math
import re
import zlib
from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import orjson

from quotelake.sources.rejects import FieldProblem, Problem, RawRecord, Reason, broken, oversized
from quotelake.sources.streams import ByteStream

#: Bytes read at a time.
BLOCK = 1 << 20
#: Errors of reading a damaged stream: those of the operating system, of Arrow and of Python's decompressors.
READ_ERRORS = (OSError, EOFError, ValueError, zlib.error)
_BOM = b"\xef\xbb\xbf"
#: What changes the state of the scanner outside a string, and inside one.
_OUTSIDE = re.compile(rb'["\[\]{},]')
_INSIDE = re.compile(rb'["\\]')


class Line(NamedTuple):
    """A line without its line feed: the offset of its first byte in the stream, its bytes up to the limit, its size."""

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

    ``stream`` is at its beginning, and can seek if ``start`` > 0. Of a line ``limit`` bytes are kept in memory.

    Raises:
        BrokenStreamError: reading failed; every complete line before that was yielded.
    """
    # Read from the byte before: if it is a line feed, a line begins exactly at ``start`` and is in the range.
    skipping = start > 0
    position = max(start - 1, 0)
    if skipping:
        stream.seek(position)
    kept_parts: list[bytes] = []
    size = 0
    while end is None or position < end:
        try:
            block = stream.read(BLOCK)
        except READ_ERRORS as error:
            raise BrokenStreamError(Line(position, b"" if skipping else b"".join(kept_parts), size), error) from error
        if not block:
            if size and not skipping:
                yield Line(position, b"".join(kept_parts), size)
            return
        begin = 0
        while (feed := block.find(b"\n", begin)) >= 0:
            if not skipping:
                kept_parts.append(block[begin : min(feed, begin + max(limit - size, 0))])
                yield Line(position, b"".join(kept_parts), size + feed - begin)
            position += size + feed - begin + 1
            begin, size, skipping = feed + 1, 0, False
            kept_parts.clear()
            if end is not None and position >= end:
                return
        if not skipping:
            kept_parts.append(block[begin : begin + max(limit - size, 0)])
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
    """Read bytes that should be one JSON object.

    Lone surrogates (halves of a cut emoji) are malformed: no UTF-8 text can contain them. ``NaN`` and ``Infinity``,
    which some programs write and JSON does not know, become None and are kept as problems.
    """
    problems: tuple[FieldProblem, ...] = ()
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        try:
            text = data.decode("utf-8")
            floats = json.loads(text) if "NaN" in text or "Infinity" in text else None
            if not isinstance(floats, dict):
                raise error
            # What orjson refuses in a record without NaN, such as half an emoji, it refuses to write as well.
            value = orjson.loads(orjson.dumps(floats))
            problems = tuple(FieldProblem(Problem.NOT_A_NUMBER, *each) for each in _not_numbers(floats, ""))
        except UnicodeDecodeError as wrong:
            detail = f"not UTF-8 at byte {wrong.start} of the record"
            return RawRecord(position, None, data, Reason.WRONG_ENCODING, detail)
        except (ValueError, TypeError, RecursionError):
            return RawRecord(position, None, data, Reason.MALFORMED, f"no JSON: {error}")
    if isinstance(value, dict):
        return RawRecord(position, value, data, problems=problems)
    return RawRecord(position, None, data, Reason.WRONG_TYPE, f"a JSON {type(value).__name__}, not an object")


def _not_numbers(value: Any, field: str) -> Iterator[tuple[str, str]]:
    """Fields with ``NaN`` or ``Infinity``, which orjson writes as null, and that word."""
    if isinstance(value, float) and not math.isfinite(value):
        yield field, json.dumps(value)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _not_numbers(inner, f"{field}.{key}" if field else key)
    elif isinstance(value, list):
        for inner in value:
            yield from _not_numbers(inner, field)


def read_whole(stream: ByteStream, limit: int) -> bytes:
    """All bytes of a stream; of one longer than ``limit`` more than so many, at most a block."""
    data = b""
    while len(data) <= limit and (block := stream.read(BLOCK)):
        data += block
    return data


def read_json_page(stream: ByteStream, limit: int) -> Iterator[RawRecord]:
    """Yield the object that a file is, at most ``limit`` bytes of it, or the elements of an array of such."""
    data = b""
    try:
        data = read_whole(stream, limit)
        page = data.lstrip(_BOM + b" \t\r\n")
        if page.startswith(b"["):
            yield from read_json_array(stream, limit, data)
        elif len(data) > limit:
            size = len(data) + sum(map(len, iter(partial(stream.read, BLOCK), b"")))
            yield oversized(0, page[:limit], size, limit)
        elif page:
            yield parse_object(0, page)
    except READ_ERRORS as error:
        yield broken(0, data, f"{type(error).__name__}: {error}")


def read_json_array(stream: ByteStream, limit: int, head: bytes = b"") -> Iterator[RawRecord]:
    """Yield the elements of a JSON array of objects, of which ``head`` was read; all else there is one broken_file."""
    element = bytearray()  # of the element that is not complete yet, its first ``limit`` bytes
    size = ordinal = depth = 0
    started = in_string = escaped = False
    try:
        for block in chain([head], iter(partial(stream.read, BLOCK), b"")):
            begin = 0
            if not started:
                begin = len(block) - len(block.lstrip(_BOM + b" \t\r\n"))
                if begin == len(block):
                    continue
                if block[begin] != ord("["):
                    hint = "; one object a line is format = 'jsonl'" if block[begin] == ord("{") else ""
                    yield broken(0, block[:200], f"it holds no JSON array{hint}")
                    return
                started, depth, begin = True, 1, begin + 1
            at = begin + escaped  # the backslash was the last byte of the block before
            escaped = False
            while depth and (found := (_INSIDE if in_string else _OUTSIDE).search(block, at)):
                at, sign = found.end(), found[0]
                if sign == b'"':
                    in_string = not in_string
                elif sign == b"\\":
                    escaped = at == len(block)
                    at += 1
                elif sign in (b"[", b"{"):
                    depth += 1
                else:
                    depth -= sign != b","
                    if depth != (sign == b","):
                        continue
                    piece = block[begin : found.start()]
                    element += piece[: max(limit - size, 0)]
                    size += len(piece)
                    data = bytes(element)
                    if sign == b"," or ordinal or data.strip():  # not []
                        is_long = size > len(data)
                        yield oversized(ordinal, data, size, limit) if is_long else parse_object(ordinal, data.strip())
                        ordinal += 1
                    element.clear()
                    begin, size = at, 0
            if depth:
                element += block[begin:][: max(limit - size, 0)]
                size += len(block) - begin
            elif block[begin:].strip():
                yield broken(ordinal, block[:200], "text follows the end of the array")
                return
    except READ_ERRORS as error:
        yield broken(ordinal, bytes(element), f"{type(error).__name__}: {error}")
        return
    if depth:
        yield broken(ordinal, bytes(element), "it ends inside the array")
