r"""Texts of any encoding → UTF-8, so that the readers of lines, cells and objects know one encoding. Pure.

A byte that the encoding does not know becomes three bytes that no UTF-8 text holds: the record it stands in is then
refused as one whose bytes are not of its encoding, like a bad byte in a UTF-8 file, and the next record is read.
"""

import codecs
import re

from quotelake.sources.streams import ByteStream

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


class Decoded:
    """A stream of another encoding, read as UTF-8 from its beginning.

    Args:
        stream: bytes in ``encoding``.
        encoding: Python's name of it.
    """

    def __init__(self, stream: ByteStream, encoding: str) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder(encoding)(_MARKED)
        self._ended = False

    def read(self, size: int, /) -> bytes:
        """Read the UTF-8 of up to ``size`` bytes; none at the end."""
        while not self._ended:
            block = self._stream.read(size)
            self._ended = not block
            text = self._decoder.decode(block, final=self._ended)
            if text:
                return text.encode("utf-8", "surrogatepass")
        return b""

    def seek(self, offset: int, /) -> int:
        """Raise OSError: where a byte of UTF-8 comes from is not known without reading all before it."""
        raise OSError(f"a text that is not UTF-8 cannot be read from byte {offset} on")


def in_utf8(stream: ByteStream, encoding: str) -> ByteStream:
    r"""Read a stream as UTF-8.

    >>> import io
    >>> in_utf8(io.BytesIO(b"caf\xe9 \x81"), "cp1252").read(99)
    b'caf\xc3\xa9 \xed\xb2\x81'
    """
    return stream if encoding == UTF_8 else Decoded(stream, encoding)


def shown(data: bytes) -> str:
    r"""Text of the bytes of a record; those that are not of its encoding as ``\xNN``.

    >>> shown(b"caf\xe9"), shown(b"caf\xc3\xa9 \xed\xb2\x81")
    ('caf\\xe9', 'café \\x81')
    """
    text = data.decode("utf-8", "backslashreplace")
    return _MARK.sub(_unmarked, text) if "\\xed" in text else text


def _unmarked(found: re.Match[str]) -> str:
    """The byte whose upper two bits are in the second byte of its mark, and the other six in the third."""
    return rf"\x{int(found[1]) << 6 | int(found[2] + found[3], 16) & 0x3F:02x}"
