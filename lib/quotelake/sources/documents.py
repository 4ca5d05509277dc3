"""Records of files → documents, rejects and counts per file. Records in = documents + duplicates + rejects + filtered.

``records`` are as :func:`quotelake.sources.read.read_records_frame` gives them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import reduce
from operator import and_, or_
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.window import Window

from quotelake.errors import CountError
from quotelake.lake.contracts import columns
from quotelake.sources.files import COUNTS, PROBLEM_COUNTS, InputFile
from quotelake.sources.rejects import ASKED_FOR, UNREAD_DATE, Problem, Reason

_PLACE = ["file_id", "position"]
#: What the same reject has in another version of its file.
_SAME_REJECT = ("source", "path", "position", "reason", "raw")


def documents_of(records: DataFrame) -> DataFrame:
    """Keep each document once. Grain: ``doc_id``; of equal documents the first by (path, position) is kept."""
    usable = records.where(F.col("reason").isNull())
    # Find the later copies by ids and positions alone, then leave them out: no body is sorted.
    by_document = Window.partitionBy("doc_id").orderBy("path", "position")
    places = usable.select(*_PLACE, "path", F.col("document.doc_id").alias("doc_id"))
    later = places.withColumn("place", F.row_number().over(by_document)).where("place > 1").select(*_PLACE)
    rows = usable.join(later, _PLACE, "left_anti")
    return rows.select(*_PLACE, "document.*").select(*columns("documents"))


def rejects_of(records: DataFrame) -> DataFrame:
    """Rows of ``rejects``: the records that could not be used, with the reason. Grain: a record.

    The id that a deletion names is in ``raw`` of its record only.
    """
    rejects = records.where("reason IS NOT NULL AND filtered IS NULL").select(*columns("rejects"))
    return rejects.withColumn("raw", F.when(F.col("reason") != Reason.DELETION.value, F.col("raw")))


def new_rejects(rejects: DataFrame, stored: DataFrame) -> DataFrame:
    """Leave out rejects that an earlier version of their file left: a file that grows is read anew every night.

    ``stored`` are the rows of ``rejects`` at the paths of these files. The others are counted all the same.
    """
    earlier = stored.select(*(F.col(name).alias(f"earlier_{name}") for name in ("file_id", *_SAME_REJECT)))
    same = [F.col(name).eqNullSafe(F.col(f"earlier_{name}")) for name in _SAME_REJECT]
    other_version = F.col("file_id") != F.col("earlier_file_id")
    return rejects.join(earlier, reduce(and_, same, other_version), "left_anti")


def count_files(records: DataFrame, documents: DataFrame) -> DataFrame:
    """Count what became of the records of each file. Grain: a file with records; ``file_id`` and the counts.

    A usable record is a duplicate if its document was first read at another position, so a file that is read again
    after a crash gets the same counts. ``unread_dates`` and ``not_numbers`` count the usable records that have such a
    problem; ``unreadable`` is true for a file that could not be opened. ``documents`` are rows of that table after the
    append.
    """
    first = documents.select("doc_id", *(F.col(name).alias(f"first_{name}") for name in _PLACE))
    usable = F.col("reason").isNull()
    here = (F.col("first_file_id") == F.col("file_id")) & (F.col("first_position") == F.col("position"))
    problems = F.coalesce("document.field_problems.problem", F.array()).alias("problems")
    found = records.select(*_PLACE, "reason", "filtered", F.col("document.doc_id").alias("doc_id"), problems)
    filtered = F.coalesce(F.sum("filtered"), F.lit(0))
    placed = found.join(first, "doc_id", "left")
    has = {problem: F.array_contains("problems", problem.value) for problem in Problem}
    return placed.groupBy("file_id").agg(
        (F.count("*") - F.count("filtered") + filtered).alias("records"),
        F.count_if(usable & here).alias("documents"),
        F.count_if(usable & ~here).alias("duplicates"),
        F.count_if(~usable & F.col("filtered").isNull()).alias("rejects"),
        filtered.alias("filtered"),
        F.count_if(F.col("reason").isin(*sorted(ASKED_FOR))).alias("rejects_asked_for"),
        F.count_if(reduce(or_, (has[problem] for problem in UNREAD_DATE))).alias("unread_dates"),
        F.count_if(has[Problem.NOT_A_NUMBER]).alias("not_numbers"),
        F.bool_or(F.col("reason").eqNullSafe(Reason.UNREADABLE_FILE.value)).alias("unreadable"),
    )


def rows_of_files(
    files: Iterable[InputFile], counted: Iterable[Mapping[str, Any]], digests: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Rows of ``files``, by path, by what :func:`count_files` counted; all counts of a file without records are 0.

    A file that could not be opened is left out, so that the next run tries it again. ``digests`` are
    :func:`~quotelake.sources.files.reading_digest` by source.

    Raises:
        CountError: the counts of a file do not add up; the message names the first such file.
    """
    counts = {row["file_id"]: row for row in counted}
    rows = []
    for file in sorted(files, key=lambda file: file.path):
        found = counts.get(file.file_id, {})
        row = asdict(file) | {name: int(found.get(name, 0)) for name in (*COUNTS, *PROBLEM_COUNTS)}
        row["settings_digest"] = digests[file.source]
        if row["records"] != row["documents"] + row["duplicates"] + row["rejects"] + row["filtered"]:
            raise CountError(
                f"{file.path}: {row['records']} records in, but {row['documents']} documents, {row['duplicates']} "
                f"duplicates, {row['rejects']} rejects and {row['filtered']} filtered; nothing was counted as read"
            )
        if not found.get("unreadable"):
            rows.append(row)
    return rows


def counts_by_source(
    files: Sequence[InputFile], counted: Iterable[Mapping[str, Any]], before: Mapping[str, int] | None = None
) -> dict[str, dict[str, int]]:
    """Sum the counts of :func:`count_files` per source, files that could not be opened included.

    ``before`` counts the documents that an earlier reading of a file gave, by ``file_id``: now they are duplicates.
    """
    names = (*COUNTS, *PROBLEM_COUNTS, "rejects_asked_for")
    sums = {file.source: dict.fromkeys(("files", *names), 0) for file in files}
    for file in files:
        sums[file.source]["files"] += 1
    sources = {file.file_id: file.source for file in files}
    for row in counted:
        source = sums[sources[row["file_id"]]]
        for name in names:
            source[name] += int(row[name])
        known = min((before or {}).get(row["file_id"], 0), row["documents"])  # some may be forgotten since
        source["documents"] -= known
        source["duplicates"] += known
    return sums
