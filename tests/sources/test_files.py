"""Listing: files, directories and globs, by path; and a message that helps where there is nothing."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from quotelake.errors import InputError
from quotelake.sources.files import in_batches, list_files
from quotelake.sources.inputs import input_file


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two files, some that are none of ours, and directories."""
    for name in ("b.jsonl", "a [1] #x%20.jsonl", "_SUCCESS", ".hidden", "deep/c.jsonl"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}\n")
    (tmp_path / "empty").mkdir()
    os.utime(tmp_path / "b.jsonl", (1_709_287_200, 1_709_287_200))
    return tmp_path


@pytest.mark.spark
@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("", ["a [1] #x%20.jsonl", "b.jsonl"]),
        ("/*.jsonl", ["a [1] #x%20.jsonl", "b.jsonl"]),
        ("/a [1] #x%20.jsonl", ["a [1] #x%20.jsonl"]),
        ("/_SUCCESS", ["_SUCCESS"]),
        ("/*", ["a [1] #x%20.jsonl", "b.jsonl", "c.jsonl"]),
        ("/*/*", ["c.jsonl"]),
        ("/{b,c}.jsonl", ["b.jsonl"]),
    ],
)
def test_what_a_pattern_stands_for(spark: SparkSession, folder: Path, pattern: str, expected: list[str]):
    assert [Path(file.path).name for file in list_files(spark, "s", f"{folder}{pattern}")] == expected


@pytest.mark.spark
def test_a_file_is_described_and_known_by_all_of_it(spark: SparkSession, folder: Path):
    (file,) = list_files(spark, "s", f"file://{folder}/b.jsonl")
    assert file == input_file("s", f"file:{folder}/b.jsonl", 3, 1_709_287_200_000)
    assert file.modified == datetime(2024, 3, 1, 10, tzinfo=UTC)
    others = [("t", file.path, 3, 1_709_287_200_000), ("s", file.path + "x", 3, 1_709_287_200_000)]
    others += [("s", file.path, 4, 1_709_287_200_000), ("s", file.path, 3, 1_709_287_200_001)]
    assert file.file_id not in {input_file(*other).file_id for other in others}


@pytest.mark.spark
@pytest.mark.parametrize(
    ("pattern", "says"),
    [
        ("{folder}/nothing", "no such file"),
        ("{folder}/nothing*.gz", "no file matches"),
        ("{folder}/empty", "there is no file in it"),
        ("{folder}/[", "cannot be listed"),
        ("a:b", "cannot be listed"),
        ("nowhere://x/y", "cannot be listed"),
        (" ", "no path"),
    ],
)
def test_nothing_to_read_is_told_with_the_pattern(spark: SparkSession, folder: Path, pattern: str, says: str):
    pattern = pattern.format(folder=folder)
    with pytest.raises(InputError) as caught:
        list_files(spark, "s", pattern)
    assert (f"s={pattern}" in str(caught.value), says in str(caught.value)) == (True, True)


def test_batches_keep_the_order_and_the_bound():
    files = [input_file("s", f"file:/{number}", size, 0) for number, size in enumerate((4, 4, 3, 20, 1, 10))]
    sizes = [[file.size for file in batch] for batch in in_batches(files, 10)]
    assert sizes == [[4, 4], [3], [20], [1], [10]]
    assert list(in_batches([], 10)) == []
