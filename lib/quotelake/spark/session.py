"""The Spark session of a job, with Delta, fitted to the size of the input; steps side by side."""

import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import Any, Final

from pyspark import SparkConf, SparkContext
from pyspark.sql import DataFrame, SparkSession
from pyspark.storagelevel import StorageLevel

#: Largest table of the driver, in bytes, whose rows become part of plans; a larger one reaches its tasks packed. As
#: rows, the postings of 4,000 articles fill a third of the heap, and garbage collection takes longer than writing them.
LOCAL_BYTES: Final = 1 << 20

#: For every session. ``conf/spark-defaults.conf`` has the same for ``spark-submit``; these are for plain ``python`` and
#: tests. Memory and cores are the operator's to set.
_REQUIRED = {
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    "spark.sql.session.timeZone": "UTC",
}

#: Unless the operator sets them. Most of a small run is Spark planning small queries.
_USUAL = {
    # Pieces in which the state of a table is rebuilt: tables have some hundred files.
    "spark.databricks.delta.snapshotPartitions": "1",
    # Delta rebuilds the state of each new table to list its files once more: 25 tables took 10 CPU seconds, then 4.
    "spark.databricks.delta.allFilesInCrc.enabled": "false",
    # Workers share what the process they are forked from has imported, and it imports from compiled files.
    "spark.python.daemon.module": "quotelake.spark.worker_daemon",
    "spark.sql.execution.arrow.localRelationThreshold": str(LOCAL_BYTES),
    # No file of checksums beside each file of a local lake, which Hadoop would write: pages of Parquet have their own.
    "spark.hadoop.fs.AbstractFileSystem.file.impl": "org.apache.hadoop.fs.local.RawLocalFs",
    "spark.hadoop.parquet.page.verify-checksum.enabled": "true",
    # Texts of plans, for Spark's web page.
    "spark.sql.ui.explainMode": "simple",
    "spark.sql.maxPlanStringLength": "1000",
}

#: The same for a session on one machine, which shows no web page.
_LOCAL = {
    # Before the size of the input is known; on a cluster a query of a large lake keeps Spark's number.
    "spark.sql.shuffle.partitions": "4",
    "spark.ui.enabled": "false",
    # Ended jobs are stored for the same page: a thousand plans of a long first load fill the heap.
    "spark.sql.ui.retainedExecutions": "20",
    "spark.ui.retainedJobs": "50",
    "spark.ui.retainedStages": "50",
    "spark.ui.retainedTasks": "1000",
}

#: Address and credentials of S3, in the usual variables. Spark gives them to Hadoop, tasks use them to read input files
#: by Arrow.
_S3 = (
    "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL", "AWS_REGION",
    "AWS_DEFAULT_REGION",
)  # fmt: skip

#: Settings that :func:`set_parallelism` chooses by the size of the input, unless the operator set them.
_FITTED = (
    "spark.sql.shuffle.partitions", "spark.sql.codegen.wholeStage", "spark.sql.codegen.factoryMode",
    "spark.sql.adaptive.enabled", "spark.sql.autoBroadcastJoinThreshold",
)  # fmt: skip
#: Setting with the names of those that the operator did not set.
_OURS = "spark.quotelake.fitted"

#: Input of fewer bytes is not worth a second task, nor a plan compiled to Java code.
SMALL_BYTES = 3_000_000
#: Packed input of one task of the pass over the text: some seconds of work.
TASK_BYTES = 1_400_000
#: Packed input for each partition of a shuffle, where the slots' worth of partitions would be larger.
_SHUFFLE_BYTES = 12_000_000
#: Spark's bytes of a table that is broadcast, and of one that is rather shuffled with few rows.
_BROADCAST_BYTES: Final = 10 << 20
_SHUFFLED_BYTES: Final = 16 << 20
#: Bytes of a table that is passed over from which plans are compiled for few new rows too: it has a million rows.
_COMPILED_BYTES: Final = 64 << 20
#: Packed bytes of an earlier table of a task that has all new rows in memory: each task indexes these, for seconds.
_LEAST_PASSING: Final = 16 << 20
_MOST_PASSING: Final = 256 << 20
#: Parallel steps. On two cores more would only queue: Spark plans one query per thread.
_MAX_THREADS = 4


def session_starter(name: str, needs: str) -> Callable[[], SparkSession]:
    """Start Java, and import meanwhile the module that a job ``needs`` next; returns what starts its Spark session.

    A session costs more than all else of a run that finds nothing new.
    """
    with ThreadPoolExecutor(1) as pool:
        pool.submit(import_module, needs)  # what is wrong with it is raised where the job imports it
        _start_java()
    return cache(partial(get_session, name))


def _start_java() -> Any:
    """Java, started now or by ``spark-submit``; from then on SparkConf has the settings of its operator."""
    # Workers run the Python of the job: without this a plain ``python job.py`` takes whatever python3 is on PATH.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    SparkContext._ensure_initialized()
    return SparkContext._jvm


def default_files() -> str:
    """Address of the file system of paths that name none, as the settings of Hadoop and Spark have it."""
    hadoop = getattr(_start_java(), "org.apache.spark.deploy.SparkHadoopUtil").get().conf()
    return str(hadoop.get("fs.defaultFS", "file:///"))


def get_session(name: str, **settings: str) -> SparkSession:
    """Start (or join) the Spark session of a job.

    ``settings`` are further ones of Spark, with dots as double underscores, such as ``spark__ui__enabled="false"``.
    """
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    given = {key.replace("__", "."): value for key, value in settings.items()}
    if "PYSPARK_GATEWAY_PORT" in os.environ:
        # spark-submit started the JVM: only when Python is connected to it does SparkConf show the operator's settings.
        SparkContext._ensure_initialized()
    operator = SparkConf()
    master = str(given.get("spark.master") or operator.get("spark.master") or "local[*]")
    usual = _USUAL | (_LOCAL if master.startswith("local") else {})
    usual |= {f"spark.executorEnv.{name}": os.environ[name] for name in _S3 if name in os.environ}
    if "AWS_ENDPOINT_URL" in os.environ:  # a store of another maker: its buckets are folders, as for Arrow
        usual["spark.hadoop.fs.s3a.path.style.access"] = "true"
    chosen: dict[str, Any] = _REQUIRED | {key: value for key, value in usual.items() if not operator.contains(key)}
    ours = ",".join(key for key in _FITTED if not operator.contains(key))
    chosen[_OURS] = operator.get(_OURS, ours)  # there already: an earlier session of this process chose
    spark = SparkSession.builder.appName(name).config(map=chosen | given).getOrCreate()
    files = _start_java().org.apache.hadoop.fs.FileSystem.getLocal(spark._jsc.hadoopConfiguration())
    files.setWriteChecksum(False)
    files.setVerifyChecksum(False)  # an earlier release may have left one of a file that was written again
    return spark


def end_session(*, for_good: bool = True) -> None:
    """End the session, if any; ``for_good`` with the threads by which Java calls Python: no session starts after."""
    if (spark := SparkSession._instantiatedSession) is not None:
        spark.stop()
    gateway = SparkContext._gateway
    if for_good and gateway is not None:
        gateway.shutdown()


def start_workers(spark: SparkSession) -> None:
    """Start the process of the Python workers, whose imports take seconds, while the driver prepares the first rows."""

    def start() -> None:
        with suppress(Exception):  # the session has ended; a process that cannot start fails the first task too
            spark.range(1, numPartitions=1).mapInArrow(lambda batches: batches, "id BIGINT").collect()

    if _on_one_machine():
        Thread(target=start, name="workers", daemon=True).start()


def is_small(size: int) -> bool:
    """Whether so many packed bytes of input are worked on by one task, and their rows by the driver."""
    return size < SMALL_BYTES


def set_parallelism(spark: SparkSession, size: int, archive: int = 0, *, passed_over: int = 0) -> None:
    """Fit a session to so many packed bytes of input, and of the archive; what the operator set is not changed.

    ``passed_over``: bytes of the largest table of which all rows are read, however few are looked for.
    """
    context, small = spark.sparkContext, is_small(size)
    brief = small and passed_over < _COMPILED_BYTES
    fitting = {
        "spark.sql.shuffle.partitions": 1 if small else max(2 * context.defaultParallelism, -(-size // _SHUFFLE_BYTES)),
        # Compiling the many plans of a small batch, or changing them under way, costs more than it saves.
        "spark.sql.codegen.wholeStage": not brief,
        # Nor each expression: of a night of 30 records, that was a fifth of the CPU seconds (measured once).
        "spark.sql.codegen.factoryMode": "NO_CODEGEN" if brief else "FALLBACK",
        "spark.sql.adaptive.enabled": not small,
        # Rows of one partition are joined as they are: a broadcast is a job.
        "spark.sql.autoBroadcastJoinThreshold": -1 if small and archive < _SHUFFLED_BYTES else _BROADCAST_BYTES,
    }
    for key in filter(None, context.getConf().get(_OURS, "").split(",")):
        spark.conf.set(key, fitting[key])


def tasks_for(spark: SparkSession, size: int) -> int:
    """Number of tasks for the pass over so many packed bytes of text: one for few, else two or more per slot."""
    if is_small(size):
        return 1
    return max(2 * spark.sparkContext.defaultParallelism, -(-size // TASK_BYTES))


def tasks_passing(spark: SparkSession, size: int) -> int:
    """Number of tasks, each with all new rows in memory, that so many packed bytes of earlier rows pass by."""
    return max(min(spark.sparkContext.defaultParallelism, -(-size // _LEAST_PASSING)), size // _MOST_PASSING, 1)


def bytes_moved() -> dict[str, int]:
    """Bytes that Java and this process have read and written so far, but for input files; empty on a cluster.

    Written: by Hadoop's file systems, and by this process. Read, on Linux alone: by ``read`` calls of both processes,
    from disk, cache or one another; Hadoop's count lacks most of a Parquet file.
    """
    if not _on_one_machine():
        return {}
    jvm = _start_java()
    systems = jvm.org.apache.hadoop.fs.FileSystem.getGlobalStorageStatistics().iterator()
    written = 0
    while systems.hasNext():
        written += systems.next().getLong("bytesWritten") or 0
    places = (Path(f"/proc/{pid}/io") for pid in (jvm.java.lang.ProcessHandle.current().pid(), "self"))
    counts = [dict(line.split() for line in place.open(encoding="utf-8")) for place in places if place.exists()]
    if not counts:
        return {"written_bytes": written}
    read = sum(int(each["rchar:"]) for each in counts)
    return {"read_bytes": read, "written_bytes": written + int(counts[-1]["write_bytes:"])}


def stored_by_executors(df: DataFrame) -> tuple[DataFrame, Any]:
    """The rows of a frame, computed once at their first use, without its plan; and what releases them.

    As they cannot be computed again, two executors of a cluster have each part.
    """
    level = StorageLevel.MEMORY_AND_DISK if _on_one_machine() else StorageLevel.MEMORY_AND_DISK_2
    frame = df.localCheckpoint(eager=False, storageLevel=level)
    return frame, frame._jdf.queryExecution().logical().rdd()


def _on_one_machine() -> bool:
    context = SparkContext._active_spark_context
    return context is None or str(context.master).startswith("local")


def run_in_parallel(*steps: Callable[[], object]) -> list[Any]:
    """Run steps, which wait for Spark's driver, in parallel; return their results, or raise the first failure."""
    with ThreadPoolExecutor(_MAX_THREADS) as pool:
        running = [pool.submit(step) for step in steps]
    return [each.result() for each in running]
