"""What Spark did, by its event log: rows read from each table, bytes shuffled. It must be uncompressed, in one file."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

#: Settings with which Spark writes such a log into a folder.
CONF: Final = {
    "spark.eventLog.enabled": "true",
    "spark.eventLog.compress": "false",
    "spark.eventLog.rolling.enabled": "false",
}

#: Path of a scan: the folder of a table's log or data files.
_PLACE: Final = re.compile(r"\[(?:file:)?([^,\]]+)")
_ROWS: Final = "number of output rows"
_TASK_END: Final = '{"Event":"SparkListenerTaskEnd"'


@dataclass(frozen=True)
class RowsRead:
    """Rows that a scan returned in one task.

    Args:
        at: end of the task, seconds since 1970.
        table: table of the lake; empty for other scans, such as of a table's log or of data in memory.
        rows: number of rows.
    """

    at: float
    table: str
    rows: int


def rows_read(folder: Path, lake: Path) -> list[RowsRead]:
    """Read the rows that scans of files returned, task by task, from the only log in a folder.

    Rows that never reach Spark are not counted: those that DuckDB read, and those skipped by a file's statistics.

    Args:
        folder: holds the log of one application.
        lake: directory of the lake.
    """
    scans: dict[int, str] = {}
    found = []
    with _log(folder).open(encoding="utf-8") as lines:
        for line in lines:
            # Only events of plans and tasks are needed; many others are long.
            if '"sparkPlanInfo"' in line:
                scans |= dict(_scans(json.loads(line)["sparkPlanInfo"], str(lake.resolve())))
            elif line.startswith(_TASK_END):
                info = json.loads(line)["Task Info"]
                for update in info["Accumulables"]:
                    if update["ID"] in scans and "Update" in update:
                        rows = RowsRead(info["Finish Time"] / 1000, scans[update["ID"]], int(update["Update"]))
                        found.append(rows)
    return found


@dataclass(frozen=True)
class Moved:
    """Bytes that all tasks of an application moved, failed ones included.

    Args:
        shuffled: written for other tasks to read, as serialised and compressed.
        spilled: written to disk because memory did not hold them.
    """

    shuffled: int
    spilled: int


def moved(folder: Path) -> Moved:
    """Read the bytes shuffled and spilled from the only log in a folder."""
    shuffled = spilled = 0
    with _log(folder).open(encoding="utf-8") as lines:
        for line in lines:
            if line.startswith(_TASK_END) and (metrics := json.loads(line).get("Task Metrics")):
                shuffled += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
                spilled += metrics["Disk Bytes Spilled"]
    return Moved(shuffled, spilled)


def _log(folder: Path) -> Path:
    [path] = [entry for entry in folder.iterdir() if entry.is_file()]
    return path


def _scans(plan: Mapping[str, Any], lake: str) -> Iterator[tuple[int, str]]:
    """Yield the accumulator of the rows of each scan of files below a node, with its table."""
    place = _PLACE.search(plan["metadata"].get("Location", ""))
    if plan["nodeName"].startswith("Scan") and place:
        inside = place[1].removeprefix("//").partition(f"{lake}/")[2].split("/")
        table = inside[0] if "_delta_log" not in inside else ""
        yield from ((metric["accumulatorId"], table) for metric in plan["metrics"] if metric["name"] == _ROWS)
    for child in plan["children"]:
        yield from _scans(child, lake)
