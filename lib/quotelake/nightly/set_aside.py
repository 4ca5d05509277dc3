"""Documents on which the annotation fails: set aside in ``rejects``, so that the night goes on without them.

Such a document stays in ``documents``, and has no row in any table computed from it. Its reject is written before all
else of its batch, so a batch that is taken up again leaves out the same documents.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import reduce
from typing import Final, TypeVar

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F

from quotelake.errors import unwrap
from quotelake.lake.contracts import columns
from quotelake.lake.runs import StageCounts
from quotelake.lake.tables import Lake
from quotelake.lake.writing import Transaction
from quotelake.nightly.annotate import count_annotations
from quotelake.nightly.night import Batch, Night, Origin
from quotelake.sources.rejects import Reason

#: Most documents of a batch that are set aside; if more fail, the program or the machine is at fault.
_MOST: Final = 10
#: Messages of Spark when Python code failed on the rows of a task, or its process died.
_OF_WORKERS: Final = (
    "An exception was thrown from the Python worker", "org.apache.spark.api.python.PythonException",
    "Python worker exited unexpectedly", "ExecutorLostFailure",
)  # fmt: skip
_TRACEBACK: Final = "Traceback (most recent call last):\n"
_LONGEST: Final = 200

Kernel = Callable[[DataFrame], DataFrame]
T = TypeVar("T")
Part = TypeVar("Part")


def places_set_aside(lake: Lake) -> set[Origin]:
    """Where each document that is set aside was read."""
    return {Origin(**row) for row in lake.small_rows("rejects", Origin._fields, f"reason = '{Reason.SET_ASIDE}'")}


def annotate_or_set_aside(batch: Batch, documents: DataFrame, kernel: Kernel) -> tuple[DataFrame, dict[str, int]]:
    """Annotate documents, without those that are or must be set aside: the kept frame of ``kernel``, and its counts.

    If the kernel fails in a worker, documents that fail alone are sought: 2 log2(n) runs for each of at most 10. A
    failure of the machine, such as a full disk, or of more documents is raised.
    """

    def tried(part: DataFrame) -> tuple[DataFrame, dict[str, int]]:
        annotated = batch.keep(kernel(part))
        return annotated, count_annotations(annotated)

    night = batch.night
    todo = documents.where(f"NOT {_among(night.set_aside)}") if night.set_aside else documents
    try:
        return tried(todo)
    except Exception as error:
        if not is_of_documents(error):
            raise
    rows = todo.select("doc_id", "file_id", "position", "source", "kind").orderBy("doc_id").collect()
    night.run.report(f"  annotating {len(rows):,} documents failed: looking for those that it fails on")
    between = F.col("doc_id").between
    parts, failed = bisect_failures(rows, lambda these: tried(todo.where(between(these[0][0], these[-1][0])))[0])
    annotated = reduce(DataFrame.unionByName, parts, batch.keep(kernel(todo.where("false"))))
    _set_aside(batch, failed)
    return annotated, count_annotations(annotated)


def bisect_failures(
    rows: Sequence[T], attempt: Callable[[Sequence[T]], Part]
) -> tuple[list[Part], list[tuple[T, Exception]]]:
    """Results of ``attempt`` on rows, in order, and rows that fail alone, with their errors; all together have failed.

    An error that is not of documents is raised, and so is that of one row more than may fail.
    """
    done, failed = list[Part](), list[tuple[T, Exception]]()

    def divide(part: Sequence[T]) -> None:
        middle = len(part) // 2
        for half in filter(len, (part[:middle], part[middle:])):
            try:
                done.append(attempt(half))
            except Exception as error:
                if not is_of_documents(error) or len(failed) == _MOST:
                    raise
                if len(half) > 1:
                    divide(half)
                else:
                    failed.append((half[0], error))

    divide(rows)
    return done, failed


def retry_set_aside(night: Night, stage: StageCounts, process: Callable[[Batch, DataFrame], None]) -> None:
    """Process the documents that are set aside once more, and delete the rejects of those that succeed."""
    lake, places = night.lake, set(night.set_aside)
    stage.count(retried=len(places))
    if not places:
        return
    night.set_aside.clear()
    txn = Transaction(f"set-aside-{night.run.run_id}", 0)
    with replace(night, rereads=True).batch(stage, txn, small=True) as batch:  # few, or Spark keeps the rows
        process(batch, lake.read("documents").where(_among(places)))
        done = places - night.set_aside
        files = sorted({file for file, _ in done})
        stored = lake.rows_of("rejects", lake.ids("file_id", files)).select(*columns("rejects"))
        if done:
            lake.replace(stored.where(f"NOT {_among(done)}"), "rejects", files)


def cause_of(error: BaseException) -> str:
    """The first line of an error in a worker.

    >>> cause_of(RuntimeError("Aborted\\nTraceback (most recent call last):\\n  File x\\nValueError: no\\n at org.…"))
    'ValueError: no'
    """
    text = str(error)
    lines = text.rpartition(_TRACEBACK)[2].splitlines() if _TRACEBACK in text else []
    last = next((line for line in lines if line[:1].strip()), None)
    return (last or next((sign for sign in _OF_WORKERS if sign in text), text))[:_LONGEST]


def is_of_documents(error: BaseException) -> bool:
    """Whether a document may cause an error: raised in a worker of Spark, and none that a person can mend."""
    return unwrap(error) is None and any(sign in str(error) for sign in _OF_WORKERS)


def _set_aside(batch: Batch, failed: Sequence[tuple[Row, Exception]]) -> None:
    if not failed:
        return
    lake, night = batch.lake, batch.night
    ids = lake.ids("file_id", {row["file_id"] for row, _ in failed})
    paths = {row["file_id"]: row["path"] for row in lake.rows_of("files", ids, ["path"]).collect()}
    rejects = list[dict[str, object]]()
    for row, error in failed:
        cause = cause_of(error)
        shown = cause.partition(":")[0] if row["kind"] == "tweet" else cause  # the text may name the author
        place = Origin(row["file_id"], row["position"])
        path = paths.get(place.file_id, "")  # unknown where a run was killed before it wrote the row of the file
        about = {"source": row["source"], "path": path, "reason": str(Reason.SET_ASIDE), "raw": None}
        rejects.append(place._asdict() | about | {"detail": f"document {row['doc_id']}: {shown}"})
        night.run.report(f"  set aside: document {row['doc_id']}, at {place.position} of {path}: {shown}")
        night.set_aside.add(place)
    lake.replace(lake.frame(rejects, "rejects"), "rejects")
    batch.stage.count(set_aside=len(failed))


def _among(places: Collection[Origin]) -> str:
    listed = ", ".join(f"('{file}', {position}L)" for file, position in sorted(places))
    return f"(file_id, position) IN ({listed})"
