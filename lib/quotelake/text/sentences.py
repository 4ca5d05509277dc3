"""The sentences of a text. Pure."""

import re

from quotelake.text.fold import Span

#: A full stop after one of these ends no sentence.
ABBREVIATIONS = frozenset(
    {
        "mr", "mrs", "ms", "dr", "prof", "st", "gov", "sen", "rep", "gen", "col", "lt", "sgt", "rev", "hon", "jr", "sr",
        "vs", "etc", "no", "inc", "ltd", "co", "corp", "dept", "est", "jan", "feb", "mar", "apr", "jun", "jul", "aug",
        "sep", "sept", "oct", "nov", "dec", "e.g", "i.e", "u.s", "u.k", "u.n", "bzw", "ca", "hr", "fr", "z.b", "d.h",
        "u.a", "m", "mme", "mlle",
    }
)  # fmt: skip
# Possessive, and only at the start of a run of stops: linear for any text.
_BREAK = re.compile(r"""(?<![.!?…])(?P<stop>[.!?…]++)["'”’»)\]]*+(?:\s++|$)|[。！？]+[」』”’)）]*|\n\s*+""")
_LAST_WORD = re.compile(r"(\S*)$")


def sentences(text: str) -> list[Span]:
    """Split a text into sentences: (start, end) in code points, each with the white space after it.

    A full stop after an abbreviation or initial, or before a lower-case letter, ends no sentence.

    >>> [("Mr. Bell left. He won!"[a:b]) for a, b in sentences("Mr. Bell left. He won!")]
    ['Mr. Bell left. ', 'He won!']
    """
    spans: list[Span] = []
    start = 0
    for found in _BREAK.finditer(text):
        if found.group("stop") and not _ends_sentence(text, start, found):
            continue
        if found.end() > start:
            spans.append((start, found.end()))
        start = found.end()
    if start < len(text):
        spans.append((start, len(text)))
    return spans


def _ends_sentence(text: str, start: int, found: re.Match[str]) -> bool:
    after = text[found.end() : found.end() + 1]
    if after.islower():
        return False
    if found.group("stop") != ".":
        return True
    last = _LAST_WORD.search(text, max(start, found.start() - 20), found.start())
    word = last.group(1).strip("(\"'“‘[").casefold() if last else ""
    return word not in ABBREVIATIONS and not (len(word) == 1 and word.isalpha() and word not in ("i", "a"))
