"""What Spark's own log of an application says of its tasks: bytes moved, and how busy they kept the cores."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

#: Settings with which Spark writes a log that is read here: uncompressed, in one file.
EVENT_LOG: Final = {
    "spark.eventLog.enabled": "true",
    "spark.eventLog.compress": "false",
    "spark.eventLog.rolling.enabled": "false",
}
_LONG: Final = 5_000  # milliseconds that a stage takes at least for its share of busy cores to say anything


class Moved(NamedTuple):
    """Bytes that all tasks of an application wrote for others to read, compressed, and to disk for lack of memory."""

    shuffled: int
    spilled: int


class Busy(NamedTuple):
    """A stage of Spark: its name, seconds, and the share of the cores that worked on any task meanwhile, 0 to 1."""

    stage: str
    seconds: float
    share: float


def moved(folder: Path) -> Moved:
    """Bytes shuffled and spilled, from the only log in a folder."""
    shuffled = spilled = 0
    for event in _events(folder, "TaskEnd"):
        if metrics := event.get("Task Metrics"):
            shuffled += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
            spilled += metrics["Disk Bytes Spilled"]
    return Moved(shuffled, spilled)


def busy(folder: Path, cores: int) -> list[Busy]:
    """How busy the cores were during each long stage, from the only log in a folder; the least busy one first."""
    tasks = [event["Task Info"] for event in _events(folder, "TaskEnd")]
    times = [(task["Launch Time"], task["Finish Time"]) for task in tasks]
    stages = [event["Stage Info"] for event in _events(folder, "StageCompleted")]
    found = []
    for stage in stages:
        first, last = stage["Submission Time"], stage["Completion Time"]
        if last - first >= _LONG:
            worked = sum(max(min(end, last) - max(begin, first), 0) for begin, end in times)
            found.append(Busy(stage["Stage Name"], (last - first) / 1e3, worked / cores / (last - first)))
    return sorted(found, key=lambda one: one.share)


def jobs(folder: Path) -> list[str]:
    """Description of each job, of one without the place of the product that the stack names, from the only log."""
    found = []
    for event in _events(folder, "JobStart"):
        stages = event["Stage Infos"]
        described = (event.get("Properties") or {}).get("spark.job.description")
        found.append(" ".join((described or (stages[-1]["Stage Name"] if stages else "")).split()))
    return found


def _events(folder: Path, kind: str) -> Iterator[dict[str, Any]]:
    """Events of a kind, from the only log in a folder."""
    [path] = [entry for entry in folder.iterdir() if entry.is_file()]
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.startswith(f'{{"Event":"SparkListener{kind}"'):
                yield json.loads(line)
