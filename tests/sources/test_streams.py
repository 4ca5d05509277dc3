"""Opening and unpacking: where Hadoop's paths lie for Arrow, and no byte lost before a break."""

import bz2
import gzip
import os
import random
import zlib
from pathlib import Path

import pyarrow as pa
import pytest

from quotelake.settings import load_settings
from quotelake.sources.files import list_files
from quotelake.sources.records import read_file
from quotelake.sources.rejects import Reason
from quotelake.sources.streams import codec_of, file_system, open_stream

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
