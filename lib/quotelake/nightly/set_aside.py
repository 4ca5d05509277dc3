"""Documents on which the pass over their text fails: set aside in ``rejects``, so that the night goes on without them.

A document that is set aside stays in ``documents``, where its record is counted, and has no row in any table computed
from it. A row of ``rejects`` with its file and position names it; it is written before anything else of its batch, so
that a batch that is taken up again leaves out the same documents.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F

from quotelake.errors import unwrap
from quotelake.lake.contracts import columns
from quotelake.lake.runs import StageCounts
from quotelake.lake.tables import Lake
from quotelake.lake.writing import Transaction
from quotelake.nightly.annotate import count_annotations
from quotelake.nightly.night import Batch, Night, Origin, frame_of_ids
from quotelake.sources.rejects import Reason

#: Of a batch; if the pass fails on more, the program or the machine is at fault.
_MOST: Final = 10
#: How Spark tells that Python code failed on the rows of a task, or that its process died.
_OF_WORKERS: Final = (
    "An exception was thrown from the Python worker", "org.apache.spark.api.python.PythonException",
    "Python worker exited unexpectedly", "ExecutorLostFailure",
)  # fmt: skip
_LAST_LINE: Final = re.compile(r"Traceback \(most recent call last\):\n(?:[ \t].*\n)*(\S.*)")
_LONGEST: Final = 200

Kernel = Callable[[DataFrame], DataFrame]
T = TypeVar("T")
Part = TypeVar("Part")


def places_set_aside(lake: Lake) -> set[Origin]:
    """Where each document that is set aside was read."""
    return {Origin(**row) for row in lake.small_rows("rejects", Origin._fields, f"reason = '{Reason.SET_ASIDE}'")}


def pass_over(batch: Batch, documents: DataFrame, kernel: Kernel) -> tuple[DataFrame, dict[str, int]]:
    """Annotate documents, without those that are or must be set aside: the kept frame of ``kernel``, and its counts.

    If the pass fails in a worker, it is done again on halves of the documents, on halves of a half that fails, and so
    on: about 2 log2(n) times for each of at most 10 documents that fail alone. A failure of the machine, such as a full
    disk, is raised, and so is one that more documents have.
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
    night.run.say(f"  the pass over {len(rows):,} documents failed: looking for those that it fails on")
    annotated, failed = batch.keep(kernel(todo.where("false"))), list[tuple[Row, Exception]]()
    between = F.col("doc_id").between
    for part in by_halves(rows, lambda these: tried(todo.where(between(these[0][0], these[-1][0])))[0], failed):
        annotated = annotated.unionByName(part)
    _set_aside(batch, failed)
    return annotated, count_annotations(annotated)


def by_halves(
    rows: Sequence[T], attempt: Callable[[Sequence[T]], Part], failed: list[tuple[T, Exception]]
) -> Iterator[Part]:
    """What ``attempt`` makes of rows, in their order: of halves where it fails, and of halves of these.

    A row on which it fails alone is added to ``failed``, with the error. An error that is not of documents is raised,
    and that of one more row than may fail.
    """
    try:
        yield attempt(rows)
    except Exception as error:
        if not is_of_documents(error) or len(failed) == _MOST:
            raise
        if len(rows) == 1:
            failed.append((rows[0], error))
            return
        halves = (rows[: len(rows) // 2], rows[len(rows) // 2 :])
    else:
        return
    for half in halves:
        yield from by_halves(half, attempt, failed)


def retry_set_aside(night: Night, stage: StageCounts, process: Callable[[Batch, DataFrame], None]) -> None:
    """Process the documents that are set aside once more, and forget that those were on which it does not fail."""
    lake, places = night.lake, set(night.set_aside)
    stage.count(retried=len(places))
    if not places:
        return
    night.set_aside.clear()
    with replace(night, rereads=True).batch(stage, Transaction(f"set-aside-{night.run.run_id}", 0)) as batch:
        process(batch, lake.read("documents").where(_among(places)))
        done = places - night.set_aside
        files = sorted({file for file, _ in done})
        stored = lake.rows_of("rejects", frame_of_ids(lake, "file_id", files)).select(*columns("rejects"))
        if done:
            left = batch.keep(stored.where(f"NOT {_among(done)}"))
            lake.merge(left, "rejects", by="file_id", emptied=files)


def cause_of(error: BaseException) -> str:
    """The first line of an error in a worker.

    >>> cause_of(RuntimeError("Aborted\\nTraceback (most recent call last):\\n  File x\\nValueError: no\\n at org.…"))
    'ValueError: no'
    """
    text = str(error)
    lines = _LAST_LINE.findall(text)
    return (lines[-1] if lines else next((sign for sign in _OF_WORKERS if sign in text), text))[:_LONGEST]


def is_of_documents(error: BaseException) -> bool:
    """Whether an error may be of a document: raised in a worker of Spark, and none that a person can mend."""
    return unwrap(error) is None and any(sign in str(error) for sign in _OF_WORKERS)


def _set_aside(batch: Batch, failed: Sequence[tuple[Row, Exception]]) -> None:
    if not failed:
        return
    lake, night = batch.lake, batch.night
    ids = frame_of_ids(lake, "file_id", {row["file_id"] for row, _ in failed})
    paths = {row["file_id"]: row["path"] for row in lake.rows_of("files", ids, ["path"]).collect()}
    rejects = list[dict[str, object]]()
    for row, error in failed:
        cause = cause_of(error)
        shown = cause.partition(":")[0] if row["kind"] == "tweet" else cause  # the text may name the author
        place = {"file_id": row["file_id"], "position": row["position"]}
        path = paths.get(row["file_id"], "")  # unknown where a run was killed before it wrote the row of the file
        rejects.append({
            **place, "source": row["source"], "path": path, "reason": str(Reason.SET_ASIDE),
            "detail": f"document {row['doc_id']}: {shown}", "raw": None,
        })  # fmt: skip
        night.run.say(f"  set aside: document {row['doc_id']}, at {row['position']} of {path}: {shown}")
        night.set_aside.add(Origin(**place))
    lake.append_new(lake.frame(rejects, "rejects"), "rejects")
    batch.stage.count(set_aside=len(failed))


def _among(places: Collection[Origin]) -> str:
    listed = ", ".join(f"('{file}', {position}L)" for file, position in sorted(places))
    return f"(file_id, position) IN ({listed})"
