"""What a run prints: its progress in one line, and at the end records read, results, place of the tables, what next."""

import shlex
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

from pyspark import SparkContext
from rich.console import Console

from quotelake.answers.ranking import with_words
from quotelake.answers.statements import STATEMENTS, rows_of_news
from quotelake.commands.console import make_table, pace, print_line
from quotelake.lake.runs import Run
from quotelake.program import command, shipped
from quotelake.query.engines import RunSql
from quotelake.settings import ReportSettings
from quotelake.text.words import shortened

_LIVE_SECONDS = 0.5
_LOG_SECONDS = 30.0
_LONGEST = 160  # characters of a quote shown
#: Tables by title, and the statements of their rows.
_TABLES = {
    "Records in the lake, by source": "records",
    "Records that could not be used": "rejects",
    "Records kept without a field that could not be read": "unread_fields",
    "Records that the settings of their source leave out": "filtered",
    "Quotes by field and kind": "quote_kinds",
    "Most quoted people in new documents": "people",
    "Quotes that several outlets use": "shared_quotes",
    "Headline quotes by outcome": "outcomes",
    "Watched texts": "watched_texts",
}


def show_summary(run_sql: RunSql, run: Run, root: str, settings: ReportSettings, console: Console) -> None:
    """Print the summary of a run from the views of its lake, as the run left it, and commands to try next."""
    for title, name in _TABLES.items():
        rows = rows_of_news(run_sql, name) if name == "people" else run_sql(STATEMENTS[name])
        if rows or name != "watched_texts":
            _show(console, title, rows)
    alerts = run_sql(STATEMENTS["gravest_alerts"].format(limit=settings.alerts))
    [[n_checks]] = (row.values() for row in run_sql(STATEMENTS["n_checks"]))
    title = f"Headline alerts (latest versions, one per story, the gravest first; {n_checks:,} checks: headline_checks)"
    _show(console, title, alerts)
    ranked = run_sql(STATEMENTS["ranked"])
    ends = ranked if len(ranked) <= 2 * settings.ranking else ranked[: settings.ranking] + ranked[-settings.ranking :]
    quotes = [{name: row[name] for name in row if name != "group_id"} for row in with_words(run_sql, ends)]
    _show(console, f"Reused quotes by topic variation ({len(ranked)} ranked; both ends shown)", quotes)
    stages = []
    for stage in run.stages:
        counts = ", ".join(f"{number:,} {name.replace('_', ' ')}" for name, number in stage.counts.items())
        stages.append({"stage": stage.name, "seconds": round(stage.seconds, 1), "counts": counts})
    _show(console, "Stages", stages)
    print_line(console, "\n  ".join([f"\nTables: {root}\nNext, for instance:", *next_commands(root)]))


def _show(console: Console, title: str, rows: Sequence[dict[str, Any]]) -> None:
    if not rows:
        print_line(console, f"\n{title}: none")
        return
    shown = [
        {name.replace("_", " "): shortened(it, _LONGEST) if isinstance(it, str) else it for name, it in row.items()}
        for row in rows
    ]
    console.print()
    console.print(make_table(title, shown))


def next_commands(root: str) -> list[str]:
    """Commands to try on a lake, as a shell takes them; a comment says what NAME=GLOB stands for."""
    lake = shlex.quote(root)
    return [
        f'{command("query")} --lake {lake} "SELECT outlet, headline_quote, reason FROM headline_alerts"',
        f"{command('rank')} --lake {lake} --top 20",
        f"{command('score')} --lake {lake} --input NAME=GLOB   # your own files, see {shipped('docs/CORPUS.md')}",
    ]


@contextmanager
def show_progress(run: Run, console: Console) -> Iterator[None]:
    """Show the progress of a run while the block runs."""
    stop, lasting = threading.Event(), _LIVE_SECONDS if console.is_terminal else _LOG_SECONDS

    def watch() -> None:
        shown, done = run.progress, 0
        with console.status("starting") if console.is_terminal else nullcontext() as status:
            show = status.update if status else lambda line: print_line(console, f"  … {line}")
            while not stop.wait(lasting):
                work = run.progress
                now = work.done + int(_share_done() * work.in_hand)
                # Other jobs may follow within the same work: what was done stays done.
                done, shown = max(now, done if work is shown else 0), work
                seconds = time.monotonic() - work.began
                rate = f", {pace(done, work.total, work.unit, seconds)}" if work.unit else ""
                show(f"{run.seconds:.0f} s, {work.name}{rate}")

    watcher = threading.Thread(target=watch, name="progress", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        stop.set()
        watcher.join()


def _share_done() -> float:
    """Share of tasks done, of all tasks of Spark's active stages."""
    if (context := SparkContext._active_spark_context) is None:
        return 0.0
    tracker: Any = context.statusTracker()
    stages = [info for number in tracker.getActiveStageIds() if (info := tracker.getStageInfo(number))]
    tasks = sum(info.numTasks for info in stages)
    return sum(info.numCompletedTasks for info in stages) / tasks if tasks else 0.0
