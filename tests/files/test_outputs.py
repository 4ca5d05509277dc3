"""Files of commands: whole or not there, whatever stops the writing."""

import errno
import gzip
from pathlib import Path

import pytest

from quotelake.errors import InputError
from quotelake.files.outputs import atomic_output, write_atomically


def test_a_file_is_written_whole_or_stays_as_it_was(tmp_path: Path):
    path = tmp_path / "new" / "alerts.html"
    write_atomically(path, "older")
    write_atomically(path, "old")
    with pytest.raises(KeyboardInterrupt), atomic_output(path) as partial:
        partial.write_text("half of the ne")
        raise KeyboardInterrupt
    with pytest.raises(UnicodeEncodeError):
        write_atomically(path, "\ud800")
    assert path.read_text("utf-8") == "old" and [each.name for each in path.parent.iterdir()] == ["alerts.html"]


@pytest.mark.parametrize("name", ["file/alerts.html", "folder", ""])
def test_where_nothing_can_be_written_the_place_is_named(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    Path("folder").mkdir()
    with pytest.raises(InputError, match=f"^{name or '.'}: cannot be written .*; name a file"):
        write_atomically(Path(name), "x")


@pytest.mark.parametrize("broken", ["no such file", "a packed file that is cut"])
def test_an_error_of_reading_another_file_is_not_told_of_the_output(tmp_path: Path, broken: str):
    (tmp_path / "cut.gz").write_bytes(b"x" * 20)
    with pytest.raises(OSError, match=r"none|gzip") as caught, atomic_output(tmp_path / "out"):
        gzip.decompress((tmp_path / ("none" if broken == "no such file" else "cut.gz")).read_bytes())
    assert not isinstance(caught.value, InputError) and not (tmp_path / "out").exists()


def test_a_full_disk_is_told_of_the_output(tmp_path: Path):
    with pytest.raises(InputError, match=r"out: cannot be written \(No space left"), atomic_output(tmp_path / "out"):
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_device_is_written_to_and_not_replaced():
    write_atomically(Path("/dev/null"), "x")
    assert Path("/dev/null").is_char_device()
