"""Run the chain on a lake, show what it found and write the pages: what ``score`` and ``forget`` share."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from rich.console import Console

from quotelake.answers.alerts import SHARED, read_report
from quotelake.answers.baseline import compare_runs, silent_feeds
from quotelake.answers.statements import STATEMENTS
from quotelake.commands.console import make_console, print_line
from quotelake.commands.export import check_target, export_duckdb, exported, exporting
from quotelake.commands.lake_access import lake_engine
from quotelake.commands.lookup import prepare
from quotelake.commands.run_log import RunLog
from quotelake.commands.summary import show_progress, show_summary
from quotelake.contextomy.decide import load_detector
from quotelake.errors import RejectShareError, SilentFeedError
from quotelake.lake.page_state import PageState, page_state, runs_behind, write_state
from quotelake.lake.place import Files, check_writable, is_local
from quotelake.lake.runs import SOURCES, Run, new_run
from quotelake.lake.tables import Lake
from quotelake.pages.morning_page import make_morning
from quotelake.pages.page import default_page, write_page
from quotelake.query.engines import RunSql
from quotelake.settings import Settings
from quotelake.sources.rejects import REMEDY, complaint, exceeded
from quotelake.spark import session


def run_chain(
    root: str,
    settings: Settings,
    inputs: Sequence[tuple[str, str]],
    process: Callable[[Lake, Run], list[str]],
    log: RunLog,
    night: str | None,
    *,
    strict: bool = False,
) -> None:
    """Process a lake in a run, then print the summary, write pages and exports, end Spark, and :func:`complain`.

    ``process`` returns a complaint about each source with too many rejects. Without ``inputs``, pairs of a source and a
    glob, nothing is compared with the norm. ``log`` gets the run and the norm; ``night`` is the label of the run.
    """
    console = make_console()
    check_writable(root)
    check_target(settings.report)
    run = log.run = new_run(settings.fingerprint, night, partial(print_line, console))
    run.report(f"run {run.run_id} on {root}: " + ", ".join(f"{name}={glob}" for name, glob in inputs))
    lake = Lake(session.session_starter("score_corpus", "quotelake.nightly.plan"), root, run.run_id, run.started)
    with show_progress(run, console):
        complaints = process(lake, run)
    ending = _ending(lake)
    for run_id in ending.missed:
        for name, counts in ending.sources.get(run_id, {}).items():
            far = exceeded(name, counts, settings) if name in settings.sources else ()  # it may be declared no more
            complaints += [complaint(name, what, counts, None, settings) for what in far]
    if is_local(root):
        # From here on DuckDB answers: beside Spark's workers, which have 1.5 GB, a first load would have its peak here.
        session.end_session(for_good=False)
    run_sql = cache(lake_engine("score_corpus", root, materialized=SHARED).sql)
    show_summary(run_sql, run, lake.root, settings.report, console)
    stages = run_sql(STATEMENTS["stages"]) if inputs or ending.missed else []
    log.norm = compare_runs(stages) if inputs else []
    for far in filter(None, (figure["far"] for figure in log.norm)):
        print_line(console, f"Far from the norm: {far}")
    silent = list[str]()
    # Behind a killed run, which read the files, the next one may find nothing left to read.
    is_last = bool(inputs) and (not ending.missed or any(each["documents"] for each in run.sources.values()))
    for later in range(0 if is_last else 1, 1 + len(ending.missed)):
        # The rows as the run left them that so many came after.
        runs = (stages, run_sql(STATEMENTS["outlet_runs"]))
        then, outlets = ([row | {"nth": row["nth"] - later} for row in rows if row["nth"] > later] for rows in runs)
        feeds = silent_feeds(then, outlets, settings.report.norm_documents)
        silent += [row["message"] for row in feeds if row["message"] not in silent]
    for message in silent:
        print_line(console, f"Silent: {message}")
    log.silent, log.alerts = len(silent), run_sql(STATEMENTS["n_alerts"])[0]["n"]
    _write_pages(run_sql, run, root, settings, console, ending, is_silent=bool(silent))
    if settings.report.export_duckdb:
        export_duckdb(exporting("score_corpus", root), Path(settings.report.export_duckdb), exported())
        print_line(console, f"Views for other tools: {settings.report.export_duckdb}")
    if settings.run.lookup:
        prepare(root, console)
    write_state(ending.files, ending.now._replace(ended=run.run_id))
    session.end_session()
    complain(complaints, silent if strict else ())


@dataclass
class _Ending:
    """What is to be shown behind a run: by runs that ended before their page too."""

    files: Files
    now: PageState
    missed: Sequence[str]  # complete runs before this one that did not come to their end
    is_news: bool  # a run brought something that no page shows
    sources: Mapping[str, Mapping[str, Mapping[str, int]]]  # counts of records, by run and source


def _ending(lake: Lake) -> _Ending:
    """Find out what the pages must show, and note what is new before they are written."""
    complete, brought = [run.run_id for run in lake.complete_runs()], set[str]()
    sources = dict[str, dict[str, dict[str, int]]]()
    for row in lake.small_rows("runs", ("run_id", "stage", "counts")):
        if any(row["counts"].get(name) for name in ("documents", "watch_hits", "groups_scored", "asked")):
            brought.add(row["run_id"])
        if row["stage"] == SOURCES:
            found = sources.setdefault(row["run_id"], {})
            for name, number in row["counts"].items():
                source, _, what = name.rpartition(".")
                found.setdefault(source, {})[what] = number
    now = page_state(lake.storage) or PageState()
    is_news = not brought.isdisjoint(runs_behind(complete, now.upto))
    if is_news:
        now = now._replace(since=now.upto)
        write_state(lake.storage, now)
    return _Ending(lake.storage, now, runs_behind(complete, now.ended)[:-1], is_news, sources)


def _write_pages(
    run_sql: RunSql, run: Run, root: str, settings: Settings, console: Console, ending: _Ending, *, is_silent: bool
) -> None:
    """Write the pages and note what they show; a run without news, silence included, leaves those that are there."""
    page, wanted = default_page(root), settings.report
    if page is not None:
        if page.exists() and not ending.is_news and not is_silent:
            return
        report = read_report(run_sql, run.started, load_detector(settings.contextomy), language=wanted.language)
        write_page(report, page)
        print_line(console, f"\nAlert page: {page}")
        if wanted.morning:
            print_line(console, f"Morning page: {make_morning(run_sql, report, wanted, page.parent)}")
    ending.now = ending.now._replace(upto=run.run_id)
    write_state(ending.files, ending.now)


def complain(rejects: Sequence[str], silent: Sequence[str]) -> None:
    """End a run that is done with an error if sources rejected too many records, or else if feeds were silent."""
    if rejects:
        raise RejectShareError("\n".join([*rejects, REMEDY, *silent]))
    if silent:
        raise SilentFeedError("\n".join([*silent, "All else of the run is done: look at what delivers these files."]))
