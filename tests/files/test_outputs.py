"""Files of commands: whole or not there, whatever stops the writing."""

from pathlib import Path

import pytest

from quotelake.errors import InputError
from quotelake.files.outputs import whole, write_whole


def test_a_file_is_written_whole_or_stays_as_it_was(tmp_path: Path):
    path = tmp_path / "new" / "alerts.html"
    write_whole(path, "old")
    with pytest.raises(KeyboardInterrupt), whole(path) as partial:
        partial.write_text("half of the ne")
        raise KeyboardInterrupt
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "\ud800")
    assert path.read_text("utf-8") == "old" and [each.name for each in path.parent.iterdir()] == ["alerts.html"]


@pytest.mark.parametrize("name", ["file/alerts.html", "folder", ""])
def test_where_nothing_can_be_written_the_place_is_named(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    Path("folder").mkdir()
    with pytest.raises(InputError, match=f"^{name or '.'}: cannot be written .*; name a file"):
        write_whole(Path(name), "x")


def test_a_device_is_written_to_and_not_replaced():
    write_whole(Path("/dev/null"), "x")
    assert Path("/dev/null").is_char_device()
