"""Rows that Spark read from each table, by its event log. The log must be uncompressed and in one file."""

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
    [path] = [entry for entry in folder.iterdir() if entry.is_file()]
    scans: dict[int, str] = {}
    found = []
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            # Only events of plans and tasks are needed; many others are long.
            if '"sparkPlanInfo"' in line:
                scans |= dict(_scans(json.loads(line)["sparkPlanInfo"], str(lake.resolve())))
            elif line.startswith('{"Event":"SparkListenerTaskEnd"'):
                info = json.loads(line)["Task Info"]
                for update in info["Accumulables"]:
                    if update["ID"] in scans and "Update" in update:
                        rows = RowsRead(info["Finish Time"] / 1000, scans[update["ID"]], int(update["Update"]))
                        found.append(rows)
    return found


def _scans(plan: Mapping[str, Any], lake: str) -> Iterator[tuple[int, str]]:
    """Yield the accumulator of the rows of each scan of files below a node, with its table."""
    place = _PLACE.search(plan["metadata"].get("Location", ""))
    if plan["nodeName"].startswith("Scan") and place:
        inside = place[1].removeprefix("//").partition(f"{lake}/")[2].split("/")
        table = inside[0] if "_delta_log" not in inside else ""
        yield from ((metric["accumulatorId"], table) for metric in plan["metrics"] if metric["name"] == _ROWS)
    for child in plan["children"]:
        yield from _scans(child, lake)
