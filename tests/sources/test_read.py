"""Reading in Spark gives what the pure functions give, however files are cut, and never fails for what they hold."""

import gzip
import json
import random
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F

from quotelake.settings import load_settings
from quotelake.sources.files import input_file, list_files
from quotelake.sources.parse import to_document
from quotelake.sources.read import pieces_of, read_records_frame
from quotelake.sources.rejects import RawRecord

KEY, NOW = b"k" * 32, datetime(2024, 6, 1, tzinfo=UTC)


def tweets(number: int) -> list[dict[str, object]]:
    """Tweets of uneven length."""
    dice = random.Random(7)
    return [
        {"id": str(i), "user": f"u{i % 5}", "text": f"it opened « at last » {i} " * dice.randint(1, 30), "lang": "en",
         "created_at": f"2024-05-{1 + i % 28:02}T10:00:00Z"}
        for i in range(number)
    ]  # fmt: skip


def lines(records: list[dict[str, object]]) -> bytes:
    """JSON Lines."""
    return b"".join(json.dumps(record, ensure_ascii=False).encode() + b"\n" for record in records)


def read(spark: SparkSession, path: Path, source: str = "sample_tweets", *overrides: str) -> DataFrame:
    """Records of what stands at a path."""
    files = list_files(source, str(path))
    return read_records_frame(spark, files, load_settings(overrides=overrides), author_key=KEY, now=NOW)


def refused(frame: DataFrame) -> list[tuple[str, int, str]]:
    """Name of the file, position and reason of the rejects."""
    rows = frame.where("reason IS NOT NULL").orderBy("path", "position").collect()
    return [(Path(row["path"]).name, row["position"], row["reason"]) for row in rows]


@pytest.mark.spark
def test_split_packed_and_whole_files_give_the_documents_that_the_parser_gives(spark: SparkSession, tmp_path: Path):
    records = tweets(150)
    (tmp_path / "plain.jsonl").write_bytes(lines(records))
    (tmp_path / "packed.jsonl.gz").write_bytes(gzip.compress(lines(records)))
    settings = load_settings()
    source = settings.sources["sample_tweets"]
    expected = [
        to_document(RawRecord(0, record), "sample_tweets", source, settings.ingest, author_key=KEY, now=NOW)
        for record in records
    ]
    frame = read(spark, tmp_path, "sample_tweets", "ingest.split_bytes=16384")
    for name in ("plain.jsonl", "packed.jsonl.gz"):
        rows: list[Row] = frame.where(F.endswith("path", F.lit(name))).orderBy("position").collect()
        for row in rows:
            assert (row["reason"], row["detail"], row["raw"]) == (None, None, None)
        found = [row["document"].asDict() for row in rows]
        for document in found:
            document["published_at"] = document["published_at"].astimezone(UTC)
        assert found == expected


@pytest.mark.spark
def test_bad_files_and_records_are_rows_not_failures(spark: SparkSession, tmp_path: Path):
    good = lines(tweets(2))
    (tmp_path / "a_empty.jsonl").touch()
    (tmp_path / "b_mixed.jsonl").write_bytes(b'{"id": "1"}\n{"id": "2", "text": "caf\xe9"}\nnothing\n' + good)
    many = lines(tweets(500))
    packed = gzip.compress(many)
    (tmp_path / "c_half.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    (tmp_path / "d_plain.jsonl.gz").write_bytes(good)
    (tmp_path / "e_long.jsonl").write_bytes(b'{"text": "' + b"x" * 300_000 + b'"}\n' + good)
    frame = read(spark, tmp_path, "sample_tweets", "ingest.max_record_bytes=100000", "ingest.raw_cap=50")
    (half,) = [row for row in refused(frame) if row[0] == "c_half.jsonl.gz"]
    assert refused(frame) == [
        ("b_mixed.jsonl", 0, "missing_text"),
        ("b_mixed.jsonl", 12, "wrong_encoding"),
        ("b_mixed.jsonl", 40, "malformed"),
        half,
        ("d_plain.jsonl.gz", 0, "broken_file"),
        ("e_long.jsonl", 0, "oversized"),
    ]
    assert (half[2], many[half[1] - 1 : half[1]]) == ("broken_file", b"\n")
    kept = frame.where("reason IS NULL").groupBy("path").count().collect()
    counts = {Path(row["path"]).name: row["count"] for row in kept}
    assert counts == {"b_mixed.jsonl": 2, "c_half.jsonl.gz": many[: half[1]].count(b"\n"), "e_long.jsonl": 2}
    raw = {row["raw"] for row in frame.where("reason = 'wrong_encoding'").collect()}
    assert raw == {r'{"id": "2", "text": "caf\xe9"}'}
    assert frame.agg(F.max(F.length("raw"))).collect()[0][0] == 50
    assert frame.where("(reason IS NULL) = (document IS NULL)").count() == 0


@pytest.mark.spark
def test_a_file_that_went_away_is_one_row_and_no_files_are_none(spark: SparkSession, tmp_path: Path):
    gone = input_file("sample_tweets", f"file:{tmp_path}/gone.jsonl", 10_000, 0)
    settings = load_settings(overrides=["ingest.split_bytes=4096"])
    frame = read_records_frame(spark, [gone], settings, author_key=KEY, now=NOW)
    assert refused(frame) == [("gone.jsonl", -1, "unreadable_file")]
    assert read_records_frame(spark, [], settings, author_key=KEY, now=NOW).count() == 0


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.real_data
@pytest.mark.parametrize(
    ("source", "name", "records"),
    [("bbc", "news/bbc_2k.jsonl.gz", 2225), ("trotr", "trotr/uses.tsv", 1262)],
)
def test_real_corpora_are_read_to_the_last_record(spark: SparkSession, data, source: str, name: str, records: int):
    frame = read(spark, data(name), source)
    assert (frame.count(), frame.where("reason IS NOT NULL").count()) == (records, 0)


def test_plain_json_lines_are_split_and_all_else_is_whole():
    files = [
        input_file("tweets", "file:/a.jsonl", 2500, 0),
        input_file("tweets", "file:/b.jsonl.gz", 2500, 0),
        input_file("trotr", "file:/c.tsv", 2500, 0),
        input_file("tweets", "file:/empty.jsonl", 0, 0),
        input_file("tweets", "file:/exact.jsonl", 2048, 0),
    ]
    settings = load_settings(overrides=["ingest.split_bytes=1024"])
    ranges = [(piece.path[6:], piece.start, piece.end) for piece in pieces_of(files, settings)]
    assert ranges == [
        ("a.jsonl", 0, 1024), ("a.jsonl", 1024, 2048), ("a.jsonl", 2048, None),
        ("b.jsonl.gz", 0, None), ("c.tsv", 0, None), ("empty.jsonl", 0, None),
        ("exact.jsonl", 0, 1024), ("exact.jsonl", 1024, None),
    ]  # fmt: skip
    decoded = load_settings(overrides=["ingest.split_bytes=1024", "sources.tweets.encoding=utf-16"])
    [whole] = pieces_of(files[:1], decoded)
    assert (whole.start, whole.end) == (0, None), "a text that is decoded is read from its beginning"
