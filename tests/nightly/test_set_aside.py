"""A document on which the pass over its text fails stops no night: it is set aside, and waits to be retried."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyspark.sql import SparkSession
from tests.nightly.batches import killed
from tests.nightly.test_rereading import INPUT, article

from quotelake.lake.tables import Lake
from quotelake.lake.upkeep import digests
from quotelake.nightly import annotate
from quotelake.nightly.set_aside import bisect_failures, cause_of, is_of_documents

FAILED = "Job aborted. org.apache.spark.api.python.PythonException: Traceback (most recent call last):\nValueError: x"


@given(st.integers(1, 2000), st.sets(st.integers(0, 1999), max_size=12))
def test_halves_find_all_that_fail_alone_in_few_tries_and_give_up_beyond_ten(count: int, marked: set[int]):
    bad, tries = sorted(row for row in marked if row < count) or [0], list[int]()

    def attempt(rows):
        tries.append(len(rows))
        if set(rows) & set(bad):
            raise RuntimeError(FAILED)
        return list(rows)

    try:
        parts, failed = bisect_failures(range(count), attempt)
    except RuntimeError:
        assert len(bad) > 10
    else:
        assert [row for part in parts for row in part] == [row for row in range(count) if row not in bad]
        assert [row for row, _ in failed] == bad and len(bad) <= 10
    assert len(tries) <= 2 * min(len(bad), 11) * count.bit_length()


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (FAILED, True),
        ("An exception was thrown from the Python worker:\nTraceback (most recent call last):\nValueError: x", True),
        ("org.apache.spark.SparkException: Python worker exited unexpectedly (crashed)", True),
        ("org.apache.spark.SparkException: Task failed while writing rows", False),
        ("[DELTA_CONCURRENT_APPEND] …", False),
        (FAILED.replace("ValueError: x", "OSError: [Errno 28] No space left on device"), False),
        (FAILED.replace("ValueError: x", "quotelake.errors.InputError: x"), False),
    ],
)
def test_only_what_may_be_of_a_document_is_looked_for_among_documents(error: str, expected: bool):
    assert is_of_documents(RuntimeError(error)) == expected


@pytest.mark.spark
def test_a_worker_that_dies_may_have_died_of_a_document(spark: SparkSession):
    with pytest.raises(Exception, match="Python worker exited unexpectedly") as died:
        spark.range(1, numPartitions=1).mapInArrow(lambda batches: os._exit(1), "id BIGINT").collect()
    assert is_of_documents(died.value) and cause_of(died.value) == "Python worker exited unexpectedly"


@contextmanager
def failing(mark: str) -> Iterator[None]:
    """A fake of the pass over a text that fails on documents with a mark in them."""
    real = annotate.annotate_document

    def annotate_or_fail(document, rules):
        if mark in document["body"]:
            raise ValueError(f"a fake of a fault at {mark}")
        return real(document, rules)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(annotate, "annotate_document", annotate_or_fail)
        yield


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.crash
def test_documents_set_aside_in_two_nights_are_as_others_when_they_are_retried(
    score: Callable[..., Lake], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """One of the two fails again when it is retried; the other lake has all but this one."""
    key = (f"ingest.author_key_file={tmp_path / 'key'}",)
    nights = {"one": [0, 1, 2], "two": [2, 3, 4]}
    for name, numbers in nights.items():
        texts = (article(number, "2024-05-15").replace("train.", f"train number {number}.") for number in numbers)
        (tmp_path / name).write_text("".join(texts), "utf-8")
    one, both = [(INPUT, str(tmp_path / "one"))], [(INPUT, str(tmp_path / name)) for name in nights]
    root = tmp_path / "lake"
    with failing("number 1."), killed("append", table="contextomy"):
        score(root, one, key)
    with failing("number 4."):  # the first would not fail now
        lake = score(root, both, key, reread={INPUT})
    said = capsys.readouterr().out
    assert said.count("  set aside: document ") == 2, "a batch that is taken up leaves it out at once"
    rejects = {row["detail"].partition(": ")[2]: row for row in lake.read("rejects").collect()}
    assert set(rejects) == {f"ValueError: a fake of a fault at number {number}." for number in (1, 4)}
    reject = rejects["ValueError: a fake of a fault at number 1."]
    assert reject["reason"] == "set_aside"
    place = f"file_id = '{reject['file_id']}' AND position = {reject['position']}"
    [document] = lake.read("documents").where(place).collect()
    assert "number 1." in document["body"] and document["doc_id"] in reject["detail"]
    quoted = {row["doc_id"] for row in lake.read("quotes").collect()}
    assert len(quoted) == 3 and document["doc_id"] not in quoted
    counts = lake.read("files").select("records", "documents", "duplicates", "rejects")
    assert sorted(map(tuple, counts.collect())) == [(3, 2, 1, 0), (3, 3, 0, 0)]
    with failing("number 4."):
        found = score(root, [], key, retry=True)
    assert found.read("rejects").count() == 1
    lines = (tmp_path / "two").read_text("utf-8").splitlines(keepends=True)
    (tmp_path / "two").write_text("".join(lines[:-1]), "utf-8")
    whole = score(tmp_path / "whole", both, key)
    one, other = digests(found), digests(whole)
    assert {table for table in one if one[table] != other[table]} == {"documents", "rejects"}
