"""Where a lake lies, whether this user can read and write there, and the small files beside its tables.

Addresses such as ``s3a://bucket/lake`` are not looked at before Spark starts: only Spark reaches them, and says so at
its first access.
"""

import os
import secrets
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from quotelake.errors import InputError

#: Folder of the checkpoints of all streams of a lake.
CHECKPOINTS: Final = "_checkpoints"
_REMEDY: Final = "give --lake a directory or an address that this user may write to"


def is_local(root: str) -> bool:
    """Whether a lake is a directory of this machine, no address such as ``s3a://bucket/lake``."""
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
    """Refuse a file, what is below one, and what is closed to this user; a directory that is not there yet passes.

    Raises:
        InputError: this user may read no lake there.
    """
    try:
        if is_local(root):
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
    as_this_user = os.access in os.supports_effective_ids
    logs = sorted(Path(root).glob("*/_delta_log"))
    closed = [str(log) for log in logs if not os.access(log, os.W_OK | os.X_OK, effective_ids=as_this_user)]
    if closed:
        raise InputError(f"--lake {root}: the lake cannot be written: no permission for {', '.join(closed)}; {_REMEDY}")


def _nearest(root: str) -> Path:
    """What exists of a path: itself, or the nearest of the directories above it."""
    place = Path(root).absolute()
    return next(path for path in (place, *place.parents) if os.path.lexists(path))


class Files:
    """The small files beside the tables of a lake, by their names; here of a lake on this machine.

    What cannot be done is an ``OSError``.
    """

    #: Whether of two processes that make the same commit of Delta at once one fails. On S3 the later one would win.
    commits_once: bool = True

    def __init__(self, root: str | Path) -> None:
        self.root = str(root)

    def address(self, name: str) -> str:
        """Path or address of what lies in the lake, with the host that an address may leave to the settings."""
        return path_in(self.root, name)

    def names(self, folder: str) -> list[str]:
        """Names of what a folder holds, in no order; none where there is no such folder."""
        place = Path(self.root, folder)
        return os.listdir(place) if place.is_dir() else []

    def sizes(self, folder: str) -> dict[str, int]:
        """Bytes of each file in a folder, by name."""
        return {name: Path(self.root, folder, name).stat().st_size for name in self.names(folder)}

    def read(self, name: str) -> str | None:
        """Text of a file, or None where there is none; bytes that are not UTF-8 stand as replacement characters."""
        place = Path(self.root, name)
        return place.read_bytes().decode("utf-8", "replace") if place.is_file() else None

    def write(self, name: str, text: str, *, over: bool = True) -> bool:
        """Write a file, over the one that is there, so that nobody reads half of it; or only where there is none.

        Returns whether it was written.
        """
        place = Path(self.root, name)
        place.parent.mkdir(parents=True, exist_ok=True)
        partial = place.with_name(f".{place.name}.{secrets.token_hex(8)}")
        try:
            with (partial if over else place).open("x", encoding="utf-8") as file:
                file.write(text)
        except FileExistsError:
            return False
        if over:
            os.replace(partial, place)
        return True

    def copy(self, name: str, to: str) -> None:
        """Give a file that never changes a second name, over what is there; on another disk it is copied."""
        place = Path(self.root, to)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.unlink(missing_ok=True)
        try:
            os.link(Path(self.root, name), place)
        except OSError:
            shutil.copy2(Path(self.root, name), place)

    def delete(self, name: str) -> None:
        """Delete a file or an empty folder, if it is there."""
        place = Path(self.root, name)
        if place.is_dir():
            place.rmdir()
        else:
            place.unlink(missing_ok=True)

    def delete_all(self, folder: str) -> None:
        """Delete a folder with all that is in it, if it is there."""
        with suppress(FileNotFoundError):
            shutil.rmtree(Path(self.root, folder))
