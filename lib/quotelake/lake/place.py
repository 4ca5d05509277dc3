"""The place of a lake, whether this user can read and write it, and the small files beside its tables.

Addresses such as ``s3a://bucket/lake`` are not checked before Spark starts: only Spark reaches them.
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


def is_local(root: str) -> bool:
    """Whether a lake is a directory of this machine, no address such as ``s3a://bucket/lake``."""
    return not urlsplit(root).scheme


def path_in(root: str, name: str) -> str:
    """Path or address of a table or file of a lake."""
    # Delta takes a relative path in SQL for the name of a schema.
    full = str(Path(root).absolute()) if is_local(root) else root
    return f"{full.rstrip('/')}/{name}"


def check_readable(root: str) -> None:
    """Refuse, by an InputError, what is no directory that this user can read; one that does not exist yet passes."""
    try:
        if is_local(root):
            os.listdir(root)
    except FileNotFoundError:
        return
    except NotADirectoryError:
        raise InputError(f"--lake {root}: {_nearest(root)} is a file, not a directory") from None
    except OSError as error:
        raise InputError(f"--lake {root}: the lake cannot be read: {error.strerror}") from None


def check_writable(root: str, argument: str = "--lake") -> None:
    """Refuse, by an InputError that names ``argument``, a folder where this user cannot write or change tables."""
    if not is_local(root):
        return
    nearest, remedy = _nearest(root), f"give {argument} a place that this user may write to"
    if not nearest.is_dir():
        raise InputError(f"{argument} {root}: {nearest} is a file, not a directory; {remedy}")
    try:  # permissions are no sign of a disk that is mounted read-only
        os.rmdir(tempfile.mkdtemp(prefix=".quotelake-", dir=nearest))
    except OSError as error:
        raise InputError(f"{argument} {root}: it cannot be written: {error.strerror}: {nearest}; {remedy}") from None
    as_this_user = os.access in os.supports_effective_ids
    logs = sorted(Path(root).glob("*/_delta_log"))
    closed = [str(log) for log in logs if not os.access(log, os.W_OK | os.X_OK, effective_ids=as_this_user)]
    if closed:
        raise InputError(f"{argument} {root}: it cannot be written: no permission for {', '.join(closed)}; {remedy}")


def _nearest(root: str) -> Path:
    """The path, or the nearest directory above it that exists."""
    place = Path(root).absolute()
    return next(path for path in (place, *place.parents) if os.path.lexists(path))


class Files:
    """The small files beside the tables of a lake on this machine, by their names. Failures are an ``OSError``."""

    #: Whether one of two processes fails that make the same commit of Delta at once. On S3 the later one would win.
    commits_once: bool = True

    def __init__(self, root: str | Path) -> None:
        self.root = str(root)

    def address(self, name: str) -> str:
        """Path or address of a file or folder, with the host that an address may leave to the settings."""
        return path_in(self.root, name)

    def names(self, folder: str) -> list[str]:
        """Names in a folder, in no order; none if there is no such folder."""
        place = Path(self.root, folder)
        return os.listdir(place) if place.is_dir() else []

    def sizes(self, folder: str) -> dict[str, int]:
        """Bytes of each file in a folder, by name."""
        return {name: Path(self.root, folder, name).stat().st_size for name in self.names(folder)}

    def read(self, name: str) -> str | None:
        """Text of a file, None if there is none; bytes that are not UTF-8 become replacement characters."""
        place = Path(self.root, name)
        return place.read_bytes().decode("utf-8", "replace") if place.is_file() else None

    def write(self, name: str, text: str, *, over: bool = True) -> bool:
        """Replace a file, or without ``over`` only create it: whether it was written. Nobody reads half of it."""
        place = Path(self.root, name)
        place.parent.mkdir(parents=True, exist_ok=True)
        partial = place.with_name(f".{place.name}.{secrets.token_hex(8)}")
        partial.write_text(text, "utf-8")
        try:
            (os.replace if over else os.link)(partial, place)
        except FileExistsError:
            return False
        finally:
            partial.unlink(missing_ok=True)
        return True

    def copy(self, name: str, to: str) -> None:
        """Give a file that never changes a second name, in place of any file there; copy it to another disk."""
        place = Path(self.root, to)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.unlink(missing_ok=True)
        try:
            os.link(Path(self.root, name), place)
        except OSError:
            shutil.copy2(Path(self.root, name), place)

    def delete(self, name: str) -> None:
        """Delete a file or an empty folder, if it exists."""
        place = Path(self.root, name)
        if place.is_dir():
            place.rmdir()
        else:
            place.unlink(missing_ok=True)

    def delete_all(self, folder: str) -> None:
        """Delete a folder and its content, if it exists."""
        with suppress(FileNotFoundError):
            shutil.rmtree(Path(self.root, folder))
