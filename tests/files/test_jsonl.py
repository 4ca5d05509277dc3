"""Files of labels and corpora that cannot be read are named with the line and what was found there."""

import gzip
from pathlib import Path

import pytest

from quotelake.errors import InputError
from quotelake.files.jsonl import json_lines


def packed(damage: bytes) -> bytes:
    """A gzipped file whose data is damaged behind the header."""
    whole = gzip.compress(b'{"id": 1}\n' * 999, mtime=0)
    return whole[:10] + damage + whole[10 + len(damage) :]


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.jsonl", b'{"id": 1}\n{"id":\n', "a.jsonl, line 2: found no JSON"),
        ("a.jsonl", b'{"id": 1}\n\n"\xff"\n', "a.jsonl, line 3: found bytes that are not UTF-8"),
        ("a.jsonl", b"[" * 100_000, "a.jsonl, line 1: found JSON that cannot be read"),
        ("a.jsonl", b"1" * 5_000, "a.jsonl, line 1: found JSON that cannot be read"),
        ("a.jsonl.gz", b"{}", "a.jsonl.gz: found a file that cannot be read"),
        ("a.jsonl.gz", packed(b"\xff\xff\xff"), "a.jsonl.gz: found a file that cannot be read"),
        ("a.jsonl.gz", packed(b"")[:-20], "a.jsonl.gz: found a file that cannot be read"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, name: str, data: bytes, said: str):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError) as caught:
        list(json_lines(tmp_path / name))
    assert said in str(caught.value)


def test_a_byte_order_mark_and_empty_lines_are_no_values(tmp_path: Path):
    for name, data in (("marked.jsonl", b"\xef\xbb\xbf[1]\n \n[2]"), ("mark.jsonl", b"\xef\xbb\xbf\n")):
        (tmp_path / name).write_bytes(data)
    assert [value for _, value in json_lines(tmp_path / "marked.jsonl")] == [[1], [2]]
    assert list(json_lines(tmp_path / "mark.jsonl")) == []
