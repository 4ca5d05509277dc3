"""Files that people filled in are read as spreadsheets save them; what is no such file is named."""

import pytest

from quotelake.errors import InputError
from quotelake.files.filled import filled_rows


def test_rows_have_their_line_whatever_separates_cells_and_missing_cells_are_empty():
    assert filled_rows('a,b\n"1\n2",\n3\n', "x.csv", ["b"]) == [(3, {"a": "1\n2", "b": ""}), (4, {"a": "3", "b": ""})]
    assert filled_rows("b;a\r\n1;2\r\n", "x.csv", ["a"]) == [(2, {"b": "1", "a": "2"})]


def test_another_file_is_refused():
    with pytest.raises(InputError, match=r"x\.csv: no column c, d in its first line; give a file that export wrote"):
        filled_rows("a,b\n1,2\n", "x.csv", ["c", "a", "d"])
