"""Checkpoints of other versions begin anew under numbers that no table knows, and never pass for those that go on."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from quotelake.errors import LakeBusyError
from quotelake.lake.damage import DamageError
from quotelake.lake.place import CHECKPOINTS, Files
from quotelake.lake.stream import Checkpoint, drop_others, follow, others_are_ahead


def begun(files: Files, name: str, number: int, version: int, *, since: int = -1, left: int = 0) -> Checkpoint:
    checkpoint = Checkpoint(files, name)
    waiting = {f"{n}.parquet": 1 for n in range(left)}
    checkpoint.begin(number, version=version, since=since, files={"a.parquet": 1}, left=waiting)
    return checkpoint


def interrupted() -> None:
    raise KeyboardInterrupt


def test_checkpoints_of_other_versions_begin_anew_behind_their_last_batch(tmp_path: Path):
    files, rows = Files(tmp_path), list[int]()
    for name in ("documents-now", "documents-old", "quotes-old"):
        begun(files, name, 3, 7).end(3)
    drop_others(files, "documents", "now", lambda: rows.append(1))
    assert rows == [1]
    assert sorted(files.names(CHECKPOINTS)) == ["documents-now", "documents-old", "quotes-old"]
    until = {name: Checkpoint(files, name).done_until() for name in files.names(CHECKPOINTS)}
    assert until == {"documents-now": 7, "documents-old": -1, "quotes-old": 7}
    assert Checkpoint(files, "documents-old").last()[0] == 4, "tables ignore batches of a number that they have"
    assert not others_are_ahead(files, "documents", "now")
    drop_others(files, "documents", "now", lambda: rows.append(2))
    assert rows == [1], "nothing is left to drop"
    begun(files, "documents-old", 5, 8).end(5)
    with pytest.raises(KeyboardInterrupt):
        drop_others(files, "documents", "now", interrupted)
    drop_others(files, "documents", "now", lambda: rows.append(3))  # by the run that takes up the killed one
    assert rows == [1, 3] and Checkpoint(files, "documents-old").last()[0] == 7


def test_a_batch_is_noted_once_and_the_last_note_holds(tmp_path: Path):
    files = Files(tmp_path)
    checkpoint = begun(files, "documents-1", 0, 5, since=2)
    with pytest.raises(LakeBusyError):
        begun(files, "documents-1", 0, 6)
    assert checkpoint.done_until() == 2, "a batch that is not done"
    checkpoint.end(0)
    assert checkpoint.done_until() == 5
    begun(files, "documents-1", 1, 8, since=5, left=3).end(1)
    assert checkpoint.done_until() == 5, "files of these versions are left"
    assert sorted(files.names(f"{CHECKPOINTS}/documents-1/offsets")) == ["1"]


def test_a_lake_that_sparks_stream_followed_goes_on_where_that_was(tmp_path: Path):
    files, place = Files(tmp_path), f"{CHECKPOINTS}/documents-1"
    files.write(f"{place}/offsets/4", 'v1\n{"conf":{}}\n' + json.dumps({"reservoirVersion": 9, "index": -1}))
    checkpoint = Checkpoint(files, "documents-1")
    assert checkpoint.last() == (4, {}, False), "what it has in hand only it knows"
    files.write(f"{place}/commits/4", "v1\n{}")
    assert checkpoint.done_until() == 8


def test_rows_of_a_commit_that_is_gone_are_not_guessed(tmp_path: Path):
    checkpoint = begun(Files(tmp_path), "documents-now", 0, version=3)
    checkpoint.end(0)
    lake: Any = SimpleNamespace(storage=Files(tmp_path), root=str(tmp_path), version=lambda table: 5)
    with pytest.raises(DamageError, match="documents lacks commit 4"):
        follow(lake, "documents", "now", 1, lambda *batch: pytest.fail("rows of two commits, or of one?"))
