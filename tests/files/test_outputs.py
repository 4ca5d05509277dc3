"""Files of commands are whole or not there, and no CSV of ours runs anything in a spreadsheet."""

import csv
import errno
import gzip
import io
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as property_settings
from hypothesis import strategies as st
from tests.pages.pages import BASE

from quotelake.answers.reviews import IDS, SHOWN, to_csv
from quotelake.commands.query import show
from quotelake.errors import InputError
from quotelake.files.answers import write_answer
from quotelake.files.outputs import FORMULA, atomic_output, filled_rows, text_cell, write_atomically
from quotelake.pages.page import alerts_csv
from quotelake.query.engines import Answer

HOSTILE = st.builds(str.__add__, st.sampled_from(FORMULA), st.text("ab1(,\"'", max_size=8))


@given(st.text() | HOSTILE | st.integers() | st.floats() | st.none())
def test_text_is_kept_and_at_most_marked_as_text_and_numbers_stay_numbers(value: object):
    cell = text_cell(value)
    if isinstance(value, str):
        assert cell in (value, f"'{value}") and not str(cell).startswith(FORMULA)
    else:
        assert cell is value


@property_settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(HOSTILE)
def test_no_csv_of_the_project_holds_a_formula(tmp_path: Path, capsys: pytest.CaptureFixture[str], hostile: str):
    show(Answer((hostile, "number"), [{hostile: hostile, "number": -1}]), "csv")
    query = capsys.readouterr().out
    row = dict.fromkeys(("period", "quote", "group_id"), hostile) | {"position": 1}
    write_answer(pa.Table.from_pylist([row]).to_reader(), tmp_path / "ranking.csv")
    ranked = (tmp_path / "ranking.csv").read_bytes().decode()
    places = dict.fromkeys(("passage_start", "best_start", "best_end"), 0)
    reviews = to_csv([dict.fromkeys((*SHOWN, *IDS), hostile) | places])
    alerts = alerts_csv([dict(BASE, **dict.fromkeys(("headline", "passage", "url", "reason"), hostile))])[1:]
    for text in (query, ranked, reviews, alerts):
        cells = [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]
        assert len(cells) > 3
        assert [cell for cell in cells if cell.startswith(FORMULA) and cell != "-1"] == []


def test_rows_that_people_filled_in_have_their_line_and_missing_cells_are_empty():
    assert filled_rows('a,b\n"1\n2",\n3\n', "x.csv", ["b"]) == [(3, {"a": "1\n2", "b": ""}), (4, {"a": "3", "b": ""})]
    assert filled_rows("b;a\r\n1;2\r\n", "x.csv", ["a"]) == [(2, {"b": "1", "a": "2"})]
    with pytest.raises(InputError, match=r"x\.csv: no column c, d in its first line: it has a, b; name"):
        filled_rows("a,b\n1,2\n", "x.csv", ["c", "a", "d"])
    with pytest.raises(
        InputError, match=r"x\.csv, line 3: more cells than columns; put cells that hold commas in quotes"
    ):
        filled_rows("a,b\n1,2\n1,2,3\n", "x.csv", ["a"])


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
