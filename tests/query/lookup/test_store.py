"""Stored vectors: a part is there whole or not at all, damage never passes as vectors, joining loses none."""

import os
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from quotelake.query.lookup.store import Part, Store, matrix_of

from quotelake.errors import InputError
from quotelake.query.lookup import store as module
from quotelake.text.ids import content_id

IDS = [content_id(number) for number in range(40)]
VECTORS = np.random.default_rng(1).normal(size=(40, 3)).astype(np.float32)
EXPECTED = {id_: tuple(vector.tolist()) for id_, vector in zip(IDS, VECTORS, strict=True)}


def store(folder: Path | str, fingerprint: str = "f1") -> Store:
    return Store(Path(folder), fingerprint, 3)


def rows(where: Store) -> dict[str, tuple[float, ...]]:
    """All vectors by id."""
    parts, damaged = where.read()
    assert not damaged
    return {id_: tuple(vector.tolist()) for part in parts.values() for id_, vector in zip(*part, strict=True)}


@given(st.integers(0, 10_000), st.none() | st.integers(1, 255))
def test_a_part_cut_anywhere_or_with_one_byte_changed_is_damaged(place: int, change: int | None):
    with tempfile.TemporaryDirectory() as folder:
        path = store(folder).write(IDS[:2], VECTORS[:2])
        data = path.read_bytes()
        place %= len(data)
        changed = b"" if change is None else bytes([data[place] ^ change]) + data[place + 1 :]
        path.write_bytes(data[:place] + changed)
        assert store(folder).read() == ({}, [path])


def test_vectors_of_another_model_or_dimension_are_none_of_this_one(tmp_path: Path):
    path = store(tmp_path).write(IDS[:2], VECTORS[:2])
    assert store(tmp_path, "f2").read() == ({}, [path])
    assert Store(tmp_path, "f1", 4).read() == ({}, [path])
    assert len(rows(store(tmp_path))) == 2


@given(st.permutations(range(40)), st.integers(1, 12), st.integers(1, 15), st.integers(2, 8))
def test_joining_loses_no_vector_whatever_the_parts(order: list[int], size: int, full: int, small: int):
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PART_ROWS", full)
        patch.setattr(module, "SMALL_PARTS", small)
        for start in range(0, len(order), size):
            some = order[start : start + size + 1]  # the last text of a part is the first of the next one too
            store(folder).write([IDS[at] for at in some], VECTORS[some])
        store(folder).tidy()
        assert rows(store(folder)) == EXPECTED
        parts = store(folder).read()[0].values()
        assert sum(len(part.ids) < full for part in parts) < max(small, 2)


def test_a_part_that_holds_all_the_others_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "SMALL_PARTS", 2)
    whole = store(tmp_path).write(sorted(IDS), VECTORS[np.argsort(IDS)])
    store(tmp_path).write(IDS[:1], VECTORS[:1])
    store(tmp_path).tidy()
    assert list(store(tmp_path).read()[0]) == [whole] and rows(store(tmp_path)) == EXPECTED


def test_two_that_write_the_same_leave_one_part(tmp_path: Path):
    one, other = (store(tmp_path).write(IDS[:2], VECTORS[:2]) for _ in range(2))
    assert one == other and [each.name for each in tmp_path.iterdir()] == [one.name]


def test_parts_that_another_process_joins_meanwhile_are_read_joined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    paths = [store(tmp_path).write(IDS[at : at + 1], VECTORS[at : at + 1]) for at in range(40)]
    read, joined = Path.read_bytes, False

    def read_late(path: Path) -> bytes:
        nonlocal joined
        if path == max(paths) and not joined:
            joined = True
            store(tmp_path).tidy()
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", read_late)
    assert rows(store(tmp_path)) == EXPECTED and joined


def test_a_file_that_a_killed_process_left_half_written_is_no_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def die(self: Path, target: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", die)
    with pytest.raises(KeyboardInterrupt):
        store(tmp_path).write(IDS[:2], VECTORS[:2])
    [left] = tmp_path.iterdir()
    store(tmp_path).tidy()
    assert left.exists() and store(tmp_path).read() == ({}, []), "another process may still be writing it"
    os.utime(left, (0, 0))
    store(tmp_path).tidy()
    assert not left.exists()


def test_a_folder_that_cannot_be_written_is_said_with_what_to_do(tmp_path: Path):
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"cannot be written: Not a directory; name another .*--index.*--no-meaning"):
        store(tmp_path / "file" / "inside").write(IDS[:1], VECTORS[:1])


def test_vectors_stand_in_the_order_that_is_asked_for():
    parts = [Part(IDS[:3], VECTORS[:3]), Part(IDS[5:7], VECTORS[5:7])]
    vectors, there = matrix_of(parts, {IDS[6]: 0, IDS[4]: 1, IDS[0]: 2}, 3)
    assert there.tolist() == [True, False, True]
    np.testing.assert_array_equal(vectors[there], VECTORS[[6, 0]])
