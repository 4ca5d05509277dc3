"""The small files beside the tables of a lake at an address: by Hadoop's file systems, which Spark knows."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from py4j.protocol import Py4JJavaError
from pyspark.sql import SparkSession

from quotelake.errors import InputError
from quotelake.lake.place import Files, is_local

#: In errors of Hadoop's file systems: the file exists, another process creates it (HDFS), or on S3 it was written over
#: or another request for it is under way.
_TAKEN = ("FileAlreadyExistsException", "AlreadyBeingCreatedException", "Status Code: 412", "Status Code: 409")
#: S3 refuses to create an object that exists. Stores without such a condition ignore the option.
_IF_ABSENT = "fs.option.create.conditional.overwrite"
#: Addresses whose log store in Delta keeps apart the commits of one process, but not those of several.
_S3 = ("s3", "s3a", "s3n")
#: With it, Delta's log store calls methods that Hadoop's S3 file system lacks, or that its class loader does not find.
_FAST_LIST = "delta.enableFastS3AListFrom"
#: Attempts to read a file that another run writes over at the same moment.
_READS = 5


def files_of(spark: Callable[[], SparkSession], root: str) -> Files:
    """The files of a lake at a directory, or at an address; an OSError: no file system knows its kind."""
    return Files(Path(root).absolute()) if is_local(root) else _HadoopFiles(spark(), root)


class _HadoopFiles(Files):
    def __init__(self, spark: SparkSession, root: str) -> None:
        super().__init__(root.rstrip("/"))
        jvm: Any = spark._jvm
        self._at = jvm.org.apache.hadoop.fs.Path
        with _as_os_error():
            self._system = self._at(self.root).getFileSystem(spark._jsc.hadoopConfiguration())
        scheme = urlsplit(self.root).scheme
        if scheme in _S3 and spark._jsc.hadoopConfiguration().getBoolean(_FAST_LIST, False):
            raise InputError(
                f"{_FAST_LIST} is set: this release of Delta cannot list a log on S3 that way; leave the setting out"
            )
        chosen = f"spark.delta.logStore.{scheme}.impl"  # Delta's own for S3 that asks a database
        self.commits_once = scheme not in _S3 or spark.sparkContext.getConf().contains(chosen)
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
        for attempt in range(1, _READS + 1):
            try:
                with _as_os_error():
                    stream = self._system.open(self._place(name))
                    try:
                        return str(self._io.toString(stream, "UTF-8"))
                    finally:
                        stream.close()
            except FileNotFoundError:
                break
            except FileExistsError:
                if attempt == _READS:
                    raise
        return None

    def write(self, name: str, text: str, *, over: bool = True) -> bool:
        try:
            with _as_os_error():
                to = self._system.createFile(self._place(name)).create().overwrite(over).recursive()
                stream = to.opt(_IF_ABSENT, not over).build()
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
        if name == "FileNotFoundException":
            raise FileNotFoundError(said) from None
        raise (FileExistsError if any(each in said for each in _TAKEN) else OSError)(said) from None
