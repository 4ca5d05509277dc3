"""Whether a directory can be a lake for this user: said at once, before Spark starts.

Addresses such as ``s3a://bucket/lake`` are not looked at: only Spark reaches them, and says so at its first access.
"""

import os
import tempfile
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from quotelake.errors import InputError

_REMEDY: Final = "give --lake a directory or an address that this user may write to"


def is_local(root: str) -> bool:
    """Whether a lake is a directory of this machine.

    >>> is_local("./lake"), is_local("s3a://bucket/lake")
    (True, False)
    """
    return not urlsplit(root).scheme


def path_in(root: str, name: str) -> str:
    """Path or address of what lies in a lake, such as a table.

    >>> path_in("s3a://bucket/lake/", "runs"), path_in("/data/lake", "runs")
    ('s3a://bucket/lake/runs', '/data/lake/runs')
    """
    # Delta takes a relative path in SQL for the name of a schema.
    full = str(Path(root).absolute()) if is_local(root) else root
    return f"{full.rstrip('/')}/{name}"


def check_readable(root: str) -> None:
    """Refuse a place that cannot hold a lake this user may read; a directory that does not exist yet passes.

    Raises:
        InputError: it is a file, is below one, or is closed to this user.
    """
    if not is_local(root):
        return
    try:
        os.listdir(root)
    except FileNotFoundError:
        return
    except NotADirectoryError:
        raise InputError(f"--lake {root}: {_nearest(root)} is a file, not a directory") from None
    except OSError as error:
        raise InputError(f"--lake {root}: the lake cannot be read: {error.strerror}") from None


def check_writable(root: str) -> None:
    """Refuse a place where this user cannot make a lake, or write to the one that is there.

    Makes a directory inside and removes it again: permissions say nothing about a disk that is mounted read-only.

    Raises:
        InputError: the place, or a table in it, cannot be written.
    """
    if not is_local(root):
        return
    nearest = _nearest(root)
    if not nearest.is_dir():
        raise InputError(f"--lake {root}: {nearest} is a file, not a directory; {_REMEDY}")
    try:
        os.rmdir(tempfile.mkdtemp(prefix=".quotelake-", dir=nearest))
    except OSError as error:
        raise InputError(f"--lake {root}: the lake cannot be written: {error.strerror}: {nearest}; {_REMEDY}") from None
    closed = [str(log) for log in sorted(Path(root).glob("*/_delta_log")) if not _may_write(log)]
    if closed:
        raise InputError(f"--lake {root}: the lake cannot be written: no permission for {', '.join(closed)}; {_REMEDY}")


def _nearest(root: str) -> Path:
    """What exists of a path: itself, or the nearest of the directories above it."""
    place = Path(root).absolute()
    return next(path for path in (place, *place.parents) if os.path.lexists(path))


def _may_write(folder: Path) -> bool:
    return os.access(folder, os.W_OK | os.X_OK, effective_ids=os.access in os.supports_effective_ids)
