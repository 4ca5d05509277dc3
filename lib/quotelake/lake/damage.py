"""What is wrong with the files of a lake. A table that is gone or cut is reported, never read as if it were empty.

The names of files in Delta's logs and the last commit of each log show most of it, at a cost of milliseconds. A
thorough look reads every commit since Delta's last checkpoint, and looks for each data file.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from quotelake.errors import InputError
from quotelake.lake.contracts import table_names
from quotelake.lake.place import Files
from quotelake.lake.runs import LastRun

#: File of the lake that names the contract each table was last brought up to. It is written when all tables are there.
CONTRACTS: Final = "_contracts.json"
_COMMIT: Final = re.compile(r"(\d{20})\.json")
_CHECKPOINT: Final = re.compile(r"(\d{20})\.checkpoint\..*")

#: Reads from the log of a table where its data files are.
DataFiles = Callable[[str], Iterable[str]]


class DamageError(InputError):
    """Files of a lake are missing or cut; no job goes on with such a lake."""


def damage(root: str, found: str) -> DamageError:
    """The error for a damaged lake, in words that say what is wrong."""
    return DamageError(
        f"{root}: the lake is damaged: {found}. Restore the whole lake from one backup, or score its input files into "
        "a new lake: see docs/NIGHTLY.md, “A damaged lake”"
    )


def commits_of(files: Files, table: str) -> list[int]:
    """Versions of a table of a lake that have a commit, in order; none if the table was not made."""
    return _versions(files.names(f"{table}/_delta_log"), _COMMIT)


def contracts_noted(files: Files) -> Mapping[str, str] | None:
    """Contract of each table when a run last made tables; None where none is noted, or the note cannot be read."""
    try:
        noted = json.loads(files.read(CONTRACTS) or "null")
    except ValueError:  # cut by a run that was killed: it is written again
        return None
    return noted if isinstance(noted, dict) else None


def check_tables(
    root: str,
    files: Files,
    last_run: Callable[[], LastRun | None],
    data_files: DataFiles,
    *,
    tables: Iterable[str] | None = None,
    thorough: bool = False,
) -> LastRun | None:
    """Refuse a damaged lake; a place without a lake, or one whose first run was killed, passes.

    Args:
        root, files: of the lake.
        last_run: reads the last complete run; called only if the log of ``runs`` is whole.
        data_files: called where the look is thorough, or ``last_run`` fails.
        tables: those to look at; None: all.
        thorough: read each commit, and look for each data file.

    Returns:
        The last complete run.

    Raises:
        DamageError: each damaged table is named, with what is wrong and what is known of it.
    """
    faults, last = faults_of(files, tables or table_names(), last_run, data_files, thorough=thorough)
    if faults:
        found = (f"the table {table} {fault}{_known(table, last)}" for table, fault in sorted(faults.items()))
        raise damage(root, "; ".join(found))
    return last


def check_table(root: str, files: Files, table: str, last: LastRun) -> None:
    """Refuse a table that is about to be read if its log is damaged, by a DamageError with what is known of it."""
    fault = fault_of(files, table, last.versions.get(table))
    if fault:
        raise damage(root, f"the table {table} {fault}{_known(table, last)}")


def faults_of(
    files: Files,
    tables: Iterable[str],
    last_run: Callable[[], LastRun | None],
    data_files: DataFiles,
    *,
    thorough: bool = False,
) -> tuple[dict[str, str], LastRun | None]:
    """What is wrong with each damaged table, and the last complete run; arguments as of :func:`check_tables`.

    A table that is missing was there if the last complete run or the file of contracts names it, or, where there is
    neither, if rows were written to any other table: all tables are made before.
    """
    fault = fault_of(files, "runs", None, thorough=thorough)
    if fault:
        return {"runs": fault}, None
    there = {table: commits_of(files, table) for table in tables}
    try:
        last = last_run() if there["runs"] else None
    except Exception:
        fault = _lack_of(files, "runs", data_files)
        if fault is None:
            raise
        return {"runs": fault}, None
    noted = contracts_noted(files)
    if last is None and noted is None:
        named = {*there} if any(commits and commits[-1] > 0 for commits in there.values()) else set[str]()
    else:
        named = {*(noted or ()), *(last.versions if last else ())}
    faults = {table: "is missing" for table, commits in there.items() if not commits and table in named}
    for table in [table for table, commits in there.items() if commits]:
        left_at = last.versions.get(table) if last else None
        fault = fault_of(files, table, left_at, thorough=thorough)
        if fault is None and thorough:
            fault = _lack_of(files, table, data_files)
        if fault:
            faults[table] = fault
    return faults, last


def fault_of(files: Files, table: str, left_at: int | None, *, thorough: bool = False) -> str | None:
    """Say what is wrong with the log of a table, in words that follow its name; None if nothing is, or it has no log.

    ``left_at`` is the version at the end of the last complete run, where known.
    """
    names = files.names(f"{table}/_delta_log")
    commits = _versions(names, _COMMIT)
    if not commits:
        return None if left_at is None else "is missing"
    # Delta deletes commits before a checkpoint when they are old; after it each one is needed.
    needed = range(max(_versions(names, _CHECKPOINT), default=-1) + 1, max(*commits, left_at or 0) + 1)
    gone = sorted({*needed} - {*commits})
    if gone:
        return "has no commit " + ", ".join(f"{version:020}.json" for version in gone[:3]) + " in its log"
    for version in needed if thorough else commits[-1:]:
        commit = files.read(f"{table}/_delta_log/{version:020}.json") or ""
        try:
            whole = bool([json.loads(line) for line in commit.split("\n") if line])
        except ValueError:
            whole = False
        if not whole:
            return f"has a cut commit {version:020}.json in its log"
    return None


def _lack_of(files: Files, table: str, data_files: DataFiles) -> str | None:
    there = set(files.names(table))
    gone = [file for file in data_files(table) if file.rpartition("/")[2] not in there]
    return f"lacks {len(gone):,} of its data files, the first: {min(gone)}" if gone else None


def _versions(names: Iterable[str], kind: re.Pattern[str]) -> list[int]:
    return sorted(int(found[1]) for name in names if (found := kind.fullmatch(name)))


def _known(table: str, last: LastRun | None) -> str:
    if last is None or table not in last.versions:
        return ""
    return f" (at version {last.versions[table]} when run {last.run_id} ended)"
