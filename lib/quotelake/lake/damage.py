"""Damage to the files of a lake: a table that is gone or cut is reported, never read as if it were empty.

The names of files in Delta's logs and the last commit of each log show most of it, within milliseconds.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from quotelake.errors import InputError
from quotelake.lake.contracts import table_names
from quotelake.lake.place import Files
from quotelake.lake.runs import DataFiles as DataFilesAt
from quotelake.lake.runs import LastRun, past_files
from quotelake.program import shipped

#: File of the lake that names the contract each table was last brought up to. It is written when all tables are there.
CONTRACTS: Final = "_contracts.json"
_COMMIT: Final = re.compile(r"(\d{20})\.json")
_CHECKPOINT: Final = re.compile(r"(\d{20})\.checkpoint\..*")
_SUM: Final = re.compile(r"(\d{20})\.crc")
_LAST_CHECKPOINT: Final = "_last_checkpoint"

#: Names of the data files of a table by its log, and the bytes of each.
DataFiles = Callable[[str], Mapping[str, int]]


class DamageError(InputError):
    """Files of a lake are missing or cut; no job goes on with such a lake."""


def damage_error(root: str, found: str) -> DamageError:
    """The error for a damaged lake; ``found`` says what is damaged."""
    return DamageError(
        f"{root}: the lake is damaged: {found}. Unless stated otherwise, restore the whole lake from one backup, or "
        f"score its input files into a new lake: see {shipped('docs/NIGHTLY.md')}, “A damaged lake”"
    )


def commit_versions(files: Files, table: str) -> list[int]:
    """Versions of a table that have a commit, in order; none if the table was not made."""
    return _versions(files.names(f"{table}/_delta_log"), _COMMIT)


def noted_contracts(files: Files) -> Mapping[str, str] | None:
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
    """Return the last complete run of a lake that is not damaged; None of a place where no run was completed.

    A table that is missing was there if the last complete run or the file of contracts names it, or, where there is
    neither, if rows were written to any other table: all tables are made before. ``last_run`` reads the last complete
    run, if the log of ``runs`` is whole; ``thorough`` reads each commit, and the name and size of each data file.

    A DamageError names each damaged table, with its damage and its version at the end of the last complete run.
    """

    def fault_of(table: str, left_at: int | None, thorough: bool) -> str | None:
        fault = log_fault(files, table, left_at, thorough=thorough)
        return fault or (_missing_data_file(files, table, data_files) if thorough else None)

    names, last = sorted(tables or table_names()), None
    fault = log_fault(files, "runs", None, thorough=thorough)
    if fault is None and commit_versions(files, "runs"):
        try:
            last = last_run()
        except Exception:
            fault = fault_of("runs", None, thorough=True)
            if fault is None:
                raise
    if fault:
        raise damage_error(root, f"the table runs {fault}")
    made, versions = noted_contracts(files) or {}, last.versions if last else {}
    if not made and not last and any(commits[-1] > 0 for table in names if (commits := commit_versions(files, table))):
        made = dict.fromkeys(names, "")
    found = {table: fault_of(table, versions.get(table, 0 if table in made else None), thorough) for table in names}
    if faults := [_with_version(table, fault, last) for table, fault in found.items() if fault]:
        raise damage_error(root, "; ".join(faults))
    return last


def check_table(root: str, files: Files, table: str, last: LastRun, data_files: DataFilesAt) -> int | None:
    """Version at which a table is to be read as a run left it; None: as it is now.

    A DamageError says that its log is damaged, an InputError that a past night's files are not all there any more.
    """
    if fault := log_fault(files, table, last.versions.get(table)):
        raise damage_error(root, _with_version(table, fault, last))
    version = last.visible_versions.get(table)
    if last.seen is not None and version is not None:
        past_files(root, files, last, table, version, data_files)
    return version


def log_fault(files: Files, table: str, left_at: int | None, *, thorough: bool = False) -> str | None:
    """Damage to the log of a table left at a version, in words that follow its name; None if there is none, or no log.

    A thorough look is at every commit since Delta's last checkpoint, and at that.
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
    return _checkpoint_fault(files, table, checkpoint, commits) if thorough else None


def _checkpoint_fault(files: Files, table: str, checkpoint: int, commits: list[int]) -> str | None:
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


def _missing_data_file(files: Files, table: str, data_files: DataFiles) -> str | None:
    there, listed = files.sizes(table), data_files(table)
    if gone := sorted(listed.keys() - there.keys()):
        return f"lacks {len(gone):,} of its data files, the first: {files.root}/{table}/{gone[0]}"
    if cut := sorted(name for name, size in listed.items() if there[name] != size):
        first = f"{files.root}/{table}/{cut[0]} ({there[cut[0]]:,} of {listed[cut[0]]:,} bytes)"
        return f"has {len(cut):,} cut data files, the first: {first}"
    return None


def _versions(names: Iterable[str], kind: re.Pattern[str]) -> list[int]:
    return sorted(int(found[1]) for name in names if (found := kind.fullmatch(name)))


def _with_version(table: str, fault: str, last: LastRun | None) -> str:
    if last is not None and table in last.versions:
        fault += f" (at version {last.versions[table]} when run {last.run_id} ended)"
    return f"the table {table} {fault}"
