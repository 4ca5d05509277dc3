"""Small files beside the tables, through Hadoop's file systems, so that every address Spark knows works."""

from typing import Any

from pyspark.sql import SparkSession


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
