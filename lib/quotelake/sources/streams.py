"""Open an input file anywhere, decompress it and make UTF-8 of it, through Arrow's file systems: without a JVM.

Object stores are read with the credentials that Arrow finds, not with those of Hadoop's configuration. A byte that the
encoding of a text does not know becomes three bytes that no UTF-8 text contains: only its record is refused.
"""

import codecs
import io
import re
from contextlib import suppress
from functools import cache, partial
from types import SimpleNamespace
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
#: Decompressed bytes read at a time.
_BLOCK = 65536
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

    Raises:
        OSError: the file does not exist or may not be read, or is a FIFO, a socket or a device, which would block
            the reader for ever; other :data:`OPEN_ERRORS` for a bad address.
    """
    system, within = file_system(path)
    if system.type_name == "local" and system.get_file_info(within).type == pafs.FileType.Unknown:
        raise OSError("it is a FIFO, a socket or a device; write its content to a file")
    codec = codec_of(path)
    return system.open_input_file(within) if codec is None else _Unpacked(system, within, codec)


class _Unpacked(io.RawIOBase):
    """Decompressed stream: a broken file is read again up to its break, byte by byte, since Arrow's read drops them."""

    def __init__(self, system: Any, path: str, codec: str) -> None:
        self._system, self._path, self._codec = system, path, codec
        self._stream = self._open()
        self._given = 0
        self._break: OSError | None = None

    def readable(self) -> bool:
        return True  # for a buffer over the stream

    def _open(self) -> Any:
        return pa.CompressedInputStream(self._system.open_input_stream(self._path, compression=None), self._codec)

    def read(self, size: int = _BLOCK, /) -> bytes:
        if self._break is not None:
            raise self._break
        try:
            block: bytes = self._stream.read(min(size, _BLOCK))
        except OSError as error:
            self._break = error
            block = self._before_the_break()
            if not block:
                raise
        self._given += len(block)
        return block

    def _before_the_break(self) -> bytes:
        rest, left = bytearray(), self._given
        with self._open() as again, suppress(OSError):  # the same break again; the next read raises it
            while left and (block := again.read(min(left, _BLOCK))):  # none: a shorter file is there by now
                left -= len(block)
            while byte := again.read(1):
                rest += byte
        return bytes(rest)

    def close(self) -> None:
        self._stream.close()
        super().close()


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


def in_utf8(stream: ByteStream, encoding: str) -> ByteStream:
    r"""Read a stream as UTF-8; one of another encoding, by Python's name of it, from its beginning, in any pieces.

    >>> in_utf8(io.BytesIO(b"caf\xe9 \x81"), "cp1252").read(99)
    b'caf\xc3\xa9 \xed\xb2\x81'
    """
    if encoding == UTF_8:
        return stream
    texts = codecs.iterdecode(iter(partial(stream.read, _BLOCK), b""), encoding, _MARKED)
    return SimpleNamespace(read=lambda size: next(texts, "").encode("utf-8", "surrogatepass"))


def printable(data: bytes) -> str:
    r"""Text of the bytes of a record; those that are not of its encoding as ``\xNN``."""
    text = data.decode("utf-8", "backslashreplace")
    # The upper two bits of a marked byte are in the second byte of its mark, and the other six in the third.
    return _MARK.sub(lambda found: rf"\x{int(found[1]) << 6 | int(found[2] + found[3], 16) & 0x3F:02x}", text)
