"""Quotation marks as data, and the role of each mark in its place: it opens, closes, either or neither.

A *family* is a set of marks that writers mix: a curly mark may be closed by a straight one of its family, never by one
of another. Doubled apostrophes and backquotes are typewritten double marks. The characters around a mark decide its
role, else the marks after it in the paragraph.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Final, Literal

from quotelake.quotes.lexicon import EN
from quotelake.text.words import PARAGRAPH_BREAK

#: Family → its pairs: an opening and a closing mark that belong together.
_PAIRS: Final = {
    "double": ('""', "“”", "„“", "„”", "””", "＂＂", "〝〟", "''''", "‘‘’’", "``''"),  # ”” in Finnish, Swedish
    "single": ("''", "‘’", "‚‘"),
    "guillemet": ("«»", "»«"),  # »« in German books, Danish
    "angle": ("‹›", "›‹"),
    "corner": ("「」",),
    "white corner": ("『』",),
    "title": ("《》",),
}
_SPLIT: Final = [(p[: len(p) // 2], p[len(p) // 2 :], family) for family, pairs in _PAIRS.items() for p in pairs]
PROPER: Final = frozenset((opening, closing) for opening, closing, _ in _SPLIT)
FAMILY: Final = {mark: family for *both, family in _SPLIT for mark in both}

#: Marks that open or close by their shape; straight ones can do both, by the text around them.
OPENING: Final = frozenset("“„‘‚«‹「『《〝") | {"``", "‘‘"}
CLOSING: Final = frozenset("”’»›」』》〟") | {"’’"}

#: Letters and digits of scripts that put white space between words. An apostrophe between two of them is no mark
#: (*don't*); in Chinese, Japanese and Korean a mark may touch words on both sides.
SPACED: Final = r"[^\W\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]"
_SINGLE_CHARACTERS: Final = "".join(sorted(mark for mark in FAMILY if len(mark) == 1))

#: Matches each mark, a doubled one as one, but no apostrophe inside a word and no lone backquote. It begins with a
#: class of characters, which the engine finds fast, and reads a fixed number of neighbours: no backtracking.
MARK: Final = re.compile(
    rf"[{_SINGLE_CHARACTERS}`](?:(?<=')'|(?<=’)’|(?<=‘)‘|(?<=`)`|(?<!['’`])|(?<=['’])(?<!{SPACED}.)|(?<=['’])(?!{SPACED}))"
)

#: Role of a mark by the characters around it. It *may open* only if a mark surely closes it; else it is an elision. It
#: *may close* only if no later mark surely does; else it is a possessive.
Role = Literal["open", "close", "either", "neither", "may open", "may close"]


@dataclass(slots=True)
class Mark:
    """A mark in a text."""

    start: int
    end: int
    char: str
    family: str
    role: Role
    after_digit: bool
    before_lower: bool
    #: Closing curly double marks of the paragraph that no curly mark after this one opens.
    curly_closes: int = 0


#: Most marks of a text that are read, to bound memory: only garbage has more, and those after them are no marks.
MAX_MARKS: Final = 40_000
#: What follows an apostrophe for dropped letters, or one after a closing mark (*"Cats"'s cast*): never opens a quote.
_ELISIONS: Final = re.compile(r"(?:\d\ds|n|s|t|d|m|ll|re|ve|em|tis|twas|twere|twill)(?!\w)", re.IGNORECASE)
#: The same, but these may also open a quote (*'10 dead'*, *'Round the clock'*): only if a later mark surely closes it.
_POSSIBLE_ELISIONS: Final = re.compile(
    r"(?:\d\d|til|till|cause|cuz|coz|cos|bout|round|neath|er|im|ere|nuff|ave|e|ow)(?!\w)", re.IGNORECASE
)
_SPACED: Final = re.compile(SPACED)
_NEXT_WORD: Final = re.compile(r"\s+([^\W\d_]+)")
_LAST_WORD: Final = re.compile(r"(?<!\w)\w{1,3}\Z")
_OPENING_BRACKETS: Final = frozenset("([{<")
_AFTER_CLOSING: Final = frozenset(".,;:!?…)]}>。、，！？；：）")
#: A single mark opens after these as it does after white space ...
_BEFORE_SINGLE: Final = _OPENING_BRACKETS | frozenset(":-‐‑–—―/") | {m for m in FAMILY if FAMILY[m] != "single"}
#: ... and before these as it does before a letter or digit.
_IN_SINGLE: Final = frozenset('$£€¥#@[(…."“')


def read_paragraphs(text: str) -> Iterator[tuple[list[Mark], int, bool]]:
    """The marks of each paragraph that has some, without apostrophes, up to :data:`MAX_MARKS`.

    Yields:
        The marks, where the paragraph ends, and whether it begins with a mark behind a paragraph that has marks too.
    """
    padded = f" {text} "
    marks: list[Mark] = []
    follows = -1  # start of a paragraph that begins with a mark, behind a paragraph that has marks
    last = 0
    for found in islice(MARK.finditer(text), MAX_MARKS):
        start, end = found.span()
        gap = PARAGRAPH_BREAK.search(text, last, start) if text.find("\n", last, start) >= 0 else None
        if gap:
            if marks and (settled := _settle(marks)):
                yield settled, gap.start(), settled[0].start == follows
            follows = start if marks and gap.end() == start else -1
            marks = []
        last = end
        char, family, role, after_digit, before_lower = _look(padded[start : end + 2])
        if role is None:
            role = _single_role(text, start, char, padded[start], padded[end + 1])
        if role != "neither":
            marks.append(Mark(start, end, char, family, role, after_digit, before_lower))
    if settled := _settle(marks):
        gap = PARAGRAPH_BREAK.search(text, last)
        yield settled, gap.start() if gap else len(text), settled[0].start == follows


@lru_cache(maxsize=4096)
def _look(mark: str) -> tuple[str, str, Role | None, bool, bool]:
    """char, family, role (None for a single mark), after_digit, before_lower of a mark between two neighbours."""
    before, char, after = mark[0], mark[1:-1], mark[-1]
    family = FAMILY[char]
    role: Role | None = "either"
    opens = before.isspace() or before in _OPENING_BRACKETS
    closes = after.isspace() or after in _AFTER_CLOSING
    if family == "single":
        role = None
    elif char == "„" and _SPACED.match(before):  # Half of an apostrophe read in the wrong encoding: donâ„¢t
        role = "neither"
    elif opens is not closes:
        role = "open" if opens else "close"
    return char, family, role, before.isdecimal(), after.islower()


def _single_role(text: str, start: int, char: str, before: str, after: str) -> Role:
    """Role of a single mark or apostrophe: neither in decades, clipped words and possessives."""
    end = start + 1
    # An opening shape may also follow a letter of a script that is written without white space.
    free = before.isspace() or before in _BEFORE_SINGLE or (char != "'" and not _SPACED.match(before))
    if free and char != "’" and (after.isalnum() or after in _IN_SINGLE):
        if _ELISIONS.match(text, end):
            return "neither"
        return "may open" if _POSSIBLE_ELISIONS.match(text, end) else "open"
    if char == "‚" or before.isspace() or _SPACED.match(after):
        return "neither"
    if text[max(0, start - 2) : start].casefold() in ("'n", "’n", "‘n"):
        return "neither"
    if not before.isalnum() or after in _AFTER_CLOSING or end == len(text) or after == "\n":
        return "close"
    last_word = _LAST_WORD.search(text, max(0, start - 4), start)
    clipped = text[start - 2 : start].lower() == "in" or (last_word and last_word[0].lower() in EN["clipped_words"])
    if before not in "sSxXzZ" and not clipped:
        return "close"
    following = _NEXT_WORD.match(text, end)
    word = following.group(1).lower() if following else ""
    return "close" if word in EN["function_words"] or word in EN["reporting_verbs"] else "may close"


def _settle(marks: list[Mark]) -> list[Mark]:
    """Set the fields that depend on later marks, in one pass from the end, and drop the apostrophes."""
    single_closes = False
    curly_closes = 0
    for mark in reversed(marks):
        if mark.family == "single":
            if mark.role == "close":
                single_closes = True
            elif mark.role == "may close":
                mark.role = "neither" if single_closes else "close"
            else:
                if mark.role == "may open":
                    mark.role = "open" if single_closes else "neither"
                single_closes = False
        else:
            mark.curly_closes = curly_closes
            curly_closes = max(0, curly_closes + (mark.char == "”") - (mark.char == "“"))
    return [mark for mark in marks if mark.role != "neither"]
