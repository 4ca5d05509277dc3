"""Opening, unpacking and decoding: where Hadoop's paths lie for Arrow, no byte lost before a break, and a text of any
encoding gives the records it gives in UTF-8; what is not of the encoding costs its record alone."""

import bz2
import gzip
import json
import os
import random
import zlib
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.sources.reading import Blocks, outcomes, read

from quotelake.settings import load_settings
from quotelake.sources.files import list_files
from quotelake.sources.records import Format, read_file
from quotelake.sources.rejects import Reason
from quotelake.sources.streams import Input, codec_of, file_system, open_stream

TEXT = b"".join(b"line %d %d\n" % (number, random.Random(number).getrandbits(64)) for number in range(20_000))
PACKED = {
    "x.gz": gzip.compress(TEXT),
    "x.bz2": bz2.compress(TEXT, 1),  # blocks of 100 kB
    "x.ZST": pa.compress(TEXT, codec="zstd", asbytes=True),
}


def read_all(path: Path) -> tuple[bytes, str]:
    """Everything a file gives, and the error it ends with."""
    given = bytearray()
    with open_stream(f"file:{path}") as stream:
        try:
            while block := stream.read(1 << 20):
                given += block
        except OSError as error:
            return bytes(given), str(error)
    return bytes(given), ""


def test_an_input_ends_where_reading_fails_and_says_why_behind_its_last_byte():
    whole, cut = Input(Blocks(TEXT, 1000)), Input(Blocks(TEXT[:5000], 999, breaks=True))
    assert (whole.read(), whole.error) == (TEXT, "")
    assert cut.read(4000) == TEXT[:4000] and cut.error == ""
    assert cut.skip(5000) == 1000 and cut.error == "OSError: Truncated compressed stream"


@pytest.mark.parametrize("name", [*PACKED, "plain 100%#1.jsonl"])
def test_what_was_packed_comes_out(name: str, tmp_path: Path):
    (tmp_path / name).write_bytes(PACKED.get(name, TEXT))
    assert read_all(tmp_path / name) == (TEXT, "")


@pytest.mark.parametrize("name", PACKED)
def test_every_byte_before_a_break_is_given(name: str, tmp_path: Path):
    packed = PACKED[name]
    (tmp_path / name).write_bytes(packed[: len(packed) // 2])
    given, error = read_all(tmp_path / name)
    assert "Truncated" in error
    assert TEXT.startswith(given)
    # What Python's own decompressors get out of the same half is the most there is; it has none for zstd.
    whole = {"x.gz": zlib.decompressobj(31), "x.bz2": bz2.BZ2Decompressor()}.get(name)
    if whole is None:
        assert len(given) > len(TEXT) // 4
    else:
        assert given == whole.decompress(packed[: len(packed) // 2])


@pytest.mark.parametrize("other", [gzip.compress(TEXT[:1000]), gzip.compress(TEXT)[:2000], b""])
def test_a_damaged_file_that_a_shorter_one_replaces_meanwhile_ends_with_its_error(other: bytes, tmp_path: Path):
    (tmp_path / "x.gz").write_bytes(PACKED["x.gz"][:-1000])
    (tmp_path / "other").write_bytes(other)
    given = bytearray()
    with open_stream(f"file:{tmp_path / 'x.gz'}") as stream, pytest.raises(OSError, match="Truncated"):
        given += stream.read(1 << 20)
        (tmp_path / "other").replace(tmp_path / "x.gz")
        while block := stream.read(1 << 20):
            given += block
    assert TEXT.startswith(given) and len(given) > len(TEXT) // 2


def test_a_file_that_is_not_what_its_ending_says_gives_nothing_and_says_so(tmp_path: Path):
    (tmp_path / "x.gz").touch()
    assert read_all(tmp_path / "x.gz") == (b"", "")
    (tmp_path / "x.gz").write_bytes(TEXT)
    given, error = read_all(tmp_path / "x.gz")
    assert (given, "incorrect header" in error) == (b"", True)


def test_paths_of_hadoop_are_found_by_arrow(monkeypatch: pytest.MonkeyPatch):
    asked = []

    def from_uri(uri: str) -> tuple[str, str]:
        asked.append(uri)
        return "a file system", {"s3://bucket-of-ours": "bucket-of-ours"}.get(uri, "box/")

    monkeypatch.setattr("pyarrow.fs.FileSystem", type("Fake", (), {"from_uri": staticmethod(from_uri)}))
    assert file_system("s3a://bucket-of-ours/a b/x#1.jsonl")[1] == "bucket-of-ours/a b/x#1.jsonl"
    assert file_system("abfss://box@account-of-ours.dfs.core.windows.net/a/x.csv")[1] == "box/a/x.csv"
    assert asked == ["s3://bucket-of-ours", "abfss://box@account-of-ours.dfs.core.windows.net"]


def test_the_ending_tells_the_codec():
    assert [codec_of(name) for name in ("a.json.GZ", "a.bz2", "a.zst", "a.gz.json")] == ["gzip", "bz2", "zstd", None]


@pytest.mark.parametrize("name", ["fifo.jsonl", "linked.jsonl.gz", "/dev/null"])
def test_what_is_no_file_is_a_reject_and_never_waited_for(name: str, tmp_path: Path):
    path = tmp_path / name
    if not path.exists():
        os.mkfifo(tmp_path / "fifo.jsonl")
        path.is_fifo() or path.symlink_to("fifo.jsonl")
    [file] = list_files("sample_news", str(path))
    writer = os.open(path, os.O_RDWR)  # without one, opening it would hang
    with pytest.raises(OSError, match="FIFO"):
        open_stream(file.path)
    os.close(writer)
    settings = load_settings()
    [record] = read_file(file.path, "jsonl", settings.sources["sample_news"], settings.ingest)
    assert (record.position, record.reason, file.size) == (-1, Reason.UNREADABLE_FILE, 0)


ENCODINGS = ["cp1252", "iso8859-15", "utf-16", "utf-16-le", "utf-32", "euc_kr", "shift_jis", "gb18030", "koi8-r"]


def read_pieces(data: bytes, encoding: str, format: Format = "jsonl") -> list[tuple[int, Any]]:
    """Position and value or reason of each record, read a few bytes at a time, so that characters are cut."""
    return outcomes(read(Blocks(data, 3), format, encoding=encoding))


@given(
    texts=st.lists(st.text(max_size=12), max_size=4), encoding=st.sampled_from(ENCODINGS),
    format=st.sampled_from(["jsonl", "json", "csv", "tsv"]),
)  # fmt: skip
@example(["très"], "cp1252", "csv")
def test_records_are_those_of_the_same_text_in_utf_8(texts: list[str], encoding: str, format: Format):
    known = [text.encode(encoding, "ignore").decode(encoding, "ignore") for text in texts]
    rows = known if format in ("csv", "tsv") else [json.dumps({"text": text}, ensure_ascii=False) for text in known]
    written = f"[{','.join(rows)}]" if format == "json" else "\n".join(["text"] * (rows is known) + rows) + "\n"
    whole = written.encode(encoding, "ignore")
    assert read_pieces(whole, encoding, format) == read_pieces(whole.decode(encoding).encode(), "utf-8", format)


@pytest.mark.parametrize(
    ("format", "rows"),
    [("jsonl", b'{"text": "a \x81 b"}\n{"text": "caf\xe9"}\n'), ("csv", b"text\na \x81 b\ncaf\xe9\n")],
)
def test_a_byte_that_is_not_of_the_encoding_costs_its_record_and_is_shown(format: Format, rows: bytes):
    bad, good = read(rows, format, encoding="cp1252")
    assert (str(bad.reason), bad.detail, good.value) == ("wrong_encoding", "not cp1252", {"text": "café"})
    assert r"a \x81 b" in bad.raw


def test_bytes_that_would_be_utf_8_are_not_let_through_in_another_encoding():
    assert read_pieces('{"text": "é"}\n'.encode(), "ascii") == [(0, "wrong_encoding")]


def test_a_character_cut_at_the_end_costs_the_last_record():
    data = '{"text": "one"}\n{"text": "two"}'.encode("utf-16-le")
    assert read_pieces(data[:-1], "utf-16-le") == [(0, {"text": "one"}), (16, "wrong_encoding")]


def test_a_byte_order_mark_is_no_text():
    for encoding, mark in (("utf-8", b"\xef\xbb\xbf"), ("utf-16-le", b"\xff\xfe"), ("utf-16", b"\xff\xfe")):
        body = "text\nyes\n".encode("utf-16-le" if "16" in encoding else encoding)
        assert read_pieces(mark + body, encoding, "csv") == [(0, {"text": "yes"})]
