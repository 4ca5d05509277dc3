"""How far the versions of a lake have got on one of its tables, by their checkpoints."""

import json

from quotelake.lake.tables import Lake


def others_are_ahead(lake: Lake, table: str, checkpoint_id: str) -> bool:
    """Whether other versions may have written about rows of a table that this one has not finished.

    Versions share tables: two detectors by the same rules find the same quotes. A run that died, the first one on a
    lake included, leaves such rows under a checkpoint that is not ours.

    Args:
        lake: holds the table and the checkpoints.
        table: followed as a stream.
        checkpoint_id: of the versions that ask.
    """
    own = f"{table}-{checkpoint_id}"
    others = [name for name in lake.storage.names("_checkpoints") if name.startswith(f"{table}-") and name != own]
    done = _finished(lake, own) if others else 0
    return any(_begun(lake, other) > done for other in others)


def _finished(lake: Lake, name: str) -> int:
    """First version of the table that a checkpoint had not finished."""
    numbers = _numbers(lake, f"{name}/commits")
    offset = _offset(lake, name, max(numbers)) if numbers else None
    return 0 if offset is None or offset.get("isStartingVersion") else int(offset["reservoirVersion"])


def _begun(lake: Lake, name: str) -> int:
    """First version of the table that a checkpoint had not begun."""
    numbers = _numbers(lake, f"{name}/offsets")
    offset = _offset(lake, name, max(numbers)) if numbers else None
    if offset is None:
        # Without a batch nothing was written; a batch that cannot be read may have written about anything.
        return lake.version(name.rpartition("-")[0]) + 1 if numbers else 0
    # A negative index stands before the first file of the version.
    return int(offset["reservoirVersion"]) + (offset["index"] >= 0 or bool(offset.get("isStartingVersion")))


def _offset(lake: Lake, name: str, number: int) -> dict[str, int] | None:
    """Where Delta's source had got to with a batch; None where the file is empty or gone."""
    lines = (lake.storage.read(f"_checkpoints/{name}/offsets/{number}") or "").splitlines()
    offset: dict[str, int] | None = json.loads(lines[-1]) if lines else None
    return offset


def _numbers(lake: Lake, folder: str) -> list[int]:
    return [int(name) for name in lake.storage.names(f"_checkpoints/{folder}") if name.isdecimal()]
