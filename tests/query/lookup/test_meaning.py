"""Meaning: faiss finds what a product with all vectors finds; vectors kept are those that a new build would make."""

import hashlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.query.lookup import meaning
from quotelake.query.lookup.meaning import Meanings, bring_up_to_date
from quotelake.query.lookup.store import Store, Vectors
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


class Noted:
    """Remembers what it is told."""

    def __init__(self) -> None:
        self.steps: list[tuple[int, int]] = []
        self.parts = 0

    def damaged(self, parts: int) -> None:
        self.parts += parts

    def embedded(self, done: int, total: int) -> None:
        self.steps.append((done, total))


def build(folder: Path, number: int, fake: Fake, told: Noted | None = None) -> Vectors:
    """Vectors of the first texts."""
    return bring_up_to_date(Store(folder, "f1", 4), IDS[:number], TEXTS[:number], fake, 2, told or Noted())


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meaning, "TOGETHER", 4)


@given(
    st.integers(1, 40).flatmap(lambda n: st.tuples(st.just(n), st.integers(1, n + 3))),
    st.integers(0, 2**32 - 1),
)
def test_faiss_finds_what_comparing_with_every_vector_finds(sizes: tuple[int, int], seed: int):
    number, most = sizes
    drawn = np.random.default_rng(seed).normal(size=(number + 1, 8)).astype(np.float32)
    drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
    vectors, asked = drawn[:-1], drawn[-1]
    positions = [3 * row + 1 for row in range(number)]
    found = Meanings(positions, vectors).nearest(asked, most)
    cosines = vectors.astype(np.float64) @ asked.astype(np.float64)
    order = np.argsort(-cosines)[:most]
    assert [each.position for each in found] == [positions[row] for row in order]
    np.testing.assert_allclose([each.meaning for each in found], cosines[order], atol=1e-6)


def test_cosines_of_given_texts_and_none_for_those_without_a_vector():
    vectors = np.eye(3, dtype=np.float32)
    assert Meanings([2, 5, 9], vectors).measure(vectors[1], [9, 5, 1, 11, 2]) == [0.0, 1.0, None, None, 0.0]
    assert Meanings([], vectors[:0]).nearest(vectors[1], 4) == []


@pytest.mark.parametrize("before", [0, 1, 4, 7, 29, 30])
def test_appending_gives_what_building_anew_gives_and_embeds_only_new_texts(tmp_path: Path, before: int):
    build(tmp_path / "appended", before, Fake())
    later = Fake()
    appended = build(tmp_path / "appended", 30, later)
    assert sorted(later.embedded) == sorted(TEXTS[before:])
    np.testing.assert_array_equal(appended, build(tmp_path / "anew", 30, Fake()))
    np.testing.assert_array_equal(appended, build(tmp_path / "appended", 30, Fake(fails_after=0)))


def test_two_builds_at_once_leave_what_one_leaves(tmp_path: Path):
    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(lambda fake: build(tmp_path / "two", 30, fake), [Fake(), Fake()])
    np.testing.assert_array_equal(one, other)
    build(tmp_path / "one", 30, Fake())
    assert {path.name for path in (tmp_path / "one").iterdir()} <= {path.name for path in (tmp_path / "two").iterdir()}
    np.testing.assert_array_equal(build(tmp_path / "two", 30, Fake(fails_after=0)), one)


def test_an_interrupted_build_goes_on_where_it_stopped(tmp_path: Path):
    first = Fake(fails_after=12)
    with pytest.raises(KeyboardInterrupt):
        build(tmp_path, 30, first)
    second = Fake()
    vectors = build(tmp_path, 30, second)
    assert 0 < len(second.embedded) < 30 and sorted(first.embedded + second.embedded) == sorted(TEXTS)
    np.testing.assert_array_equal(vectors, Fake().encode(TEXTS))


def test_a_damaged_part_is_told_and_only_its_texts_are_embedded_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    build(tmp_path, 30, Fake())
    part = min(tmp_path.glob("part-*"))
    part.write_bytes(part.read_bytes()[:-1])
    monkeypatch.setattr(meaning, "TOGETHER", 1)  # so that no new part takes the name of the damaged one
    again, told = Fake(), Noted()
    vectors = build(tmp_path, 30, again, told)
    assert told.parts == 1 and len(again.embedded) in (2, 4)
    np.testing.assert_array_equal(vectors, Fake().encode(TEXTS))
    assert not Store(tmp_path, "f1", 4).read()[1]


def test_progress_ends_at_the_number_of_new_texts_and_is_silent_without_any(tmp_path: Path):
    told = Noted()
    build(tmp_path, 10, Fake(), told)
    assert told.steps == [(0, 10), (4, 10), (8, 10), (10, 10)]
    build(tmp_path, 10, Fake(), told)
    assert len(told.steps) == 4
