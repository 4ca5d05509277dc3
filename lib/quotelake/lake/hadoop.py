"""The small files beside the tables of a lake at an address: by Hadoop's file systems, which Spark knows."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

from py4j.protocol import Py4JJavaError
from pyspark.sql import SparkSession

from quotelake.lake.place import Files, is_local

#: How Hadoop's file systems say that a file is there, or is being made by another at this moment (HDFS).
_TAKEN = ("FileAlreadyExistsException", "AlreadyBeingCreatedException")


def files_of(spark: SparkSession, root: str) -> Files:
    """The files of a lake at a directory, or at an address that ``spark`` reaches.

    Raises:
        OSError: no file system knows the kind of address.
    """
    return Files(Path(root).absolute()) if is_local(root) else _HadoopFiles(spark, root)


class _HadoopFiles(Files):
    creates_once: ClassVar[bool] = False  # HDFS would, object stores would not

    def __init__(self, spark: SparkSession, root: str) -> None:
        super().__init__(root.rstrip("/"))
        jvm: Any = spark._jvm
        self._at = jvm.org.apache.hadoop.fs.Path
        with _as_os_error():
            self._system = self._at(self.root).getFileSystem(spark._jsc.hadoopConfiguration())
        self._io = jvm.org.apache.commons.io.IOUtils
        self._util, self._conf = jvm.org.apache.hadoop.fs.FileUtil, spark._jsc.hadoopConfiguration()

    def address(self, name: str) -> str:
        return str(self._system.makeQualified(self._place(name)).toString())

    def names(self, folder: str) -> list[str]:
        return list(self.sizes(folder))

    def sizes(self, folder: str) -> dict[str, int]:
        place = self._place(folder)
        with _as_os_error():
            listed = self._system.listStatus(place) if self._system.exists(place) else []
            return {str(status.getPath().getName()): int(status.getLen()) for status in listed}

    def read(self, name: str) -> str | None:
        place = self._place(name)
        with _as_os_error():
            if not self._system.exists(place):
                return None
            stream = self._system.open(place)
            try:
                return str(self._io.toString(stream, "UTF-8"))
            finally:
                stream.close()

    def write(self, name: str, text: str, *, over: bool = True) -> bool:
        try:
            with _as_os_error():
                stream = self._system.create(self._place(name), over)
                try:
                    stream.write(bytearray(text.encode()))
                finally:
                    stream.close()
        except FileExistsError:
            if over:
                raise
            return False
        return True

    def copy(self, name: str, to: str) -> None:
        with _as_os_error():
            self._util.copy(self._system, self._place(name), self._system, self._place(to), False, True, self._conf)

    def delete(self, name: str) -> None:
        with _as_os_error():
            self._system.delete(self._place(name), False)

    def delete_all(self, folder: str) -> None:
        with _as_os_error():
            self._system.delete(self._place(folder), True)

    def _place(self, name: str) -> Any:
        return self._at(f"{self.root}/{name}")


@contextmanager
def _as_os_error() -> Iterator[None]:
    try:
        yield
    except Py4JJavaError as error:
        cause = error.java_exception
        name = str(cause.getClass().getSimpleName())
        said = f"{name}: {cause.getMessage()}".partition("\n")[0]
        raise (FileExistsError if name in _TAKEN else OSError)(said) from None
