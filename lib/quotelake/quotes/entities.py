"""Decode the character references of HTML and the mojibake that a scrape left in a text, and map offsets back.

Mojibake is UTF-8 read in the wrong encoding: *“Don’t”* read as Windows-1252 is *â€œDonâ€™tâ€* and a control character.
Marks, apostrophes, dashes and ellipses are decoded from all forms that encodings give: UTF-8 read once or twice as
Windows-1252 or Latin-1, or once as Mac Roman; and Windows-1252 read as Latin-1. Letters (*PeÃ±a*) and marks of scripts
whose words would be unreadable too are left alone.
"""

import html
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from quotelake.quotes.marks import FAMILY

#: Decoded characters: marks of the Latin script, dashes, ellipsis and no-break space.
_DECODED: Final = (*sorted(mark for mark in FAMILY if len(mark) == 1 and "\x7f" < mark < "\u2e80"), *"–—…\u00a0")
#: The closing mark whose last byte Windows-1252 does not define, so that programs drop or replace it.
_CUT_SHORT: Final = ("â€", "â€\ufffd", "Ã¢â‚¬", "Ã¢â‚¬Â", "Ã¢â‚¬Â\ufffd")
#: Characters also decoded from a single byte of Windows-1252 read as Latin-1: not the ellipsis, a line break there, nor
#: rare ones.
_SINGLE_BYTE: Final = "‘’“”–—"


def _windows(data: bytes) -> str:
    """Read bytes as Windows-1252, the five undefined ones as control characters, as browsers do."""
    return "".join(char if (char := bytes([byte]).decode("cp1252", "ignore")) else chr(byte) for byte in data)


def _forms(char: str) -> Iterator[str]:
    """All wrong readings of a character."""
    data = char.encode()
    if len(data) > 2:
        yield data.decode("mac_roman")
    for once in (_windows(data), data.decode("latin-1")):
        yield once
        yield _windows(once.encode())
        yield once.encode().decode("latin-1")
    byte = char.encode("cp1252", "ignore").decode("latin-1")
    if byte not in ("", char):
        yield _windows(byte.encode())
        yield byte.encode().decode("latin-1")
        if char in _SINGLE_BYTE:
            yield byte


#: Wrong reading → the character that was meant.
MEANT: Final = dict.fromkeys(_CUT_SHORT, "”") | {form: char for char in _DECODED for form in _forms(char)}
#: Matches each wrong reading, the longest first.
MOJIBAKE: Final = re.compile("|".join(map(re.escape, sorted(MEANT, key=lambda form: (-len(form), form)))))
#: First characters of wrong readings.
_SIGNS: Final = tuple(sorted({form[0] for form in MEANT}))

#: A character reference, also an escaped one (``&amp;quot;``), of bounded length; the semicolon is required (*AT&T*).
REFERENCE: Final = re.compile(
    r"&(?:amp;){0,2}(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});",
)
_EITHER: Final = re.compile(f"{REFERENCE.pattern}|{MOJIBAKE.pattern}")


@dataclass(frozen=True, slots=True)
class Unescaped:
    """A decoded text, and the mapping of its offsets to the raw text, in code points."""

    text: str
    places: list[int]  # offset in ``text`` of its beginning and after each decoded part, in order
    ends: list[int]  # the same places as raw offsets

    def raw(self, offset: int) -> int:
        """Raw offset of a character of ``text``, or of its end."""
        at = bisect_right(self.places, offset) - 1
        return offset + self.ends[at] - self.places[at]

    def read(self, offset: int) -> int:
        """Offset in ``text`` of a raw offset, which must not be inside a decoded part."""
        at = bisect_right(self.ends, offset) - 1
        return offset + self.places[at] - self.ends[at]


def unescape(raw: str) -> Unescaped | None:
    """Decode the character references and the mojibake of a text; None where it has neither.

    >>> read = unescape("&quot;No&quot; &amp; yes")
    >>> read.text, read.raw(1), read.raw(3), read.read(6)
    ('"No" & yes', 6, 8, 1)
    >>> unescape("â€œDonâ€™t").text
    '“Don’t'
    """
    garbled = not raw.isascii() and any(sign in raw for sign in _SIGNS)
    if "&" not in raw and not garbled:
        return None
    parts: list[str] = []
    places, ends = [0], [0]
    length = 0
    for found in (_EITHER if garbled else REFERENCE).finditer(raw):
        part = found.group()
        char = MEANT.get(part, part)
        for _ in range(3):  # The pattern allows a reference escaped twice more.
            char = html.unescape(char)
        if char == part:  # No such name.
            continue
        parts += (raw[ends[-1] : found.start()], char)
        length += found.start() - ends[-1] + len(char)
        places.append(length)
        ends.append(found.end())
    if not parts:
        return None
    return Unescaped("".join((*parts, raw[ends[-1] :])), places, ends)


def read_references(text: str) -> str:
    """The text with its references and mojibake decoded, for keys."""
    read = unescape(text)
    return text if read is None else read.text
