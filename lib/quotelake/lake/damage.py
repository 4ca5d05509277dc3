"""What is wrong with the files of a lake. A table that is gone or cut is reported, never read as if it were empty.

The names of files in Delta's logs and the last commit of each log show most of it, at a cost of milliseconds. A
thorough look reads every commit too.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from quotelake.errors import InputError
from quotelake.lake.contracts import table_names
from quotelake.lake.files import Files
from quotelake.lake.last_run import LastRun

#: File of the lake that names the contract each table was last brought up to. It is written when all tables are there.
CONTRACTS: Final = "_contracts.json"
_COMMIT: Final = re.compile(r"(\d{20})\.json")
_CHECKPOINT: Final = re.compile(r"(\d{20})\.checkpoint\..*")
_REMEDY: Final = (
    "Restore the whole lake from one backup, or score its input files into a new lake: see docs/NIGHTLY.md, "
    "“A damaged lake”"
)


class DamageError(InputError):
    """Files of a lake are missing or cut; no job goes on with such a lake."""


def commits_in(names: Iterable[str]) -> list[int]:
    """Versions of a table that have a commit, in order, by the names in its log."""
    return sorted(int(found[1]) for name in names if (found := _COMMIT.fullmatch(name)))


def commits_of(files: Files, table: str) -> list[int]:
    """Versions of a table of a lake that have a commit, in order; none if the table was not made."""
    return commits_in(files.names(f"{table}/_delta_log"))


def contracts_noted(files: Files) -> Mapping[str, str] | None:
    """Contract of each table when a run last made tables; None where none is noted, or the note cannot be read."""
    try:
        noted = json.loads(files.read(CONTRACTS) or "null")
    except ValueError:  # cut by a run that was killed: it is written again
        return None
    return noted if isinstance(noted, dict) else None


def fault_of(files: Files, table: str, left_at: int | None, *, thorough: bool = False) -> str | None:
    """Say what is wrong with the log of a table, in words that follow its name; None if nothing is, or it has no log.

    Args:
        files: of the lake.
        table: its name.
        left_at: version at the end of the last complete run, where known.
        thorough: read each commit since Delta's last checkpoint, not only the last one.
    """
    names = files.names(f"{table}/_delta_log")
    commits = commits_in(names)
    checkpoints = [int(found[1]) for name in names if (found := _CHECKPOINT.fullmatch(name))]
    if not commits:
        return None if left_at is None else "is missing"
    # Delta deletes commits before a checkpoint when they are old; after it each one is needed.
    needed = range(max(checkpoints, default=-1) + 1, max(*commits, left_at or 0) + 1)
    gone = sorted({*needed} - {*commits})
    if gone:
        return "has no commit " + ", ".join(f"{version:020}.json" for version in gone[:3]) + " in its log"
    for version in needed if thorough else commits[-1:]:
        if _is_cut(files.read(f"{table}/_delta_log/{version:020}.json") or ""):
            return f"has a cut commit {version:020}.json in its log"
    return None


def faults_of(
    files: Files, tables: Iterable[str], last_run: Callable[[], LastRun | None], *, thorough: bool = False
) -> tuple[dict[str, str], LastRun | None]:
    """Find what is wrong with a lake; a lake whose first run was killed while it made the tables is not damaged.

    A table that is missing was there if the last complete run or the file of contracts names it, or, where there is
    neither, if rows were written to any other table: all tables are made before.

    Args:
        files: of the lake.
        tables: names of all tables.
        last_run: reads the last complete run; called only if ``runs`` is whole.
        thorough: as for :func:`fault_of`.

    Returns:
        What is wrong with each damaged table, and the last complete run.
    """
    noted = contracts_noted(files)
    fault = fault_of(files, "runs", None, thorough=thorough)
    if fault:
        return {"runs": fault}, None
    there = {table: commits_of(files, table) for table in tables}
    last = last_run() if there["runs"] else None
    if last is None and noted is None:
        named = {*there} if any(commits and commits[-1] > 0 for commits in there.values()) else set[str]()
    else:
        named = {*(noted or ()), *(last.versions if last else ())}
    faults: dict[str, str] = {}
    for table, commits in there.items():
        left_at = None if last is None else last.versions.get(table)
        missing = "is missing" if table in named else None
        fault = fault_of(files, table, left_at, thorough=thorough) if commits else missing
        if fault:
            faults[table] = fault
    return faults, last


def check_tables(
    root: str,
    files: Files,
    last_run: Callable[[], LastRun | None],
    data_files: Callable[[str], Iterable[str]] | None = None,
) -> None:
    """Refuse a damaged lake; a place without a lake, or one whose first run was killed, passes.

    Args:
        root: directory or address of the lake.
        files: those of the lake.
        last_run: reads the last complete run; called only if ``runs`` is whole.
        data_files: reads from the log of a table where its data files are. With it each commit since Delta's last
            checkpoint is read, and each data file looked for; else only the names of commits, and the last one is read.

    Raises:
        DamageError: each damaged table is named.
    """
    faults, last = faults_of(files, table_names(), last_run, thorough=data_files is not None)
    if data_files is not None:
        for table in [name for name in table_names() if name not in faults]:
            gone = gone_of(files, table, data_files(table))
            if gone:
                faults[table] = lacks_files(gone)
    if faults:
        raise damaged(root, faults, last)


def gone_of(files: Files, table: str, data_files: Iterable[str]) -> list[str]:
    """Data files of a table that are not there."""
    there = set(files.names(table))
    return [file for file in data_files if file.rpartition("/")[2] not in there]


def damaged(root: str, faults: Mapping[str, str], last: LastRun | None) -> DamageError:
    """The error for a damaged lake: each table with what is wrong, what is known, and what to do."""
    found = "; ".join(f"the table {table} {fault}{_known(table, last)}" for table, fault in sorted(faults.items()))
    return damage(root, found)


def damage(root: str, found: str) -> DamageError:
    """The error for a damaged lake, in words that say what is wrong."""
    return DamageError(f"{root}: the lake is damaged: {found}. {_REMEDY}")


def check_table(root: str, files: Files, table: str, last: LastRun) -> None:
    """Refuse a table that is about to be read if its log is damaged.

    Raises:
        DamageError: with what is known of it.
    """
    fault = fault_of(files, table, last.versions.get(table))
    if fault:
        raise damaged(root, {table: fault}, last)


def lacks_files(gone: Sequence[str]) -> str:
    """What is wrong with a table that lacks data files which its log names.

    >>> lacks_files(["/lake/quotes/part-0.parquet", "/lake/quotes/part-1.parquet"])
    'lacks 2 of its data files, the first: /lake/quotes/part-0.parquet'
    """
    return f"lacks {len(gone):,} of its data files, the first: {min(gone)}"


def _known(table: str, last: LastRun | None) -> str:
    if last is None or table not in last.versions:
        return ""
    return f" (at version {last.versions[table]} when run {last.run_id} ended)"


def _is_cut(commit: str) -> bool:
    try:
        return not [json.loads(line) for line in commit.split("\n") if line]
    except ValueError:
        return True
