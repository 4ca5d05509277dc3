"""An answer of any size as a file, written a batch at a time: CSV and a sheet that run no formula, JSON, Parquet."""

import json
from collections.abc import Iterable, Iterator
from contextlib import closing
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from quotelake.errors import InputError
from quotelake.files.outputs import ENDINGS, atomic_output, write_csv

#: Rows of a sheet, the one with the names of the columns included, and characters of a cell: Excel takes no more.
SHEET_ROWS: Final = 1_048_576
CELL: Final = 32_767
#: Whole numbers up to here are exact in a cell.
_EXACT: Final = 2**53


def plain(schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> pa.RecordBatchReader:
    """Batches of an answer with types that every tool knows: times in UTC without a zone, sums as 64-bit integers."""

    def plain_type(kind: pa.DataType) -> pa.DataType:
        if pa.types.is_timestamp(kind):
            return pa.timestamp("us")
        return pa.int64() if kind == pa.decimal128(38, 0) else kind  # DuckDB's sum of integers has 128 bits

    known = pa.schema([field.with_type(plain_type(field.type)) for field in schema])
    return pa.RecordBatchReader.from_batches(known, (batch.cast(known) for batch in batches))


def write_answer(batches: pa.RecordBatchReader, path: Path) -> int:
    """Write an answer in the format that the ending of the path names, one of ``ENDINGS``; return its number of rows.

    An InputError says that the file cannot be written, or that a sheet cannot hold the answer.
    """
    count = 0

    def counted() -> Iterator[pa.RecordBatch]:
        nonlocal count
        for batch in batches:
            count += batch.num_rows
            yield batch

    with atomic_output(path) as partial:
        _WRITERS[path.suffix](batches.schema, counted(), partial)
    return count


def write_parquet(schema: pa.Schema, batches: Iterable[pa.RecordBatch], path: Path) -> None:
    """Write an answer as Parquet."""
    with pq.ParquetWriter(path, schema) as writer:
        for batch in batches:
            writer.write_batch(batch)


def _write_csv(schema: pa.Schema, batches: Iterable[pa.RecordBatch], path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        write_csv(file, schema.names, _rows(batches))


def _write_json(schema: pa.Schema, batches: Iterable[pa.RecordBatch], path: Path) -> None:
    """A list with an object per row, each on a line."""
    with path.open("w", encoding="utf-8") as file:
        file.write("[")
        for number, row in enumerate(_rows(batches)):
            file.write(f"{',' if number else ''}\n{_json(row)}")
        file.write("\n]\n")


def _write_sheet(schema: pa.Schema, batches: Iterable[pa.RecordBatch], path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook(write_only=True)  # rows go to a temporary file
    sheet = book.create_sheet("times in UTC")
    sheet.freeze_panes = "A2"
    with closing(sheet):
        sheet.append([_cell(sheet, name) for name in schema.names])
        for number, row in enumerate(_rows(batches), 2):
            if number > SHEET_ROWS:
                limit = f"a sheet holds {SHEET_ROWS:,} rows, its header included, and the answer has more"
                raise InputError(f"{limit}: ask for fewer, or name a file that ends in .csv or .parquet")
            sheet.append([_cell(sheet, value) for value in row.values()])
    book.save(path)


def _cell(sheet: Any, value: object) -> object:
    """A value for a cell: numbers, dates and times as such, all else as text, which is never a formula."""
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    is_exact = isinstance(value, (int, float, Decimal)) and -_EXACT <= value <= _EXACT
    if value is None or isinstance(value, date) or is_exact:
        return value
    text = ILLEGAL_CHARACTERS_RE.sub("\ufffd", value if isinstance(value, str) else _json(value))
    cell = WriteOnlyCell(sheet, text if len(text) <= CELL else f"{text[: CELL - 1]}…")
    cell.data_type = "s"
    cell.quotePrefix = True  # it stays text when somebody edits it
    return cell


def _rows(batches: Iterable[pa.RecordBatch]) -> Iterator[dict[str, Any]]:
    return (row for batch in batches for row in batch.to_pylist(maps_as_pydicts="strict"))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


_WRITERS: Final = dict(zip(ENDINGS, (_write_csv, _write_json, write_parquet, _write_sheet), strict=True))
