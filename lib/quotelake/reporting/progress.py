"""Progress of a run in one line: the step, the share done, the rate and the time left."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pyspark.sql import SparkSession
from rich.console import Console

from quotelake.lake.runs import Run, Work

_LIVE_SECONDS = 0.5
_LOG_SECONDS = 30.0


@contextmanager
def show_progress(run: Run, spark: SparkSession, console: Console) -> Iterator[None]:
    """Show the progress of a run while the block runs."""
    stop = threading.Event()

    def line() -> str:
        return progress_line(run.seconds, run.work, _share_done(spark), time.monotonic())

    def live() -> None:
        with console.status("starting") as status:
            while not stop.wait(_LIVE_SECONDS):
                status.update(line())

    def log() -> None:
        while not stop.wait(_LOG_SECONDS):
            console.print(f"  … {line()}", markup=False, highlight=False)

    watcher = threading.Thread(target=live if console.is_terminal else log, name="progress", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        stop.set()
        watcher.join()


def progress_line(seconds: float, work: Work, share: float, now: float) -> str:
    """Format the progress of a run.

    Args:
        seconds: since the run started.
        work: its current step.
        share: of the units being processed, the share done by Spark's count of tasks, 0 to 1.
        now: time on the clock of ``work.began``, in seconds.

    >>> progress_line(40, Work("scores: finding quotes", "documents", 4000, 1000, 1000, began=0), 0.5, now=30)
    '40 s, scores: finding quotes, 1,500 of 4,000 documents, 50 documents/s, 50 s left'
    >>> progress_line(2, Work("making the tables", began=0), 0.0, now=1)
    '2 s, making the tables'
    """
    parts = [f"{seconds:.0f} s", work.name]
    done = work.done + int(share * work.in_hand)
    if work.unit:
        parts.append(f"{done:,} of {work.total:,} {work.unit}" if work.total else f"{done:,} {work.unit}")
    rate = done / max(now - work.began, 1e-9)
    if work.unit and done:
        parts.append(f"{rate:,.0f} {work.unit}/s" if rate >= 1 else f"{60 * rate:,.1f} {work.unit}/min")
        if work.total:
            parts.append(f"{max(work.total - done, 0) / rate:.0f} s left")
    return ", ".join(parts)


def _share_done(spark: SparkSession) -> float:
    """Share of tasks done, of all tasks of Spark's active stages."""
    tracker: Any = spark.sparkContext.statusTracker()
    stages = [info for number in tracker.getActiveStageIds() if (info := tracker.getStageInfo(number))]
    tasks = sum(info.numTasks for info in stages)
    return sum(info.numCompletedTasks for info in stages) / tasks if tasks else 0.0
