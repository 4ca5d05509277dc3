"""Annotations of best-worst scaling, and the tuples that people are given."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelab.annotation.command import design
from quotelab.protocols.bws import Choice, read_choices
from quotelake.errors import InputError

HEADER = "Item1,Item2,Item3,Item4,BestItem,WorstItem\n"


@given(st.integers(4, 60), st.integers(1, 9))
def test_every_item_stands_in_about_as_many_tuples_as_asked(n: int, times: int):
    items = [f"i{number}" for number in range(n)]
    tuples = design(items, times)
    assert all(len(set(each)) == 4 for each in tuples)
    counts = Counter(item for each in tuples for item in each)
    assert all(times - 1 <= counts[item] <= times for item in items)
    assert tuples == design(items, times)


def test_choices_are_read_as_exports_differ(tmp_path: Path):
    path = tmp_path / "a.csv"
    path.write_bytes(
        "\ufeffworker;WORSTITEM;bestitem;item1;item2;item3;item4\r\n1;a;item4;a;b;c; d\r\n2;;d;a;b;c;d\r\n".encode()
    )
    assert read_choices([path]) == ([Choice(("a", "b", "c", "d"), "d", "a")], 1)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("a,b,c,c,a,b", "a.csv, line 2: found the items a, b, c, c; give four different ones"),
        ("a,b,c,d,a,e", "line 2: found WorstItem 'e'; name an item of the row"),
        ("a,b,c,d,a", "line 2: found 5 fields; give 6"),
    ],
)
def test_a_wrong_row_is_named_with_file_and_line(tmp_path: Path, row: str, expected: str):
    (tmp_path / "a.csv").write_text(f"{HEADER}{row}\n", "utf-8")
    with pytest.raises(InputError) as caught:
        read_choices([tmp_path / "a.csv"])
    assert expected in str(caught.value)
