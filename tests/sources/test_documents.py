"""What becomes of records: each is a document once, a duplicate or a reject, and a file's counts must say so."""

from datetime import UTC, datetime

import pytest
from pyspark.sql import DataFrame, SparkSession

from quotelake.errors import CountError
from quotelake.sources.documents import (
    count_files,
    counts_by_source,
    documents_of,
    records_schema,
    rejects_of,
    rows_of_files,
)
from quotelake.sources.files import InputFile

FILES = [InputFile(name, "news", f"file:/{name}", 9, datetime(2024, 1, 1, tzinfo=UTC)) for name in ("b", "a")]
GOOD = {
    "file_id": "a", "records": 3, "documents": 1, "duplicates": 1, "rejects": 1, "filtered": 0, "unread_dates": 0,
    "not_numbers": 0, "rejects_asked_for": 0, "unreadable": False,
}  # fmt: skip
DIGESTS = {"news": "d" * 32}


def test_counts_that_add_up_are_the_rows_of_files_by_path_and_a_file_without_records_counts_nothing():
    first, second = rows_of_files(FILES, [{**GOOD, "unread_dates": 2}], DIGESTS)
    assert [first[name] for name in ("path", "records", "duplicates", "unread_dates")] == ["file:/a", 3, 1, 2]
    assert (first["settings_digest"], second["path"], second["records"]) == (DIGESTS["news"], "file:/b", 0)
    counts = {"files": 2, **{name: GOOD[name] for name in GOOD if name not in ("file_id", "unreadable")}}
    assert counts_by_source(FILES, [GOOD])["news"] == counts
    # What an earlier reading of a file gave is a duplicate to the run that reads it again.
    again = counts_by_source(FILES, [{**GOOD, "documents": 2, "rejects": 0}], {"a": 1})["news"]
    assert [again[name] for name in ("records", "documents", "duplicates", "rejects")] == [3, 1, 2, 0]
    forgotten = counts_by_source(FILES, [GOOD], {"a": 2})["news"]
    assert [forgotten[name] for name in ("records", "documents", "duplicates", "rejects")] == [3, 0, 2, 1]


def test_a_record_that_became_nothing_stops_the_run_and_names_its_file():
    with pytest.raises(
        CountError, match=r"file:/a: 4 records in, but 1 documents, 1 duplicates, 1 rejects and 0 filtered"
    ):
        rows_of_files(FILES, [{**GOOD, "records": 4}], DIGESTS)


def test_a_file_that_could_not_be_opened_is_read_again_the_next_night():
    unreadable = {**GOOD, "records": 1, "documents": 0, "duplicates": 0, "unreadable": True}
    assert [row["path"] for row in rows_of_files(FILES, [unreadable], DIGESTS)] == ["file:/b"]


def records(spark: SparkSession, *rows: tuple[str, int, str | int | None]) -> DataFrame:
    """Records as (file, position, id of the document; None for a reject; a number of filtered ones)."""
    schema = records_schema()
    document = dict.fromkeys(schema["document"].dataType.names)
    made = [
        {
            **dict.fromkeys(schema.names), "file_id": file, "path": f"file:/{file}", "position": position,
            "reason": None if isinstance(doc_id, str) else "malformed" if doc_id is None else "filtered",
            "document": {**document, "doc_id": doc_id} if isinstance(doc_id, str) else None,
            "filtered": doc_id if isinstance(doc_id, int) else None,
        }
        for file, position, doc_id in rows
    ]  # fmt: skip
    return spark.createDataFrame(made, schema)


@pytest.mark.spark
def test_of_several_records_the_first_by_path_and_position_is_the_document(spark: SparkSession):
    read = records(spark, ("b", 0, "x"), ("a", 7, "x"), ("a", 3, "x"), ("b", 1, "y"), ("b", 2, None)).repartition(3)
    kept = {(row["doc_id"], row["file_id"], row["position"]) for row in documents_of(read).collect()}
    assert kept == {("x", "a", 3), ("y", "b", 1)}


@pytest.mark.spark
def test_a_file_counts_the_same_when_a_run_that_died_had_written_its_documents(spark: SparkSession):
    read = records(spark, ("a", 0, "x"), ("a", 1, "x"), ("a", 2, "y"), ("a", 3, None), ("b", 0, "z"))
    read = read.unionByName(records(spark, ("a", 0, 7), ("a", 900, 5)))  # of two pieces of the file
    there = spark.createDataFrame(
        [("x", "a", 0), ("y", "earlier", 5)], "doc_id STRING, file_id STRING, position BIGINT"
    )
    counted = {row["file_id"]: row.asDict() for row in count_files(read, there).collect()}
    assert counted["a"] == {**GOOD, "records": 16, "duplicates": 2, "filtered": 12}
    assert rejects_of(read).count() == 1, "what is filtered is counted alone"
    assert counted["b"]["records"] == 1 and counted["b"]["documents"] == counted["b"]["duplicates"] == 0, "lost"
    with pytest.raises(CountError, match="file:/b"):
        rows_of_files(FILES, counted.values(), DIGESTS)
