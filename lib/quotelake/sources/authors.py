"""Authors of tweets: known by a keyed hash, never by their handle."""

import hashlib
import hmac
import os
import secrets
import tempfile
from pathlib import Path

from quotelake.errors import InputError
from quotelake.sources.streams import file_system

_BYTES = 32
_NAME = "_author_key"


def hash_author(handle: str, key: bytes) -> str:
    """HMAC-SHA256 (RFC 2104) of a handle in hexadecimal; case and a leading @ do not count.

    >>> hash_author("@Someone", b"key") == hash_author("someone", b"key")
    True
    """
    return hmac.new(key, handle.strip().removeprefix("@").casefold().encode(), hashlib.sha256).hexdigest()


def author_key(path: str, root: str) -> bytes:
    """Read the secret that authors are hashed with; make one of 32 random bytes the first time.

    Args:
        path: file of the secret; empty takes ``_author_key`` in ``root``.
        root: directory or address of the lake.

    On a local disk only its owner may read the file (mode 0600), and of two runs that make it at once both get the
    same. Whoever has the file can test whether a handle is in the lake, so keep it from the readers of the tables.

    Raises:
        InputError: the file holds fewer than 32 bytes, or cannot be read or made.
    """
    place = path or f"{root.rstrip('/')}/{_NAME}"
    system, within = file_system(place)
    try:
        if system.type_name == "local":
            key = _local_key(Path(within).expanduser())
        else:
            if system.get_file_info(within).size is None:
                with system.open_output_stream(within) as new:
                    new.write(secrets.token_bytes(_BYTES))
            with system.open_input_stream(within) as stream:
                key = stream.read()
    except OSError as error:
        raise InputError(f"the secret of tweet authors cannot be read or made at {place}: {error}") from None
    if len(key) < _BYTES:
        raise InputError(
            f"the secret of tweet authors at {place} has {len(key)} bytes, at least {_BYTES} are needed; make one with "
            f"'head -c {_BYTES} /dev/urandom > FILE'"
        )
    return key


def _local_key(path: Path) -> bytes:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        # Complete before it has its name, and linking does not replace: another run reads all of one key.
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=".author_key-")  # mode 0600
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(secrets.token_bytes(_BYTES))
            os.link(draft, path)
        except FileExistsError:
            pass  # the other run was first
        finally:
            os.unlink(draft)
    return path.read_bytes()
