"""Listing: files, directories and globs, by path; and which of the files are read, or read again."""

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from quotelake.errors import InputError
from quotelake.settings import Settings, load_settings
from quotelake.sources.files import UNFINISHED, due_files, in_batches, input_file, list_files, reading_digest

NAMES = [
    "a 1.jsonl", "a2.jsonl", "b.csv", "c[1].csv", "d [1] #x%20.csv", "_hidden.csv", ".dot.csv", "day=1/a1.jsonl",
    "day=2/b.csv", "day=2/x/c.csv",
]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in NAMES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x" * len(name))
    (tmp_path / "empty" / "x").mkdir(parents=True)
    return tmp_path


# What Hadoop's listing names for the same patterns, with which the files of a lake of today were listed.
@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (".", ["a 1.jsonl", "a2.jsonl", "b.csv", "c[1].csv", "d [1] #x%20.csv"]),
        ("a*.jsonl", ["a 1.jsonl", "a2.jsonl"]),
        ("a?.jsonl", ["a2.jsonl"]),
        ("[ab]*", ["a 1.jsonl", "a2.jsonl", "b.csv"]),
        ("[^a]*.csv", ["b.csv", "c[1].csv", "d [1] #x%20.csv"]),
        ("c[1].csv", ["c[1].csv"]),
        ("c\\[1\\].csv", ["c[1].csv"]),
        ("d [1] #x%20.csv", ["d [1] #x%20.csv"]),
        ("{a2,b}.*", ["a2.jsonl", "b.csv"]),
        ("day={1,2}", ["day=1/a1.jsonl", "day=2/b.csv"]),
        ("day=*/*", ["day=1/a1.jsonl", "day=2/b.csv", "day=2/x/c.csv"]),
        ("*/b.csv", ["day=2/b.csv"]),
        ("day=[2-9]/{x,y}", ["day=2/x/c.csv"]),
        ("_hidden.csv", ["_hidden.csv"]),
        ("day=2/", ["day=2/b.csv"]),
    ],
)
def test_what_a_pattern_stands_for(folder: Path, pattern: str, expected: list[str]):
    found = [file.path.removeprefix(f"file:{folder}/") for file in list_files("s", f"{folder}/{pattern}")]
    assert found == expected


def test_a_relative_path_is_one_from_here(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(folder)
    assert [file.path for file in list_files("s", "b*")] == [f"file:{folder}/b.csv"]


def test_the_default_file_system_of_a_cluster_is_that_of_a_path_without_one(folder: Path):
    with pytest.raises(InputError, match="nowhere"):
        list_files("s", f"{folder}/b.csv", default="nowhere://x/")
    [file] = list_files("s", f"file:{folder}/b.csv", default="nowhere://x/")
    assert file.path == f"file:{folder}/b.csv"


def test_a_file_is_described_and_known_by_all_of_it(folder: Path):
    os.utime(folder / "b.csv", (1_709_287_200, 1_709_287_200))
    (file,) = list_files("s", f"file://{folder}/b.csv")
    assert file == input_file("s", f"file:{folder}/b.csv", 5, 1_709_287_200_000)
    assert file.modified == datetime(2024, 3, 1, 10, tzinfo=UTC)
    others = [("t", file.path, 5, 1_709_287_200_000), ("s", file.path + "x", 5, 1_709_287_200_000)]
    others += [("s", file.path, 4, 1_709_287_200_000), ("s", file.path, 5, 1_709_287_200_001)]
    assert file.file_id not in {input_file(*other).file_id for other in others}


@pytest.mark.parametrize(
    ("pattern", "says"),
    [
        ("{folder}/nothing", "no such file"),
        ("{folder}/nothing*.gz", "no file matches"),
        ("{folder}/day=4", "no such file"),
        ("{folder}/empty", "there is no file in it"),
        ("nowhere://x/y", "cannot be listed"),
        (" ", "no path"),
    ],
)
def test_nothing_to_read_is_told_with_the_pattern(folder: Path, pattern: str, says: str):
    pattern = pattern.format(folder=folder)
    with pytest.raises(InputError) as caught:
        list_files("s", pattern)
    assert (f"s={pattern}" in str(caught.value), says in str(caught.value)) == (True, True)


def test_batches_keep_the_order_and_the_bound():
    files = [input_file("s", f"file:/{number}", size, 0) for number, size in enumerate((4, 4, 3, 20, 1, 10))]
    sizes = [[file.size for file in batch] for batch in in_batches(files, 10)]
    assert sizes == [[4, 4], [3], [20], [1], [10]]
    assert list(in_batches([], 10)) == []


SOURCE = "sample_news"
FILE = input_file(SOURCE, "file:/f", 9, 0)
ROW = {"file_id": FILE.file_id, "source": SOURCE, "rejects": 0, "filtered": None, "unread_dates": 0}


def again(settings: Settings, *names: str, **over: Any) -> bool:
    row = {**ROW, "settings_digest": reading_digest(SOURCE, load_settings()), **over}
    due = due_files([FILE], {FILE.file_id}, [row], settings, names)
    assert due.new == [] and due.files == due.again and list(due.before) == [file.file_id for file in due.again]
    return bool(due.again)


OTHER = load_settings(overrides=[f"sources.{SOURCE}.date_format=%d/%m/%Y"])


@pytest.mark.parametrize(
    ("over", "same", "other"),
    [
        ({}, False, False),
        ({"rejects": 1}, False, True),
        ({"unread_dates": 1}, False, True),
        ({"filtered": 1}, False, True),
        ({"settings_digest": UNFINISHED}, True, True),  # a run was killed while it read the file again
    ],
)
def test_what_could_not_be_read_is_read_again_under_other_settings(over: dict[str, Any], same: bool, other: bool):
    assert (again(load_settings(), **over), again(OTHER, **over)) == (same, other)
    assert again(load_settings(), SOURCE, **over), "by name whatever was read"
    assert again(load_settings(), "bbc", **over) == same


def test_a_new_file_is_read_and_not_again():
    due = due_files([FILE], set(), [], load_settings(), [SOURCE])
    assert (due.new, due.again) == ([FILE], [])


@pytest.mark.parametrize(
    ("override", "changes"),
    [
        (f"sources.{SOURCE}.encoding=cp1252", True),
        (f"sources.{SOURCE}.delimiter=;", True),
        (f"sources.{SOURCE}.fields.body=txt", True),
        ("ingest.max_record_bytes=5", True),
        ("ingest.earliest_date=1900-01-01", True),
        (f"sources.{SOURCE}.outlets.X=Y", False),
        (f"sources.{SOURCE}.where.lang=en", True),
        (f"sources.{SOURCE}.html=true", True),
        (f'sources.{SOURCE}.keep=["x"]', False),
        (f"sources.{SOURCE}.reject_share=0.5", False),
        ("sources.bbc.encoding=cp1252", False),
        ("ingest.raw_cap=10", False),
    ],
)
def test_only_settings_that_decide_what_is_rejected_or_undated_change_the_digest(override: str, changes: bool):
    csv = f"sources.{SOURCE}.format=csv"  # the delimiter of another format cannot be set
    before, after = (reading_digest(SOURCE, load_settings(overrides=each)) for each in ([csv], [csv, override]))
    assert (before != after) == changes
