"""Rows on a console can be read whatever their columns are: side by side where these fit, else one below the other."""

import io
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from quotelake.commands.console import show_rows

VALUES = st.one_of(st.none(), st.integers(), st.booleans(), st.text("ab 축<[]>", max_size=60))


def shown(names: list[str], rows: list[dict[str, Any]], *, width: int = 80, vertical: bool = False) -> str:
    out = io.StringIO()
    show_rows(Console(file=out, width=width), names, rows, vertical=vertical)
    return out.getvalue()


def test_few_columns_stand_side_by_side_and_many_one_below_the_other():
    row = {f"column_{i}": f"value {i} of some words" for i in range(20)}
    assert "value 1 of some words ┃" not in shown(list(row), [row])
    assert shown(list(row), [row]).splitlines()[:3] == [
        "-[ 1 of 1 ]".ljust(60, "-"), "column_0   value 0 of some words", "column_1   value 1 of some words",
    ]  # fmt: skip
    few = {name: row[name] for name in list(row)[:2]}
    assert "│ value 0 of some words │ value 1 of some words │" in shown(list(few), [few])
    assert shown(list(few), [few], vertical=True).startswith("-[ 1 of 1 ]---")


def test_columns_without_rows_are_named():
    assert shown(["a", "b"], [], vertical=True) == "no rows; the columns are: a, b\n"


@given(st.lists(st.tuples(VALUES, VALUES), max_size=3), st.integers(40, 90), st.booleans())
def test_no_line_is_wider_than_the_console_and_no_text_is_lost(rows: list[Any], width: int, vertical: bool):
    names = ["a_column", "another"]
    text = shown(names, [dict(zip(names, row, strict=True)) for row in rows], width=width, vertical=vertical)
    assert all(cell_len(line) <= width for line in text.splitlines() if not line.startswith("no rows"))
    kept = text
    for line in text.splitlines():  # frames and names
        if line.startswith(("┏", "┃", "┡", "└", "-[", "no rows")):
            kept = kept.replace(f"{line}\n", "", 1)
    for value in [value for row in rows for value in row if isinstance(value, str)]:
        for sign in "ab축<[]>":
            assert kept.count(sign) >= value.count(sign)


@given(st.text("ab축\n ", min_size=80, max_size=300))
def test_a_long_text_in_a_block_continues_under_its_beginning(text: str):
    lines = shown(["name", "n"], [{"name": text, "n": 1}], width=40, vertical=True).splitlines()[1:-1]
    assert lines[0].startswith("name") and all(not line[:6].strip() for line in lines[1:])
    joined = "".join(line[6:] for line in lines)
    assert "".join(joined.split()) == "".join(text.split())
