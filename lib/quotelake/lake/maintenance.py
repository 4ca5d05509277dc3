"""Upkeep of a lake: few, sorted data files, and no files that nobody needs."""

from dataclasses import dataclass

from quotelake.lake.tables import Lake

#: Bytes of a data file: one task sorts them, and a batch of the stream holds several.
FILE_BYTES = 128 << 20
#: Files beyond those a table needs that cost less to open than the table costs to write.
_TOLERATED = 8
#: Folder of files that earlier releases kept beside the data files of a table.
_KEY_FILTERS = "_keys"


@dataclass(frozen=True)
class Need:
    """What a table has, and how many files it should have."""

    table: str
    bytes: int
    files: int

    @property
    def wanted(self) -> int:
        """Files of :data:`FILE_BYTES` that hold the table."""
        return max(1, -(-self.bytes // FILE_BYTES))

    @property
    def is_scattered(self) -> bool:
        """Whether putting the files together is worth the writing.

        >>> Need("variants", 2 * FILE_BYTES, 12).is_scattered, Need("variants", 2 * FILE_BYTES, 13).is_scattered
        (False, True)
        """
        return self.files > 2 * self.wanted + _TOLERATED


def need_of(lake: Lake, table: str) -> Need:
    """Look at the files of a table as it is now."""
    row = lake.spark.sql(f"DESCRIBE DETAIL delta.`{lake.path(table)}`").select("sizeInBytes", "numFiles").first()
    assert row is not None  # a table describes itself in one row
    return Need(table, int(row["sizeInBytes"] or 0), int(row["numFiles"] or 0))


def maintain(lake: Lake, table: str) -> Need:
    """Put the files of a table together where that pays, then let go of what is no longer needed."""
    need = need_of(lake, table)
    if need.is_scattered:
        lake.rewrite(table, need.wanted)
    for name in lake.storage.names(f"{table}/{_KEY_FILTERS}"):
        lake.storage.delete(f"{table}/{_KEY_FILTERS}/{name}")
    lake.vacuum(table)
    return need
