"""Words and paragraphs of a text. Pure."""

import re
from collections.abc import Iterator

#: A word; an apostrophe inside belongs to it. Possessive quantifiers: no backtracking, which could never find another
#: match.
WORD = re.compile(r"\w++(?:['’]\w++)*+")
PARAGRAPH_BREAK = re.compile(r"\n[^\S\n]*\n\s*|\r\n[^\S\r\n]*\r\n\s*")


def words(text: str) -> list[str]:
    """Split into lower-cased words; an apostrophe inside a word belongs to it.

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


def paragraphs(text: str) -> Iterator[tuple[int, int]]:
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
