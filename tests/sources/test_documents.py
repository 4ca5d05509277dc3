"""Reading in Spark gives what the pure functions give, however files are cut, and never fails for what they hold: each
record is a document once, a duplicate or a reject, and a file's counts must say so."""

import gzip
import json
import random
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from tests.sources.reading import HANDLE, KEY, NOW, OF_AUTHOR, parser_of, write_bad_tweets

from quotelake.errors import CountError
from quotelake.settings import load_settings
from quotelake.sources import documents as docs
from quotelake.sources.files import InputFile, input_file, list_files
from quotelake.sources.keyed_hashes import hash_author
from quotelake.sources.rejects import ASKED_FOR, RawRecord, Reason
from quotelake.spark.arrow import Row


def tweets(number: int) -> list[dict[str, object]]:
    dice = random.Random(7)
    return [
        {"id": str(i), "user": f"u{i % 5}", "text": f"it opened « at last » {i} " * dice.randint(1, 30), "lang": "en",
         "created_at": f"2024-05-{1 + i % 28:02}T10:00:00Z"}
        for i in range(number)
    ]  # fmt: skip


def lines(records: list[dict[str, object]]) -> bytes:
    return b"".join(json.dumps(record, ensure_ascii=False).encode() + b"\n" for record in records)


def read(path: Path, source: str, *overrides: str) -> list[Row]:
    """Records of what stands at a path, by file and position."""
    settings = load_settings(overrides=overrides)
    pieces, parser = docs.pieces_of(list_files(source, str(path)), settings), parser_of(source, settings)
    rows = (row for piece in pieces for row in docs._rows(piece, parser))
    return sorted(rows, key=lambda row: (row["path"], row["position"]))


@pytest.mark.spark
def test_split_packed_and_whole_files_give_in_spark_the_rows_that_the_parser_gives(spark: SparkSession, tmp_path: Path):
    records = tweets(150)
    for name in ("plain.jsonl", "packed.jsonl.gz", "broken.jsonl.gz"):
        data = lines([*records, {"id": "150"}, {"id": "151", "text": "It opened.", "lang": "fr"}])
        (tmp_path / name).write_bytes(gzip.compress(data) if name == "packed.jsonl.gz" else data)
    overrides = ("ingest.split_bytes=16384", "sources.sample_tweets.where.lang=en")
    files, settings = list_files("sample_tweets", str(tmp_path)), load_settings(overrides=overrides)
    gone = input_file("sample_tweets", f"file:{tmp_path}/gone.jsonl", 10_000, 0)
    frame = docs.read_records_frame(spark, [*files, gone], settings, author_key=KEY, now=NOW)
    made = [row.asDict(recursive=True) for row in frame.collect()]
    for row in made:
        if row["document"]:
            row["document"]["published_at"] = row["document"]["published_at"].astimezone(UTC)
    *rows, last = sorted(made, key=lambda row: (row["path"].endswith("gone.jsonl"), row["path"], row["position"]))
    assert (last["position"], last["reason"]) == (-1, "unreadable_file")
    assert rows == read(tmp_path, "sample_tweets", *overrides)
    parser = parser_of("sample_tweets", settings)
    expected = [parser.document(RawRecord(0, each)) for each in records]
    found = [row["document"] for row in rows if row["document"]]
    assert found == expected * 2, "of the packed file and of the one that was read in ranges"
    assert docs.read_records_frame(spark, [], settings, author_key=KEY, now=NOW).count() == 0


def test_bad_files_and_records_are_rows_not_failures(tmp_path: Path):
    good = lines(tweets(2))
    (tmp_path / "a_empty.jsonl").touch()
    (tmp_path / "b_mixed.jsonl").write_bytes(b'{"id": "1"}\n{"id": "2", "text": "caf\xe9"}\n' + good)
    (tmp_path / "c_plain.jsonl.gz").write_bytes(good)
    (tmp_path / "d_long.jsonl").write_bytes(b'{"text": "' + b"x" * 300_000 + b'"}\n' + good)
    rows = read(tmp_path, "sample_news", "ingest.max_record_bytes=100000", "ingest.raw_cap=50")
    found = [(Path(row["path"]).name[0], row["position"], row["reason"]) for row in rows if row["reason"]]
    assert found == [
        ("b", 0, "missing_text"), ("b", 12, "wrong_encoding"), ("c", 0, "broken_file"), ("d", 0, "oversized"),
    ]  # fmt: skip
    assert Counter(Path(row["path"]).name[0] for row in rows if row["document"]) == {"b": 2, "d": 2}
    assert all((row["reason"] is None) != (row["document"] is None) for row in rows)
    raw = {row["reason"]: row["raw"] for row in rows}
    assert raw["wrong_encoding"] == r'{"id": "2", "text": "caf\xe9"}' and len(raw["oversized"]) == 50


def test_no_handle_of_an_author_is_kept_of_what_was_rejected(tmp_path: Path):
    write_bad_tweets(tmp_path)
    rows = read(tmp_path, "sample_tweets", *OF_AUTHOR, "ingest.max_record_bytes=1000")
    reasons = {row["reason"] for row in rows}
    assert reasons == {None, *Reason} - {"unreadable_file", "failed", "set_aside", "filtered", *ASKED_FOR}, (
        "every way to be rejected, but for the file itself"
    )
    assert {row["document"]["author_key"] for row in rows if row["document"]} == {hash_author(HANDLE, KEY)}
    assert [row for row in rows if HANDLE in str(row)] == []


@pytest.mark.slow
@pytest.mark.real_data
@pytest.mark.parametrize(
    ("source", "name", "records"), [("bbc", "news/bbc_2k.jsonl.gz", 2225), ("trotr", "trotr/uses.tsv", 1262)]
)
def test_real_corpora_are_read_to_the_last_record(data, source: str, name: str, records: int):
    rows = read(data(name), source)
    assert (len(rows), sum(row["reason"] is not None for row in rows)) == (records, 0)


def test_plain_json_lines_are_split_and_all_else_is_whole():
    sizes = {"a.jsonl": 2500, "b.jsonl.gz": 2500, "c.tsv": 2500, "empty.jsonl": 0, "exact.jsonl": 2048}
    files = [
        input_file("trotr" if name == "c.tsv" else "tweets", f"file:/{name}", size, 0) for name, size in sizes.items()
    ]
    settings = load_settings(overrides=["ingest.split_bytes=1024"])
    ranges = [(piece.file.path[6:], piece.start, piece.end) for piece in docs.pieces_of(files, settings)]
    assert ranges == [
        ("a.jsonl", 0, 1024), ("a.jsonl", 1024, 2048), ("a.jsonl", 2048, None),
        ("b.jsonl.gz", 0, None), ("c.tsv", 0, None), ("empty.jsonl", 0, None),
        ("exact.jsonl", 0, 1024), ("exact.jsonl", 1024, None),
    ]  # fmt: skip
    decoded = load_settings(overrides=["ingest.split_bytes=1024", "sources.tweets.encoding=utf-16"])
    [whole] = docs.pieces_of(files[:1], decoded)
    assert (whole.start, whole.end) == (0, None), "a text that is decoded is read from its beginning"


def test_a_record_on_which_the_program_fails_is_a_reject_without_its_text_and_the_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    settings = load_settings()
    parser = parser_of("sample_tweets", settings)
    parse = parser.document

    def fail_on_some(record: RawRecord) -> Any:
        if record.value and record.value["id"] == "1":
            raise ZeroDivisionError("a fake of a fault in the program")
        return parse(record)

    monkeypatch.setattr(parser, "document", fail_on_some)
    (tmp_path / "tweets.jsonl").write_bytes(lines(tweets(3)))
    [piece] = docs.pieces_of(list_files("sample_tweets", str(tmp_path / "tweets.jsonl")), settings)
    found = [(row["reason"], row["detail"], row["raw"]) for row in docs._rows(piece, parser)]
    assert found == [(None, None, None), ("failed", "ZeroDivisionError", None), (None, None, None)]


FILES = [InputFile(name, "news", f"file:/{name}", 9, datetime(2024, 1, 1, tzinfo=UTC)) for name in ("b", "a")]
GOOD = {
    "file_id": "a", "records": 3, "documents": 1, "duplicates": 1, "rejects": 1, "filtered": 0, "unread_dates": 0,
    "not_numbers": 0, "rejects_asked_for": 0, "unreadable": False,
}  # fmt: skip
DIGESTS = {"news": "d" * 32}


def test_counts_that_add_up_are_the_rows_of_files_by_path_and_a_file_without_records_counts_nothing():
    first, second = docs.rows_of_files(FILES, [{**GOOD, "unread_dates": 2}], DIGESTS)
    assert [first[name] for name in ("path", "records", "duplicates", "unread_dates")] == ["file:/a", 3, 1, 2]
    assert (first["settings_digest"], second["path"], second["records"]) == (DIGESTS["news"], "file:/b", 0)
    counts = {"files": 2, **{name: GOOD[name] for name in GOOD if name not in ("file_id", "unreadable")}}
    assert docs.counts_by_source(FILES, [GOOD])["news"] == counts
    # What an earlier reading of a file gave is a duplicate to the run that reads it again.
    again = docs.counts_by_source(FILES, [{**GOOD, "documents": 2, "rejects": 0}], {"a": 1})["news"]
    assert [again[name] for name in ("records", "documents", "duplicates", "rejects")] == [3, 1, 2, 0]
    forgotten = docs.counts_by_source(FILES, [GOOD], {"a": 2})["news"]
    assert [forgotten[name] for name in ("records", "documents", "duplicates", "rejects")] == [3, 0, 2, 1]


def test_a_record_that_became_nothing_stops_the_run_and_names_its_file():
    with pytest.raises(
        CountError, match=r"file:/a: 4 records in, but 1 documents, 1 duplicates, 1 rejects and 0 filtered"
    ):
        docs.rows_of_files(FILES, [{**GOOD, "records": 4}], DIGESTS)


def test_a_file_that_could_not_be_opened_is_read_again_the_next_night():
    unreadable = {**GOOD, "records": 1, "documents": 0, "duplicates": 0, "unreadable": True}
    assert [row["path"] for row in docs.rows_of_files(FILES, [unreadable], DIGESTS)] == ["file:/b"]


def records(spark: SparkSession, *rows: tuple[str, int, str | int | None]) -> DataFrame:
    """Records as (file, position, id of the document; None for a reject; a number of filtered ones)."""
    schema = docs.records_schema()
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
    kept = {(row["doc_id"], row["file_id"], row["position"]) for row in docs.documents_of(read).collect()}
    assert kept == {("x", "a", 3), ("y", "b", 1)}


@pytest.mark.spark
def test_a_file_counts_the_same_when_a_run_that_died_had_written_its_documents(spark: SparkSession):
    read = records(spark, ("a", 0, "x"), ("a", 1, "x"), ("a", 2, "y"), ("a", 3, None), ("b", 0, "z"))
    read = read.unionByName(records(spark, ("a", 0, 7), ("a", 900, 5)))  # of two pieces of the file
    there = spark.createDataFrame(
        [("x", "a", 0), ("y", "earlier", 5)], "doc_id STRING, file_id STRING, position BIGINT"
    )
    counted = {row["file_id"]: row.asDict() for row in docs.count_files(read, there).collect()}
    assert counted["a"] == {**GOOD, "records": 16, "duplicates": 2, "filtered": 12}
    assert docs.rejects_of(read).count() == 1, "what is filtered is counted alone"
    assert counted["b"]["records"] == 1 and counted["b"]["documents"] == counted["b"]["duplicates"] == 0, "lost"
    with pytest.raises(CountError, match="file:/b"):
        docs.rows_of_files(FILES, counted.values(), DIGESTS)
