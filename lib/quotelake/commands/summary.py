"""What a run prints: its progress in one line, and at the end records read, results, place of the tables, what next."""

import shlex
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

from pyspark.sql import SparkSession
from rich.console import Console

from quotelake.answers.alerts import QUERIES
from quotelake.answers.ranking import RANKED, with_words
from quotelake.commands.console import make_table, pace, print_line
from quotelake.lake.runs import Run
from quotelake.program import command, shipped
from quotelake.query.engines import RunSql
from quotelake.settings import ReportSettings
from quotelake.text.words import shortened

_LIVE_SECONDS = 0.5
_LOG_SECONDS = 30.0
_LONGEST = 160  # characters of a quote shown
_WATCHED = 10  # watched texts shown
_TABLES = {
    "Records in the lake, by source": (
        "SELECT source, n_files AS files, n_records AS records, n_documents AS documents, n_duplicates AS duplicates, "
        "n_rejects AS rejects, n_headline_quotes AS headline_quotes, n_text_quotes AS text_quotes "
        "FROM source_records ORDER BY source"
    ),
    "Records that could not be used": QUERIES["rejects"],
    "Records kept without a field that could not be read": (
        "SELECT source, n_unread_dates AS date_unread, n_not_numbers AS not_a_number FROM source_records "
        "WHERE n_unread_dates + n_not_numbers > 0 ORDER BY source"
    ),
    "Records that the settings of their source leave out": (
        "SELECT source, n_filtered AS records FROM source_records WHERE n_filtered > 0 ORDER BY source"
    ),
    "Quotes by field and kind": (
        "SELECT field, kind, sum(quotes) AS quotes FROM quote_counts GROUP BY field, kind "
        "ORDER BY field, quotes DESC, kind"
    ),
    "Most quoted people": (
        "SELECT speaker, quotes, articles, outlets, quote AS most_widely_quoted FROM most_quoted "
        "ORDER BY quotes DESC, articles DESC, speaker LIMIT 5"
    ),
    "Quotes that several outlets use": (
        "SELECT count(DISTINCT group_id) AS quotes, count(*) AS uses, count_if(trimmed) AS trimmed, "
        "count_if(credited_otherwise) AS credited_otherwise FROM quote_versions"
    ),
    "Headline quotes by outcome": QUERIES["outcomes"],
    "Watched texts": (
        "SELECT w.watch_id, min(w.text) AS text, count(*) AS uses, count(CASE WHEN h.in_marks THEN 1 END) AS in_marks, "
        "count(DISTINCT h.doc_id) AS documents, count(DISTINCT h.outlet) AS outlets FROM watch_hits h "
        "JOIN active_version a ON a.rule_version = h.rule_version JOIN watch_texts w "
        "ON w.text_digest = h.text_digest AND w.rule_version = h.rule_version AND w.is_current "
        f"WHERE h.sure GROUP BY w.watch_id ORDER BY uses DESC, w.watch_id LIMIT {_WATCHED}"
    ),
}


def summary_queries(settings: ReportSettings) -> dict[str, str]:
    """Statements of the summary, by title of the table."""
    alerts = (
        "SELECT alert, priority, outlet, headline_quote, best_body_quote AS closest_body_quote, reason "
        f"FROM headline_alerts WHERE of_story = 1 ORDER BY priority DESC, quote_id LIMIT {settings.alerts}"
    )
    return {**_TABLES, "alerts": alerts, "ranking": RANKED}


def show_summary(run_sql: RunSql, run: Run, root: str, settings: ReportSettings, console: Console) -> None:
    """Print the summary of a run from the views of its lake, as the run left it, and commands to try next."""
    answers = {name: run_sql(statement) for name, statement in summary_queries(settings).items()}
    for title in _TABLES:
        if title != "Watched texts" or answers[title]:
            _show(console, title, answers[title])
    _show(console, "Headline alerts (latest versions, one per story, the gravest first)", answers["alerts"])
    ranked = answers["ranking"]
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
def show_progress(run: Run, spark: SparkSession, console: Console) -> Iterator[None]:
    """Show the progress of a run while the block runs."""
    stop, lasting = threading.Event(), _LIVE_SECONDS if console.is_terminal else _LOG_SECONDS

    def watch() -> None:
        shown, done = run.progress, 0
        with console.status("starting") if console.is_terminal else nullcontext() as status:
            show = status.update if status else lambda line: print_line(console, f"  … {line}")
            while not stop.wait(lasting):
                work = run.progress
                now = work.done + int(_share_done(spark) * work.in_hand)
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


def _share_done(spark: SparkSession) -> float:
    """Share of tasks done, of all tasks of Spark's active stages."""
    tracker: Any = spark.sparkContext.statusTracker()
    stages = [info for number in tracker.getActiveStageIds() if (info := tracker.getStageInfo(number))]
    tasks = sum(info.numTasks for info in stages)
    return sum(info.numCompletedTasks for info in stages) / tasks if tasks else 0.0
