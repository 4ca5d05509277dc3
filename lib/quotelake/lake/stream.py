"""A table that only grows as a stream: the rows that one version of the rules has not processed, in batches.

A checkpoint has a file per batch, which names its data files before it begins, and one per batch that is done: a batch
that is taken up has the same rows. Commits that change rows, or only files, bring no new ones.
"""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from pyspark.sql import DataFrame

from quotelake.errors import LakeBusyError
from quotelake.lake.damage import damage_error
from quotelake.lake.place import CHECKPOINTS, Files
from quotelake.lake.tables import Lake
from quotelake.lake.writing import SIDE_BY_SIDE, Transaction

#: Works on the rows of a batch, of so many bytes in the files of the table.
Process = Callable[[DataFrame, Transaction, int], object]


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint of a lake, by its name; it may not exist yet."""

    storage: Files
    name: str

    def last(self) -> tuple[int, dict[str, Any], bool]:
        """Number of the last batch that was begun, or -1; what is noted of it; and whether it is done.

        Noted are its ``files`` and those ``left``, by name and bytes: with them, and all that the table had ``since``
        an earlier version, the rows of a ``version`` are processed. Nothing if the note is cut or gone.
        """
        begun, done = (self.storage.names(f"{CHECKPOINTS}/{self.name}/{kind}") for kind in ("offsets", "commits"))
        number = max((int(name) for name in begun if name.isdecimal()), default=-1)
        text, is_done = self.storage.read(self.place("offsets", number)) or "", str(number) in done
        try:
            found = json.loads(text.strip().split("\n")[-1])
        except ValueError:
            found = {}
        if is_done and "reservoirVersion" in found:  # noted by Spark's stream, which earlier releases used
            found = {"version": found["reservoirVersion"] - 1, "since": -1, "files": {}, "left": {}}
        return number, found if "files" in found else {}, is_done

    def done_until(self) -> int:
        """Version of the table up to which all rows are processed; -1 where none is."""
        _, noted, is_done = self.last()
        return int(noted["version" if is_done and not noted["left"] else "since"]) if noted else -1

    def begin(self, number: int, **noted: Any) -> None:
        """Note a batch before it begins; a LakeBusyError: another run does so at this moment."""
        if not self.storage.write(self.place("offsets", number), json.dumps(noted), over=False):
            raise LakeBusyError(SIDE_BY_SIDE)

    def end(self, number: int) -> None:
        """Note that a batch is done, and drop the notes of the one before."""
        self.storage.write(self.place("commits", number), "{}")
        for kind in ("commits", "offsets"):
            self.storage.delete(self.place(kind, number - 1))

    def place(self, kind: str, number: int) -> str:
        """Name of the file of a batch: ``offsets`` of one that was begun, ``commits`` of one that is done."""
        return f"{CHECKPOINTS}/{self.name}/{kind}/{number}"


def follow(
    lake: Lake, table: str, checkpoint_id: str, batch_bytes: int, process: Process, *, rereads: bool = False
) -> None:
    """Pass new rows of a table to ``process``, in batches of about ``batch_bytes`` in its files.

    Delta deletes commits of long ago: where it is not known any more which rows are new, all are passed to a process
    that ``rereads``; to any other none, by a DamageError.
    """
    checkpoint = Checkpoint(lake.storage, f"{table}-{checkpoint_id}")
    while (due := _due_batch(lake, table, checkpoint, batch_bytes, rereads=rereads)) is not None:
        number, files = due
        if files:
            process(lake.rows_in(table, files), Transaction(checkpoint.name, number), sum(files.values()))
        checkpoint.end(number)


def _due_batch(
    lake: Lake, table: str, checkpoint: Checkpoint, most: int, *, rereads: bool
) -> tuple[int, dict[str, int]] | None:
    """Number and files of the next batch, a new one or one that a killed run left; None if there is none."""
    number, noted, is_done = checkpoint.last()
    if noted and not is_done:
        return number, noted["files"]
    since, version, left = checkpoint.done_until(), noted.get("version"), noted.get("left")
    if not left:
        version = lake.version(table)
        if version <= max(since, 0):  # version 0 made the table
            return None
        left = _new_files(lake, table, since, version, rereads=rereads)
    files = dict[str, int]()
    while left and sum(files.values()) < most:
        name = next(iter(left))
        files[name] = left.pop(name)
    checkpoint.begin(number + 1, version=version, since=since, files=files, left=left)
    return number + 1, files


def _new_files(lake: Lake, table: str, since: int, version: int, *, rereads: bool) -> dict[str, int]:
    """Data files with the rows that a table gained since a version, by name, and the bytes of each."""
    numbers = range(since + 1, version + 1)
    commits = {n: lake.storage.read(f"{table}/_delta_log/{n:020}.json") for n in numbers if since >= 0}
    gone = [number for number, commit in commits.items() if commit is None]
    if since < 0 or (gone and rereads):
        return dict(sorted(lake.files_at(table, version).items()))
    if gone:
        raise damage_error(lake.root, f"the table {table} lacks commit {gone[0]}, whose rows were not processed")
    found = dict[str, int]()
    for commit in commits.values():
        actions = [json.loads(line) for line in str(commit).split("\n") if line]
        if not any(each["remove"]["dataChange"] for each in actions if "remove" in each):
            adds = (each["add"] for each in actions if "add" in each)
            found |= {unquote(add["path"]): add["size"] for add in adds if add["dataChange"]}
    return found


def drop_others(files: Files, table: str, checkpoint_id: str, drop_rows: Callable[[], object]) -> None:
    """Let the checkpoints of other versions of the rules begin anew, and by ``drop_rows`` drop the rows they wrote."""
    others = [(each, *each.last()) for each in _others(files, table, checkpoint_id)]
    # Those that were dropped, and not used since, left no rows; tables ignore the batches that they have.
    due = [(each, number + 1) for each, number, noted, is_done in others if noted.get("version") != -1 or not is_done]
    for other, number in due:
        other.begin(number, version=-1, since=-1, files={}, left={})
    if due:
        drop_rows()
    for other, number in due:
        other.end(number)


def check_remembered(lake: Lake, table: str, checkpoint_id: str, written: str) -> None:
    """Refuse, by a DamageError, a lake whose checkpoint lacks the end; each batch writes to the table ``written``.

    A stream would count its batches from 0 again, and tables ignore batches that they have: rows would be lost.
    """
    checkpoint = Checkpoint(lake.storage, f"{table}-{checkpoint_id}")
    number, noted, _ = checkpoint.last()
    if number >= 0 and not noted:
        fault = "is missing or cut, or of an earlier release that was killed"
        raise damage_error(lake.root, f"the file {checkpoint.place('offsets', number)} {fault}")
    last = lake.last_transaction(written, Transaction(checkpoint.name, 0))
    if last is not None and last > number:
        where = f"{CHECKPOINTS}/{checkpoint.name}"
        raise damage_error(lake.root, f"the folder {where} lacks batch {last}, which is in the table {written}")


def others_are_ahead(files: Files, table: str, checkpoint_id: str) -> bool:
    """Whether other checkpoints may have processed rows of a table that the given one has not finished.

    Versions share tables: quotes that a killed run left under other ones must not be written again.
    """
    done = Checkpoint(files, f"{table}-{checkpoint_id}").done_until()
    begun = (each.last()[:2] for each in _others(files, table, checkpoint_id))
    # A batch whose file is cut may have processed any row; so may one of an earlier release.
    return any(number >= 0 and noted.get("version", sys.maxsize) > done for number, noted in begun)


def _others(files: Files, table: str, checkpoint_id: str) -> list[Checkpoint]:
    names = {name for name in files.names(CHECKPOINTS) if name.startswith(f"{table}-")} - {f"{table}-{checkpoint_id}"}
    return [Checkpoint(files, name) for name in sorted(names)]
