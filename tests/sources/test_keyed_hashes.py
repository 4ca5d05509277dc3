"""The secret of authors: made once, by whoever is first, and readable by its owner only."""

import os
import re
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from quotelake.errors import InputError
from quotelake.sources.keyed_hashes import (
    KINDS,
    author_key,
    forgotten_mark,
    has_author_key,
    hash_author,
    is_forgotten,
    key_place,
)


def test_the_secret_is_made_once_beside_the_tables(tmp_path: Path):
    root, third = str(tmp_path / "lake"), tmp_path / "third"
    key = author_key(key_place("", root))
    assert (len(key), author_key(key_place("", root + "/")), author_key(f"file:{root}/_author_key")) == (32, key, key)
    assert stat.S_IMODE((tmp_path / "lake" / "_author_key").stat().st_mode) == 0o600
    assert author_key(key_place("", str(tmp_path / "other"))) != key
    assert has_author_key(key_place("", root)) and not has_author_key(key_place("", str(third))) and not third.exists()
    assert [path.name for path in (tmp_path / "lake").iterdir()] == ["_author_key"]


def test_a_run_that_is_second_by_a_moment_takes_the_key_of_the_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    link = os.link

    def late(draft: str, path: str) -> None:
        Path(path).write_bytes(b"f" * 32)
        link(draft, path)

    monkeypatch.setattr(os, "link", late)
    assert author_key(str(tmp_path / "key")) == b"f" * 32


def test_runs_that_make_it_at_once_get_the_same(tmp_path: Path):
    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(lambda _: author_key(str(tmp_path / "key")), range(40)))) == 1


def test_a_file_of_ones_own_is_read_and_a_short_one_refused(tmp_path: Path):
    own = tmp_path / "secret"
    own.write_bytes(b"x" * 40)
    assert author_key(str(own)) == b"x" * 40
    own.write_bytes(b"short")
    with pytest.raises(InputError, match="has 5 bytes, at least 32"):
        author_key(str(own))


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path):
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"cannot be read or made at .*file/lake/_author_key"):
        author_key(str(tmp_path / "file" / "lake" / "_author_key"))


def test_an_author_is_known_by_any_spelling_of_the_handle_under_one_key_only():
    one = hash_author("Some_One", b"k" * 32)
    assert one == hash_author(" @some_one ", b"k" * 32)
    assert one != hash_author("some_one", b"l" * 32)
    assert re.fullmatch(r"[0-9a-f]{64}", one)


@pytest.mark.parametrize("kind", KINDS)
def test_a_document_is_known_by_each_kind_of_mark_under_the_secret_of_its_lake_alone(kind: str):
    document, key = dict(zip(KINDS, "dnua", strict=True)), b"key" * 11
    marks = {forgotten_mark(kind, document[kind], key)}
    assert is_forgotten(document, marks, key) and not is_forgotten(document, marks, b"other" * 7)
    assert not any(is_forgotten(document | {kind: other}, marks, key) for other in ("x", None))
    others = {forgotten_mark(other, document[kind], key) for other in KINDS if other != kind}
    assert not is_forgotten(document, others, key), "a value of another kind"
