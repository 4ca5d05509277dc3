"""Where the parts of a lake lie, and the small files beside its tables.

Files are reached through Hadoop's file systems, so that every address Spark knows works.
"""

from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from quotelake.lake.place import is_local


def path_in(root: str, name: str) -> str:
    """Path or address of what lies in a lake, such as a table.

    >>> path_in("s3a://bucket/lake/", "runs"), path_in("/data/lake", "runs")
    ('s3a://bucket/lake/runs', '/data/lake/runs')
    """
    # Delta takes a relative path in SQL for the name of a schema.
    full = str(Path(root).absolute()) if is_local(root) else root
    return f"{full.rstrip('/')}/{name}"


class Storage:
    """A directory or address, such as that of a lake, and what lies below it."""

    def __init__(self, spark: SparkSession, root: str) -> None:
        """Name the place; nothing is read or written yet."""
        jvm: Any = spark._jvm
        self._at = jvm.org.apache.hadoop.fs.Path
        self._root = root.rstrip("/")
        self._system = self._at(self._root).getFileSystem(spark._jsc.hadoopConfiguration())
        self._io = jvm.org.apache.commons.io.IOUtils

    def names(self, folder: str) -> list[str]:
        """Names of what a folder holds, in no order; none where there is no such folder."""
        place = self._place(folder)
        if not self._system.exists(place):
            return []
        return [str(status.getPath().getName()) for status in self._system.listStatus(place)]

    def read(self, name: str) -> str | None:
        """Text of a file, or None where there is none."""
        place = self._place(name)
        if not self._system.exists(place):
            return None
        stream = self._system.open(place)
        try:
            return str(self._io.toString(stream, "UTF-8"))
        finally:
            stream.close()

    def write(self, name: str, text: str) -> None:
        """Write a file, over the one that is there."""
        stream = self._system.create(self._place(name), True)
        try:
            stream.write(bytearray(text.encode()))
        finally:
            stream.close()

    def _place(self, name: str) -> Any:
        return self._at(f"{self._root}/{name}")
