"""What is kept of documents that were forgotten: keyed hashes, by which their records are known again."""

import hashlib
import hmac
from collections.abc import Collection, Mapping
from typing import Any, Final

from quotelake.text.ids import content_id

#: Columns of ``documents`` by which a document is forgotten: its id (one version), article or tweet, address, author.
KINDS: Final = ("doc_id", "native_key", "url", "author_key")


def mark_of(kind: str, value: str, key: bytes) -> str:
    """Hash a value of one of :data:`KINDS`: HMAC-SHA256 under the secret of the lake, 32 hexadecimal digits.

    >>> len(mark_of("url", "https://example.org/1", b"key"))
    32
    """
    return hmac.new(key, content_id(kind, value).encode(), hashlib.sha256).hexdigest()[:32]


def is_forgotten(document: Mapping[str, Any], marks: Collection[str], key: bytes) -> bool:
    """Whether a document, or all of its article or author, was forgotten.

    >>> marks = {mark_of("author_key", "a1", b"key")}
    >>> is_forgotten(dict.fromkeys(KINDS, "b1") | {"author_key": "a1"}, marks, b"key")
    True
    """
    values = ((kind, document[kind]) for kind in KINDS) if marks else ()
    return any(value is not None and mark_of(kind, value, key) in marks for kind, value in values)
