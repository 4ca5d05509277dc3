"""Records of JSON Lines and JSON arrays, in bounded memory whatever the length of a line or element.

An array is cut into its elements by a scanner of strings, escapes and depth, and each is parsed alone: a streaming
parser would stop at the first bad byte; here a bad element is one reject, and the rest is read.
"""

import json
import math
import re
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import orjson

from quotelake.sources.rejects import FieldProblem, Problem, RawRecord, Reason, broken, oversized
from quotelake.sources.streams import BLOCK, Input

_BOM = b"\xef\xbb\xbf"
#: What changes the state of the scanner outside a string, and inside one.
_OUTSIDE = re.compile(rb'["\[\]{},]')
_INSIDE = re.compile(rb'["\\]')
#: Empty lines that are read as one, so that a file of nothing else takes no time.
_EMPTY = 4096


class Line(NamedTuple):
    """A line without its line feed: the offset of its first byte in the stream, its bytes up to the limit, its size."""

    position: int
    data: bytes
    size: int


def read_lines(stream: Input, limit: int, start: int = 0, end: int | None = None) -> Iterator[Line]:
    """Yield the lines whose first byte lies in [start, end): adjacent ranges of a file give each line exactly once.

    A stream whose range does not begin at 0 is at the byte before ``start``: if that is a line feed, a line begins at
    ``start``. Of a line ``limit`` bytes are kept in memory. Empty lines that follow each other may be one. Where
    reading fails, the last line is what was read of it.
    """
    most = max(2, min(_EMPTY, limit // 2))
    empty = re.compile(rb"\n{2,%d}|(?:\r\n){2,%d}" % (most, most))
    position, left, cut = max(start - 1, 0), b"", 0  # of the line that is not complete, and how many bytes were cut
    for block in iter(partial(stream.read1, BLOCK), b""):
        text, at = left + block, 0
        while (stop := text.find(b"\n", at)) >= 0:
            if stop - at < 2 and (found := empty.match(text, at)):
                stop = found.end() - 1
            size = stop - at + cut
            if position >= start:
                yield Line(position, text[at:stop][:limit], size)
            position, at, cut = position + size + 1, stop + 1, 0
            if end is not None and position >= end:
                return
        left = text[at : at + limit + 1]
        cut += len(text) - at - len(left)
    if left and position >= start:
        yield Line(position, left[:limit], len(left) + cut)


def read_json_lines(stream: Input, limit: int, start: int = 0, end: int | None = None) -> Iterator[RawRecord]:
    """Yield the records whose first byte lies in [start, end); one per line that is not blank."""
    position = start
    for line in read_lines(stream, limit, start, end):
        record, data = None, line.data if line.position else line.data.removeprefix(_BOM)
        if line.size > len(line.data):
            record = oversized(line.position, data, line.size, limit)
        elif data.strip():
            record = parse_object(line.position, data)
        if stream.error and (record is None or record.value is None):  # it is cut: no cut JSON object parses as one
            yield broken(line.position, line.data, stream.error)
            return
        if record is not None:
            yield record
        position = line.position + line.size
    if stream.error:
        yield broken(position, None, stream.error)


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


def read_whole(stream: Input, limit: int) -> bytes | RawRecord:
    """All bytes of a stream, or the reject of one that is longer than ``limit`` or cannot be read."""
    data = stream.read(limit + 1)
    size = len(data) + stream.skip(sys.maxsize)
    if stream.error:
        return broken(0, data, stream.error)
    return data if size <= limit else oversized(0, data[:limit], size, limit)


def _first_sign(stream: Input) -> bytes:
    """Pass over white space and a byte order mark: the sign behind, which is not read yet; empty at the end."""
    while (block := stream.peek()) and not block.lstrip(_BOM + b" \t\r\n"):
        stream.skip(len(block))
    stream.skip(len(block) - len(block.lstrip(_BOM + b" \t\r\n")))
    return stream.peek()[:1]


def read_json(stream: Input, limit: int, *, is_page: bool = False) -> Iterator[RawRecord]:
    """Yield the elements of a JSON array of objects or, if it ``is_page``, the object that a file may be instead.

    All else in the file is one broken_file.
    """
    sign = _first_sign(stream)
    if is_page and sign == b"{":
        page = read_whole(stream, limit)
        yield page if isinstance(page, RawRecord) else parse_object(0, page)
        return
    if sign not in (b"[", b""):
        hint = "; one object a line is format = 'jsonl'" if sign == b"{" else ""
        yield broken(0, stream.peek()[:200], f"it holds no JSON array{hint}")
        return
    element = bytearray()  # of the element that is not complete yet, its first ``limit`` bytes
    size = ordinal = 0
    in_string = escaped = False
    depth = len(stream.read(1))
    while block := stream.read1(BLOCK):
        at, begin = int(escaped), 0  # the backslash was the last byte of the block before
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
    if stream.error or depth:
        yield broken(ordinal, bytes(element), stream.error or "it ends inside the array")
