"""The small files beside the tables of a lake at an address: by Hadoop's file systems, which Spark knows.

Errors of theirs are an ``OSError``, as those of files on this machine are.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

from py4j.protocol import Py4JJavaError
from pyspark.sql import SparkSession

from quotelake.lake.files import Files, LocalFiles
from quotelake.lake.place import is_local

#: How Hadoop's file systems say that a file is there, or is being made by another at this moment (HDFS).
_TAKEN = ("FileAlreadyExistsException", "AlreadyBeingCreatedException")


class HadoopFiles:
    """The files of a lake at an address that Spark reaches."""

    creates_once: ClassVar[bool] = False  # HDFS would, object stores would not

    def __init__(self, spark: SparkSession, root: str) -> None:
        """Name the place; nothing is read or written yet.

        Raises:
            OSError: no file system knows the kind of address.
        """
        jvm: Any = spark._jvm
        self._at = jvm.org.apache.hadoop.fs.Path
        self.root = root.rstrip("/")
        with _as_os_error():
            self._system = self._at(self.root).getFileSystem(spark._jsc.hadoopConfiguration())
        self._io = jvm.org.apache.commons.io.IOUtils

    def names(self, folder: str) -> list[str]:
        """Names of what a folder holds, in no order; none where there is no such folder."""
        place = self._place(folder)
        with _as_os_error():
            if not self._system.exists(place):
                return []
            return [str(status.getPath().getName()) for status in self._system.listStatus(place)]

    def read(self, name: str) -> str | None:
        """Text of a file, or None where there is none."""
        place = self._place(name)
        with _as_os_error():
            if not self._system.exists(place):
                return None
            stream = self._system.open(place)
            try:
                return str(self._io.toString(stream, "UTF-8"))
            finally:
                stream.close()

    def write(self, name: str, text: str) -> None:
        """Write a file, over the one that is there."""
        self._write(name, text, over=True)

    def create(self, name: str, text: str) -> bool:
        """Write a file unless there is one; return whether it was written."""
        try:
            self._write(name, text, over=False)
        except FileExistsError:
            return False
        return True

    def delete(self, name: str) -> None:
        """Delete a file, if it is there."""
        with _as_os_error():
            self._system.delete(self._place(name), False)

    def _write(self, name: str, text: str, *, over: bool) -> None:
        with _as_os_error():
            stream = self._system.create(self._place(name), over)
            try:
                stream.write(bytearray(text.encode()))
            finally:
                stream.close()

    def _place(self, name: str) -> Any:
        return self._at(f"{self.root}/{name}")


def files_of(spark: SparkSession, root: str) -> Files:
    """The files of a lake.

    Args:
        spark: reaches those of an address.
        root: directory or address of the lake.

    Raises:
        OSError: no file system knows the kind of address.
    """
    if is_local(root):
        return LocalFiles(Path(root).absolute())
    return HadoopFiles(spark, root)


@contextmanager
def _as_os_error() -> Iterator[None]:
    try:
        yield
    except Py4JJavaError as error:
        cause = error.java_exception
        name = str(cause.getClass().getSimpleName())
        said = f"{name}: {cause.getMessage()}".partition("\n")[0]
        raise (FileExistsError if name in _TAKEN else OSError)(said) from None
