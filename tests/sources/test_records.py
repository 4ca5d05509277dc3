"""Records of every format: all are given, in order, and what cannot be read is named and passed over."""

import gzip
import io
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.errors import InputError
from quotelake.sources.records import Format, format_of, read_records
from quotelake.sources.rejects import RawRecord
from quotelake.sources.streams import open_stream


def read(data: bytes, format: Format = "jsonl", limit: int = 1000, **range_: int) -> list[RawRecord]:
    """Records of some bytes."""
    return list(read_records(io.BytesIO(data), format, max_record_bytes=limit, **range_))


def outcomes(records: list[RawRecord]) -> list[tuple[int, Any]]:
    """Position, and the value or the reason."""
    return [(record.position, (record.reason and str(record.reason)) or record.value) for record in records]


def test_json_lines_and_all_that_can_be_wrong_with_them():
    data = (
        b'\xef\xbb\xbf{"a": 1}\r\n'  # byte order mark, carriage return
        b"\n  \t\n"  # blank
        b'{"a": \n'
        b"[1]\n"
        b'{"a": "\xff\xfe"}\n'
        b'{"a": "\\ud83d"}\n'  # half an emoji
        b'{"a": "\\u0000"}'  # no line feed at the end
    )
    assert outcomes(read(data)) == [
        (0, {"a": 1}),
        (18, "malformed"),
        (25, "wrong_type"),
        (29, "wrong_encoding"),
        (41, "malformed"),
        (57, {"a": "\0"}),
    ]


def test_an_oversized_line_is_one_reject_and_the_next_is_read():
    records = read(b'{"a": "' + b"x" * 5000 + b'"}\n{"a": 2}\n', limit=50)
    assert outcomes(records) == [(0, "oversized"), (5010, {"a": 2})]
    assert records[0].raw == '{"a": "' + "x" * 43
    assert "5,009 bytes" in records[0].detail


def test_bytes_that_are_not_utf8_are_escaped_never_replaced():
    (record,) = read(b'{"a": "caf\xe9"}')
    assert (record.raw, "�" in record.raw) == (r'{"a": "caf\xe9"}', False)


@pytest.mark.parametrize("format", ["jsonl", "json"])
@pytest.mark.parametrize(
    ("text", "value", "problems"),
    [
        ('{"a": NaN, "t": "NaN"}', {"a": None, "t": "NaN"}, [("a", "NaN")]),
        ('{"a": {"b": [1, -Infinity]}}', {"a": {"b": [1, None]}}, [("a.b", "-Infinity")]),
        ('{"a": [NaN, {"b": Infinity}]}', {"a": [None, {"b": None}]}, [("a", "NaN"), ("a.b", "Infinity")]),
        ('{"t": "NaN Infinity"}', {"t": "NaN Infinity"}, []),
    ],
)  # fmt: skip
def test_not_a_number_becomes_null_and_is_told(
    format: Format, text: str, value: dict[str, Any], problems: list[tuple[str, str]]
):
    [record] = read((f"[{text}]" if format == "json" else text).encode(), format)
    assert record.value == value
    assert [(problem.field, problem.found) for problem in record.problems] == problems
    assert {str(problem.problem) for problem in record.problems} <= {"not_a_number"}


@pytest.mark.parametrize("text", ['{"a": NaN', '{"a": nan}', '{"a": NaN, "t": "\\ud83d"}', "NaN", '{"a": NaN1}'])
def test_not_a_number_excuses_nothing_else(text: str):
    [record] = read(text.encode())
    assert (str(record.reason), record.value) == ("malformed", None)


@given(cuts=st.lists(st.integers(1, 60), max_size=5))
def test_any_byte_ranges_give_the_same_records(cuts: list[int]):
    data = b'{"a": 1}\n\n{"b": "\xc3\xa9"}\n[broken\n{"c": 3}\n{"d": 4}'
    bounds = [0, *sorted(set(cuts)), None]
    parts = [record for start, end in pairwise(bounds) for record in read(data, start=start, end=end)]
    assert outcomes(parts) == outcomes(read(data))


@pytest.mark.parametrize("format", ["jsonl", "json", "csv", "tsv", "parquet"])
def test_an_empty_file_has_no_records(format: Format):
    assert read(b"", format) == []


ITEMS = st.recursive(
    st.none() | st.integers(-9, 9) | st.text(alphabet='a"\\[]{},: é😀\n', max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(alphabet='k"\\,]', max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    items=st.lists(ITEMS, max_size=6), indent=st.sampled_from([None, 1]), ascii=st.booleans(), most=st.integers(1, 80)
)
def test_a_json_array_is_cut_as_a_parser_would_cut_it(items: list[Any], indent: int | None, ascii: bool, most: int):
    class Blocks(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            return super().read(most)

    data = json.dumps(items, indent=indent, ensure_ascii=ascii).encode()
    records = list(read_records(Blocks(data), "json", max_record_bytes=1000))
    assert [record.position for record in records] == list(range(len(items)))
    assert [record.value for record in records] == [item if isinstance(item, dict) else None for item in items]


def test_one_bad_element_of_an_array_costs_one_record():
    data = b'[{"a": 1}, {"a": "\xff"}, {"a": "' + b"x" * 99 + b'"}, 7, {"a": nan},, {"a": 2}]'
    reasons = [(0, {"a": 1}), (1, "wrong_encoding"), (2, "oversized"), (3, "wrong_type"), (4, "malformed")]
    assert outcomes(read(data, "json", limit=50)) == [*reasons, (5, "malformed"), (6, {"a": 2})]


@pytest.mark.parametrize(
    ("data", "kept", "says"),
    [
        (b'[{"a": 1}, {"a": ', 1, "ends inside the array"),
        (b'[{"a": 1}]\n[{"a": 2}]', 1, "text follows"),
        (b'{"a": 1}\n{"a": 2}', 0, "format = 'jsonl'"),
        (b"<html>", 0, "no JSON array"),
    ],
)
def test_an_array_that_breaks_is_one_reject_after_what_could_be_read(data: bytes, kept: int, says: str):
    *before, last = read(data, "json")
    assert [record.value for record in before] == [{"a": 1}] * kept
    assert (last.position, str(last.reason), says in last.detail) == (kept, "broken_file", True)


def test_csv_cells_hold_line_breaks_and_quotes_and_bad_rows_are_passed_over():
    data = (
        b'\xef\xbb\xbfid,text\r\n1,"two\r\nlines, ""quoted"""\r\n\r\n'
        b'2\n3,"a"b\n4,caf\xe9\n5,' + b"x" * 99 + b'\n6,last\n7,"open\n'
    )
    assert outcomes(read(data, "csv", limit=60)) == [
        (0, {"id": "1", "text": 'two\r\nlines, "quoted"'}),
        (1, "malformed"),
        (2, "malformed"),
        (3, "wrong_encoding"),
        (4, "oversized"),
        (5, {"id": "6", "text": "last"}),
        (6, "malformed"),
    ]


@pytest.mark.parametrize(
    ("data", "form"),
    [
        (b"id;text\n1;'a; b'\n", {"delimiter": ";", "quote": "'"}),
        (b"id\ttext\n1\ta; b\n", {"delimiter": "\t"}),
        ("id§text\n1§a; b\n".encode(), {"delimiter": "§"}),
        (b'id|text\n1|a; b\n2|"no" quote\n', {"delimiter": "|", "quote": ""}),
    ],
)
def test_csv_is_read_with_other_delimiters_and_quotes(data: bytes, form: dict[str, str]):
    first, *rest = read_records(io.BytesIO(data), "csv", max_record_bytes=1000, **form)
    assert first.value == {"id": "1", "text": "a; b"}
    assert [record.value for record in rest] == ([{"id": "2", "text": '"no" quote'}] if rest else [])


def test_quotes_in_tsv_are_quotes():
    data = b'id\ttext\n1\t"We won\n2\tsaid "no"\t\n3\t"all of it"\r\n'
    assert outcomes(read(data, "tsv")) == [
        (0, {"id": "1", "text": '"We won'}),
        (1, "malformed"),
        (2, {"id": "3", "text": '"all of it"'}),
    ]


def test_a_header_that_names_a_column_twice_is_refused():
    (record,) = read(b"id,text,text\n1,a,b\n", "csv")
    assert (str(record.reason), "'text' twice" in record.detail) == ("broken_file", True)


def test_parquet_rows_are_read_by_row_group_and_a_damaged_group_costs_itself(tmp_path: Path):
    table = pa.table({"id": list(range(9)), "text": [f"text {number} " * 50 for number in range(9)]})
    pq.write_table(
        table,
        tmp_path / "x.parquet",
        row_group_size=3,
        write_page_checksum=True,
        use_dictionary=False,
        compression="none",
    )
    data = bytearray((tmp_path / "x.parquet").read_bytes())
    whole = read(bytes(data), "parquet")
    assert [(record.position, record.value) for record in whole] == list(enumerate(table.to_pylist()))
    chunk = pq.ParquetFile(tmp_path / "x.parquet").metadata.row_group(1).column(1)
    end = (chunk.dictionary_page_offset or chunk.data_page_offset) + chunk.total_compressed_size
    data[end - 5 : end] = b"wrong"
    positions = [(record.position, str(record.reason)) for record in read(bytes(data), "parquet")]
    good = [(position, "None") for position in (0, 1, 2, 6, 7, 8)]
    assert positions == [*good[:3], (3, "broken_file"), *good[3:]]


def test_parquet_dates_finer_than_a_microsecond_are_read():
    sink = pa.BufferOutputStream()
    times = pa.array([1_709_287_200_123_456_789], pa.timestamp("ns", "UTC"))
    pq.write_table(pa.table({"at": times}), sink)
    (record,) = read(sink.getvalue().to_pybytes(), "parquet")
    assert record.value is not None
    assert record.value["at"].isoformat() == "2024-03-01T10:00:00.123456+00:00"


@pytest.mark.parametrize(
    ("format", "line"),
    [("jsonl", '{{"id": {0}}}\n'), ("csv", "{0},a\n"), ("tsv", "{0}\ta\n"), ("json", '{{"id": {0}}},\n')],
)
def test_a_file_cut_in_half_keeps_what_could_be_read_and_is_one_reject(format: Format, line: str, tmp_path: Path):
    text = "".join(line.format(number * 7919**3) for number in range(5000))
    head = {"csv": "id,text\n", "tsv": "id\ttext\n", "json": "["}.get(format, "")
    packed = gzip.compress((head + text).encode())
    path = tmp_path / "x.gz"
    path.write_bytes(packed[: len(packed) // 2])
    with open_stream(str(path)) as stream:
        *before, last = read_records(stream, format, max_record_bytes=1000)
    assert len(before) > 1000
    assert [int(record.value["id"]) for record in before if record.value] == [n * 7919**3 for n in range(len(before))]
    assert (str(last.reason), last.position > before[-1].position) == ("broken_file", True)


def test_a_last_line_that_lacks_only_its_line_feed_is_kept_when_the_file_breaks_there():
    class Breaks(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            block = super().read(size)
            if not block:
                raise OSError("Truncated compressed stream")
            return block

    records = list(read_records(Breaks(b'{"a": 1}\n{"a": 2}'), "jsonl", max_record_bytes=100))
    assert outcomes(records) == [(0, {"a": 1}), (9, {"a": 2}), (17, "broken_file")]


def test_the_ending_tells_the_format_unless_it_is_declared():
    names = ("a.jsonl.gz", "a.ndjson", "a.json.zst", "a.csv", "a.TSV.bz2", "a.parquet")
    assert [format_of(name, "auto") for name in names] == ["jsonl", "jsonl", "json", "csv", "tsv", "parquet"]
    assert format_of("a.txt", "csv") == "csv"
    with pytest.raises(InputError, match=r"a\.txt: the ending does not say"):
        format_of("a.txt", "auto")


def test_only_json_lines_are_read_by_range():
    with pytest.raises(ValueError, match="only JSON Lines"):
        read(b"a,b\n", "csv", start=1)
    with pytest.raises(ValueError, match="only JSON Lines"):
        next(read_records(io.BytesIO(b"{}"), "jsonl", max_record_bytes=9, encoding="cp1252", start=1))
