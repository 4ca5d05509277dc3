"""List the input files that a pattern names, through Hadoop's file systems: every address Spark reads works."""

from collections.abc import Iterable, Iterator
from typing import Any

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from quotelake.errors import InputError
from quotelake.sources.inputs import InputFile, check_pattern, files_named, input_file


def list_files(spark: SparkSession, source: str, pattern: str) -> list[InputFile]:
    """List the files that a pattern names, sorted by path.

    Args:
        spark: its Hadoop configuration finds the file system.
        source: name of the source in the settings.
        pattern: a file, a directory (the files in it, not those of subdirectories) or a glob of either. In
            directories and globs, names that start with ``.`` or ``_`` are left out.

    Raises:
        InputError: the pattern is blank, matches nothing, cannot be listed, or names only directories without files.
    """
    check_pattern(source, pattern)
    try:
        found = _list(spark, pattern)
    except (Py4JJavaError, PySparkException) as error:
        cause = error.java_exception if isinstance(error, Py4JJavaError) else error
        raise InputError(f"{source}={pattern}: cannot be listed: {_first_line(cause)}") from None
    matches = [[input_file(source, *_facts(status)) for status in statuses] for statuses in found]
    return files_named(source, pattern, matches)


def in_batches(files: Iterable[InputFile], batch_bytes: int) -> Iterator[list[InputFile]]:
    """Cut files, in their order, into batches of at most ``batch_bytes``; a larger file is a batch by itself."""
    batch: list[InputFile] = []
    size = 0
    for file in files:
        if batch and size + file.size > batch_bytes:
            yield batch
            batch, size = [], 0
        batch.append(file)
        size += file.size
    if batch:
        yield batch


def _list(spark: SparkSession, pattern: str) -> list[list[Any]]:
    """The files of each path that matches the pattern."""
    jvm: Any = spark._jvm
    path = jvm.org.apache.hadoop.fs.Path(pattern)
    system = path.getFileSystem(spark._jsc.hadoopConfiguration())
    # Try the pattern as a literal path first: a file may have brackets in its name.
    if system.exists(path):
        named = [system.getFileStatus(path)]
    else:
        named = [status for status in system.globStatus(path) or [] if _visible(status)]
    return [_files_of(system, status) for status in named]


def _files_of(system: Any, status: Any) -> list[Any]:
    if not status.isDirectory():
        return [status]
    return [file for file in system.listStatus(status.getPath()) if _visible(file) and not file.isDirectory()]


def _first_line(cause: Any) -> str:
    return str(cause).partition("\n")[0]


def _visible(status: Any) -> bool:
    return not str(status.getPath().getName()).startswith((".", "_"))


def _facts(status: Any) -> tuple[str, int, int]:
    return str(status.getPath().toString()), int(status.getLen()), int(status.getModificationTime())
