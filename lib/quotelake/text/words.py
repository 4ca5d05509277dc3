"""Pure text helpers shared by every domain: content ids, words, paragraphs. No Spark."""

import hashlib
import re
from collections.abc import Iterator
from functools import lru_cache

#: Possessive quantifiers: no backtracking, which could never find another match.
WORD = re.compile(r"\w++(?:['’]\w++)*+")
#: The only characters outside ASCII in nine of ten English articles, each of which separates words unless it is an
#: apostrophe: what stands for them where only words matter.
_COMMON_SIGNS = (("’", "'"), *((sign, " ") for sign in "“”‘–—…©•£\u00a0"))
PARAGRAPH_BREAK = re.compile(r"\n[^\S\n]*\n\s*|\r\n[^\S\r\n]*\r\n\s*")


def content_id(*fields: str | int | None) -> str:
    """Hash fields to an id of 32 hex characters (the first 128 bits of SHA-256).

    Every field is prefixed by its length in bytes, so moving a character from one field to the next changes the id;
    ``None`` differs from the empty string.

    >>> content_id("ab", "c") == content_id("a", "bc")
    False
    >>> content_id(None) == content_id("")
    False
    >>> len(content_id("a"))
    32
    """
    parts = []
    for field in fields:
        if field is None:
            parts.append(b"-;")
            continue
        # A lone surrogate cannot be encoded strictly, and an id must exist for any text that was read.
        data = str(field).encode("utf-8", "surrogatepass")
        parts += (b"%d:" % len(data), data)
    return hashlib.sha256(b"".join(parts)).hexdigest()[:32]


@lru_cache(maxsize=1 << 16)
def word_hash(word: str) -> int:
    """Hash a word to 64 bits, the same in every process.

    >>> 0 <= word_hash("word") < 1 << 64, word_hash("word") == word_hash("world")
    (True, False)
    """
    data = word.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest())


def words(text: str) -> list[str]:
    """Split into lower-cased words; an apostrophe inside a word belongs to it.

    >>> words("We won't, she said.")
    ['we', "won't", 'she', 'said']
    """
    return WORD.findall(text.casefold())


def plain_signs(text: str) -> str:
    """The same words in the same places, with ASCII for the commonest signs: most English texts are ASCII then.

    What reads words is several times as fast where it need not look up what Unicode says of each character.

    >>> plain_signs("“We won’t,” she said – twice.")
    " We won't,  she said   twice."
    """
    if not text.isascii():
        for sign, plain in _COMMON_SIGNS:
            text = text.replace(sign, plain)
    return text


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
