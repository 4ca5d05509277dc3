"""Without Spark a pattern names the files that it names with Spark."""

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from quotelake.errors import InputError
from quotelake.sources.files import list_files
from quotelake.sources.listing import list_files_alone

NAMES = [
    "a 1.jsonl", "a2.jsonl", "b.csv", "c[1].csv", "_hidden.csv", ".dot.csv", "day=1/a1.jsonl", "day=2/b.csv",
    "day=2/x/c.csv",
]  # fmt: skip
PATTERNS = [
    ".", "*", "a*.jsonl", "a?.jsonl", "[ab]*", "[^a]*.csv", "c[1].csv", "c\\[1\\].csv", "{a2,b}.*", "day={1,2}",
    "day=*/*", "*/b.csv", "day=[2-9]/{x,y}", "_hidden.csv", "day=2/",
]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in NAMES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x" * len(name))
    return tmp_path


def named(folder: Path, pattern: str) -> list[str]:
    return [file.path.removeprefix(f"file:{folder}/") for file in list_files_alone("s", f"{folder}/{pattern}")]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("a*.jsonl", ["a 1.jsonl", "a2.jsonl"]),
        ("c[1].csv", ["c[1].csv"]),
        ("{a2,b}.*", ["a2.jsonl", "b.csv"]),
        ("day=*", ["day=1/a1.jsonl", "day=2/b.csv"]),
        ("*", ["a 1.jsonl", "a2.jsonl", "b.csv", "c[1].csv", "day=1/a1.jsonl", "day=2/b.csv"]),
        (".", ["a 1.jsonl", "a2.jsonl", "b.csv", "c[1].csv"]),
    ],
)
def test_globs_name_files_and_folders(folder: Path, pattern: str, expected: list[str]):
    assert named(folder, pattern) == expected


def test_a_relative_path_is_one_from_here(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(folder)
    assert [file.path for file in list_files_alone("s", "b*")] == [f"file:{folder}/b.csv"]


@pytest.mark.parametrize("pattern", ["", "nothing*", "day=3", "nowhere://x/y"])
def test_nothing_found_is_an_error_that_names_the_input(folder: Path, pattern: str):
    where = pattern if ":" in pattern or not pattern else f"{folder}/{pattern}"
    with pytest.raises(InputError, match=r"^s="):
        list_files_alone("s", where)


def test_a_folder_without_files_is_told_from_one_that_is_not_there(folder: Path):
    (folder / "day=3" / "x").mkdir(parents=True)
    with pytest.raises(InputError, match="there is no file in it"):
        list_files_alone("s", f"{folder}/day=3")
    with pytest.raises(InputError, match="no such file"):
        list_files_alone("s", f"{folder}/day=4")


@pytest.mark.spark
def test_spark_lists_the_same_files(spark: SparkSession, folder: Path):
    for pattern in PATTERNS:
        where = f"{folder}/{pattern}"
        assert list_files_alone("s", where) == list_files(spark, "s", where), pattern
