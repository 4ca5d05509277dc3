"""Files that commands write: each is there whole or not at all, also where a command is interrupted."""

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from quotelake.errors import InputError

#: Errors that only writing has; they name no file.
_NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Give a file to write to, which takes the place of ``path`` when the block ends without an error.

    Folders above it are made. What is no regular file, such as ``/dev/stdout``, is written to directly.

    Raises:
        InputError: it cannot be written there. Errors of other files that the block works with are raised as they are.
    """
    partial = path
    try:
        if path.exists() and not path.is_file():
            yield path
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        try:
            yield partial
            os.replace(partial, path)
        finally:
            partial.unlink(missing_ok=True)
    except OSError as error:
        if str(error.filename) not in map(str, (path, partial, *path.parents)) and error.errno not in _NO_SPACE:
            raise
        reason = error.strerror or error
        raise InputError(f"{path}: cannot be written ({reason}); name a file in a directory you may write to") from None


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file at once, text as UTF-8.

    Raises:
        InputError: it cannot be written there.
    """
    data = content.encode() if isinstance(content, str) else content
    with whole(path) as partial:
        partial.write_bytes(data)
