"""Small files of a lake, by their names: here those of a lake on this machine."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


class Files(Protocol):
    """The files of a lake, wherever it is."""

    def names(self, folder: str) -> list[str]:
        """Names of what a folder holds, in no order; none where there is no such folder."""

    def read(self, name: str) -> str | None:
        """Text of a file, or None where there is none."""


@dataclass(frozen=True)
class LocalFiles:
    """The files of a lake on this machine."""

    root: Path

    def names(self, folder: str) -> list[str]:
        """Names of what a folder holds; none where there is no such folder."""
        place = self.root / folder
        return [path.name for path in place.iterdir()] if place.is_dir() else []

    def read(self, name: str) -> str | None:
        """Text of a file, or None where there is none; bytes that are not UTF-8 stand as replacement characters."""
        place = self.root / name
        return place.read_bytes().decode("utf-8", "replace") if place.is_file() else None
