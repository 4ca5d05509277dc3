"""An error of ours reaches the user as its message, from wherever in Spark it was raised; a bug keeps its trace."""

import errno
import io
import pwd
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import Mock

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.embeddings import models
from quotelake.errors import CountError, InputError, QuotelakeError, SettingsError, Status, exit_with, unwrap
from quotelake.lake.stream import follow
from quotelake.lake.tables import Lake
from quotelake.sources.keyed_hashes import author_key, has_author_key

GUIDE = Path(__file__).parents[1] / "docs" / "NIGHTLY.md"
MESSAGE = "x.csv: no column body; found: a, b. Set sources.s.fields.body\n  line 3: too short"


def trace(error: str, before: str = "", behind: str = "\n SQLSTATE: 39000\n\tat org.apache.X.y(X.scala:1)\n") -> str:
    beginning = '[SOME_CLASS] Job aborted.\nTraceback (most recent call last):\n  File "x.py", line 1\n'
    return f"{beginning}{before}{error}{behind}"


@given(
    st.sampled_from([InputError, SettingsError, CountError]),
    st.lists(st.text("abc: .='", min_size=1).filter(str.strip), min_size=1, max_size=3),
)
def test_the_error_and_its_whole_message_come_back(kind: type[QuotelakeError], lines: list[str]):
    message = "\n".join(line.strip() for line in lines)
    found = unwrap(RuntimeError(trace(f"quotelake.errors.{kind.__name__}: {message}")))
    assert type(found) is kind and str(found) == message


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "No space left on device", "/lake/_lease.json"),
        OSError(errno.EDQUOT, "Disk quota exceeded"),
        RuntimeError("Job aborted: Lost task 0.0: java.io.IOException: No space left on device\n\tat java.base/x"),
        RuntimeError("org.apache.spark.SparkException: …\nCaused by: java.io.IOException: /x (File too large)"),
        RuntimeError(trace("OSError: [Errno 28] No space left on device")),
    ],
)
def test_a_full_disk_is_one_message_that_says_what_to_do(error: Exception):
    found = unwrap(error)
    assert isinstance(found, InputError) and found.exit_code == 2
    assert "a disk is full (" in str(found) and "make room" in str(found) and tempfile.gettempdir() in str(found)


@pytest.mark.parametrize(
    "text",
    [
        "No space left on device, wrote the mayor",
        trace("KeyError: 'quotelake.errors.InputError'"),
        trace("quotelake.errors.NoSuchError: x"),
        trace("ValueError: a document says:\nquotelake.errors.InputError: x"),
        "[SOME_CLASS] a document says:\nquotelake.errors.InputError: x",
        trace(
            "KeyError: 'x'", "quotelake.errors.InputError: x\n\nDuring handling of the above exception, another:\n\n"
        ),
        trace("KeyError: 'x'", "quotelake.errors.InputError: x\n\nThe above exception was the direct cause:\n\n"),
    ],
)
def test_a_bug_keeps_its_trace(text: str):
    assert unwrap(RuntimeError(text)) is None
    with pytest.raises(RuntimeError):
        exit_with(lambda: (_ for _ in ()).throw(RuntimeError(text)))


def test_an_interrupt_is_one_line_and_the_status_shells_give_it_and_any_text_can_be_written(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    with pytest.raises(SystemExit) as caught:
        exit_with(lambda: (_ for _ in ()).throw(KeyboardInterrupt()))
    assert caught.value.code == 130
    assert capsys.readouterr().err == "quotelake: interrupted\n"
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii"))
    exit_with(lambda: print("“\ud800”"))
    assert written.getvalue() == "“\\ud800”\n".encode()


@pytest.mark.process
def test_a_reader_that_has_enough_ends_a_job_without_a_trace():
    code = "from quotelake.errors import exit_with; exit_with(lambda: print('x' * 10**6))"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as job:
        assert job.stdout is not None and job.stderr is not None
        job.stdout.close()
        assert (job.stderr.read(), job.wait()) == (b"", 141)


def fail(*_: object) -> Iterator[pa.RecordBatch]:
    raise InputError(MESSAGE)


def raise_in_batch(lake: Lake, process: Callable[..., object] = fail) -> None:
    lake.append(lake.frame([{"variant_id": "a", "canonical_text": "some words", "words": 2}], "variants"), "variants")
    follow(lake, "variants", "c", 1 << 30, process)


def raise_in_a_worker_of_a_batch(lake: Lake) -> None:
    worker = lake.spark.range(3).mapInArrow(fail, "id BIGINT")
    raise_in_batch(lake, lambda *_: worker.collect())


def test_the_guide_says_what_to_do_about_every_exit_status():
    rows = re.findall(r"^\| (\d+) \| (.+) \| (.*)\|$", GUIDE.read_text("utf-8"), re.MULTILINE)
    assert [int(status) for status, _, _ in rows] == list(Status)
    assert all(what.strip() for status, _, what in rows if int(status) != Status.DONE)


@pytest.mark.spark
@pytest.mark.parametrize("run", [raise_in_batch, raise_in_a_worker_of_a_batch])
def test_what_is_raised_inside_spark_is_one_message_and_its_status(
    lake: Lake, run: Callable[[Lake], None], capsys: pytest.CaptureFixture[str]
):
    with pytest.raises(SystemExit) as caught:
        exit_with(lambda: run(lake))
    assert caught.value.code == 2
    assert capsys.readouterr().err == f"quotelake: {MESSAGE}\n"


@pytest.mark.parametrize(
    "call", [lambda: models.locate("~/model"), lambda: has_author_key("~/key"), lambda: author_key("~/key")]
)
def test_a_place_below_a_home_directory_that_is_not_there_is_an_error_of_the_user(
    call: Callable[[], object], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr(pwd, "getpwuid", Mock(side_effect=KeyError))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(QuotelakeError, match="~/"):
        call()
    assert not [*tmp_path.iterdir()]
