"""A Delta table as a stream: the rows that one version of the rules has not processed, in batches.

A checkpoint has a file per batch that was begun, and one per batch that is done.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass

from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame

from quotelake.errors import LakeBusyError
from quotelake.lake.damage import damage_error
from quotelake.lake.place import CHECKPOINTS, Files
from quotelake.lake.tables import Lake
from quotelake.lake.writing import SIDE_BY_SIDE, Transaction

Process = Callable[[DataFrame, Transaction], None]
#: File with the number of times that a checkpoint was dropped, by its first name.
_DROPPED = f"{CHECKPOINTS}/dropped.json"


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint of a lake, by its name; it may not exist yet."""

    storage: Files
    name: str

    def batches(self, *, done: bool = False) -> list[int]:
        """Numbers of the batches that were begun, or of the completed ones, in order."""
        names = self.storage.names(f"{CHECKPOINTS}/{self.name}/{'commits' if done else 'offsets'}")
        return sorted(int(name) for name in names if name.isdecimal())

    def offset(self, number: int) -> dict[str, int] | None:
        """Position of Delta's source at the end of a batch; None if its file is cut or gone.

        ``reservoirVersion`` is the first version that the batch did not finish; ``index`` is negative before its files.
        """
        return self._last_line(f"offsets/{number}")

    def cut(self) -> str | None:
        """The first file that a stream needs to go on and cannot read; None if there is none, or no batch."""
        begun, done = self.batches(), self.batches(done=True)
        needed = ["metadata", *(f"offsets/{n}" for n in begun[-2:]), *(f"commits/{n}" for n in done[-1:])]
        return next((file for file in needed if begun and self._last_line(file) is None), None)

    def _last_line(self, file: str) -> dict[str, int] | None:
        try:
            found = json.loads((self.storage.read(f"{CHECKPOINTS}/{self.name}/{file}") or "").strip().split("\n")[-1])
        except ValueError:
            return None
        return found if isinstance(found, dict) else None


def checkpoint_name(files: Files, table: str, checkpoint_id: str) -> str:
    """Name of a checkpoint of a table, with a number once it was dropped: tables ignore the batches that they have."""
    first = f"{table}-{checkpoint_id}"
    times = _dropped(files).get(first)
    return f"{first}-{times}" if times else first


def drop_others(files: Files, table: str, checkpoint_id: str, drop_rows: Callable[[], object]) -> None:
    """Drop the checkpoints of other versions of the rules, and by ``drop_rows`` the rows that they wrote."""
    own, dropped = checkpoint_name(files, table, checkpoint_id), _dropped(files)
    names = [name for name in files.names(CHECKPOINTS) if name.startswith(f"{table}-") and name != own]
    for name in names:
        first, _, times = name.removeprefix(f"{table}-").partition("-")
        dropped[f"{table}-{first}"] = int(times or 0) + 1
    if names:
        files.write(_DROPPED, json.dumps(dropped))  # before they go: a run that is killed here drops them again
        drop_rows()
    for name in names:
        files.delete_all(f"{CHECKPOINTS}/{name}")


def _dropped(files: Files) -> dict[str, int]:
    try:
        found: dict[str, int] = json.loads(files.read(_DROPPED) or "{}")
    except ValueError:
        raise damage_error(files.root, f"the file {_DROPPED} is cut") from None
    return found


def follow(lake: Lake, table: str, checkpoint_id: str, batch_bytes: int, process: Process) -> None:
    """Pass new rows of a table, which only grows, to ``process``, in batches of about ``batch_bytes``, packed.

    A LakeBusyError: another run follows the same checkpoint at this moment.
    """
    name = checkpoint_name(lake.storage, table, checkpoint_id)
    if has_news(lake, table, name):
        stream = lake.spark.readStream.format("delta")
        stream = stream.option("maxBytesPerTrigger", batch_bytes).option("skipChangeCommits", "true")
        query = (
            stream.load(lake.path(table))
            .writeStream.foreachBatch(lambda rows, number: process(rows, Transaction(name, number)))
            .option("checkpointLocation", lake.storage.address(f"{CHECKPOINTS}/{name}"))
            .trigger(availableNow=True)
            .start()
        )
        try:
            query.awaitTermination()
        except StreamingQueryException as error:
            if "CONCURRENT_STREAM_LOG_UPDATE" in str(error):  # another run notes the same batch
                raise LakeBusyError(SIDE_BY_SIDE) from error
            raise


def has_news(lake: Lake, table: str, name: str) -> bool:
    """Whether a stream has a batch to repeat or a new commit, by its checkpoint: starting a stream costs seconds."""
    checkpoint = Checkpoint(lake.storage, name)
    begun, version = checkpoint.batches(), lake.version(table)
    if not begun:
        return version > 0  # version 0 made the table
    if begun[-1] not in checkpoint.batches(done=True):
        return True
    offset = checkpoint.offset(begun[-1])
    return offset is None or int(offset["reservoirVersion"]) <= version


def check_remembered(lake: Lake, table: str, checkpoint_id: str, written: str) -> None:
    """Refuse, by a DamageError, a lake whose checkpoint lacks the end; each batch writes to the table ``written``.

    A stream would count its batches from 0 again, and tables ignore batches that they have: rows would be lost.
    """
    name = checkpoint_name(lake.storage, table, checkpoint_id)
    checkpoint = Checkpoint(lake.storage, name)
    if cut := checkpoint.cut():
        raise damage_error(lake.root, f"the file {CHECKPOINTS}/{name}/{cut} is missing or cut")
    last = lake.last_transaction(written, Transaction(name, 0))
    if last is not None and last > max(checkpoint.batches(), default=-1):
        raise damage_error(
            lake.root, f"the folder {CHECKPOINTS}/{name} lacks batch {last}, which is in the table {written}"
        )


def others_are_ahead(lake: Lake, table: str, checkpoint_id: str) -> bool:
    """Whether other checkpoints may have processed rows of a table that the given one has not finished.

    Versions share tables: quotes that a killed run left under other ones must not be written again.
    """
    own = checkpoint_name(lake.storage, table, checkpoint_id)
    others = [name for name in lake.storage.names(CHECKPOINTS) if name.startswith(f"{table}-") and name != own]
    finished = 0  # first Delta version of the table that the given one has not finished
    checkpoint = Checkpoint(lake.storage, own)
    if others and (numbers := checkpoint.batches(done=True)):
        offset = checkpoint.offset(numbers[-1])
        if offset is not None and not offset.get("isStartingVersion"):
            finished = int(offset["reservoirVersion"])
    return any(_begun(Checkpoint(lake.storage, other), lake.version(table)) > finished for other in others)


def _begun(checkpoint: Checkpoint, version: int) -> int:
    """First Delta version, of a table at ``version``, that a checkpoint has not begun."""
    numbers = checkpoint.batches()
    offset = checkpoint.offset(numbers[-1]) if numbers else None
    if offset is None:
        # Without a batch nothing was written; a batch whose offset cannot be read may have processed any row.
        return version + 1 if numbers else 0
    return int(offset["reservoirVersion"]) + (offset["index"] >= 0 or bool(offset.get("isStartingVersion")))
