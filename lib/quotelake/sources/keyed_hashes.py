"""The secret of a lake, and what is hashed under it: authors of tweets, and what is kept of forgotten documents.

Whoever has the secret can test whether a handle or a forgotten document is in the lake, so readers of the tables must
not have it.
"""

import hashlib
import hmac
import os
import secrets
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Final

from quotelake.errors import InputError
from quotelake.sources.streams import file_system
from quotelake.text.ids import content_id

_BYTES = 32
#: Columns of ``documents`` by which a document is forgotten: its id (one version), article or tweet, address, author.
KINDS: Final = ("doc_id", "native_key", "url", "author_key")


def hash_author(handle: str, key: bytes) -> str:
    """HMAC-SHA256 (RFC 2104) of a handle, 64 hexadecimal digits; case, outer space and a leading @ are ignored."""
    return hmac.new(key, handle.strip().removeprefix("@").casefold().encode(), hashlib.sha256).hexdigest()


def forgotten_mark(kind: str, value: str, key: bytes) -> str:
    """HMAC-SHA256 of a value of one of :data:`KINDS`, 32 hexadecimal digits."""
    return hmac.new(key, content_id(kind, value).encode(), hashlib.sha256).hexdigest()[:32]


def is_forgotten(document: Mapping[str, Any], marks: Collection[str], key: bytes) -> bool:
    """Whether a document, or all of its article or author, was forgotten."""
    values = ((kind, document[kind]) for kind in KINDS) if marks else ()
    return any(value is not None and forgotten_mark(kind, value, key) in marks for kind, value in values)


def key_place(path: str, root: str) -> str:
    """File of the secret: ``path`` or, where that is empty, ``_author_key`` in the lake at ``root``."""
    return path or f"{root.rstrip('/')}/_author_key"


def _find(place: str) -> tuple[Any, str, bool]:
    """File system and path of the secret, and whether it was made; RuntimeError: there is no home directory for ~."""
    system, within = file_system(place)
    if system.type_name == "local":
        within = str(Path(within).expanduser())
    return system, within, system.get_file_info(within).is_file


def has_author_key(place: str) -> bool:
    """Whether the secret was made; an InputError if its place cannot be looked at."""
    try:
        return _find(place)[-1]
    except (OSError, RuntimeError) as error:
        raise InputError(f"the secret of tweet authors cannot be looked for at {place}: {error}") from None


def author_key(place: str) -> bytes:
    """Read the secret of the author hash; the first call makes one of 32 random bytes (locally of mode 0600).

    On a local disk two concurrent first runs get the same key. An InputError: the file has fewer than 32 bytes, or
    cannot be read or created.
    """
    try:
        system, within, is_there = _find(place)
        if not is_there and system.type_name == "local":
            folder = Path(within).parent
            folder.mkdir(parents=True, exist_ok=True)
            # A link never replaces a file, so every run reads one whole key; the temporary file has the mode 0600.
            with NamedTemporaryFile(dir=folder, prefix=".author_key-", buffering=0) as draft:
                draft.write(secrets.token_bytes(_BYTES))
                with suppress(FileExistsError):  # another run was first
                    os.link(draft.name, within)
        elif not is_there:
            with system.open_output_stream(within) as new:
                new.write(secrets.token_bytes(_BYTES))
        with system.open_input_stream(within) as stream:
            key: bytes = stream.read()
    except (OSError, RuntimeError) as error:
        raise InputError(f"the secret of tweet authors cannot be read or made at {place}: {error}") from None
    if len(key) < _BYTES:
        raise InputError(
            f"the secret of tweet authors at {place} has {len(key)} bytes, at least {_BYTES} are needed: if the file "
            f"was cut, put it back from a backup; for a new lake make one with 'head -c {_BYTES} /dev/urandom > FILE'"
        )
    return key
