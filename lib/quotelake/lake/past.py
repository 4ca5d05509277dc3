"""What a past night left: at its Delta versions while they are kept, or exported for good, as a lake of its own.

An export copies the files of each table at its version, Delta's log up to there included: so it has the versions that
``runs`` states. On one disk a copy takes no space of its own while the lake has the same files.
"""

import re
from collections.abc import Callable, Iterable
from typing import Final

from quotelake.errors import InputError
from quotelake.lake.place import Files, path_in
from quotelake.lake.runs import LastRun
from quotelake.program import command

#: Folder of the exported nights of a lake; each is a lake, and has a file that names the run that it shows.
SNAPSHOTS: Final = "_snapshots"
#: Written last: without it an export was killed half-way.
WHOLE: Final = "_snapshot"

#: A commit or checkpoint of Delta's log, with its version.
_LOGGED: Final = re.compile(r"(\d{20})\.(?:json|checkpoint\..*)")
#: Data files of a table at a version.
DataFiles = Callable[[str, int], Iterable[str]]


def folder_of(night: str) -> str:
    """Folder of the exported night, a name that every file system takes.

    >>> folder_of("2024-06-01"), folder_of("../week 22")
    ('2024-06-01', '---week-22')
    """
    return re.sub(r"[^\w-]", "-", night)


def snapshots(files: Files) -> dict[str, str]:
    """Folders of the exported nights, whole ones alone, by the run that each shows."""
    folders = sorted(files.names(SNAPSHOTS))
    marks = {folder: files.read(f"{SNAPSHOTS}/{folder}/{WHOLE}") for folder in folders}
    return {run_id: folder for folder, run_id in marks.items() if run_id}


def place_of(root: str, files: Files, run: LastRun) -> str:
    """Root of the lake that shows a run: of a past night the exported one, if there is one."""
    folder = None if run.seen is None else snapshots(files).get(run.run_id)
    return root if folder is None else path_in(root, f"{SNAPSHOTS}/{folder}")


def files_of(root: str, files: Files, run: LastRun, table: str, version: int, data_files: DataFiles) -> list[str]:
    """Names of the files of a table as a run left it: Delta's log up to a version, then the data files of that version.

    Args:
        root, files: of the lake.
        run: named in the error.
        table, version: what it left.
        data_files: tells the data files, as the engine finds them.

    Raises:
        InputError: they are not all there any more; it names the nights that were exported.
    """
    named = ((name, _LOGGED.fullmatch(name)) for name in files.names(f"{table}/_delta_log"))
    log = {name: int(found[1]) for name, found in named if found and int(found[1]) <= version}
    begin = max((at for name, at in log.items() if not name.endswith(".json")), default=-1)
    data = None
    if {f"{at:020}.json" for at in range(begin + 1, version + 1)} <= {*log}:
        try:
            data = [file.rpartition("/")[2] for file in data_files(table, version)]
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
