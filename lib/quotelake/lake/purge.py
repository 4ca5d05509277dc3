"""The past of a table, deleted: after it no file of the table holds a row that is not in it now, nor says so.

Delta's log outlives the rows: its commits and checkpoints hold the least and greatest values of files that are gone,
and conditions of deletes. So it begins anew at the current version, which alone can be read afterwards.
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
    """Add a commit that says nothing of rows: the oldest one that a purge leaves."""
    place, note = f"delta.`{lake.path(table)}`", f"'quotelake.purged' = '{lake.run_id}'"
    lake.commit(partial(lake.spark.sql, f"ALTER TABLE {place} SET TBLPROPERTIES ({note})"))


def seal_followed(lake: Lake, table: str, follow_on: Callable[[], None]) -> None:
    """Seal a table that a stream follows, so that the stream goes on after a purge; ``follow_on`` starts it.

    A stream that starts reads its last batch once more: that one must begin after all that the purge deletes.
    """
    for _ in range(2):
        seal(lake, table)
        follow_on()


def purge(lake: Lake, table: str) -> None:
    """Delete all that is not of the current version of a table, whose last commit is one of :func:`seal`.

    No other run may read or write the table meanwhile. ``VACUUM`` goes by the clock, and would leave what was written
    by one that was ahead.
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
