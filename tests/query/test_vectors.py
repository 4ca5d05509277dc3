"""Vectors kept from look-up to look-up are those that a new build would make."""

import hashlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import faiss
import numpy as np
import pytest

from quotelake.errors import InputError
from quotelake.query import vectors
from quotelake.query.vectors import Vectors, vectors_of
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
    path: Path, number: int, fake: Fake, steps: list[tuple[int, int, bool]] | None = None, most: int | None = None
) -> Vectors:
    """Vectors of the first texts; what progress is reported is added to the list."""
    reported = [] if steps is None else steps
    return vectors_of(path, IDS[:number], TEXTS[:number], fake, 2, lambda *step: reported.append(step), most)


@pytest.fixture(autouse=True)
def small_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "BATCH_TEXTS", 4)


@pytest.mark.parametrize("before", [0, 1, 4, 7, 29, 30])
def test_appending_gives_what_building_anew_gives_and_embeds_only_new_texts(tmp_path: Path, before: int):
    build(tmp_path / "appended", before, Fake())
    later, steps, new = Fake(), list[tuple[int, int, bool]](), 30 - before
    appended = build(tmp_path / "appended", 30, later, steps)
    assert sorted(later.embedded) == sorted(TEXTS[before:])
    assert steps == ([(done, new, False) for done in [*range(0, new, 4), new]] if new else [])
    np.testing.assert_array_equal(appended, build(tmp_path / "anew", 30, Fake()))
    np.testing.assert_array_equal(appended, build(tmp_path / "appended", 30, Fake(fails_after=0)))


@pytest.mark.parametrize("most", [0, 19, 20, None])
def test_no_more_texts_than_asked_are_embedded_and_the_others_have_no_vector(tmp_path: Path, most: int | None):
    stored, fake, waits = build(tmp_path / "vectors", 10, Fake()), Fake(), most in (0, 19)
    found = build(tmp_path / "vectors", 30, fake, most=most)
    assert len(fake.embedded) == (0 if waits else 20)
    np.testing.assert_array_equal(np.flatnonzero(np.isnan(found).all(axis=1)), np.arange(10, 30) if waits else [])
    np.testing.assert_array_equal(found[:10], stored)
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
    found = build(tmp_path / "vectors", 30, second)
    assert 0 < len(second.embedded) < 30 and sorted({*first.embedded, *second.embedded}) == sorted(TEXTS)
    np.testing.assert_array_equal(found, Fake().encode(TEXTS))


def damaged(kind: str, data: bytes) -> bytes:
    if kind.startswith("cut"):
        return data[: int(kind.split()[1])]
    if kind == "zeros":
        return data[:100] + bytes(64) + data[164:]
    if kind == "text":
        return b"no index at all"
    other = faiss.IndexFlatIP(4 if kind == "no ids" else 8)
    if kind != "no ids":
        other = faiss.IndexIDMap(other)
        other.add_with_ids(np.eye(8, dtype=np.float32), np.arange(8))
    return faiss.serialize_index(other).tobytes()


@pytest.mark.parametrize("kind", ["cut 0", "cut 9", "cut 300", "cut -1", "zeros", "text", "no ids", "of 8 numbers"])
def test_a_file_that_is_damaged_or_no_such_index_is_made_anew(tmp_path: Path, kind: str):
    path = tmp_path / "vectors"
    expected = build(path, 30, Fake())
    path.write_bytes(damaged(kind, path.read_bytes()))
    again, steps = Fake(), list[tuple[int, int, bool]]()
    np.testing.assert_array_equal(build(path, 30, again, steps), expected)
    assert len(again.embedded) == 30 and steps[0] == (0, 30, True)
    np.testing.assert_array_equal(build(path, 30, Fake(fails_after=0)), expected)


def test_lakes_may_share_a_file(tmp_path: Path):
    path, ids = tmp_path / "vectors", [content_id("elsewhere")]
    build(path, 10, Fake())
    vectors_of(path, ids, ["elsewhere"], Fake(), 1, lambda *step: None)
    build(path, 10, Fake(fails_after=0))


def test_a_folder_that_cannot_be_written_is_named_with_what_to_do(tmp_path: Path):
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(InputError, match=r"cannot be written .* --index, .* --no-meaning"):
        build(tmp_path / "file" / "inside" / "vectors", 30, Fake(fails_after=0))
