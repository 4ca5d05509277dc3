"""Hashes of contents: ids of rows, and of words. The same in every process."""

import hashlib
from functools import lru_cache


def content_id(*fields: str | int | None) -> str:
    """Hash fields to an id of 32 hex characters (the first 128 bits of SHA-256).

    Every field is prefixed by its length in bytes, so moving a character from one field to the next changes the id;
    ``None`` differs from the empty string.

    >>> content_id("ab", "c") == content_id("a", "bc"), content_id(None) == content_id("")
    (False, False)
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
    return int.from_bytes(hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest())
