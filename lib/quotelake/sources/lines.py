"""Read the lines of a byte stream with their byte offsets, in bounded memory whatever the length of a line."""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from quotelake.sources.streams import ByteStream

#: Bytes read at a time.
BLOCK = 1 << 20
#: Errors of reading a damaged stream: those of the operating system, of Arrow and of Python's decompressors.
READ_ERRORS = (OSError, EOFError, ValueError, zlib.error)


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
