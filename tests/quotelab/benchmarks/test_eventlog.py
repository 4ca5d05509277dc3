"""Bytes moved, by the events of tasks."""

import json
from pathlib import Path
from typing import Any

from quotelab.benchmarks.runs import Moved, moved


def task_end(shuffled: int, spilled: int) -> dict[str, Any]:
    metrics = {"Disk Bytes Spilled": spilled, "Shuffle Write Metrics": {"Shuffle Bytes Written": shuffled}}
    return {"Event": "SparkListenerTaskEnd", "Stage ID": 0, "Task Metrics": metrics}


def test_bytes_of_all_tasks_are_added_and_a_task_that_was_lost_has_none(tmp_path: Path):
    events = [
        {"Event": "SparkListenerApplicationStart"},
        task_end(10, 1),
        {"Event": "SparkListenerTaskEnd", "Stage ID": 1},
        {"Event": "SparkListenerStageCompleted", "Task Metrics": task_end(500, 500)["Task Metrics"]},
        task_end(7, 0),
    ]
    lines = (json.dumps(event, separators=(",", ":")) for event in events)
    (tmp_path / "local-1").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    assert moved(tmp_path) == Moved(shuffled=17, spilled=1)
