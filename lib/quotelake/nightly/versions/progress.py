"""How far each version of the rules has processed a table of the lake, read from the checkpoints."""

from quotelake.lake.checkpoint import FOLDER, Checkpoint
from quotelake.lake.tables import Lake


def others_are_ahead(lake: Lake, table: str, checkpoint_id: str) -> bool:
    """Whether runs of other versions may have processed rows of a table that the given versions have not finished.

    Versions share tables: two detectors with the same rules find the same quotes. A killed run, even the first one on a
    lake, leaves such quotes under the checkpoint of its versions; they must not be written again.

    Args:
        lake: holds the table and the checkpoints.
        table: read as a stream.
        checkpoint_id: of the given versions.
    """
    own = f"{table}-{checkpoint_id}"
    others = [name for name in lake.storage.names(FOLDER) if name.startswith(f"{table}-") and name != own]
    done = _finished(Checkpoint(lake.storage, own)) if others else 0
    return any(_begun(Checkpoint(lake.storage, other), lake.version(table)) > done for other in others)


def _finished(checkpoint: Checkpoint) -> int:
    """First Delta version of the table that a checkpoint has not finished."""
    numbers = checkpoint.done()
    offset = checkpoint.offset(max(numbers)) if numbers else None
    return 0 if offset is None or offset.get("isStartingVersion") else int(offset["reservoirVersion"])


def _begun(checkpoint: Checkpoint, version: int) -> int:
    """First Delta version of the table, now at ``version``, that a checkpoint has not begun."""
    numbers = checkpoint.begun()
    offset = checkpoint.offset(max(numbers)) if numbers else None
    if offset is None:
        # Without a batch nothing was written; a batch whose offset cannot be read may have processed any row.
        return version + 1 if numbers else 0
    # A negative index is the position before the first file of the version.
    return int(offset["reservoirVersion"]) + (offset["index"] >= 0 or bool(offset.get("isStartingVersion")))
