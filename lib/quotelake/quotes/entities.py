"""Decode the character references of HTML and the mojibake that a scrape left in a text, and map offsets back.

Mojibake is decoded where it stands for marks, apostrophes or dashes: :mod:`quotelake.quotes.mojibake`.
"""

import html
import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

from quotelake.quotes.mojibake import MEANT, MOJIBAKE, has_mojibake

#: A character reference, also one that was escaped again (``&amp;quot;``). Its length is bounded, and the semicolon is
#: required: *AT&T* and *R&D* stay.
REFERENCE: Final = re.compile(
    r"&(?:amp;){0,2}(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});",
)
_EITHER: Final = re.compile(f"{REFERENCE.pattern}|{MOJIBAKE.pattern}")


@dataclass(frozen=True, slots=True)
class Unescaped:
    """A text with its references and mojibake decoded, and the mapping of offsets to the raw text, in code points.

    Attributes:
        text: the decoded text.
        places: offset in ``text`` after each decoded part, in order.
        ends: the same places as raw offsets.
        shifts: raw offset minus offset in ``text``, from each of these places on.
    """

    text: str
    places: list[int]
    ends: list[int]
    shifts: list[int]

    def raw(self, offset: int) -> int:
        """Raw offset of a character of ``text``, or of its end."""
        at = bisect_right(self.places, offset)
        return offset + (self.shifts[at - 1] if at else 0)

    def read(self, offset: int) -> int:
        """Offset in ``text`` of a raw offset, which must not be inside a decoded part.

        >>> read = unescape("&quot;No&quot; &amp; yes")
        >>> read.read(6), read.read(8)
        (1, 3)
        """
        at = bisect_right(self.ends, offset)
        return offset - (self.shifts[at - 1] if at else 0)


def unescape(raw: str) -> Unescaped | None:
    """Decode the character references and the mojibake of a text; None where it has neither.

    >>> read = unescape("&quot;No&quot; &amp; yes")
    >>> read.text, read.raw(1), read.raw(3)
    ('"No" & yes', 6, 8)
    >>> unescape("â€œDonâ€™t").text
    '“Don’t'
    """
    escaped, garbled = "&" in raw, has_mojibake(raw)
    if not escaped and not garbled:
        return None
    parts: list[str] = []
    places: list[int] = []
    ends: list[int] = []
    shifts: list[int] = []
    last = length = 0
    for found in (_EITHER if garbled else REFERENCE).finditer(raw):
        part = found.group()
        char = _decoded(part) if part[0] == "&" else MEANT[part]
        if char == part:  # No such name.
            continue
        parts += (raw[last : found.start()], char)
        length += found.start() - last + len(char)
        last = found.end()
        places.append(length)
        ends.append(last)
        shifts.append(last - length)
    if not places:
        return None
    return Unescaped("".join((*parts, raw[last:])), places, ends, shifts)


def _decoded(reference: str) -> str:
    for _ in range(3):  # The pattern allows a reference escaped twice more.
        reference = html.unescape(reference)
    return reference


def read_references(text: str) -> str:
    """The text with its references and mojibake decoded, for keys.

    >>> read_references("Q&amp;A at AT&T")
    'Q&A at AT&T'
    """
    read = unescape(text)
    return text if read is None else read.text
