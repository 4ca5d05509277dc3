"""Delete the history of a table: data files, log and statistics of removed rows.

Delta's commits and checkpoints have the least and greatest values of removed files, and the conditions of deletes. So
the log begins anew at the current version, which is the only one that can be read afterwards.
"""

import re
from collections.abc import Callable
from functools import partial
from typing import Final

from quotelake.lake.frames import data_files, write_checkpoint
from quotelake.lake.tables import Lake

#: A file of one version in Delta's log, or Hadoop's checksum of it.
_OF_VERSION: Final = re.compile(r"\.?(\d{20})\.")


def seal(lake: Lake, table: str) -> None:
    """Add a commit without any value of a row: the oldest one that :func:`purge` leaves."""
    place, note = f"delta.`{lake.path(table)}`", f"'quotelake.purged' = '{lake.run_id}'"
    lake.commit(partial(lake.spark.sql, f"ALTER TABLE {place} SET TBLPROPERTIES ({note})"))


def seal_followed(lake: Lake, table: str, follow_on: Callable[[], None]) -> None:
    """Seal a table that a stream follows, so that the stream goes on after a purge; ``follow_on`` starts the stream.

    A stream that starts reads its last batch once more: this batch must begin after all that the purge deletes.
    """
    for _ in range(2):
        seal(lake, table)
        follow_on()


def purge(lake: Lake, table: str) -> None:
    """Delete all files that the current version of a table, made by :func:`seal`, does not need.

    No other run may read or write the table meanwhile. ``VACUUM`` compares times, and would leave files that were
    written by a clock that was ahead.
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
