"""What a stream has processed of its table, read from its checkpoint: a file per batch begun, one per batch done."""

import json
from dataclasses import dataclass
from typing import Final

from quotelake.lake.files import Files

#: Folder of all checkpoints of a lake.
FOLDER: Final = "_checkpoints"


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint of a lake; it may not exist yet.

    Args:
        storage: that of the lake.
        name: of the checkpoint.
    """

    storage: Files
    name: str

    def begun(self) -> list[int]:
        """Numbers of the batches that were begun."""
        return self._numbers("offsets")

    def done(self) -> list[int]:
        """Numbers of the batches that were completed."""
        return self._numbers("commits")

    def offset(self, number: int) -> dict[str, int] | None:
        """Position of Delta's source at the end of a batch; None if its file is empty or gone.

        ``reservoirVersion`` is the first Delta version of the table that the batch did not finish; ``index``, where it
        stopped in that version, is negative before the first file.
        """
        lines = (self.storage.read(f"{FOLDER}/{self.name}/offsets/{number}") or "").splitlines()
        offset: dict[str, int] | None = json.loads(lines[-1]) if lines else None
        return offset

    def _numbers(self, part: str) -> list[int]:
        return [int(name) for name in self.storage.names(f"{FOLDER}/{self.name}/{part}") if name.isdecimal()]
