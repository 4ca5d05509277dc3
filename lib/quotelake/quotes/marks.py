"""The inventory of quotation marks as data, and the one pattern that finds them.

A *family* is a set of marks that writers mix: a curly mark may be closed by a straight one of its family, never by one
of another. Doubled apostrophes and backquotes are double marks typed on a typewriter, and belong with those.
"""

import re
from typing import Final, NamedTuple


class Pair(NamedTuple):
    """An opening and a closing mark that belong together, and their family."""

    opening: str
    closing: str
    family: str


PAIRS: Final = (
    Pair('"', '"', "double"),
    Pair("“", "”", "double"),
    Pair("„", "“", "double"),
    Pair("„", "”", "double"),
    Pair("”", "”", "double"),  # Finnish, Swedish
    Pair("＂", "＂", "double"),
    Pair("〝", "〟", "double"),
    Pair("''", "''", "double"),
    Pair("‘‘", "’’", "double"),
    Pair("``", "''", "double"),
    Pair("'", "'", "single"),
    Pair("‘", "’", "single"),
    Pair("‚", "‘", "single"),
    Pair("«", "»", "guillemet"),
    Pair("»", "«", "guillemet"),  # German books, Danish
    Pair("‹", "›", "angle"),
    Pair("›", "‹", "angle"),
    Pair("「", "」", "corner"),
    Pair("『", "』", "white corner"),
    Pair("《", "》", "title"),
)
PROPER: Final = frozenset((pair.opening, pair.closing) for pair in PAIRS)
FAMILY: Final = {mark: pair.family for pair in PAIRS for mark in (pair.opening, pair.closing)}

#: Marks that by their shape open or close. Straight ones can do both: only the text around them tells.
OPENING: Final = frozenset("“„‘‚«‹「『《〝") | {"``", "‘‘"}
CLOSING: Final = frozenset("”’»›」』》〟") | {"’’"}
STRAIGHT: Final = frozenset(FAMILY) - OPENING - CLOSING

#: Letters and digits of scripts that put white space between words. An apostrophe between two of them is no mark
#: (*don't*); in Chinese, Japanese and Korean a mark may touch words on both sides.
SPACED: Final = r"[^\W\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]"
_SINGLE_CHARACTERS: Final = "".join(sorted(mark for mark in FAMILY if len(mark) == 1))

#: Matches each mark, a doubled one as one, but no apostrophe inside a word and no lone backquote. It starts with one
#: class of characters, to which the engine skips at C speed, and reads a fixed number of neighbours: no backtracking.
MARK: Final = re.compile(
    rf"[{_SINGLE_CHARACTERS}`](?:(?<=')'|(?<=’)’|(?<=‘)‘|(?<=`)`|(?<!['’`])|(?<=['’])(?<!{SPACED}.)|(?<=['’])(?!{SPACED}))"
)
