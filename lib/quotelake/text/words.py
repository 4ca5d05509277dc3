"""Words, sentences and paragraphs of a text, and how it is shown on a page or a terminal. Pure."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from quotelake.text.fold import Span
from quotelake.text.lexicon import table

#: A word; an apostrophe inside belongs to it.
WORD = re.compile(r"\w++(?>(?:['’]\w++)*)")
LETTER: Final = re.compile(r"\w")
PARAGRAPH_BREAK = re.compile(r"\n[^\S\n]*\n\s*|\r\n[^\S\r\n]*\r\n\s*")
#: A full stop after one of these ends no sentence: a name or an explanation follows.
_LEADING: Final = frozenset().union(*(table("leading_abbreviations", code) for code in ("en", "de", "fr")))
#: After one of these, or an initial, it ends one only before an opener (*in the U.S. We will*).
_CLOSING: Final = table("closing_abbreviations")
_OPENERS: Final = table("sentence_openers")
# Possessive, and only at the start of a run of stops: linear for any text.
_BREAK = re.compile(r"""(?<![.!?…])(?P<stop>[.!?…]++)["'”’»)\]]*+(?:\s++|$)|[。！？]+[」』”’)）]*|\n\s*+""")
_LAST_WORD = re.compile(r"(\S*)$")
_FIRST_WORD = re.compile(r"""["'“‘«(\[]*+([A-Z][a-z]*+)(?![\w.])""")

#: Characters that could change how a page or terminal shows the text around them: control characters except tab and
#: line feed; signs that change the direction of writing; line and paragraph separators; lone surrogates; noncharacters.
_UNSAFE: Final = re.compile(
    "\r\n?|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)


def words(text: str) -> list[str]:
    """Lower-cased words.

    >>> words("We won't, she said.")
    ['we', "won't", 'she', 'said']
    """
    return WORD.findall(text.casefold())


def count_words(text: str) -> int:
    """Count words as :func:`words` splits them.

    >>> count_words('"We lost," - ')
    2
    """
    return len(WORD.findall(text))


def sentences(text: str) -> list[Span]:
    """Spans of the sentences of a text, each with the white space after it.

    A full stop before a lower-case letter ends no sentence, nor does one after a title (*Mr.*). After an initial or
    another abbreviation it ends one only before a pronoun, article or possessive, after *no* unless a number follows.
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
    if word == "no":
        return not after.isdecimal()
    if word in _LEADING:
        return False
    if word not in _CLOSING and not (len(word) == 1 and word.isalpha() and word not in ("i", "a")):
        return True
    first = _FIRST_WORD.match(text, found.end())
    return first is not None and first[1].casefold() in _OPENERS


def omitted_spans(text: str, kept: Sequence[Span]) -> tuple[Span, ...]:
    """What an excerpt leaves out of a text, from the first letter of each part to its last; ``kept`` in order.

    >>> omitted_spans("“Well, we won. At last.”", [(7, 13)])
    ((1, 5), (15, 22))
    """
    edges = zip([0, *(end for _, end in kept)], [*(start for start, _ in kept), len(text)], strict=True)
    letters = ([found.start() for found in LETTER.finditer(text, *edge)] for edge in edges)
    return tuple((found[0], found[-1] + 1) for found in letters if found)


def paragraphs(text: str) -> Iterator[Span]:
    r"""Yield (start, end) of each paragraph: runs of text between blank lines, without the blank lines.

    >>> list(paragraphs("One.\n\nTwo."))
    [(0, 4), (6, 10)]
    """
    start = 0
    for gap in PARAGRAPH_BREAK.finditer(text):
        if gap.start() > start:
            yield start, gap.start()
        start = gap.end()
    if start < len(text):
        yield start, len(text)


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
