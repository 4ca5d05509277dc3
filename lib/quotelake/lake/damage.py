"""What is wrong with the files of a lake. A table that is gone or cut is reported, never read as if it were empty.

The names of files in Delta's logs and the last commit of each log show most of it, at a cost of milliseconds. A
thorough look reads every commit since Delta's last checkpoint and the end of that, and holds the size of each data file
against the log.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from quotelake.errors import InputError
from quotelake.lake.contracts import table_names
from quotelake.lake.place import Files
from quotelake.lake.runs import LastRun
from quotelake.program import shipped

#: File of the lake that names the contract each table was last brought up to. It is written when all tables are there.
CONTRACTS: Final = "_contracts.json"
_COMMIT: Final = re.compile(r"(\d{20})\.json")
_CHECKPOINT: Final = re.compile(r"(\d{20})\.checkpoint\..*")
_SUM: Final = re.compile(r"(\d{20})\.crc")
_LAST_CHECKPOINT: Final = "_last_checkpoint"

#: Reads from the log of a table the names of its data files, and the bytes of each.
DataFiles = Callable[[str], Mapping[str, int]]


class DamageError(InputError):
    """Files of a lake are missing or cut; no job goes on with such a lake."""


def damage(root: str, found: str) -> DamageError:
    """The error for a damaged lake, in words that say what is wrong."""
    return DamageError(
        f"{root}: the lake is damaged: {found}. Where nothing else is said, restore the whole lake from one backup, or "
        f"score its input files into a new lake: see {shipped('docs/NIGHTLY.md')}, “A damaged lake”"
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
        thorough: read each commit, and look for each data file and its size.

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
        fault = fault_of(files, "runs", None, thorough=True) or _lack_of(files, "runs", data_files)
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
    # Delta deletes commits before a checkpoint when they are old; after it each one is needed. A sum follows a commit.
    checkpoint = max(_versions(names, _CHECKPOINT), default=-1)
    needed = range(checkpoint + 1, max(*commits, *_versions(names, _SUM), left_at or 0) + 1)
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
    return _fault_of_checkpoint(files, table, checkpoint, commits) if thorough else None


def _fault_of_checkpoint(files: Files, table: str, checkpoint: int, commits: list[int]) -> str | None:
    """What is wrong with the last checkpoint of a log, or with what names it."""
    log = f"{table}/_delta_log"
    try:
        named = int(json.loads(files.read(f"{log}/{_LAST_CHECKPOINT}") or "")["version"])
    except (ValueError, TypeError, KeyError):  # cut: Delta lists the log instead, and writes it with the next one
        named = -1
    parts = [name for name in files.names(log) if name.startswith(f"{checkpoint:020}.checkpoint.")]
    bad = [name for name in sorted(parts) if not (files.read(f"{log}/{name}") or "").endswith("PAR1")]
    if named <= checkpoint and not bad:
        return None
    found = f"has a cut {bad[0]} in its log" if bad else f"has no checkpoint {named:020} in its log"
    if commits == [*range(commits[-1] + 1)]:
        found += f": as no commit is gone, delete it and {_LAST_CHECKPOINT}, and Delta makes both again"
    return found


def _lack_of(files: Files, table: str, data_files: DataFiles) -> str | None:
    there, listed = files.sizes(table), data_files(table)
    if gone := sorted(listed.keys() - there.keys()):
        return f"lacks {len(gone):,} of its data files, the first: {files.root}/{table}/{gone[0]}"
    if cut := sorted(name for name, size in listed.items() if there[name] != size):
        first = f"{files.root}/{table}/{cut[0]} ({there[cut[0]]:,} of {listed[cut[0]]:,} bytes)"
        return f"has {len(cut):,} cut data files, the first: {first}"
    return None


def _versions(names: Iterable[str], kind: re.Pattern[str]) -> list[int]:
    return sorted(int(found[1]) for name in names if (found := kind.fullmatch(name)))


def _known(table: str, last: LastRun | None) -> str:
    if last is None or table not in last.versions:
        return ""
    return f" (at version {last.versions[table]} when run {last.run_id} ended)"
