"""Vectors kept from look-up to look-up are those that a new build would make."""

import hashlib
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.errors import InputError
from quotelake.query.lookup import meaning
from quotelake.query.lookup.meaning import Vectors, bring_up_to_date, read_records
from quotelake.text.ids import content_id

TEXTS = [f"text number {number}" for number in range(30)]
IDS = [content_id(text) for text in TEXTS]


class Fake:
    """A model whose vectors depend on the text alone; it fails after so many texts."""

    dimension = 4

    def __init__(self, fails_after: int | None = None) -> None:
        self.embedded: list[str] = []
        self._fails_after = fails_after

    def encode(self, texts: Sequence[str]) -> Vectors:
        if self._fails_after is not None and len(self.embedded) >= self._fails_after:
            raise KeyboardInterrupt
        self.embedded += texts
        raw = [[int(byte) - 128 for byte in hashlib.sha256(text.encode()).digest()[:4]] for text in texts]
        vectors = np.array(raw, dtype=np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def build(
    path: Path, number: int, fake: Fake, told: list[tuple[int, int, int]] | None = None, most: int | None = None
) -> Vectors:
    """Vectors of the first texts; what progress is told is added to the list."""
    steps = [] if told is None else told
    return bring_up_to_date(path, IDS[:number], TEXTS[:number], fake, 2, lambda *step: steps.append(step), most)


@pytest.fixture(autouse=True)
def small_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meaning, "TOGETHER", 4)


@pytest.mark.parametrize("before", [0, 1, 4, 7, 29, 30])
def test_appending_gives_what_building_anew_gives_and_embeds_only_new_texts(tmp_path: Path, before: int):
    build(tmp_path / "appended", before, Fake())
    later, told, new = Fake(), list[tuple[int, int, int]](), 30 - before
    appended = build(tmp_path / "appended", 30, later, told)
    assert sorted(later.embedded) == sorted(TEXTS[before:])
    assert told == ([(done, new, 0) for done in [*range(0, new, 4), new]] if new else [])
    np.testing.assert_array_equal(appended, build(tmp_path / "anew", 30, Fake()))
    np.testing.assert_array_equal(appended, build(tmp_path / "appended", 30, Fake(fails_after=0)))


@pytest.mark.parametrize("most", [0, 19, 20, None])
def test_no_more_texts_than_asked_are_embedded_and_the_others_have_no_vector(tmp_path: Path, most: int | None):
    stored, fake, waits = build(tmp_path / "vectors", 10, Fake()), Fake(), most in (0, 19)
    vectors = build(tmp_path / "vectors", 30, fake, most=most)
    assert len(fake.embedded) == (0 if waits else 20)
    np.testing.assert_array_equal(np.flatnonzero(np.isnan(vectors).all(axis=1)), np.arange(10, 30) if waits else [])
    np.testing.assert_array_equal(vectors[:10], stored)
    np.testing.assert_array_equal(build(tmp_path / "vectors", 30, Fake()), Fake().encode(TEXTS))


def test_two_builds_at_once_leave_what_one_leaves(tmp_path: Path):
    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(lambda fake: build(tmp_path / "two", 30, fake), [Fake(), Fake()])
    np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(build(tmp_path / "two", 30, Fake(fails_after=0)), one)


def test_an_interrupted_build_goes_on_where_it_stopped(tmp_path: Path):
    first = Fake(fails_after=12)
    with pytest.raises(KeyboardInterrupt):
        build(tmp_path / "vectors", 30, first)
    second = Fake()
    vectors = build(tmp_path / "vectors", 30, second)
    assert 0 < len(second.embedded) < 30 and sorted(first.embedded + second.embedded) == sorted(TEXTS)
    np.testing.assert_array_equal(vectors, Fake().encode(TEXTS))


@given(st.integers(0, 10_000), st.none() | st.integers(1, 255))
def test_a_file_cut_anywhere_or_with_one_byte_changed_costs_that_record_only(place: int, change: int | None):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vectors"
        vectors = build(path, 30, Fake())
        data = path.read_bytes()
        place, record = place % len(data), len(data) // 30
        changed = b"" if change is None else bytes([data[place] ^ change]) + data[place + 1 :]
        path.write_bytes(data[:place] + changed)
        lost = 30 - place // record if change is None else 1
        again, told = Fake(), list[tuple[int, int, int]]()
        np.testing.assert_array_equal(build(path, 30, again, told), vectors)
        assert len(again.embedded) == lost
        assert told[0] == (0, lost, int(place % record > 0) if change is None else 1)
        assert read_records(path, 4)[1] == 0
        path.write_bytes(data[:record] + bytes(record))  # a record of zeros
        stored, damaged = read_records(path, 4)
        assert (len(stored), damaged) == (1, 1)


def test_a_folder_that_cannot_be_written_is_named_with_what_to_do(tmp_path: Path):
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(InputError, match=r"cannot be kept there: .* --index, .* --no-meaning"):
        build(tmp_path / "file" / "inside" / "vectors", 30, Fake())
