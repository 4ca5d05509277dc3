"""Progress of a run under way: what Spark works on now. A live line on a terminal, a line now and then elsewhere."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.sql import SparkSession
from rich.console import Console

_LIVE_SECONDS = 0.5
_LOG_SECONDS = 30.0


@contextmanager
def show_progress(spark: SparkSession, console: Console) -> Iterator[None]:
    """Show how many tasks of the running Spark stages are done, while the block runs."""
    stop = threading.Event()
    began = time.monotonic()

    def live() -> None:
        with console.status("starting") as status:
            while not stop.wait(_LIVE_SECONDS):
                status.update(_line(spark, began))

    def log() -> None:
        while not stop.wait(_LOG_SECONDS):
            console.print(f"  … {_line(spark, began)}", markup=False, highlight=False)

    watcher = threading.Thread(target=live if console.is_terminal else log, name="progress", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        stop.set()
        watcher.join()


def _line(spark: SparkSession, began: float) -> str:
    tracker = spark.sparkContext.statusTracker()
    stages = [info for number in tracker.getActiveStageIds() if (info := tracker.getStageInfo(number))]
    done, all_ = sum(info.numCompletedTasks for info in stages), sum(info.numTasks for info in stages)
    names = ", ".join(sorted({info.name.split(" at ")[0] for info in stages})) or "planning"
    return f"{time.monotonic() - began:.0f} s, {names}: {done} of {all_} tasks"
