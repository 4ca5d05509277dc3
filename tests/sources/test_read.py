"""Reading in Spark gives what the pure functions give, however files are cut, and never fails for what they hold."""

import gzip
import json
import random
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from tests.sources.reading import HANDLE, OF_AUTHOR, write_bad_tweets

from quotelake.settings import load_settings
from quotelake.sources.documents import _rows, pieces_of, read_records_frame
from quotelake.sources.files import input_file, list_files
from quotelake.sources.keyed_hashes import hash_author
from quotelake.sources.parse import Parser
from quotelake.sources.rejects import ASKED_FOR, RawRecord, Reason
from quotelake.spark.arrow import Row

KEY, NOW = b"k" * 32, datetime(2024, 6, 1, tzinfo=UTC)


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
    parser = Parser(source, settings.sources[source], settings.ingest, author_key=KEY, now=NOW)
    pieces = pieces_of(list_files(source, str(path)), settings)
    return sorted(
        (row for piece in pieces for row in _rows(piece, parser)), key=lambda row: (row["path"], row["position"])
    )


@pytest.mark.spark
def test_split_packed_and_whole_files_give_in_spark_the_rows_that_the_parser_gives(spark: SparkSession, tmp_path: Path):
    records = tweets(150)
    for name in ("plain.jsonl", "packed.jsonl.gz", "broken.jsonl.gz"):
        data = lines([*records, {"id": "150"}, {"id": "151", "text": "It opened.", "lang": "fr"}])
        (tmp_path / name).write_bytes(gzip.compress(data) if name == "packed.jsonl.gz" else data)
    overrides = ("ingest.split_bytes=16384", "sources.sample_tweets.where.lang=en")
    files, settings = list_files("sample_tweets", str(tmp_path)), load_settings(overrides=overrides)
    gone = input_file("sample_tweets", f"file:{tmp_path}/gone.jsonl", 10_000, 0)
    frame = read_records_frame(spark, [*files, gone], settings, author_key=KEY, now=NOW)
    made = [row.asDict(recursive=True) for row in frame.collect()]
    for row in made:
        if row["document"]:
            row["document"]["published_at"] = row["document"]["published_at"].astimezone(UTC)
    *rows, last = sorted(made, key=lambda row: (row["path"].endswith("gone.jsonl"), row["path"], row["position"]))
    assert (last["position"], last["reason"]) == (-1, "unreadable_file")
    assert rows == read(tmp_path, "sample_tweets", *overrides)
    form = settings.sources["sample_tweets"]
    parser = Parser("sample_tweets", form, settings.ingest, author_key=KEY, now=NOW)
    expected = [parser.document(RawRecord(0, each)) for each in records]
    found = [row["document"] for row in rows if row["document"]]
    assert found == expected * 2, "of the packed file and of the one that was read in ranges"
    assert read_records_frame(spark, [], settings, author_key=KEY, now=NOW).count() == 0


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
    ranges = [(piece.path[6:], piece.start, piece.end) for piece in pieces_of(files, settings)]
    assert ranges == [
        ("a.jsonl", 0, 1024), ("a.jsonl", 1024, 2048), ("a.jsonl", 2048, None),
        ("b.jsonl.gz", 0, None), ("c.tsv", 0, None), ("empty.jsonl", 0, None),
        ("exact.jsonl", 0, 1024), ("exact.jsonl", 1024, None),
    ]  # fmt: skip
    decoded = load_settings(overrides=["ingest.split_bytes=1024", "sources.tweets.encoding=utf-16"])
    [whole] = pieces_of(files[:1], decoded)
    assert (whole.start, whole.end) == (0, None), "a text that is decoded is read from its beginning"


def test_a_record_on_which_the_program_fails_is_a_reject_without_its_text_and_the_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    settings = load_settings()
    parser = Parser("sample_tweets", settings.sources["sample_tweets"], settings.ingest, author_key=KEY, now=NOW)
    parse = parser.document

    def fail_on_some(record: RawRecord) -> Any:
        if record.value and record.value["id"] == "1":
            raise ZeroDivisionError("a fake of a fault in the program")
        return parse(record)

    monkeypatch.setattr(parser, "document", fail_on_some)
    (tmp_path / "tweets.jsonl").write_bytes(lines(tweets(3)))
    [piece] = pieces_of(list_files("sample_tweets", str(tmp_path / "tweets.jsonl")), settings)
    found = [(row["reason"], row["detail"], row["raw"]) for row in _rows(piece, parser)]
    assert found == [(None, None, None), ("failed", "ZeroDivisionError", None), (None, None, None)]
