"""A text of any encoding gives the records it gives in UTF-8; what is not of the encoding costs its record alone."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.sources.reading import Blocks, outcomes
from tests.sources.reading import read as read_all

from quotelake.sources.records import Format

ENCODINGS = ["cp1252", "iso8859-15", "utf-16", "utf-16-le", "utf-32", "euc_kr", "shift_jis", "gb18030", "koi8-r"]


def read(data: bytes, encoding: str, format: Format = "jsonl") -> list[tuple[int, Any]]:
    """Position and value or reason of each record, read a few bytes at a time, so that characters are cut."""
    return outcomes(read_all(Blocks(data, 3), format, encoding=encoding))


@given(
    texts=st.lists(st.text(max_size=12), max_size=4), encoding=st.sampled_from(ENCODINGS),
    format=st.sampled_from(["jsonl", "json", "csv", "tsv"]),
)  # fmt: skip
@example(["très"], "cp1252", "csv")
def test_records_are_those_of_the_same_text_in_utf_8(texts: list[str], encoding: str, format: Format):
    known = [text.encode(encoding, "ignore").decode(encoding, "ignore") for text in texts]
    rows = known if format in ("csv", "tsv") else [json.dumps({"text": text}, ensure_ascii=False) for text in known]
    written = f"[{','.join(rows)}]" if format == "json" else "\n".join(["text"] * (rows is known) + rows) + "\n"
    whole = written.encode(encoding, "ignore")
    assert read(whole, encoding, format) == read(whole.decode(encoding).encode(), "utf-8", format)


@pytest.mark.parametrize(
    ("format", "rows"),
    [("jsonl", b'{"text": "a \x81 b"}\n{"text": "caf\xe9"}\n'), ("csv", b"text\na \x81 b\ncaf\xe9\n")],
)
def test_a_byte_that_is_not_of_the_encoding_costs_its_record_and_is_shown(format: Format, rows: bytes):
    bad, good = read_all(rows, format, encoding="cp1252")
    assert (str(bad.reason), bad.detail, good.value) == ("wrong_encoding", "not cp1252", {"text": "café"})
    assert r"a \x81 b" in bad.raw


def test_bytes_that_would_be_utf_8_are_not_let_through_in_another_encoding():
    assert read('{"text": "é"}\n'.encode(), "ascii") == [(0, "wrong_encoding")]


def test_a_character_cut_at_the_end_costs_the_last_record():
    data = '{"text": "one"}\n{"text": "two"}'.encode("utf-16-le")
    assert read(data[:-1], "utf-16-le") == [(0, {"text": "one"}), (16, "wrong_encoding")]


def test_a_byte_order_mark_is_no_text():
    for encoding, mark in (("utf-8", b"\xef\xbb\xbf"), ("utf-16-le", b"\xff\xfe"), ("utf-16", b"\xff\xfe")):
        body = "text\nyes\n".encode("utf-16-le" if "16" in encoding else encoding)
        assert read(mark + body, encoding, "csv") == [(0, {"text": "yes"})]
