"""A Delta table as a stream: the rows that one version of the rules has not seen, in batches that are remembered.

A checkpoint remembers them, in a file per batch that was begun and one per batch that is done.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass

from pyspark.sql import DataFrame

from quotelake.lake.damage import damage
from quotelake.lake.files import CHECKPOINTS, Files
from quotelake.lake.lookup import last_transaction
from quotelake.lake.tables import Lake, Transaction

Process = Callable[[DataFrame, Transaction], None]


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
        lines = (self.storage.read(f"{CHECKPOINTS}/{self.name}/offsets/{number}") or "").splitlines()
        offset: dict[str, int] | None = json.loads(lines[-1]) if lines else None
        return offset

    def _numbers(self, part: str) -> list[int]:
        return [int(name) for name in self.storage.names(f"{CHECKPOINTS}/{self.name}/{part}") if name.isdecimal()]


def follow(lake: Lake, table: str, checkpoint_id: str, batch_bytes: int, process: Process) -> None:
    """Pass every row of a table that was not seen yet through ``process``, in batches of about ``batch_bytes``.

    Args:
        lake: holds the table, and the checkpoint that remembers what was seen.
        table: only ever appended to.
        checkpoint_id: names the checkpoint; another one sees every row anew.
        batch_bytes: packed bytes of a batch.
        process: is given each batch, and the transaction that names what it writes.
    """
    name = f"{table}-{checkpoint_id}"
    if not has_news(lake, table, name):
        return

    def batch(rows: DataFrame, number: int) -> None:
        process(rows, Transaction(name, number))

    stream = lake.spark.readStream.format("delta")
    stream = stream.option("maxBytesPerTrigger", batch_bytes).option("skipChangeCommits", "true")
    query = (
        stream.load(lake.path(table))
        .writeStream.foreachBatch(batch)
        .option("checkpointLocation", lake.checkpoint(name))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()


def check_remembered(lake: Lake, table: str, checkpoint_id: str, written: str) -> None:
    """Refuse a lake whose checkpoint does not remember a batch that was written.

    Without its checkpoint a stream counts its batches from 0 again, and a table ignores a batch whose number it has:
    rows of new documents would be lost.

    Args:
        lake: holds the tables, and the checkpoint.
        table: read as a stream.
        checkpoint_id: names the checkpoint.
        written: a table that every batch writes to.

    Raises:
        DamageError: the checkpoint, or the end of it, is gone.
    """
    name = f"{table}-{checkpoint_id}"
    last = last_transaction(lake.spark, lake.path(written), Transaction(name, 0).of(written))
    if last is not None and last > max(Checkpoint(lake.storage, name).begun(), default=-1):
        raise damage(lake.root, f"the folder {CHECKPOINTS}/{name} lacks batch {last}, which is in the table {written}")


def has_news(lake: Lake, table: str, name: str) -> bool:
    """Whether a stream has a batch to take up or a commit to look at, by its checkpoint: starting one costs seconds."""
    checkpoint = Checkpoint(lake.storage, name)
    begun, version = checkpoint.begun(), lake.version(table)
    if not begun:
        return version > 0  # version 0 made the table
    if max(begun) not in checkpoint.done():
        return True
    offset = checkpoint.offset(max(begun))
    return offset is None or int(offset["reservoirVersion"]) <= version
