"""Upkeep of whole tables: compaction, removal of old files or of all history, export of past nights; digests."""

import re
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from pyspark.sql import functions as F

from quotelake.errors import InputError
from quotelake.lake.contracts import PROVENANCE_COLUMNS, SECRET_COLUMNS, columns, table_names
from quotelake.lake.frames import data_files, write_checkpoint
from quotelake.lake.local import data_files_of
from quotelake.lake.place import is_local
from quotelake.lake.runs import SNAPSHOTS, WHOLE, LastRun, night_folder, past_files, snapshots
from quotelake.lake.tables import Lake

#: Tables whose content depends on the nights, not only on the input.
HISTORY: Final = ("alert_reviews", "files", "forgotten", "group_lineage", "runs", "speaker_aliases", "versions")
#: Bytes of a data file: one task sorts them, and a batch of the stream holds several.
FILE_BYTES: Final = 128 << 20
#: Files beyond twice the wanted ones that are left: to open them costs less than to write the table.
_TOLERATED: Final = 8
#: A file of one version in Delta's log, or Hadoop's checksum of it.
_OF_VERSION: Final = re.compile(r"\.?(\d{20})\.")
#: How long a table keeps the files of earlier versions, as its contract says.
RETENTION: Final = timedelta(days=90)


class TableSize(NamedTuple):
    """Bytes and data files of a table."""

    bytes: int
    files: int

    @property
    def wanted_files(self) -> int:
        """Number of files of :data:`FILE_BYTES` for the table."""
        return max(1, -(-self.bytes // FILE_BYTES))

    @property
    def is_scattered(self) -> bool:
        """Whether compaction is worth its cost."""
        return self.files > 2 * self.wanted_files + _TOLERATED


def check_clock(root: str, last: LastRun | None, now: datetime) -> None:
    """Refuse, by an InputError, a clock in UTC by which files would be deleted that the last complete run left."""
    started = now if last is None else last.started.replace(tzinfo=UTC)
    if last is not None and now - started > RETENTION:
        raise InputError(
            f"{root}: by the clock it is {now:%Y-%m-%d}, and the last complete run, {last.run_id}, started at "
            f"{started:%Y-%m-%d}: files that it left would be deleted, which are kept for {RETENTION.days} days. Set "
            "the clock right, or complete a run first"
        )


def table_size(lake: Lake, table: str) -> TableSize:
    """Bytes and files of a table as it is now."""
    sizes = lake.data_files(table).values()
    return TableSize(sum(sizes), len(sizes))


def maintain(lake: Lake, table: str) -> TableSize:
    """Compact a table if that is worth it, and delete files that are past its retention; return its size before."""
    size = table_size(lake, table)
    if size.is_scattered:
        lake.rewrite(table, size.wanted_files)
    if not may_have_unneeded(lake.root, table, datetime.now(UTC)):  # to look for them costs Spark a second
        return size
    delete_unneeded = f"VACUUM delta.`{lake.path(table)}`"
    if lake.spark.sql(f"{delete_unneeded} DRY RUN").take(1):  # with nothing to delete it would still write commits
        lake.spark.sql(delete_unneeded)
    return size


def may_have_unneeded(root: str, table: str, now: datetime) -> bool:
    """Whether a table may have files that are past their retention: at an address always, else by their times."""
    oldest = (now - RETENTION).timestamp()
    return not is_local(root) or any(file.stat().st_mtime < oldest for file in Path(root, table).glob("[!_]*"))


def seal(lake: Lake, table: str) -> None:
    """Add a commit without any value of a row: the oldest one that :func:`purge` leaves, and streams must know."""
    place, note = f"delta.`{lake.path(table)}`", f"'quotelake.purged' = '{lake.run_id}'"
    lake.commit(partial(lake.spark.sql, f"ALTER TABLE {place} SET TBLPROPERTIES ({note})"))


def purge(lake: Lake, table: str) -> None:
    """Delete all files that the current version of a table, made by :func:`seal`, does not need, and earlier versions.

    Delta's log states the least and greatest values of removed files, and the conditions of deletes, so it begins anew.
    No other run may read or write the table meanwhile. ``VACUUM`` would leave files of a clock that was ahead.
    """
    write_checkpoint(lake.spark, lake.path(table))
    files, now, used = lake.storage, lake.version(table), data_files(lake.spark, lake.path(table))
    for name in files.names(table):
        if not name.startswith("_") and name.removeprefix(".").removesuffix(".crc") not in used:
            files.delete(f"{table}/{name}")
    for name in sorted(files.names(f"{table}/_delta_log")):
        of = _OF_VERSION.match(name)
        if of and int(of[1]) < now:
            files.delete(f"{table}/_delta_log/{name}")


def export(lake: Lake, night: str) -> str:
    """Copy the tables as the run of a night (label or id) left them to a folder in :data:`SNAPSHOTS`, and return it.

    An InputError: no run has this name, the tables are not all there any more, or the folder has another run.
    """
    run, done, folder = lake.last_run(night), snapshots(lake.storage), night_folder(night)
    assert run is not None  # a lake without a complete run has no night
    if run.run_id in done:
        return done[run.run_id]
    if folder in done.values():
        raise InputError(f"{SNAPSHOTS}/{folder} shows another run of this label: give --export {run.run_id}")
    found_by = partial(data_files_of, lake.root) if is_local(lake.root) else lake.files_at  # the first costs no job
    there, names = partial(past_files, lake.root, lake.storage, run, data_files=found_by), list[str]()
    for table, version in run.versions.items():
        found = there(table, version)
        while table == "runs" and lake.read(table, version).where(F.col("run_id") == run.run_id).isEmpty():
            version += 1  # the run wrote its own rows last
            found = there(table, version)
        names += found
    for name in names:
        lake.storage.copy(name, f"{SNAPSHOTS}/{folder}/{name}")
    lake.storage.write(f"{SNAPSHOTS}/{folder}/{WHOLE}", run.run_id)
    return folder


def digest(lake: Lake, table: str) -> tuple[int, str]:
    """Number of rows of a table, and the sum of their 64-bit hashes in hexadecimal, without columns of the run."""
    names = [name for name in columns(table) if name not in PROVENANCE_COLUMNS + SECRET_COLUMNS]
    hashed = F.xxhash64(F.to_json(F.struct(*names), {"ignoreNullFields": "false"})).cast("decimal(38,0)")
    [row] = lake.read(table).agg(F.count("*").alias("n"), F.sum(hashed).alias("total")).collect()
    return row["n"], f"{int(row['total'] or 0) % (1 << 64):016x}"


def digests(lake: Lake) -> dict[str, tuple[int, str]]:
    """Digest of every table whose content depends on the input alone."""
    return {table: digest(lake, table) for table in table_names() if table not in HISTORY}
