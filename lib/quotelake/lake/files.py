"""The small files beside the tables of a lake, by their names: here those of a lake on this machine.

What cannot be done is an ``OSError``.
"""

import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final, Protocol

#: Folder of the checkpoints of all streams of a lake.
CHECKPOINTS: Final = "_checkpoints"


class Files(Protocol):
    """The files of a lake, wherever it is."""

    @property
    def creates_once(self) -> bool:
        """Whether of several processes that create a file at once all but one are told that it is there."""

    @property
    def root(self) -> str | Path:
        """Directory or address of the lake."""

    def names(self, folder: str) -> list[str]:
        """Names of what a folder holds, in no order; none where there is no such folder."""

    def read(self, name: str) -> str | None:
        """Text of a file, or None where there is none."""

    def write(self, name: str, text: str) -> None:
        """Write a file, over the one that is there."""

    def create(self, name: str, text: str) -> bool:
        """Write a file unless there is one; return whether it was written."""

    def delete(self, name: str) -> None:
        """Delete a file, if it is there."""


@dataclass(frozen=True)
class LocalFiles:
    """The files of a lake on this machine."""

    root: Path
    creates_once: ClassVar[bool] = True

    def names(self, folder: str) -> list[str]:
        """Names of what a folder holds; none where there is no such folder."""
        place = self.root / folder
        return [path.name for path in place.iterdir()] if place.is_dir() else []

    def read(self, name: str) -> str | None:
        """Text of a file, or None where there is none; bytes that are not UTF-8 stand as replacement characters."""
        place = self.root / name
        return place.read_bytes().decode("utf-8", "replace") if place.is_file() else None

    def write(self, name: str, text: str) -> None:
        """Write a file, over the one that is there, so that nobody reads half of it."""
        place = self.root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        partial = place.with_name(f".{place.name}.{secrets.token_hex(8)}")
        partial.write_text(text, "utf-8")
        os.replace(partial, place)

    def create(self, name: str, text: str) -> bool:
        """Write a file unless there is one; return whether it was written."""
        place = self.root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            with place.open("x", encoding="utf-8") as file:
                file.write(text)
        except FileExistsError:
            return False
        return True

    def delete(self, name: str) -> None:
        """Delete a file, if it is there."""
        (self.root / name).unlink(missing_ok=True)
