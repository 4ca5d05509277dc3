"""A place that this user cannot read or write is refused at once, without Spark."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.running import Done

from quotelake.errors import InputError
from quotelake.lake.place import check_readable, check_writable, path_in

JOBS = Path(__file__).parents[2] / "jobs"
NOBODY = 65534


@contextmanager
def as_nobody() -> Iterator[None]:
    """Be a user to whom permissions apply: root may do anything."""
    was = os.geteuid()
    if was == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(was)


@pytest.fixture
def entered(tmp_path: Path) -> Iterator[Path]:
    """A directory that other users can reach: pytest closes those above it. Afterwards pytest can delete it."""
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_mode & 0o055 != 0o055:
            folder.chmod(folder.stat().st_mode | 0o055)
    yield tmp_path
    for folder in tmp_path.glob("**"):
        folder.chmod(0o755)


def test_a_relative_path_is_made_whole_and_an_address_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    assert path_in("./new", "runs") == f"{tmp_path}/new/runs"
    assert path_in("s3a://bucket/lake/", "runs") == "s3a://bucket/lake/runs"


def test_a_file_and_what_is_below_one_are_no_place_for_a_lake(tmp_path: Path):
    (tmp_path / "file").write_text("x")
    for place in ("file", "file/lake", "file/a/b"):
        for check in (check_readable, check_writable):
            with pytest.raises(InputError, match=r"--lake .*: .*/file is a file, not a directory"):
                check(str(tmp_path / place))


def test_a_new_place_passes_and_nothing_is_left_there(tmp_path: Path):
    for place in (tmp_path / "a/b/lake", tmp_path):
        check_readable(str(place))
        check_writable(str(place))
    check_writable("s3a://bucket/lake")
    assert not list(tmp_path.iterdir())


def test_a_place_without_permission_is_refused(entered: Path):
    closed, lake = entered / "closed", entered / "lake"
    closed.mkdir()
    closed.chmod(0o000)
    (lake / "quotes/_delta_log").mkdir(parents=True)
    (lake / "quotes/_delta_log").chmod(0o555)
    lake.chmod(0o777)
    with as_nobody():
        with pytest.raises(InputError, match="the lake cannot be read: Permission denied"):
            check_readable(str(closed))
        for place in (closed, closed / "lake"):
            with pytest.raises(
                InputError, match=f"--lake .*: it cannot be written: Permission denied: {closed}; give --lake"
            ):
                check_writable(str(place))
        check_readable(str(lake))
        with pytest.raises(InputError, match=r"no permission for .*/quotes/_delta_log"):
            check_writable(str(lake))


@pytest.mark.parametrize(
    "job",
    [
        "query.py:SELECT 1 AS a", "query.py:--engine:spark:SELECT 1 AS a", "rank_topics.py", "report.py",
        "review_alerts.py:show", "review_alerts.py:export:--out:x.csv",
        "review_alerts.py:import:--labels:x.csv:--reviewer:a", "score_corpus.py", "digest.py", "maintain.py",
        "maintain.py:--dry-run",
    ],
)  # fmt: skip
def test_every_job_says_at_once_that_a_file_is_no_lake(
    run_job: Callable[..., Done], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, job: str
):
    def no_spark(*_: object, **__: object) -> None:
        raise AssertionError("Spark was started")

    for module in ("spark.session", "query.spark"):
        monkeypatch.setattr(f"quotelake.{module}.get_session", no_spark)
    # That there is no Java here is another message.
    for module in ("commands.score", "commands.digest", "commands.maintain", "commands.lake_access", "query.spark"):
        monkeypatch.setattr(f"quotelake.{module}.check_environment", lambda: None)
    (tmp_path / "file").write_text("x")
    name, *arguments = job.split(":")
    done = run_job(JOBS / name, *arguments, "--lake", tmp_path / "file")
    assert (done.code, done.out) == (2, "")
    assert done.error.count("\n") == 1 and f"{tmp_path / 'file'} is a file, not a directory" in done.error
