"""Records of every format: all are given, in order, and what cannot be read is named and passed over."""

import gzip
import io
import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.growth import assert_linear
from tests.sources.reading import Blocks, outcomes, read

from quotelake.errors import InputError
from quotelake.settings import load_settings
from quotelake.sources import json_records, streams
from quotelake.sources.json_records import Line, read_lines
from quotelake.sources.records import Format, format_of, read_file
from quotelake.sources.rejects import RawRecord
from quotelake.sources.streams import Input


@given(
    data=st.lists(st.sampled_from([b"a", b"bc", b"\n", b"\r\n", b"\xff"]), max_size=40).map(b"".join),
    cuts=st.lists(st.integers(0, 60), max_size=6),
    most=st.integers(1, 70),
)
def test_any_byte_ranges_together_give_each_line_once(data: bytes, cuts: list[int], most: int):
    whole = list(read_lines(Input(io.BytesIO(data)), limit=100))
    assert b"\n".join(line.data for line in whole) == data.removesuffix(b"\n")
    # Empty lines that follow each other may be one, which ranges and blocks cut.
    filled = [line for line in whole if line.data.strip()]
    ranges = pairwise([0, *sorted({cut for cut in cuts if cut}), None])
    assert [
        line
        for start, end in ranges
        for line in read_lines(Input(Blocks(data, most), start=max(start - 1, 0)), 100, start, end)
        if line.data.strip()
    ] == filled


@pytest.mark.parametrize("empty", [b"\n", b"\r\n"])
@pytest.mark.parametrize("format", ["jsonl", "csv", "tsv"])
def test_millions_of_empty_lines_are_read_in_few_steps(format: Format, empty: bytes, monkeypatch: pytest.MonkeyPatch):
    steps, make = [], json_records.Line
    monkeypatch.setattr(json_records, "Line", lambda *values: steps.append(values) or make(*values))
    table = b"text\na\n", b"b\n"
    first, last = (b'{"text": "a"}\n', b'{"text": "b"}\n') if format == "jsonl" else table
    found = read(first + empty * 3_000_000 + last, format, limit=1_000_000)
    assert [record.value for record in found] == [{"text": "a"}, {"text": "b"}]
    assert len(steps) < 3_000
    assert max(len(data) for _, data, _ in steps) < 10_000


def test_empty_lines_inside_a_cell_are_kept():
    assert [record.value for record in read(b'text\n"a' + b"\n" * 9000 + b'b"\n', "csv", 20_000)] == [
        {"text": "a" + "\n" * 9000 + "b"}
    ]


@given(limit=st.integers(1, 12), most=st.integers(1, 30))
def test_a_long_line_is_cut_to_the_limit_and_counted_in_full(limit: int, most: int):
    found = list(read_lines(Input(Blocks(b"123\n1234567890\n\n12345", most)), limit))
    assert [(line.position, line.size) for line in found] == [(0, 3), (4, 10), (15, 0), (16, 5)]
    assert [line.data for line in found] == [b"123"[:limit], b"1234567890"[:limit], b"", b"12345"[:limit]]
    assert [line.size > len(line.data) for line in found] == [limit < 3, limit < 10, False, limit < 5]


def test_a_line_of_any_length_is_never_held(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(streams, "BLOCK", 1000)

    class Endless(io.RawIOBase):
        left = 50_000

        def read(self, size: int = -1, /) -> bytes:
            assert size == 1000
            self.left -= 1
            return b"x" * size if self.left else b""

    (line,) = read_lines(Input(Endless()), 10)
    assert line == Line(0, b"x" * 10, 49_999_000)


def test_a_broken_stream_gives_the_lines_before_and_what_was_read_of_the_next():
    assert outcomes(read(Blocks(b'{"a": 1}\n{"a"', 4, breaks=True))) == [(0, {"a": 1}), (9, "broken_file")]
    assert read(Blocks(b'{"a": 1}\n{"a"', 4, breaks=True))[1].raw == '{"a"'
    # A last line that lacks only its line feed is kept.
    records = outcomes(read(Blocks(b'{"a": 1}\n{"a": 2}', breaks=True)))
    assert records == [(0, {"a": 1}), (9, {"a": 2}), (17, "broken_file")]


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
    expected = [
        (0, {"a": 1}), (18, "malformed"), (25, "wrong_type"), (29, "wrong_encoding"), (41, "malformed"),
        (57, {"a": "\0"}),
    ]  # fmt: skip
    assert outcomes(read(data)) == expected
    assert outcomes([*read(data, end=20), *read(data, start=20, end=41), *read(data, start=41)]) == expected


def test_what_is_refused_is_kept_as_text_up_to_the_limit_and_escaped_never_replaced():
    long, good = read(b'{"a": "' + b"x" * 5000 + b'"}\n{"a": 2}\n', limit=50)
    assert outcomes([long, good]) == [(0, "oversized"), (5010, {"a": 2})]
    assert long.raw == '{"a": "' + "x" * 43 and "5,009 bytes" in long.detail
    (record,) = read(b'{"a": "caf\xe9"}')
    assert record.raw == r'{"a": "caf\xe9"}'


@pytest.mark.parametrize("format", ["jsonl", "json"])
@pytest.mark.parametrize(
    ("text", "value", "problems"),
    [
        ('{"a": NaN, "t": "NaN"}', {"a": None, "t": "NaN"}, [("a", "NaN")]),
        ('{"a": {"b": [1, -Infinity]}}', {"a": {"b": [1, None]}}, [("a.b", "-Infinity")]),
        ('{"a": [NaN, {"b": Infinity}]}', {"a": [None, {"b": None}]}, [("a", "NaN"), ("a.b", "Infinity")]),
        ('{"t": "NaN Infinity"}', {"t": "NaN Infinity"}, []),
    ],
)
def test_not_a_number_becomes_null_and_is_told(
    format: Format, text: str, value: dict[str, Any], problems: list[tuple[str, str]]
):
    [record] = read((f"[{text}]" if format == "json" else text).encode(), format)
    assert record.value == value
    assert [tuple(problem) for problem in record.problems] == [("not_a_number", *each) for each in problems]


@pytest.mark.parametrize(
    "text", ['{"a": NaN', '{"a": nan}', '{"a": NaN, "t": "\\ud83d"}', "NaN", "[NaN]", '{"a": NaN1}', "[" * 9999 + "NaN"]
)
def test_not_a_number_excuses_nothing_else(text: str):
    [record] = read(text.encode(), limit=99_999)
    assert (str(record.reason), record.value) == ("malformed", None)


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
    data = json.dumps(items, indent=indent, ensure_ascii=ascii).encode()
    records = read(Blocks(data, most), "json")
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
        (b'\xef\xbb\xbf {"a": 1}\n{"a": 2}', 0, "format = 'jsonl'"),
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
        (1, "malformed"), (2, "malformed"), (3, "wrong_encoding"), (4, "oversized"),
        (5, {"id": "6", "text": "last"}),
        (6, "malformed"),
    ]  # fmt: skip


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
    first, *rest = read(data, "csv", **form)
    assert first.value == {"id": "1", "text": "a; b"}
    assert [record.value for record in rest] == ([{"id": "2", "text": '"no" quote'}] if rest else [])


def test_quotes_in_tsv_are_quotes():
    data = b'id\ttext\n1\t"We won\n2\tsaid "no"\t\n3\t"all of it"\r\n \r\n4\t' + b"x" * 99 + b"\n"
    assert outcomes(read(data, "tsv", limit=60)) == [
        (0, {"id": "1", "text": '"We won'}), (1, "malformed"), (2, {"id": "3", "text": '"all of it"'}),
        (3, "oversized"),
    ]  # fmt: skip


def test_excel_states_the_delimiter_and_others_escape_quotes_or_quote_tabs():
    expected = [{"id": "1", "text": 'She said "no", twice;'}]
    assert values(read(b'sep=;\r\nid;text\r\n1;"She said ""no"", twice;"\r\n', "csv")) == expected
    assert values(read(b'id,text\n1,"She said \\"no\\", twice;"\n', "csv", escape="\\")) == expected
    assert values(read(b'"id"\t"text"\n"1"\t"She said ""no"", twice;"\n', "tsv")) == expected
    assert values(read(b"sep=;", "csv")) == []


def values(found: list[RawRecord]) -> list[Any]:
    return [record.value for record in found]


def test_a_parquet_time_beyond_the_years_of_python_costs_itself():
    types = {"day": pa.date32(), "at": pa.timestamp("us")}
    table = pa.table(
        {
            name: pa.array([2**31 - 1, 1], pa.int32()).cast(type)
            if type == pa.date32()
            else pa.array([2**62, 1], pa.int64()).cast(type)
            for name, type in types.items()
        }
    )
    buffer = io.BytesIO()
    pq.write_table(table, buffer)
    far, near = values(read(buffer.getvalue(), "parquet"))
    assert all(isinstance(far[name], str) for name in types) and not any(
        isinstance(each, str) for each in near.values()
    )


def test_a_text_of_parquet_in_another_encoding_costs_its_row():
    texts = pa.Array.from_buffers(pa.string(), 3, pa.array([b"one", b"caf\xe9", b"three"]).buffers())
    buffer = io.BytesIO()
    pq.write_table(pa.table({"text": texts}), buffer)
    expected = [(0, {"text": "one"}), (1, "wrong_encoding"), (2, {"text": "three"})]
    assert outcomes(read(buffer.getvalue(), "parquet")) == expected


def test_a_quote_that_is_never_closed_is_read_in_linear_time():
    def work(lines: int) -> Callable[[], object]:
        data = b'text\n"open\n' + b"a line of some words\n" * lines
        return lambda: read(data, "csv", limit=99_999_999)

    assert_linear(work, 10_000)


@pytest.mark.parametrize(
    ("header", "says"),
    [(b"id,text,text\n1,a,b\n", "names column 2 twice"), (b'id,"te"xt\n1,a\n', "the header cannot be used")],
)
def test_a_file_whose_header_cannot_be_used_is_refused(header: bytes, says: str):
    (record,) = read(header, "csv")
    assert (record.position, str(record.reason), says in record.detail) == (0, "broken_file", True)


def test_parquet_rows_are_read_by_row_group_and_a_damaged_group_costs_itself(tmp_path: Path):
    table = pa.table({"id": list(range(9)), "text": [f"text {number} " * 50 for number in range(9)]})
    path = tmp_path / "x.parquet"
    pq.write_table(table, path, row_group_size=3, write_page_checksum=True, use_dictionary=False, compression="none")
    data = bytearray(path.read_bytes())
    assert outcomes(read(bytes(data), "parquet")) == list(enumerate(table.to_pylist()))
    assert {reason for _, reason in outcomes(read(bytes(data), "parquet", limit=300))} == {"oversized"}
    chunk = pq.ParquetFile(path).metadata.row_group(1).column(1)
    end = (chunk.dictionary_page_offset or chunk.data_page_offset) + chunk.total_compressed_size
    data[end - 5 : end] = b"wrong"
    positions = [(record.position, str(record.reason)) for record in read(bytes(data), "parquet")]
    good = [(position, "None") for position in (0, 1, 2, 6, 7, 8)]
    assert positions == [*good[:3], (3, "broken_file"), *good[3:]]


def test_parquet_dates_finer_than_a_microsecond_are_read():
    sink = pa.BufferOutputStream()
    times = pa.array([1_709_287_200_123_456_789], pa.timestamp("ns", "UTC"))
    pq.write_table(pa.table({"at": times}), sink)
    [(_, value)] = outcomes(read(sink.getvalue().to_pybytes(), "parquet"))
    assert value["at"].isoformat() == "2024-03-01T10:00:00.123456+00:00"


@pytest.mark.parametrize(
    ("format", "line"),
    [("jsonl", '{{"id": {0}}}\n'), ("csv", "{0},a\n"), ("tsv", "{0}\ta\n"), ("json", '{{"id": {0}}},\n')],
)
def test_a_file_cut_in_half_keeps_what_could_be_read_and_is_one_reject(format: Format, line: str, tmp_path: Path):
    text = "".join(line.format(number * 7919**3) for number in range(5000))
    head = {"csv": "id,text\n", "tsv": "id\ttext\n", "json": "["}.get(format, "")
    packed = gzip.compress((head + text).encode())
    (tmp_path / "x.gz").write_bytes(packed[: len(packed) // 2])
    settings = load_settings()
    *before, last = read_file(str(tmp_path / "x.gz"), format, settings.sources["bbc"], settings.ingest)
    assert len(before) > 1000
    assert [int(record.value["id"]) for record in before if record.value] == [n * 7919**3 for n in range(len(before))]
    assert (str(last.reason), last.position > before[-1].position) == ("broken_file", True)


def test_an_error_that_no_reader_knows_ends_its_file_and_no_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def fails(*_: Any, **__: Any) -> Any:
        yield RawRecord(7, {"id": "1"})
        raise ZeroDivisionError("a fake of a fault in a library")

    (tmp_path / "x.jsonl").write_bytes(b"{}")
    monkeypatch.setattr("quotelake.sources.records.read_records", fails)
    settings = load_settings()
    good, last = read_file(str(tmp_path / "x.jsonl"), "jsonl", settings.sources["bbc"], settings.ingest)
    assert (good.position, last.position, str(last.reason)) == (7, 7, "broken_file")
    assert "ZeroDivisionError: a fake" in last.detail


def test_a_parquet_file_that_is_compressed_once_more_is_a_reject_that_says_so(tmp_path: Path):
    (tmp_path / "x.parquet.gz").write_bytes(gzip.compress(b"PAR1"))
    settings = load_settings()
    (record,) = read_file(str(tmp_path / "x.parquet.gz"), "parquet", settings.sources["bbc"], settings.ingest)
    assert (str(record.reason), "unpack it" in record.detail) == ("broken_file", True)


def test_the_ending_tells_the_format_unless_it_is_declared():
    names = ("a.jsonl.gz", "a.ndjson", "a.json.zst", "a.csv", "a.TSV.bz2", "a.parquet")
    assert [format_of(name, "auto") for name in names] == ["jsonl", "jsonl", "json", "csv", "tsv", "parquet"]
    assert format_of("a.txt", "csv") == "csv"
    with pytest.raises(InputError, match=r"a\.txt: the ending does not name a format"):
        format_of("a.txt", "auto")
