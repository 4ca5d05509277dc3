"""An answer as a file says what the answer says, runs nothing in a spreadsheet, and is there whole or not at all."""

import csv
import json
from datetime import date, datetime
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as property_settings
from hypothesis import strategies as st
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

from quotelake.errors import InputError
from quotelake.files import answers
from quotelake.files.answers import CELL, write_answer
from quotelake.files.outputs import ENDINGS, FORMULA, text_cell

ROWS: list[dict[str, Any]] = [
    {"text": "=1+1", "number": 1, "share": 0.25, "at": datetime(2024, 6, 1, 12), "day": date(2024, 6, 1), "sure": True,
     "parts": [{"start": 1}], "counts": [("a", 1)]},
    dict.fromkeys(("text", "number", "share", "at", "day", "sure", "parts", "counts")) | {"text": "b"},
]  # fmt: skip
SCHEMA = pa.schema(
    [("text", pa.string()), ("number", pa.int64()), ("share", pa.float64()), ("at", pa.timestamp("us")),
     ("day", pa.date32()), ("sure", pa.bool_()), ("parts", pa.list_(pa.struct([("start", pa.int32())]))),
     ("counts", pa.map_(pa.string(), pa.int64()))]
)  # fmt: skip
TEXTS = st.lists(
    st.builds(str.__add__, st.sampled_from(["", *FORMULA]), st.text(st.characters(exclude_categories=["Cs"]))),
    min_size=1, max_size=5,
)  # fmt: skip


def answer(rows: list[dict[str, Any]], schema: pa.Schema | None = None) -> pa.RecordBatchReader:
    return pa.Table.from_pylist(rows, schema).to_reader(max_chunksize=2)


def sheet_of(path: Path) -> Any:
    return openpyxl.load_workbook(path).active


def test_each_format_has_the_names_and_rows_of_the_answer(tmp_path: Path):
    names, row = [*SCHEMA.names], ROWS[0] | {"counts": {"a": 1}}
    for ending in ENDINGS:
        assert write_answer(answer(ROWS, SCHEMA), tmp_path / f"a{ending}") == 2
    [header, first, second] = csv.reader((tmp_path / "a.csv").open(encoding="utf-8", newline=""))
    assert header == names and first == [str(text_cell(value)) for value in row.values()] and second == ["b"] + [""] * 7
    assert json.loads((tmp_path / "a.json").read_text("utf-8")) == [
        row | {"at": "2024-06-01 12:00:00", "day": "2024-06-01"}, ROWS[1]
    ]  # fmt: skip
    assert pq.read_table(tmp_path / "a.parquet").to_pylist() == ROWS
    [header, first, second] = sheet_of(tmp_path / "a.xlsx").iter_rows(values_only=True)
    texts = {"day": datetime(2024, 6, 1), "parts": '[{"start": 1}]', "counts": '{"a": 1}'}  # a sheet has no days alone
    assert [*header] == names and [*first] == [*(row | texts).values()] and second == ("b", *[None] * 7)
    for ending in ENDINGS:
        assert write_answer(answer([], SCHEMA), tmp_path / f"b{ending}") == 0 and (tmp_path / f"b{ending}").exists()
    assert json.loads((tmp_path / "b.json").read_text("utf-8")) == [] and b"share" in (tmp_path / "b.csv").read_bytes()


def _one_end_of_line(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


@property_settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS)
def test_a_sheet_keeps_every_text_and_runs_none(tmp_path: Path, texts: list[str]):
    write_answer(answer([{"=a": text} for text in texts], pa.schema([("=a", pa.string())])), tmp_path / "a.xlsx")
    cells = [cell for [cell] in sheet_of(tmp_path / "a.xlsx").iter_rows()]
    for cell, text in zip(cells, ["=a", *texts], strict=True):
        known = ILLEGAL_CHARACTERS_RE.sub("\ufffd", text)
        # XML has one end of line, but where lxml is installed the sheet keeps all of them.
        assert _one_end_of_line(cell.value or "") == _one_end_of_line(known)
        assert cell.value is None or (cell.data_type == "s" and cell.quotePrefix)


def test_what_a_cell_cannot_hold_is_cut_or_text_and_what_a_sheet_cannot_hold_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    long = [{"a": "x" * (CELL + 1), "b": 2**53 + 1, "c": float("nan")}]
    write_answer(answer(long), tmp_path / "a.xlsx")
    assert [cell.value for cell in sheet_of(tmp_path / "a.xlsx")[2]] == ["x" * (CELL - 1) + "…", str(2**53 + 1), "NaN"]
    monkeypatch.setattr(answers, "SHEET_ROWS", 3)
    assert write_answer(answer([{"a": 1}] * 2), tmp_path / "b.xlsx") == 2
    with pytest.raises(InputError, match=r"a sheet holds 3 rows, .* ends in \.csv or \.parquet"):
        write_answer(answer([{"a": 1}] * 3), tmp_path / "b.xlsx")
    assert sheet_of(tmp_path / "b.xlsx").max_row == 3, "the one before is kept"


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_answer_that_fails_on_its_way_leaves_what_was_there(ending: str, tmp_path: Path):
    def broken() -> Any:
        yield from answer([{"a": 1}] * 2)
        raise InputError("gone")

    path = tmp_path / f"a{ending}"
    path.write_text("before")
    with pytest.raises(InputError, match="gone"):
        write_answer(pa.RecordBatchReader.from_batches(pa.schema([("a", pa.int64())]), broken()), path)
    assert path.read_text() == "before" and [*tmp_path.iterdir()] == [path]
