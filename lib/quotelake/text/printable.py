"""Texts that are safe and short enough to show on a page or a terminal."""

import re
from typing import Final

#: Characters that could change how a page or terminal shows the text around them: control characters except tab and
#: line feed; signs that change the direction of writing; line and paragraph separators; lone surrogates; noncharacters.
_UNSAFE: Final = re.compile(
    "\r\n?|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)


def visible(text: str) -> str:
    r"""Write characters that would act instead of being shown by their code point.

    >>> visible("a\x1b[31m\u202eb\ud800")
    'a[U+001B][31m[U+202E]b[U+D800]'
    """
    return _UNSAFE.sub(lambda found: "\n" if found[0][0] == "\r" else f"[U+{ord(found[0]):04X}]", text)


def shortened(value: object, most: int) -> str:
    """A value on one line of at most so many characters; empty for None."""
    flat = "" if value is None else " ".join(str(value).split())
    return flat if len(flat) <= most else flat[: most - 1].rstrip() + "…"
