"""Open an input file anywhere, decompress it and make UTF-8 of it, through Arrow's file systems: without a JVM.

Object stores are read with the credentials that Arrow finds, not with those of Hadoop's configuration. A byte that the
encoding of a text does not know becomes three bytes that no UTF-8 text contains: only its record is refused.
"""

import codecs
import io
import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from functools import cache, partial
from typing import Any

import pyarrow as pa
import pyarrow.fs as pafs

#: Ending of a compressed file → Arrow's name of its codec.
CODECS = {".gz": "gzip", ".bz2": "bz2", ".zst": "zstd"}
#: Hadoop's name of a scheme → Arrow's.
_SCHEMES = {"s3a": "s3", "s3n": "s3"}
#: An address of a file system other than the local one.
ADDRESS = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]+)://(?P<authority>[^/]*)(?P<path>.*)", re.DOTALL)
#: Errors of opening a file: those of the operating system and of Arrow.
OPEN_ERRORS = (OSError, ValueError, pa.ArrowException)
#: Errors of reading a damaged stream: those of the operating system, of Arrow and of Python's decompressors.
READ_ERRORS = (OSError, EOFError, ValueError, zlib.error)
#: Bytes read at a time.
BLOCK = 1 << 20
#: Decompressed bytes read at a time.
_PIECE = 65536
#: A binary file object of Python's or Arrow's. ``read`` may return less than it is asked for; none at the end.
ByteStream = Any


def file_system(path: str) -> tuple[Any, str]:
    """Find Arrow's file system for a path as Hadoop writes it, and the path within it.

    >>> file_system("file:/data/a b#1.jsonl")[1]
    '/data/a b#1.jsonl'
    """
    if path.startswith("file:"):
        # Not through a URI parser: Hadoop leaves blanks, # and % in paths as they are.
        return _file_system("file:"), "/" + path.removeprefix("file:").lstrip("/")
    address = ADDRESS.fullmatch(path)
    if address is None:
        return _file_system("file:"), path
    scheme = _SCHEMES.get(address["scheme"], address["scheme"])
    system, base = _file_system(f"{scheme}://{address['authority']}")
    return system, base.rstrip("/") + address["path"]


@cache
def _file_system(root: str) -> Any:
    return pafs.LocalFileSystem() if root == "file:" else pafs.FileSystem.from_uri(root)


def codec_of(path: str) -> str | None:
    """Arrow's name of a file's compression codec, by its ending; None where it is not compressed."""
    return next((codec for ending, codec in CODECS.items() if path.lower().endswith(ending)), None)


def open_stream(path: str) -> ByteStream:
    """Open a file for reading, decompressed according to its ending. Use it as a context manager.

    An OSError: the file does not exist or may not be read, or is a FIFO, a socket or a device, which would block the
    reader for ever; other :data:`OPEN_ERRORS` for a bad address.
    """
    system, within = file_system(path)
    if system.type_name == "local" and system.get_file_info(within).type == pafs.FileType.Unknown:
        raise OSError("it is a FIFO, a socket or a device; write its content to a file")
    codec = codec_of(path)
    return system.open_input_file(within) if codec is None else _Pieces(_unpacked(system, within, codec))


class _Pieces(io.RawIOBase):
    """Pieces of bytes as a stream."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces, self._left = pieces, memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        while not self._left and (piece := next(self._pieces, None)) is not None:
            self._left = memoryview(piece)
        size = min(len(buffer), len(self._left))
        buffer[:size], self._left = self._left[:size], self._left[size:]
        return size


def _unpacked(system: Any, path: str, codec: str) -> Iterator[bytes]:
    """Pieces of a compressed file; of a damaged one all before the damage: Arrow drops those that it read with it."""

    def opened() -> Any:
        return pa.CompressedInputStream(system.open_input_stream(path, compression=None), codec)

    given = 0
    with opened() as stream:
        try:
            while piece := stream.read(_PIECE):
                yield piece
                given += len(piece)
        except OSError:
            with opened() as again, suppress(OSError):  # the same error again
                while given and (piece := again.read(min(given, _PIECE))):  # none: a shorter file is there by now
                    given -= len(piece)
                yield from iter(partial(again.read, 1), b"")
            raise


#: Needs no decoding.
UTF_8 = "utf-8"
#: Name under which the codecs find :func:`_mark`.
_MARKED = "quotelake.marked"
#: A marked byte, as ``backslashreplace`` writes it: a low surrogate U+DC00 to U+DCFF in three bytes.
_MARK = re.compile(r"\\xed\\xb([0-3])\\x([89ab])([0-9a-f])")


def _mark(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return "".join(chr(0xDC00 + byte) for byte in error.object[error.start : error.end]), error.end


codecs.register_error(_MARKED, _mark)


class Input(io.BufferedReader):
    r"""A stream as UTF-8, from a byte on if it can seek; one of another encoding, by Python's name of it, as a whole.

    It ends where reading fails.

    >>> Input(io.BytesIO(b"caf\xe9 \x81"), "cp1252").read()
    b'caf\xc3\xa9 \xed\xb2\x81'
    """

    def __init__(self, stream: ByteStream, encoding: str = UTF_8, start: int = 0) -> None:
        if start:
            stream.seek(start)
        self.error = ""  #: what failed, at the end of a stream that could not be read further
        super().__init__(_Pieces(self._blocks(stream, encoding)), BLOCK)

    def _blocks(self, stream: ByteStream, encoding: str) -> Iterator[bytes]:
        blocks = iter(partial(stream.read, BLOCK), b"")
        try:
            if encoding == UTF_8:
                yield from blocks
            else:
                texts = codecs.iterdecode(blocks, encoding, _MARKED)
                yield from (text.encode("utf-8", "surrogatepass") for text in texts)
        except READ_ERRORS as error:
            self.error = f"{type(error).__name__}: {error}"

    def skip(self, size: int) -> int:
        """Pass over bytes, without holding them; returns how many there were."""
        left = size
        while left and (block := self.read(min(left, BLOCK))):
            left -= len(block)
        return size - left


def printable(data: bytes) -> str:
    r"""Text of the bytes of a record; those that are not of its encoding as ``\xNN``."""
    text = data.decode("utf-8", "backslashreplace")
    # The upper two bits of a marked byte are in the second byte of its mark, and the other six in the third.
    return _MARK.sub(lambda found: rf"\x{int(found[1]) << 6 | int(found[2] + found[3], 16) & 0x3F:02x}", text)
