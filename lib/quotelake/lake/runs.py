"""Progress of the current run; the completed runs, and the tables as one of them left them.

Runs are ordered by their commits: clocks differ. The tables of a past night are read at their Delta versions while
those are kept. An exported night is a lake with the files of each table at its version, Delta's log included.
"""

import logging
import re
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import Any, Final

from quotelake.errors import InputError
from quotelake.lake.place import Files, path_in
from quotelake.program import command

#: Tables that are written outside runs too: they are read at their current version, unless a past night is asked for.
AS_NOW: Final = ("runs", "alert_reviews", "rejects", "speaker_aliases")
#: Stage whose row says that the whole run is done.
COMPLETE: Final = "run"
#: Stage that counts the documents of killed runs whose work a run completed, by run.
RECOVERED: Final = "taken_up"
#: Stage whose counts say what became of the records of each source, as SOURCE.COUNT; it takes no time of its own.
SOURCES: Final = "sources"
#: Columns of ``runs`` that :func:`in_commit_order` needs.
COLUMNS: Final = ("run_id", "ingested_at", "table_versions", "night")

#: Folder of the exported nights of a lake; each is a lake, and has a file that names the run that it shows.
SNAPSHOTS: Final = "_snapshots"
#: Written last: without it an export was killed half-way.
WHOLE: Final = "_snapshot"
#: A commit or checkpoint of Delta's log, with its version.
_LOGGED: Final = re.compile(r"(\d{20})\.(?:json|checkpoint\..*)")
#: Data files of a table at a version, as the engine finds them.
DataFiles = Callable[[str, int], Iterable[str]]


@dataclass
class StageCounts:
    """Seconds of a stage of a run, and counts that grow while it works."""

    name: str
    seconds: float = 0.0
    counts: dict[str, int] = field(default_factory=dict)

    def count(self, **counts: int) -> None:
        """Add to the counts of the stage."""
        for name, number in counts.items():
            self.counts[name] = self.counts.get(name, 0) + number

    def __str__(self) -> str:
        counted = ", ".join(f"{number:,} {name.replace('_', ' ')}" for name, number in self.counts.items())
        return f"{self.name:<12} {self.seconds:6.1f} s  {counted}"


@dataclass
class Progress:
    """The work of a run at this moment."""

    name: str = "starting"
    unit: str = ""  # what is counted; empty where nothing is
    total: int | None = None  # None where it is not known
    done: int = 0
    in_hand: int = 0  # how many of them the current Spark job works on
    began: float = field(default_factory=time.monotonic)


@dataclass
class Run:
    """The current run: its names, its settings, and its stages so far."""

    run_id: str
    started: datetime
    settings_fingerprint: str
    night: str | None
    report: Callable[[str], None]
    stages: list[StageCounts] = field(default_factory=list)
    progress: Progress = field(default_factory=Progress)
    sources: dict[str, Mapping[str, int]] = field(default_factory=dict)  # counts of records by source
    measured: Callable[[], Mapping[str, int]] = dict  # what grows while the run works, such as bytes written

    def set_progress(
        self, name: str, unit: str = "", total: int | None = None, in_hand: int = 0, done: int = 0
    ) -> None:
        """Set the work of this moment; work of the same name and unit goes on, so that its rate is of all of it."""
        last, now = self.progress, Progress(name, unit, total, done, in_hand)
        goes_on = (name, unit) == (last.name, last.unit)
        self.progress = replace(now, began=last.began) if goes_on else now

    @contextmanager
    def stage(self, name: str) -> Iterator[StageCounts]:
        """Time and measure a stage, and report it when it is done."""
        stage = StageCounts(name)
        begin, before = time.monotonic(), self.measured()
        yield stage
        stage.seconds = time.monotonic() - begin
        stage.count(**{what: number - before[what] for what, number in self.measured().items()})
        self.stages.append(stage)
        self.report(str(stage))

    @property
    def seconds(self) -> float:
        """Seconds since the run started."""
        return (datetime.now(UTC) - self.started).total_seconds()

    def rows(self, versions: Mapping[str, int]) -> list[dict[str, Any]]:
        """Rows of ``runs``: one of every stage, and last that of the whole run, with these table versions."""
        by_source = {f"{source}.{name}": n for source, counts in self.sources.items() for name, n in counts.items()}
        totals = {f"{stage.name}_{name}": n for stage in self.stages for name, n in stage.counts.items()}
        stages = *self.stages, StageCounts(SOURCES, counts=by_source), StageCounts(COMPLETE, self.seconds, totals)
        common: dict[str, Any] = {"night": self.night, "run_id": self.run_id, "ingested_at": self.started}
        common |= {"settings_fingerprint": self.settings_fingerprint, "table_versions": list(versions.items())}
        of_stages = ({"stage": each.name, "seconds": each.seconds, "counts": [*each.counts.items()]} for each in stages)
        return [common | row for row in of_stages]


def new_run(settings_fingerprint: str, night: str | None, report: Callable[[str], None]) -> Run:
    """Name a run by its start and a few random characters, so that two started in one second differ."""
    started = datetime.now(UTC)
    return Run(f"{started:%Y%m%dT%H%M%SZ}-{secrets.token_hex(3)}", started, settings_fingerprint, night, report)


@dataclass(frozen=True)
class LastRun:
    """The last completed run of a lake, or that of a past night (:func:`run_of`)."""

    run_id: str
    started: datetime
    #: Delta version of every table at its end; of ``runs``, before its own rows.
    versions: Mapping[str, int]
    night: str | None = None
    #: Of a past night: the runs that were complete at its end, itself among them.
    seen: frozenset[str] | None = None

    def __str__(self) -> str:
        return f"run {self.run_id}" if self.night is None else f"run {self.run_id} (night {self.night})"

    @property
    def visible_versions(self) -> Mapping[str, int]:
        """Versions at which tables are read; those that are read as they are now are left out."""
        as_now = AS_NOW if self.seen is None else ("runs",)
        return {table: version for table, version in self.versions.items() if table not in as_now}

    def where(self, table: str) -> str:
        """Condition, in SQL of both engines, on the rows of a table that this run could see."""
        if self.seen is None or table in self.visible_versions:
            return "true"
        return f"run_id IN ({', '.join(map(repr, sorted(self.seen)))})" if table == "runs" else "false"


def in_commit_order(rows: Iterable[Mapping[str, Any]]) -> list[LastRun]:
    """Completed runs in the order of their commits, from rows with :data:`COLUMNS` whose stage is :data:`COMPLETE`."""

    def order(run: LastRun) -> tuple[int, int, str]:
        # Of two that state the same version of ``runs`` the one that saw more commits of all tables is the later one.
        return run.versions.get("runs", -1), sum(run.versions.values()), run.run_id

    return sorted((LastRun(*(row[name] for name in COLUMNS)) for row in rows), key=order)


def run_of(runs: Sequence[LastRun], as_of: str | None) -> LastRun | None:
    """The last of the completed runs, in order, or the last with a label or id, with a warning if there are more.

    None where no run is complete; an InputError where none has this label or id.
    """
    if as_of is None or not runs:
        return runs[-1] if runs else None
    places = [place for place, run in enumerate(runs) if as_of in (run.night, run.run_id)]
    if not places:
        names = dict.fromkeys(name for run in reversed(runs) for name in (run.night, run.run_id) if name)
        nearest = ", ".join(get_close_matches(as_of, names, 3, 0))
        listed = "SELECT night, run_id, started_at FROM run_summary WHERE stage = 'run'"
        raise InputError(
            f"no complete run has the label or id {as_of}; the nearest: {nearest}; all are listed by: "
            f'{command("query")} --lake DIR "{listed}"'
        )
    found = runs[places[-1]]
    if len(places) > 1:
        warning = "%d runs have the label %s: the last of them, %s, is shown; name another by its run_id"
        logging.getLogger(__name__).warning(warning, len(places), as_of, found.run_id)
    return replace(found, seen=frozenset(run.run_id for run in runs[: places[-1] + 1]))


def night_folder(night: str) -> str:
    """Folder of the exported night, a name that every file system takes.

    >>> night_folder("2024-06-01"), night_folder("../week 22")
    ('2024-06-01', '---week-22')
    """
    return re.sub(r"[^\w-]", "-", night)


def snapshots(files: Files) -> dict[str, str]:
    """Folders of the exported nights, whole ones alone, by the run that each shows."""
    folders = sorted(files.names(SNAPSHOTS))
    marks = {folder: files.read(f"{SNAPSHOTS}/{folder}/{WHOLE}") for folder in folders}
    return {run_id: folder for folder, run_id in marks.items() if run_id}


def past_root(root: str, files: Files, run: LastRun) -> str:
    """Root of the lake that shows a run: of a past night the exported one, if there is one."""
    folder = None if run.seen is None else snapshots(files).get(run.run_id)
    return root if folder is None else path_in(root, f"{SNAPSHOTS}/{folder}")


def past_files(root: str, files: Files, run: LastRun, table: str, version: int, data_files: DataFiles) -> list[str]:
    """Names of the files of a table as a run left it: Delta's log up to a version, and its data files of that version.

    An InputError: they are not all there any more; the message names the nights that were exported.
    """
    named = ((name, _LOGGED.fullmatch(name)) for name in files.names(f"{table}/_delta_log"))
    log = {name: int(found[1]) for name, found in named if found and int(found[1]) <= version}
    begin = max((at for name, at in log.items() if not name.endswith(".json")), default=-1)
    data = None
    if {f"{at:020}.json" for at in range(begin + 1, version + 1)} <= {*log}:
        try:
            data = list(data_files(table, version))
        except Exception as error:  # Delta refuses versions that are older than it keeps files
            if "BEYOND_DELETED_FILE_RETENTION" not in str(error):
                raise
    if data is None or not {*data} <= {*files.names(table)}:
        exported = ", ".join(sorted(snapshots(files).values())) or "none"
        raise InputError(
            f"{root}: the table {table} as {run} left it is gone: what was replaced is kept for 90 days, and less if "
            f"documents were forgotten. Exported nights: {exported}; a night that is still there is exported by: "
            f"{command('maintain')} --lake DIR --export NIGHT"
        )
    return [*(f"{table}/_delta_log/{name}" for name in sorted(log)), *(f"{table}/{name}" for name in data)]
