"""Quotation marks, apostrophes, dashes and ellipses that were read in the wrong encoding (*mojibake*).

UTF-8 read as Windows-1252 turns *“Don’t”* into *â€œDonâ€™tâ€* with a control character at its end; read so twice, into
*Ã¢â‚¬Å“Donâ€¦*. The forms are computed from the encodings, not listed: UTF-8 read once or twice as Windows-1252 or
Latin-1, or once as Mac Roman; and Windows-1252 read as Latin-1. Letters (*PeÃ±a*) and marks of scripts whose words
would be unreadable too are left alone.
"""

import re
from collections.abc import Iterator
from typing import Final

from quotelake.quotes.marks import FAMILY

#: Characters whose forms are read: marks of the Latin script, dashes, ellipsis and no-break space.
_READ: Final = (*sorted(mark for mark in FAMILY if len(mark) == 1 and "\x7f" < mark < "\u2e80"), *"–—…\u00a0")
#: The closing mark whose last byte Windows-1252 does not define, so that programs drop or replace it.
_CUT_SHORT: Final = ("â€", "â€\ufffd", "Ã¢â‚¬", "Ã¢â‚¬Â", "Ã¢â‚¬Â\ufffd")
#: Characters of which also a single byte of Windows-1252, read as Latin-1, is read: not the ellipsis, which is a line
#: break there, nor rare ones.
_ALONE: Final = "‘’“”–—"


def _windows(data: bytes) -> str:
    """Read bytes as Windows-1252; the five that it does not define as control characters, as browsers do."""
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
        if char in _ALONE:
            yield byte


#: Wrong reading → the character that was meant.
MEANT: Final = dict.fromkeys(_CUT_SHORT, "”") | {form: char for char in _READ for form in _forms(char)}
#: Matches each wrong reading, the longest first: one may begin another.
MOJIBAKE: Final = re.compile("|".join(map(re.escape, sorted(MEANT, key=lambda form: (-len(form), form)))))
#: First characters of wrong readings; few other texts have them.
_SIGNS: Final = tuple(sorted({form[0] for form in MEANT}))


def has_mojibake(text: str) -> bool:
    """Whether a text may hold such a reading; costs next to nothing where it holds none.

    >>> has_mojibake("Donâ€™t"), has_mojibake("Don’t")
    (True, False)
    """
    return not text.isascii() and any(sign in text for sign in _SIGNS)
